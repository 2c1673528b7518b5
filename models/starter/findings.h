#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/billing/billing_export.h"
#include "models/catalog/catalog.h"
#include "models/inventory/inventory_part.h"
#include "models/starter/quiet_days.h"
#include "models/starter/type_guess.h"
#include "models/workload/trace.h"

namespace stockout {

/// Part of a history by one of its columns: a class, a team.
struct FoundPart {
  std::string name = {};
  std::uint64_t jobs = 0;
  double gpu_hours = 0;
};

/// Jobs on one GPU type of the catalogue.
struct GpuDemand {
  std::string gpu = {};
  std::uint64_t jobs = 0;
  double gpu_hours = 0;
  double mean_gpus = 0;        // in use on average, from the first submission to the last end of a history
  std::int64_t peak_gpus = 0;  // in use at once, by recorded starts where these are known
  std::int32_t largest = 0;    // GPUs of the largest job
  std::int32_t smallest = 0;   // and of the smallest
};

/// A trace file, and what a scenario of its jobs requires.
struct FoundHistory {
  std::string file = {};
  TraceFormat format = TraceFormat::csv;
  std::string zone = {};         // of times without an offset, and of the site
  bool is_zone_guessed = false;  // nobody said it, and the file does not
  bool absolute = false;
  std::int64_t first_ms = 0;  // submissions, as Trace::submit_ms
  std::int64_t last_ms = 0;
  std::uint64_t jobs = 0;
  double gpu_hours = 0;
  std::size_t users = 0;
  std::vector<FoundPart> classes = {};  // by GPU-hours, the most first; empty: the file names none
  std::vector<FoundPart> teams = {};    // the same
  std::vector<TypeGuess> types =
      {};  // of every name that a job has, GPUs and machines, and "" if one has none
  std::vector<std::string> places =
      {};  // regions or zones of the catalogue that it names, the most used first
  std::vector<QuietDay> quiet_days = {};
  std::vector<std::string> remarks = {};     // what its reader dropped, and what its audit found
  std::vector<std::string> unfit = {};       // of these, why it must not be used as it is
  std::optional<SimDuration> wait_p95 = {};  // as recorded
  bool has_unnamed = false;                  // of some job no GPU type is known
  bool counts_processors = false;            // the format knows no GPUs
  bool assumes_one_gpu = false;              // the file does not say how many a job has
};

/// All that is known of a planner when a scenario is begun.
struct Findings {
  std::vector<FoundHistory> histories = {};
  std::vector<GpuDemand> gpus = {};  // by GPU-hours, the most first
  std::vector<EffectivePrice> prices = {};
  std::string prices_label = {};                 // where these are from
  std::vector<std::string> prices_remarks = {};  // how they became USD
  std::string prices_day = {};                   // the last day on which they were charged; empty: not known
  std::optional<InventoryPart> existing = {};    // reservations and commitments; none: no list was given
};

/// Looks through a trace that was read with TraceOptions::keep_rows, and adds what it tells. `zone`: as the
/// planner said it; empty: UTC was taken. What is held and charged must be in `findings` already: it says
/// which of several GPUs of one name these are.
void add_history(Findings& findings, const Trace& trace, const std::string& zone, const Catalog& catalog);

}  // namespace stockout
