#include "models/billing/billing_export.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "sim/core/counted.h"
#include "sim/core/error.h"
#include "sim/io/csv_reader.h"
#include "sim/io/line_reader.h"

namespace stockout {
namespace {

enum Column : std::size_t {
  kMachine,
  kRegion,
  kSku,
  kAmount,
  kUnit,
  kCost,
  kCredits,
  kUsageStart,
  kCurrency,
  kCategory,
  kPricing,
  kColumns
};

struct ColumnName {
  std::string_view name;  // empty: the format has none
  bool required = false;
};

using ColumnNames = std::array<ColumnName, kColumns>;
constexpr ColumnNames kBigQuery{{{"machine_spec", true},
                                 {"region", true},
                                 {"sku", true},
                                 {"amount", true},
                                 {"unit", true},
                                 {"cost", true},
                                 {"credits"},
                                 {"usage_start_time"},
                                 {"currency"},
                                 {},
                                 {}}};
constexpr ColumnNames kFocus{{{"SkuPriceDetails", true},
                              {"RegionId", true},
                              {"ChargeDescription", true},
                              {"ConsumedQuantity", true},
                              {"ConsumedUnit", true},
                              {"EffectiveCost", true},
                              {},
                              {"ChargePeriodStart"},
                              {"BillingCurrency"},
                              {"ChargeCategory"},
                              {"PricingCategory"}}};

std::vector<std::string_view> missing_columns(const ColumnNames& names,
                                              std::span<const std::string_view> fields) {
  std::vector<std::string_view> missing;
  for (const ColumnName& column : names) {
    if (column.required && std::ranges::count(fields, column.name) == 0) missing.push_back(column.name);
  }
  return missing;
}

std::string lower(std::string_view text) {
  std::string result{text};
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// A machine type's name says "gpu" whatever is charged.
std::string without(std::string text, std::string_view name) {
  if (const auto at = text.find(name); at != std::string::npos) text.erase(at, name.size());
  return text;
}

// The parts that a machine's charge is made of.
enum class Piece : std::uint8_t { gpu, part, whole };

Piece piece_of(std::string_view sku) {
  if (has(sku, "gpu")) return Piece::gpu;
  if (has(sku, "core") || has(sku, "ram") || has(sku, "ssd") || has(sku, "disk")) return Piece::part;
  return Piece::whole;
}

PriceModel model_of(std::string_view sku, std::string_view pricing) {
  if (has(sku, "management fee")) return PriceModel::management_fee;
  if (has(sku, "spot") || has(sku, "preemptible") || pricing == "dynamic") return PriceModel::spot;
  if (has(sku, "calendar")) return PriceModel::calendar;
  if (has(sku, "dws") || has(sku, "defined duration") || has(sku, "flex start"))
    return PriceModel::flex_start;
  return PriceModel::on_demand;
}

std::optional<double> hours_in(std::string_view unit) {
  if (unit == "hour" || unit == "hours" || unit == "h") return 1.0;
  if (unit == "second" || unit == "seconds" || unit == "s") return 1.0 / 3600;
  return std::nullopt;
}

constexpr double kDearestUsd = 1e6;  // USD per machine-hour: the most that a planner's price may be

struct Sum {
  double gpu_hours = 0;
  double whole_hours = 0;
  double usd = 0;
  std::uint64_t rows = 0;
};

class Export {
 public:
  Export(const std::string& path, BillingFormat format, const Catalog& catalog)
      : csv_{path}, names_{format == BillingFormat::focus ? kFocus : kBigQuery}, catalog_{catalog} {}

  BillingExport read() {
    if (!csv_.next()) throw InputError{{.file = csv_.path()}, "holds no rows"};
    read_header();
    const std::size_t width = csv_.fields().size();
    while (csv_.next()) {
      csv_.check_width(width);
      read_row();
    }
    for (const auto& [key, sum] : sums_) add_price(key, sum);
    if (result_.prices.empty()) fail_empty();
    return std::move(result_);
  }

 private:
  using Key = std::tuple<MachineId, std::string, PriceModel>;

  void read_header() {
    at_.fill(kNone);
    const auto fields = csv_.fields();
    for (std::size_t column = 0; column < kColumns; ++column) {
      const auto [name, required] = names_[column];
      if (name.empty()) continue;
      const auto found = std::ranges::find(fields, name);
      if (found != fields.end()) {
        at_[column] = static_cast<std::size_t>(found - fields.begin());
      } else if (required) {
        csv_.fail(fmt::format("column \"{}\" is missing", name));
      }
    }
  }

  [[nodiscard]] std::string_view text(Column column) const {
    return at_[column] == kNone ? std::string_view{} : csv_.fields()[at_[column]];
  }

  // A number; an empty cell is none.
  [[nodiscard]] double number(Column column) const {
    const std::string_view cell = text(column);
    if (cell.empty()) return 0;
    double value = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (error != std::errc{} || end != cell.data() + cell.size() || !std::isfinite(value)) {
      csv_.fail(
          fmt::format("column \"{}\" must be a number, but is {}", names_[column].name, in_quotes(cell)));
    }
    return value;
  }

  // FOCUS keeps the machine type in the properties of the SKU's price.
  [[nodiscard]] std::string machine_name() const {
    const std::string_view cell = text(kMachine);
    if (names_[kMachine].name != "SkuPriceDetails" || cell.empty()) return std::string{cell};
    const auto details = nlohmann::json::parse(cell, nullptr, false);
    if (details.is_discarded()) csv_.fail("column \"SkuPriceDetails\" must be JSON");
    const auto type = details.is_object() ? details.find("InstanceType") : details.end();
    if (!details.is_object() || type == details.end() || !type->is_string()) return {};
    return type->get<std::string>();
  }

  void skip(std::string_view reason, double usd) {
    auto found = std::ranges::find(result_.skipped, reason, &SkippedCharges::reason);
    if (found == result_.skipped.end()) {
      result_.skipped.push_back({.reason = std::string{reason}});
      found = std::prev(result_.skipped.end());
    }
    ++found->rows;
    found->usd += usd;
  }

  void note_time() {
    const std::string_view start = text(kUsageStart);
    if (start.empty()) return;
    if (result_.first.empty() || start < result_.first) result_.first = start;
    if (start > result_.last) result_.last = start;
  }

  void read_row() {
    if (const std::string_view currency = text(kCurrency); !currency.empty() && currency != "USD") {
      csv_.fail(
          fmt::format("column \"{}\" must be USD, but is {}", names_[kCurrency].name, in_quotes(currency)));
    }
    const double usd = number(kCost) + number(kCredits);
    const double amount = number(kAmount);
    const std::string_view category = text(kCategory);
    const bool is_credit = category == "Credit";
    if (!category.empty() && category != "Usage" && !is_credit)
      return skip("neither usage nor a credit (ChargeCategory)", usd);
    const std::string sku = lower(text(kSku));
    const std::string pricing = lower(text(kPricing));
    if (has(sku, "commitment") || pricing == "committed") return skip("a commitment's fee or use", usd);
    const std::string name = machine_name();
    if (name.empty()) return skip(is_credit ? "a credit on no machine type" : "no machine type", usd);
    const auto machine = catalog_.find_machine(name);
    if (!machine) return skip("a machine type that the catalogue has not", usd);
    if (text(kRegion).empty()) return skip("no region", usd);
    const Piece piece = is_credit ? Piece::part : piece_of(without(sku, lower(name)));
    const auto hours = hours_in(lower(text(kUnit)));
    if (piece != Piece::part && !hours) return skip("not counted in hours or seconds", usd);
    note_time();
    Sum& sum = sums_[{*machine, std::string{text(kRegion)}, model_of(sku, pricing)}];
    sum.usd += usd;
    ++sum.rows;
    if (piece == Piece::gpu) sum.gpu_hours += amount * *hours;
    if (piece == Piece::whole) sum.whole_hours += amount * *hours;
  }

  void add_price(const Key& key, const Sum& sum) {
    const auto& [machine, region, model] = key;
    const double gpus = static_cast<double>(catalog_.machine(machine).gpus.count());
    const double hours = sum.gpu_hours > 0 ? sum.gpu_hours / gpus : sum.whole_hours;
    if (hours <= 0) return skip("parts of machines without GPU hours", sum.usd);
    if (sum.usd < 0) return skip("credits above the cost", sum.usd);
    if (sum.usd / hours > kDearestUsd) return skip("above $1,000,000 an hour", sum.usd);
    result_.prices.push_back(
        {.machine = machine, .region = region, .model = model, .machine_hours = hours, .usd = sum.usd});
  }

  [[noreturn]] void fail_empty() const {
    std::string reasons;
    for (const SkippedCharges& skipped : result_.skipped) {
      reasons +=
          fmt::format("{}{} ({})", reasons.empty() ? "" : "; ", skipped.reason, counted(skipped.rows, "row"));
    }
    throw InputError{{.file = csv_.path()},
                     "holds no price of a machine: " + (reasons.empty() ? "it has no rows" : reasons)};
  }

  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  CsvReader csv_;
  const ColumnNames& names_;
  const Catalog& catalog_;
  std::array<std::size_t, kColumns> at_{};
  std::map<Key, Sum> sums_;
  BillingExport result_;
};

}  // namespace

BillingExport read_billing_export(const std::string& path, BillingFormat format, const Catalog& catalog) {
  return Export{path, format, catalog}.read();
}

BillingFormat billing_format_of(const std::string& path) {
  CsvReader csv{path};
  if (!csv.next()) throw InputError{{.file = path}, "holds no rows: must be a billing export"};
  const auto bigquery = missing_columns(kBigQuery, csv.fields());
  if (bigquery.empty()) return BillingFormat::bigquery;
  const auto focus = missing_columns(kFocus, csv.fields());
  if (focus.empty()) return BillingFormat::focus;
  const bool is_focus = focus.size() < bigquery.size();
  const auto& missing = is_focus ? focus : bigquery;
  const std::string_view name = kBillingFormatNames[static_cast<std::size_t>(
      is_focus ? BillingFormat::focus : BillingFormat::bigquery)];
  throw InputError{
      {.file = path, .line = 1},
      fmt::format("has the columns of none of the layouts bigquery and focus: {} is the nearest, of which it "
                  "lacks {}. {}",
                  name, fmt::join(missing, ", "),
                  is_focus ? "Export them with FOCUS 1.2"
                           : "`stockout prices --query` prints the query that makes them of a raw export")};
}

}  // namespace stockout
