#include "models/billing/list_prices.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/billing/cost.h"
#include "models/billing/hour.h"
#include "models/catalog/explain.h"

namespace stockout {
namespace {

constexpr std::int64_t kWhole = 1'000'000;  // in millionths

/// The rows of the list that a request may meet: that of one day, or with `follow_calendar` all since.
std::vector<const PriceRow*> rows_of(const Catalog& catalog, const PriceRequest& request) {
  const Date first = first_day(request);
  std::vector<const PriceRow*> rows{catalog.price(request.machine, request.region, request.model, first).row};
  if (!request.follow_calendar || commitment_term(request.model)) return rows;
  for (const PriceRow& row : catalog.price_history(request.machine, request.region, request.model)) {
    if (row.as_of > first) rows.push_back(&row);
  }
  return rows;
}

std::string source_of(const std::vector<const PriceRow*>& rows, const Catalog& catalog) {
  std::vector<std::string> parts;
  const auto add = [&](std::string part) {
    if (std::ranges::find(parts, part) == parts.end()) parts.push_back(std::move(part));
  };
  for (const PriceRow* row : rows) {
    if (row == nullptr) continue;
    const std::string& source = catalog.sources().find(row->source)->second;
    add(rows.size() == 1 ? source : fmt::format("{} ({})", source, row->confidence));
    if (!row->note.empty()) add(row->note);
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

ListPrices of_catalog(const Catalog& catalog, const PriceRequest& request) {
  const auto rows = rows_of(catalog, request);
  ListPrices list{.steps = {}, .as_of = {}, .confidence = {}, .source = source_of(rows, catalog)};
  for (const PriceRow* row : rows) {
    const bool is_first = list.steps.empty();
    list.steps.push_back({.from = is_first ? kBeforeEverything : start_of(row->as_of, request),
                          .price = row != nullptr ? std::optional{row->price} : std::nullopt});
  }
  if (rows.front() != nullptr) {
    list.as_of = to_text(rows.front()->as_of);
    list.confidence = rows.front()->confidence;
  }
  if (rows.front() == nullptr && rows.size() == 1)
    list.why_none = why_no_price(catalog, request.machine, request.region, request.model, first_day(request));
  return list;
}

/// The machine, then the others of its family and GPU.
std::vector<MachineId> relatives_of(const Catalog& catalog, MachineId id) {
  const MachineType& machine = catalog.machine(id);
  std::vector<MachineId> relatives{id};
  for (const MachineType& other : catalog.machines()) {
    const MachineId number = *catalog.find_machine(other.name);
    if (number != id && other.family == machine.family && other.gpu == machine.gpu)
      relatives.push_back(number);
  }
  return relatives;
}

// Rounded to the nearest nano-dollar, halves up.
MachineHourPrice share_of(MachineHourPrice price, GpuCount gpus, GpuCount of_gpus, std::int64_t fee_ppm) {
  __extension__ using Wide = __int128;
  const Wide whole = Wide{kWhole} * of_gpus.count();
  const Wide share = Wide{price.count()} * fee_ppm * gpus.count();
  return MachineHourPrice{static_cast<std::int64_t>((share + whole / 2) / whole)};
}

std::string source_of(const PriceLine& base, const std::string& machine, const PriceRequest& request) {
  return fmt::format("{:.10g} % of the on-demand price of {}: {}", static_cast<double>(request.fee_ppm) / 1e4,
                     machine, base.source);
}

std::string why_no_fee(const Catalog& catalog, const PriceRequest& request) {
  return fmt::format(
      "Vertex AI's management fee is a share of the on-demand price, and there is none of {} or its family "
      "in {} as of {}. Give your own price of the model \"management_fee\", or set \"management_fee\" of "
      "\"billing\" to 0",
      catalog.machine(request.machine).name, request.region, to_text(first_day(request)));
}

ListPrices of_fee(const Catalog& catalog, const PriceRequest& request,
                  std::span<const PriceOverlay> overlays) {
  if (request.fee_ppm == 0)
    return {.steps = {{.from = kBeforeEverything, .price = MachineHourPrice{}}},
            .as_of = {},
            .confidence = {},
            .source = "no fee"};
  const GpuCount gpus = catalog.machine(request.machine).gpus;
  for (const MachineId id : relatives_of(catalog, request.machine)) {
    PriceRequest on_demand = request;
    on_demand.machine = id;
    on_demand.model = PriceModel::on_demand;
    const PriceAnswer base = price_line(catalog, on_demand, overlays);
    if (!base) continue;
    const MachineType& machine = catalog.machine(id);
    ListPrices list{.steps = {},
                    .as_of = base.line.as_of,
                    .confidence = base.line.confidence,
                    .source = source_of(base.line, machine.name, request)};
    for (const PriceStep& step : base.line.steps)
      list.steps.push_back(
          {.from = step.from, .price = share_of(step.list, gpus, machine.gpus, request.fee_ppm)});
    return list;
  }
  return {.steps = {{.from = kBeforeEverything, .price = {}}},
          .as_of = {},
          .confidence = {},
          .source = {},
          .why_none = why_no_fee(catalog, request)};
}

}  // namespace

SimTime start_of(Date day, const PriceRequest& request) {
  const SimDuration unchanged = std::chrono::sys_time<std::chrono::milliseconds>{day} - request.start;
  const SimTime at = when_clock_shows(unchanged, request.offsets);
  const SimDuration since_hour = (at - kStart) % kHour;
  if (unchanged % kHour != SimDuration{} || since_hour == SimDuration{}) return at;
  return at - since_hour + (since_hour > SimDuration{} ? kHour : SimDuration{});
}

Date first_day(const PriceRequest& request) {
  return request.follow_calendar ? std::chrono::floor<std::chrono::days>(request.start) : request.as_of;
}

ListPrices list_prices(const Catalog& catalog, const PriceRequest& request,
                       std::span<const PriceOverlay> overlays) {
  return request.model == PriceModel::management_fee ? of_fee(catalog, request, overlays)
                                                     : of_catalog(catalog, request);
}

}  // namespace stockout
