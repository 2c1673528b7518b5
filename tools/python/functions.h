#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tools/python/frame.h"
#include "tools/stockout/answers/check_run.h"
#include "tools/stockout/answers/comparison_run.h"
#include "tools/stockout/prices/price_run.h"
#include "tools/stockout/traces/trace_arguments.h"

namespace stockout {

/// Result of a function, by name. `frame.h` says what a frame is.
using FoundValue = std::variant<std::string, bool, std::int64_t, std::vector<std::string>, Frame>;
using Found = std::vector<std::pair<const char*, FoundValue>>;

/// Whether work is to stop. From any thread.
using StopFlag = std::atomic<bool>;

/// The exception that work ends with when it is to stop.
struct StoppedWork {};

struct RunRequest {
  ScenarioArguments scenario;
  std::string strategy;
  std::uint64_t replication = 0;
  GroupBy by = GroupBy::nothing;
  std::string record;  // a file to be written; empty: none
};

struct SweepRequest {
  std::string file;
  std::string store;
  std::string catalog_dir;
  std::vector<std::string> price_files = {};
  bool resume = false;
  int threads = 0;
};

// Each does what the command of its name does, by the same functions, and tells no console. All throw
// InputError, and those with `stop` StoppedWork once it is set.

[[nodiscard]] Found found_by_compare(const ComparisonArguments& asked, const std::string& record,
                                     const StopFlag& stop);
[[nodiscard]] Found found_by_run(const RunRequest& asked, const StopFlag& stop);
[[nodiscard]] Found found_by_check(const CheckArguments& asked, const StopFlag& stop);
[[nodiscard]] Found found_by_sweep(const SweepRequest& asked, const StopFlag& stop);
[[nodiscard]] Found found_by_price(const PriceArguments& asked);
/// `capacity`: the GPUs that there were; 0: not known.
[[nodiscard]] Found found_by_trace(const TraceArguments& asked, std::int64_t capacity);

}  // namespace stockout
