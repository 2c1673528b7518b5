#include "tools/stockout/answers/check_run.h"

#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "sim/core/error.h"
#include "tools/stockout/arguments/work_limit.h"

namespace stockout {

std::optional<Tolerance> CheckArguments::asked_tolerance() const {
  if (tolerance.empty()) return std::nullopt;
  const auto parsed = parse_tolerance(tolerance);
  if (parsed) return parsed;
  throw InputError{{.file = "command line", .pointer = "--tolerance"},
                   fmt::format("must be {}, but is \"{}\"", kToleranceForms, tolerance)};
}

std::optional<Baseline> CheckArguments::read_if_there() const {
  std::error_code error;
  if (std::filesystem::exists(baseline, error) || error) return read_baseline(baseline);
  if (update) return std::nullopt;
  throw InputError{{.file = baseline},
                   fmt::format("there is no such file; `stockout check {} --baseline {} --update` makes it",
                               scenario.file, baseline)};
}

Baseline measure_now(const CheckArguments& arguments, const Scenario& scenario, RunObserver& watcher) {
  CompareOptions options = compare_options(scenario);
  options.threads = arguments.threads;
  options.observers = {&watcher};
  const Comparison comparison = compare_or_explain(scenario, options);
  return baseline_of(scenario, comparison, STOCKOUT_VERSION);
}

BaselineCheck accept_baseline(const std::optional<Baseline>& then, Baseline& now) {
  if (!then) return {};
  Baseline exact = *then;
  exact.tolerances.clear();
  BaselineCheck changes = check_against(exact, now, std::nullopt);
  now.tolerances = then->tolerances;
  return changes;
}

}  // namespace stockout
