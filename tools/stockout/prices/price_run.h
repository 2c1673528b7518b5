#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/repricing/break_even.h"
#include "models/repricing/repricing.h"
#include "tools/report/record/price_report.h"
#include "tools/stockout/terminal/console.h"

namespace stockout {

/// Arguments for pricing a record anew, whoever asks.
struct PriceArguments {
  std::string record;
  std::string catalog_dir;          // empty: the built-in catalogue
  std::string date;                 // empty: as the record says
  std::vector<std::string> prices;  // files of own prices, one on top of another
  bool break_even = false;

  /// Throws InputError if it is none.
  [[nodiscard]] std::optional<Date> day() const;
};

/// A record at other prices.
class PriceRun {
 public:
  /// Throws InputError if the record cannot be read, or no strategy of it can be priced so.
  PriceRun(const PriceArguments& arguments, Console& console);

  /// This outlives it.
  [[nodiscard]] PriceReport report() const;

 private:
  std::string file_;
  std::optional<Date> date_;
  StoredComparison record_;
  Repricing repricing_;
  std::optional<BreakEvens> break_evens_;
};

}  // namespace stockout
