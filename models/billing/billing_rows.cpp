#include "models/billing/billing_rows.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <iterator>
#include <optional>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "sim/core/error.h"
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
  kUsageEnd,
  kCurrency,
  kCategory,
  kPricing,
  kRate,
};

struct ColumnName {
  std::string_view name;  // empty: the format has none
  bool required = false;
};

using ColumnNames = std::array<ColumnName, BillingRows::kColumns>;
constexpr ColumnNames kBigQuery{{{"machine_spec", true},
                                 {"region", true},
                                 {"sku", true},
                                 {"amount", true},
                                 {"unit", true},
                                 {"cost", true},
                                 {"credits"},
                                 {"usage_start_time"},
                                 {},
                                 {"currency"},
                                 {},
                                 {},
                                 {"currency_conversion_rate"}}};
constexpr ColumnNames kFocus{{{"SkuPriceDetails", true},
                              {"RegionId", true},
                              {"ChargeDescription", true},
                              {"ConsumedQuantity", true},
                              {"ConsumedUnit", true},
                              {"EffectiveCost", true},
                              {},
                              {"ChargePeriodStart"},
                              {"ChargePeriodEnd"},
                              {"BillingCurrency"},
                              {"ChargeCategory"},
                              {"PricingCategory"},
                              {"x_CurrencyConversionRate"}}};

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

BilledPiece piece_of(std::string_view sku) {
  if (has(sku, "gpu")) return BilledPiece::gpu;
  if (has(sku, "core") || has(sku, "ram") || has(sku, "ssd") || has(sku, "disk")) return BilledPiece::part;
  return BilledPiece::whole;
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

const ColumnNames& names_of(BillingFormat format) {
  return format == BillingFormat::focus ? kFocus : kBigQuery;
}

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

}  // namespace

BillingRows::BillingRows(const std::string& path, BillingFormat format, const Catalog& catalog,
                         std::optional<double> per_usd)
    : csv_{path}, format_{format}, catalog_{catalog}, told_per_usd_{per_usd} {
  if (!csv_.next()) throw InputError{{.file = csv_.path()}, "holds no rows"};
  read_header();
  width_ = csv_.fields().size();
}

std::string_view BillingRows::start_column() const { return names_of(format_)[kUsageStart].name; }

std::string_view BillingRows::end_column() const { return names_of(format_)[kUsageEnd].name; }

const BillingRow* BillingRows::next() {
  while (csv_.next()) {
    csv_.check_width(width_);
    if (read_row()) return &row_;
  }
  return nullptr;
}

void BillingRows::read_header() {
  at_.fill(kNone);
  const auto fields = csv_.fields();
  for (std::size_t column = 0; column < kColumns; ++column) {
    const auto [name, required] = names_of(format_)[column];
    if (name.empty()) continue;
    const auto found = std::ranges::find(fields, name);
    if (found != fields.end()) {
      at_[column] = static_cast<std::size_t>(found - fields.begin());
    } else if (required) {
      csv_.fail(fmt::format("column \"{}\" is missing", name));
    }
  }
}

std::string_view BillingRows::text(std::size_t column) const {
  return at_[column] == kNone ? std::string_view{} : csv_.fields()[at_[column]];
}

// A number; an empty cell is none.
double BillingRows::number(std::size_t column) const {
  const std::string_view cell = text(column);
  if (cell.empty()) return 0;
  double value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc{} || end != cell.data() + cell.size() || !std::isfinite(value)) {
    csv_.fail(fmt::format("column \"{}\" must be a number, but is {}", names_of(format_)[column].name,
                          in_quotes(cell)));
  }
  return value;
}

// FOCUS keeps the machine type in the properties of the SKU's price.
std::string BillingRows::machine_name() const {
  const std::string_view cell = text(kMachine);
  if (format_ != BillingFormat::focus || cell.empty()) return std::string{cell};
  const auto details = nlohmann::json::parse(cell, nullptr, false);
  if (details.is_discarded()) csv_.fail("column \"SkuPriceDetails\" must be JSON");
  const auto type = details.is_object() ? details.find("InstanceType") : details.end();
  if (!details.is_object() || type == details.end() || !type->is_string()) return {};
  return type->get<std::string>();
}

void BillingRows::skip(std::string_view reason, double usd) {
  auto found = std::ranges::find(skipped_, reason, &SkippedCharges::reason);
  if (found == skipped_.end()) {
    skipped_.push_back({.reason = std::string{reason}});
    found = std::prev(skipped_.end());
  }
  ++found->rows;
  found->usd += usd;
}

