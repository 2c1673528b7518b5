// The fields of one record of a catalogue file, each checked for its own sake.

#include <algorithm>

#include <fmt/format.h>

#include "models/catalog/catalog_reader.h"
#include "sim/core/error.h"
#include "sim/core/unknown_name.h"
#include "sim/io/number.h"

namespace stockout {

namespace {

constexpr std::int64_t kNano = 1'000'000'000;
constexpr std::int64_t kDearest =
    1'000'000;  // dollars per machine-hour: anything above is a slip of the unit
constexpr std::size_t kLongestName = 80;
constexpr std::int64_t kMostMilli = 1'000'000'000;

constexpr std::array<std::string_view, 5> kConfidences{"documented", "secondary", "computed", "inferred",
                                                       "low"};

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
         c == '+' || c == '.';
}

}  // namespace

void CatalogReader::fail(std::size_t column, std::string_view problem) const {
  fail_line(record_->line, fmt::format("{}: {}", file_->columns[column], problem));
}

void CatalogReader::fail_line(int line, std::string_view problem) const {
  throw InputError{{.file = table_->file, .line = line}, problem};
}

const std::string& CatalogReader::text(std::size_t column) const { return record_->fields.at(column); }

const std::string& CatalogReader::name(std::size_t column) const {
  const std::string& value = text(column);
  if (value.empty() || value.size() > kLongestName || !std::ranges::all_of(value, is_name_character)) {
    fail(column, fmt::format("must be a name of letters, digits and \"-_+.\", but is \"{}\"", value));
  }
  return value;
}

std::int64_t CatalogReader::whole(std::size_t column, std::int64_t least, std::int64_t most) const {
  std::int64_t value = 0;
  if (parse_integer(text(column), value) != std::errc{} || value < least || value > most) {
    fail(column,
         fmt::format("must be a whole number from {} to {}, but is \"{}\"", least, most, text(column)));
  }
  return value;
}

double CatalogReader::number(std::size_t column) const {
  std::int64_t milli = 0;
  if (parse_scaled(text(column), 1'000, 1, milli) != std::errc{} || milli < 0 || milli > kMostMilli) {
    fail(column, fmt::format("must be a number from 0 to 1000000, but is \"{}\"", text(column)));
  }
  return static_cast<double>(milli) / 1'000;
}

void CatalogReader::read_offer(std::size_t column, std::size_t offer, MachineType& machine) const {
  machine.accepts[offer] = text(column) == "yes";
  machine.not_known[offer] = text(column) == "unknown";
  if (machine.accepts[offer] || machine.not_known[offer] || text(column) == "no") return;
  fail(column, fmt::format("must be yes, no or unknown, but is \"{}\"", text(column)));
}

const std::string& CatalogReader::source(std::size_t column) const {
  if (!catalog_.sources_.contains(text(column))) {
    std::vector<std::string> known;
    for (const auto& [key, wording] : catalog_.sources_) known.push_back(key);
    fail(column, unknown_name("source", text(column), known));
  }
  return text(column);
}

MachineHourPrice CatalogReader::price(std::size_t column) const {
  std::int64_t nano = 0;
  if (parse_scaled(text(column), kNano, 1, nano) != std::errc{} || nano <= 0 || nano > kDearest * kNano) {
    fail(column, fmt::format("must be dollars per machine-hour, more than 0 and at most {}, but is \"{}\"",
                             kDearest, text(column)));
  }
  return MachineHourPrice{nano};
}

Date CatalogReader::day(std::size_t column) const {
  const auto date = parse_date(text(column));
  if (!date) fail(column, fmt::format("must be {}, but is \"{}\"", kDayForm, text(column)));
  return *date;
}

const std::string& CatalogReader::confidence(std::size_t column) const {
  if (std::ranges::find(kConfidences, text(column)) == kConfidences.end()) {
    fail(column,
         fmt::format("must be one of {}, but is \"{}\"", fmt::join(kConfidences, ", "), text(column)));
  }
  return text(column);
}

PriceModel CatalogReader::model(std::size_t column) const {
  const auto found = std::ranges::find(kWaysToBuy, text(column));
  if (found == kWaysToBuy.end()) {
    const std::vector<std::string> known{kWaysToBuy.begin(), kWaysToBuy.end()};
    fail(column, unknown_name("price model", text(column), known));
  }
  return static_cast<PriceModel>(found - kWaysToBuy.begin());
}

}  // namespace stockout
