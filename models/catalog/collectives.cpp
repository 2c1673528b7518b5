// Measured bandwidths of collectives: the file, and what lies between its points.

#include "models/catalog/collectives.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "models/catalog/catalog_reader.h"
#include "sim/core/error.h"
#include "sim/core/unknown_name.h"

namespace stockout {

std::optional<double> bus_bandwidth(std::span<const BusBandwidth> points, double message_gb) {
  if (points.empty()) return std::nullopt;
  const auto above = std::ranges::lower_bound(points, message_gb, {}, &BusBandwidth::message_gb);
  if (above == points.end()) return points.back().busbw;
  if (above == points.begin() || above->message_gb == message_gb) return above->busbw;
  const BusBandwidth& below = *std::prev(above);
  const double part =
      std::log(message_gb / below.message_gb) / std::log(above->message_gb / below.message_gb);
  return below.busbw * std::pow(above->busbw / below.busbw, part);
}

double all_reduce_s(double message_gb, double gpus, double busbw) {
  return 2 * (gpus - 1) / gpus * message_gb / busbw;
}

void CatalogReader::read_collectives(const CatalogTable& table, std::size_t file) {
  if (table.file.empty()) return;
  begin(file, table);
  for (const Record& record : table.records) {
    record_ = &record;
    if (!catalog_.has_family(text(0))) {
      fail(0, unknown_name("machine family", text(0), catalog_.families_));
    }
    const bool is_withheld = text(1).empty() && text(2).empty();
    BusBandwidth row{.family = text(0),
                     .message_gb = is_withheld ? 0 : above_zero(1),
                     .busbw = is_withheld ? 0 : above_zero(2),
                     .as_of = day(3),
                     .source = source(4),
                     .note = text(5)};
    for (const BusBandwidth& other : catalog_.collectives_) {
      if (other.family != row.family) continue;
      if (other.message_gb == row.message_gb) fail(1, fmt::format("{} has this size already", row.family));
      if (other.busbw == 0 || row.busbw == 0)
        fail(1, fmt::format("{} has a row without figures", row.family));
    }
    catalog_.collectives_.push_back(std::move(row));
  }
  std::ranges::sort(catalog_.collectives_, {}, [](const BusBandwidth& row) {
    return std::pair{std::string_view{row.family}, row.message_gb};
  });
}

double CatalogReader::above_zero(std::size_t column) const {
  const double value = number(column);
  if (value == 0) fail(column, "must be more than 0");
  return value;
}

}  // namespace stockout
