#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "sim/core/time.h"

namespace stockout {

/// The GPUs that a list of trackable resources of Slurm has: "cpu=8,gres/gpu:h100=8,gres/gpu=8,mem=64G".
struct TresGpus {
  std::int32_t count = 0;
  std::string_view type;  // of the typed entry with the most; empty: none is typed
};

/// `gres/gpu` counts all of them, `gres/gpu:TYPE` the same ones again. Nothing if a number of GPUs is none.
/// The type points into `text`.
[[nodiscard]] std::optional<TresGpus> parse_tres_gpus(std::string_view text);

/// "[days-]hours:minutes:seconds", "minutes:seconds" with or without decimals. Nothing if it is none.
[[nodiscard]] std::optional<SimDuration> parse_slurm_length(std::string_view text);

/// Whether a cell has no time: "", "Unknown", "None" or "N/A".
[[nodiscard]] bool is_not_set(std::string_view cell);

/// Whether a cell has no limit: "", "UNLIMITED", "Partition_Limit", "INVALID" or what is_not_set().
[[nodiscard]] bool is_no_limit(std::string_view cell);

}  // namespace stockout
