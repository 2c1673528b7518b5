#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/billing/cost.h"
#include "models/billing/money.h"
#include "models/catalog/types.h"
#include "sim/core/ids.h"
#include "sim/core/quantity.h"
#include "sim/core/time.h"

namespace stockout {

/// A commitment that exists already. It is paid whatever is done, so that what it costs is sunk.
struct Commitment {
  std::string name;
  MachineId machine{};
  std::string region;
  MachineCount machines{};
  SimTime start{};  // of the term; may be long before the run ...
  SimTime end{};    // ... and its end long after; later than `start`
  MachineHourPrice list{};
  MachineHourPrice contracted{};
  std::string as_of;                    // date of the price row; empty: the scenario's own price
  std::optional<PriceModel> plan = {};  // whose price of the list it is; none: what was agreed
};

/// Coverage by the commitments to one machine type in one region.
struct Coverage {
  std::vector<std::size_t> commitments;  // of BillTerms
  std::vector<PriceLineId> lines;        // at the on-demand price, in the order in which they are covered
};

/// By what a cost that is no machine's is counted.
enum class CostUnit : std::uint8_t {
  hour,      // of the window
  once,      // by itself
  job,       // that was submitted in the window and started
  gpu_hour,  // leased by jobs
};

/// A cost beside the machines: disks, a controller, CPU workers, a fee.
struct OtherCost {
  std::string name;
  CostUnit unit = CostUnit::hour;
  MachineHourPrice price{};      // nano-dollars for each unit
  std::vector<bool> strategies;  // of the world, that pay it; empty: all
  std::vector<bool> classes;     // by ClassId, of job and gpu_hour: whose jobs count; empty: all
};

/// Items of the bill besides the machines that jobs and held capacity use.
struct BillTerms {
  std::vector<Commitment> commitments;
  std::vector<Coverage> coverage;
  std::vector<OtherCost> other;
};

/// Machine-time of a commitment between two times, the second not before the first.
[[nodiscard]] MachineTime time_between(const Commitment& commitment, SimTime from, SimTime to);

/// Cost of a commitment between two times.
[[nodiscard]] Cost cost_between(const Commitment& commitment, SimTime from, SimTime to);

/// Machine-time that the commitments of a coverage pay for in hour `hour` from kStart.
[[nodiscard]] MachineTime covered_in(const BillTerms& terms, const Coverage& coverage, std::int64_t hour);

}  // namespace stockout
