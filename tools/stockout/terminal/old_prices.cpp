#include "tools/stockout/terminal/old_prices.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <ostream>
#include <string_view>

#include <fmt/format.h>

#include "tools/report/prices/price_age.h"

namespace stockout {

std::optional<Date> today(const Environment& environment) {
  using std::chrono::floor, std::chrono::days, std::chrono::seconds;
  const char* said = environment("SOURCE_DATE_EPOCH");
  if (said == nullptr) return floor<days>(std::chrono::system_clock::now());
  constexpr std::int64_t kMost = 253'402'300'799;  // the last second of the year 9999
  const std::string_view text{said};
  std::int64_t epoch = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), epoch);
  if (error != std::errc{} || end != text.data() + text.size() || epoch < 0 || epoch > kMost)
    return std::nullopt;
  return floor<days>(std::chrono::sys_time<seconds>{seconds{epoch}});
}

void warn_of_old_prices(const Scenario& scenario, Console& console) {
  if (!console.err_is_terminal || !console.today || scenario.prices_follow_calendar) return;
  const Date start = std::chrono::floor<std::chrono::days>(scenario.world.start_date);
  const Date on = std::min(*console.today, start);
  const auto age = price_age(on, scenario.prices_as_of);
  if (!age || *age <= kOldPriceDays) return;
  console.err << fmt::format(
      "{} the price list is of {}: {} days before {}. Newer prices: `prices_as_of`, --catalog, --prices.\n",
      console.err_label("warning:", Tone::warning), scenario.prices_as_of, *age,
      on == start ? "the window begins" : "today");
}

}  // namespace stockout
