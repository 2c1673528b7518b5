#pragma once

#include <optional>
#include <string>

#include "models/catalog/date.h"

namespace stockout {

/// The later of two days; one that is no day does not count.
[[nodiscard]] std::optional<Date> later_day(const std::string& one, const std::string& other);

/// A price that is older may have changed since: reports warn of it. An assumption, half a year: Spot prices
/// of the catalogue changed every two to four weeks, flex-start prices once in eight months.
inline constexpr int kOldPriceDays = 180;

/// Days from the day of a price, "2026-07-30", to another; none where one of them is not known.
[[nodiscard]] std::optional<int> price_age(const std::optional<Date>& on, const std::string& as_of);

/// "1 day old", "210 days old"; of a price that is not paid yet, "3 days ahead".
[[nodiscard]] std::string age_text(int days);

}  // namespace stockout