void BillingRows::fail_without_rate(std::string_view currency) const {
  csv_.fail(fmt::format(
      "charges are in {}, and column \"{}\" does not say its rate to USD. {}, or say with --usd-rate how much of it "
      "one USD is (of `prices` and `init`)",
      in_quotes(currency), names_of(format_)[kRate].name,
      format_ == BillingFormat::focus
          ? "Export that column too"
          : "Run the query of `stockout prices --query` again, which selects it"));
}

// How much of the row's currency one USD is. What names no currency is USD, unless a rate says otherwise.
double BillingRows::per_usd() {
  const std::string_view currency = text(kCurrency);
  if (currency == "USD") return 1;
  const bool has_own = !text(kRate).empty();
  if (currency.empty() && !has_own && !told_per_usd_) return 1;
  if (!has_own && !told_per_usd_) fail_without_rate(currency);
  const double rate = has_own ? number(kRate) : *told_per_usd_;
  if (rate <= 0)
    csv_.fail(fmt::format("column \"{}\" must be above 0, but is {}", names_of(format_)[kRate].name, rate));
  if (currency.empty() && rate == 1) return 1;
  add_rate(rates_, currency, !has_own, rate, text(kUsageStart));
  if (!has_own && std::ranges::count(rates_, true, &UsedRate::is_told) > 1)
    csv_.fail("one --usd-rate is not for charges in several currencies");
  return rate;
}

// Whether it counts.
bool BillingRows::read_row() {
  const double usd = (number(kCost) + number(kCredits)) / per_usd();
  const double amount = number(kAmount);
  const auto leave_out = [&](std::string_view reason) {
    skip(reason, usd);
    return false;
  };
  const std::string_view category = text(kCategory);
  const bool is_credit = category == "Credit";
  if (!category.empty() && category != "Usage" && !is_credit)
    return leave_out("neither usage nor a credit (ChargeCategory)");
  const std::string sku = lower(text(kSku));
  const std::string pricing = lower(text(kPricing));
  if (has(sku, "commitment") || pricing == "committed") return leave_out("a commitment's fee or use");
  const std::string name = machine_name();
  if (name.empty()) return leave_out(is_credit ? "a credit on no machine type" : "no machine type");
  const auto machine = catalog_.find_machine(name);
  if (!machine) return leave_out("a machine type that the catalogue has not");
  if (text(kRegion).empty()) return leave_out("no region");
  const BilledPiece piece = is_credit ? BilledPiece::part : piece_of(without(sku, lower(name)));
  const auto hours = hours_in(lower(text(kUnit)));
  if (piece != BilledPiece::part && !hours) return leave_out("not counted in hours or seconds");
  row_ = {.machine = *machine,
          .region = text(kRegion),
          .model = model_of(sku, pricing),
          .piece = piece,
          .hours = piece == BilledPiece::part ? 0 : amount * *hours,
          .usd = usd,
          .start = text(kUsageStart),
          .end = text(kUsageEnd)};
  return true;
}

bool is_billing_export(const std::string& path) {
  constexpr std::array<std::string_view, 4> kSkus{"sku", "sku.description", "SKU description",
                                                  "ChargeDescription"};
  try {
    CsvReader csv{path};
    if (!csv.next()) return false;
    const auto is_any_of = [&](std::string_view field) { return std::ranges::count(kSkus, field) > 0; };
    const auto is_cost = [](std::string_view field) { return has(lower(field), "cost"); };
    return std::ranges::any_of(csv.fields(), is_any_of) && std::ranges::any_of(csv.fields(), is_cost);
  } catch (const InputError&) {
    return false;  // no CSV
  }
}

BillingFormat billing_format_of(const std::string& path) {
  CsvReader csv{path};
  if (!csv.next()) throw InputError{{.file = path}, "holds no rows: must be a billing export"};
  const auto bigquery = missing_columns(kBigQuery, csv.fields());
  if (bigquery.empty()) return BillingFormat::bigquery;
  const auto focus = missing_columns(kFocus, csv.fields());
  if (focus.empty()) return BillingFormat::focus;
  if (std::ranges::count(csv.fields(), "SKU description") > 0)
    throw InputError{
        {.file = path, .line = 1},
        "is the cost table of the console, which names no machine types: `stockout prices --query` prints "
        "the query that makes a file with them, for BigQuery"};
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
