#include "tools/report/focus/focus_csv.h"

#include <chrono>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "models/showback/charge_periods.h"
#include "tools/report/focus/focus_costs.h"
#include "tools/table/csv_columns.h"

namespace stockout {
namespace {

using nlohmann::ordered_json;

constexpr std::string_view kFocusProvider = "stockout (simulated)";

std::string without_zeros(std::string text) {
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string focus_usd(Money amount) { return without_zeros(amount.to_text(9)); }

// Of a unit: nano-dollars.
std::string focus_usd(MachineHourPrice price) {
  return focus_usd(price * (MachineCount{1} * std::chrono::hours{1}));
}

// A price of a dollar an hour makes hours of it.
std::string focus_hours(MachineTime time) { return focus_usd(MachineHourPrice{1'000'000'000} * time); }

std::string focus_time(const FocusCharge& charge, std::int64_t hour) {
  const auto at = charge.world().start_date + std::chrono::hours{hour};
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", std::chrono::floor<std::chrono::seconds>(at));
}

HourSpan billing_period_of(const FocusCharge& charge) {
  const std::int64_t hour = std::max<std::int64_t>(0, charge.subject().from);
  return ChargePeriods{charge.world(), PeriodLength::month}.of(hour);
}

std::string focus_json(const ordered_json& object) {
  return object.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

std::string zone_of(const FocusCharge& charge) {
  if (charge.pool() == nullptr || charge.pool()->place == charge.region()) return {};
  return charge.pool()->place;
}

std::string pricing_category_of(const FocusCharge& charge) {
  if (charge.is_committed()) return "Committed";
  const bool is_spot = charge.line() != nullptr && charge.line()->model == PriceModel::spot;
  return is_spot && !charge.is_purchase() ? "Dynamic" : "Standard";
}

bool is_credit(const FocusCharge& charge) {
  return charge.other() != nullptr && charge.other()->price < MachineHourPrice{};
}

bool is_focus_usage(const FocusCharge& charge) {
  return !charge.is_purchase() && !charge.is_once() && !is_credit(charge);
}

std::string charge_category_of(const FocusCharge& charge) {
  if (is_credit(charge)) return "Credit";
  return is_focus_usage(charge) ? "Usage" : "Purchase";
}

bool has_consumed(const FocusCharge& charge) {
  return is_focus_usage(charge) && charge.commitment_status() != "Unused";
}

std::string frequency_of(const FocusCharge& charge) {
  return charge.is_purchase() ? "Recurring" : charge.is_once() ? "One-Time" : "Usage-Based";
}

std::string meter_of(const FocusCharge& charge) {
  return charge.other() != nullptr ? charge.other()->name : "Machine hours";
}

std::string details_of(const FocusCharge& charge) {
  if (charge.machine() == nullptr) return {};
  const MachineType& machine = *charge.machine();
  ordered_json details{{"InstanceType", machine.name}, {"GpuCount", machine.gpus.count()}};
  if (machine.vcpus > 0) details["CoreCount"] = machine.vcpus;
  details["x_GpuType"] = charge.world().gpu_types[index(machine.gpu)];
  details["x_PriceModel"] = charge.price_model();
  return focus_json(details);
}

std::string idle_rule_of(const FocusCharge& charge) {
  if (charge.subject().use != ChargeUse::idle) return {};
  return std::string{kIdleRuleNames[static_cast<std::size_t>(charge.run().idle)]};
}

// At the price of what is held, as cost_idle_usd of the reports: whoever bears it, and whatever covers it.
// With hold_end: last_start nothing is idle, there as here.
std::string idle_cost_of(const FocusCharge& charge) {
  const bool is_idle = charge.subject().use == ChargeUse::idle && charge.held() != nullptr;
  if (!is_idle || charge.world().hold_end == HoldEnd::last_start) return {};
  return focus_usd(charge.subject().of_line * charge.row().billed);
}

std::string tags_of(const FocusCharge& charge) {
  ordered_json tags{{"strategy", charge.strategy()}};
  if (charge.subject().user) tags["user"] = charge.user();
  if (charge.subject().job_class) tags["class"] = charge.job_class();
  if (charge.pool() != nullptr) tags["pool"] = charge.pool()->name;
  tags["use"] = kChargeUseNames[static_cast<std::size_t>(charge.subject().use)];
  if (!idle_rule_of(charge).empty()) tags["idle_cost_rule"] = idle_rule_of(charge);
  return focus_json(tags);
}

std::string commitment_only(const FocusCharge& charge, std::string_view text) {
  return charge.commitment_id().empty() ? std::string{} : std::string{text};
}

std::string on_demand_cost_of(const FocusCharge& charge) {
  const auto price = charge.on_demand_price();
  return price && !charge.is_purchase() ? focus_usd(*price * charge.row().billed) : std::string{};
}

std::string null_text(const FocusCharge&) { return {}; }

struct ChargedService {
  std::string_view name;
  std::string_view category;
  std::string_view subcategory;
};

ChargedService service_of(const FocusCharge& charge) {
  if (charge.other() != nullptr) return {"Other costs", "Other", "Other (Other)"};
  if (charge.is_management_fee()) return {"Vertex AI", "AI and Machine Learning", "AI Platforms"};
  return {"GPU machines", "Compute", "Virtual Machines"};
}

std::string account_of(const FocusCharge& charge) { return "scenarios/" + charge.run().scenario.name; }

using C = const FocusCharge&;
const CsvColumn<FocusCharge> kFocusColumns[] = {
    {"AvailabilityZone", zone_of},
    {"BilledCost", [](C c) { return focus_usd(c.costs().billed); }},
    {"BillingAccountId", account_of},
    {"BillingAccountName", [](C c) { return c.run().scenario.name; }},
    {"BillingAccountType", [](C) { return std::string{"Scenario"}; }},
    {"BillingCurrency", [](C) { return std::string{"USD"}; }},
    {"BillingPeriodEnd", [](C c) { return focus_time(c, billing_period_of(c).to); }},
    {"BillingPeriodStart", [](C c) { return focus_time(c, billing_period_of(c).from); }},
    {"CapacityReservationId", [](C c) { return c.reservation_id(); }},
    {"CapacityReservationStatus", [](C c) { return std::string{c.reservation_status()}; }},
    {"ChargeCategory", [](C c) { return charge_category_of(c); }},
    {"ChargeClass", null_text},
    {"ChargeDescription", [](C c) { return c.description(); }},
    {"ChargeFrequency", frequency_of},
    {"ChargePeriodEnd", [](C c) { return focus_time(c, c.subject().to); }},
    {"ChargePeriodStart", [](C c) { return focus_time(c, c.subject().from); }},
    {"CommitmentDiscountCategory", [](C c) { return commitment_only(c, "Usage"); }},
    {"CommitmentDiscountId", [](C c) { return c.commitment_id(); }},
    {"CommitmentDiscountName", [](C c) { return std::string{c.commitment_name()}; }},
    {"CommitmentDiscountQuantity", [](C c) { return commitment_only(c, focus_hours(c.row().billed)); }},
    {"CommitmentDiscountStatus", [](C c) { return std::string{c.commitment_status()}; }},
    {"CommitmentDiscountType", [](C c) { return std::string{c.commitment_type()}; }},
    {"CommitmentDiscountUnit", [](C c) { return commitment_only(c, "Hours"); }},
    {"ConsumedQuantity", [](C c) { return has_consumed(c) ? focus_hours(c.row().used) : std::string{}; }},
    {"ConsumedUnit", [](C c) { return std::string{has_consumed(c) ? c.unit() : ""}; }},
    {"ContractedCost", [](C c) { return focus_usd(c.costs().contracted); }},
    {"ContractedUnitPrice", [](C c) { return focus_usd(c.subject().contracted); }},
    {"EffectiveCost", [](C c) { return focus_usd(c.costs().effective); }},
    {"InvoiceId", null_text},
    {"InvoiceIssuerName", [](C) { return std::string{kFocusProvider}; }},
    {"ListCost", [](C c) { return focus_usd(c.costs().list); }},
    {"ListUnitPrice", [](C c) { return focus_usd(c.subject().list); }},
    {"PricingCategory", pricing_category_of},
    {"PricingQuantity", [](C c) { return focus_hours(c.row().billed); }},
    {"PricingUnit", [](C c) { return std::string{c.unit()}; }},
    {"ProviderName", [](C) { return std::string{kFocusProvider}; }},
    {"PublisherName", [](C) { return std::string{kFocusProvider}; }},
    {"RegionId", [](C c) { return std::string{c.region()}; }},
    {"RegionName", [](C c) { return std::string{c.region()}; }},
    {"ResourceId", [](C c) { return c.resource_id(); }},
    {"ResourceName", [](C c) { return c.resource_name(); }},
    {"ResourceType", [](C c) { return std::string{c.resource_type()}; }},
    {"ServiceCategory", [](C c) { return std::string{service_of(c).category}; }},
    {"ServiceName", [](C c) { return std::string{service_of(c).name}; }},
    {"ServiceSubcategory", [](C c) { return std::string{service_of(c).subcategory}; }},
    {"SkuId", [](C c) { return c.sku(); }},
    {"SkuMeter", meter_of},
    {"SkuPriceDetails", details_of},
    {"SkuPriceId",
     [](C c) { return c.region().empty() ? c.sku() : fmt::format("{}/{}", c.sku(), c.region()); }},
    {"SubAccountId", [](C c) { return fmt::format("{}/strategies/{}", account_of(c), c.strategy()); }},
    {"SubAccountName", [](C c) { return c.strategy(); }},
    {"SubAccountType", [](C) { return std::string{"Strategy"}; }},
    {"Tags", tags_of},
    {"x_Class", [](C c) { return std::string{c.job_class()}; }},
    {"x_IdleCost", idle_cost_of},
    {"x_IdleCostRule", idle_rule_of},
    {"x_OnDemandCost", on_demand_cost_of},
    {"x_Pool", [](C c) { return c.pool() != nullptr ? c.pool()->name : std::string{}; }},
    {"x_PriceAsOf", [](C c) { return std::string{c.price_as_of()}; }},
    {"x_PriceModel", [](C c) { return std::string{c.price_model()}; }},
    {"x_Replication", [](C c) { return std::to_string(c.run().replication); }},
    {"x_Span", [](C c) { return std::string{c.subject().after_window ? "drain" : "window"}; }},
    {"x_Use", [](C c) { return std::string{kChargeUseNames[static_cast<std::size_t>(c.subject().use)]}; }},
    {"x_User", [](C c) { return std::string{c.user()}; }}};

}  // namespace

std::string focus_csv_header() { return csv_header(kFocusColumns); }

void write_focus_csv(const FocusRun& run, std::span<const ChargeRow> rows,
                     const std::function<void(std::string_view)>& write) {
  const FocusCosts costs = focus_costs(run.scenario.world, rows);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const ChargeCosts of_row{.list = costs.list[i],
                             .contracted = costs.contracted[i],
                             .effective = costs.effective[i],
                             .billed = costs.billed[i]};
    write(csv_line(kFocusColumns, FocusCharge{run, rows[i], of_row}));
  }
}

}  // namespace stockout
