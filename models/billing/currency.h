#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stockout {

/// At which rates the charges in one currency became USD.
struct UsedRate {
  std::string currency;  // "EUR"; empty: the file does not say
  bool is_told = false;  // the planner said it; else the export did, row by row
  double least = 0;      // of the currency for one USD
  double most = 0;
  std::string first =
      {};                 // the earliest start of such a charge as written, by text; empty: the file has none
  std::string last = {};  // the latest
  std::uint64_t rows = 0;
};

/// Notes that a charge was converted.
void add_rate(std::vector<UsedRate>& rates, std::string_view currency, bool is_told, double rate,
              std::string_view start);

/// For people: `40 rows in EUR became USD at 0.91 to 0.93 for one, by the export's own rates, 2026-07-01
/// to 2026-07-31`.
[[nodiscard]] std::string text_of(const UsedRate& rate);

}  // namespace stockout
