#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "models/catalog/date.h"

namespace stockout {

/// Who puts requests in front of the pools.
enum class OrchestratorName : std::uint8_t { compute_engine, vertex, gke, slurm };
inline constexpr std::array<std::string_view, 4> kOrchestratorNames{"compute_engine", "vertex", "gke",
                                                                    "slurm"};

/// Since when an orchestrator takes requests under a consumption model, or under two models together.
struct ValidityRow {
  OrchestratorName orchestrator = OrchestratorName::compute_engine;
  std::string model;          // of consumption: "flex_start"
  std::string with;           // the other model; empty: `model` by itself
  bool for_request = false;   // with another: in one request; else for one job, in whichever of its legs
  bool never = false;         // then `from` and `until` are empty
  std::optional<Date> from;   // the first day; none: from before anything that is known
  std::optional<Date> until;  // the first day on which it is over; none: it goes on
  std::string confidence;     // as of a price
  std::string source;         // key into Catalog::sources()
  std::string note;           // what a reader must know; may be empty

  [[nodiscard]] bool holds_on(Date day) const {
    return !never && (!from || *from <= day) && (!until || day < *until);
  }
};

}  // namespace stockout
