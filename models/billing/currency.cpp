#include "models/billing/currency.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "sim/core/counted.h"

namespace stockout {
namespace {

constexpr std::size_t kDay = 10;  // letters of a date

std::string range_text(const UsedRate& rate) {
  return rate.least == rate.most ? fmt::format("{:.6g}", rate.least)
                                 : fmt::format("{:.6g} to {:.6g}", rate.least, rate.most);
}

}  // namespace

void add_rate(std::vector<UsedRate>& rates, std::string_view currency, bool is_told, double rate,
              std::string_view start) {
  auto used = std::ranges::find_if(
      rates, [&](const UsedRate& one) { return one.currency == currency && one.is_told == is_told; });
  if (used == rates.end()) {
    rates.push_back({.currency = std::string{currency}, .is_told = is_told, .least = rate, .most = rate});
    used = std::prev(rates.end());
  }
  used->least = std::min(used->least, rate);
  used->most = std::max(used->most, rate);
  ++used->rows;
  if (start.empty()) return;
  if (used->first.empty() || start < used->first) used->first = start;
  if (start > used->last) used->last = start;
}

std::string text_of(const UsedRate& rate) {
  const std::string currency = rate.currency.empty() ? "another currency" : rate.currency;
  std::string text = fmt::format("{} in {} became USD at {} for one, {}", counted(rate.rows, "row"), currency,
                                 range_text(rate), rate.is_told ? "as you say" : "by the export's own rates");
  if (!rate.first.empty())
    text += fmt::format(", {} to {}", rate.first.substr(0, kDay), rate.last.substr(0, kDay));
  return text;
}

}  // namespace stockout
