#include "tools/stockout/prices/price_run.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "models/repricing/record_reader.h"
#include "models/scenario/buying/price_file.h"
#include "sim/core/error.h"
#include "tools/stockout/terminal/progress.h"

namespace stockout {
namespace {

// With every reason once.
void check_any_priced(const PriceArguments& arguments, const Repricing& repricing) {
  if (!repricing.now.strategies.empty()) return;
  std::string reasons;
  std::vector<std::string> told;
  for (const StrategyNow& strategy : repricing.strategies) {
    if (std::ranges::find(told, strategy.why_not) != told.end()) continue;
    told.push_back(strategy.why_not);
    reasons += (reasons.empty() ? "" : "; ") + strategy.why_not;
  }
  throw InputError{{.file = arguments.record},
                   fmt::format("no strategy of it can be priced so: {}", reasons)};
}

Repricing price_anew(const PriceArguments& arguments, const std::optional<Date>& date,
                     const StoredComparison& record, Console& console) {
  const Catalog catalog =
      arguments.catalog_dir.empty() ? Catalog::embedded() : Catalog::from_folder(arguments.catalog_dir);
  PriceQuestion question{.date = date, .own = {}, .billing = {}};
  std::vector<PriceOverlay> below = record.overlays;
  for (const std::string& path : arguments.prices) {
    const PriceFile file = read_price_file(path, catalog, below);
    below.insert(below.end(), file.prices.begin(), file.prices.end());
    question.own.insert(question.own.end(), file.prices.begin(), file.prices.end());
    if (file.billing) question.billing = file.billing;
  }
  return with_status(console, "pricing the runs of " + arguments.record,
                     [&] { return reprice(record, catalog, question); });
}

}  // namespace

std::optional<Date> PriceArguments::day() const {
  if (date.empty()) return std::nullopt;
  const auto day = parse_date(date);
  if (day) return day;
  throw InputError{{.file = "command line", .pointer = "--date"},
                   fmt::format("must be {}, but is \"{}\"", kDayForm, date)};
}

PriceRun::PriceRun(const PriceArguments& arguments, Console& console)
    : file_{arguments.record},
      date_{arguments.day()},
      record_{
          with_status(console, "reading " + arguments.record, [&] { return read_record(arguments.record); })},
      repricing_{price_anew(arguments, date_, record_, console)} {
  check_any_priced(arguments, repricing_);
  if (!arguments.break_even) return;
  break_evens_ = with_status(console, "looking for break-even prices", [&] {
    return break_evens(record_, repricing_.now, repricing_.of_record(), repricing_.price_lines(),
                       repricing_.terms);
  });
}

PriceReport PriceRun::report() const {
  const bool follows = record_.prices_follow_calendar && !date_;
  const auto day = follows ? std::nullopt : date_ ? date_ : parse_date(record_.prices_as_of);
  return {.record = record_,
          .repricing = repricing_,
          .file = file_,
          .prices_now = day ? "of " + stockout::to_text(*day) : "of each simulated day",
          .day = day,
          .version = STOCKOUT_VERSION,
          .break_evens = break_evens_ ? &*break_evens_ : nullptr};
}

}  // namespace stockout
