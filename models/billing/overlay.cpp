#include "models/billing/overlay.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "models/billing/cost.h"
#include "models/billing/hour.h"
#include "models/billing/list_prices.h"
#include "sim/core/check.h"

namespace stockout {

namespace {

constexpr std::int64_t kMillion = 1'000'000;
constexpr MachineHourPrice kDearest{kMillion * 1'000'000'000};
constexpr MachineHourPrice kDearestProduct{100 * kDearest.count()};

SimTime first_of(const PriceOverlay& overlay, const PriceRequest& request) {
  return overlay.from ? start_of(*overlay.from, request) : kBeforeEverything;
}

SimTime end_of(const PriceOverlay& overlay, const PriceRequest& request) {
  return overlay.until ? start_of(*overlay.until, request) : kNever;
}

std::string name_of(const PriceOverlay& overlay) {
  return overlay.label.empty() ? "the planner's price" : fmt::format("\"{}\"", overlay.label);
}

std::string what(const Catalog& catalog, const PriceRequest& request) {
  return fmt::format("{} {} in {}", catalog.machine(request.machine).name,
                     kPriceModelNames[static_cast<std::size_t>(request.model)], request.region);
}

/// The instants at which the list or the contracted price may change, in order, kBeforeEverything first.
std::vector<SimTime> edges_of(std::span<const ListStep> list,
                              const std::vector<const PriceOverlay*>& overlays, const PriceRequest& request) {
  std::vector<SimTime> edges;
  for (const ListStep& step : list) edges.push_back(step.from);
  for (const PriceOverlay* overlay : overlays) {
    for (const SimTime edge : {first_of(*overlay, request), end_of(*overlay, request)}) {
      if (edge > kBeforeEverything && edge != kNever) edges.push_back(edge);
    }
  }
  std::ranges::sort(edges);
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

bool names_price(const PriceOverlay& overlay) { return overlay.usd_per_hour.has_value(); }

bool holds_at(const PriceOverlay& overlay, SimTime at, const PriceRequest& request) {
  return first_of(overlay, request) <= at && at < end_of(overlay, request);
}

std::vector<const PriceOverlay*> matching(const Catalog& catalog, const PriceRequest& request,
                                          std::span<const PriceOverlay> overlays) {
  std::vector<const PriceOverlay*> chosen;
  for (const PriceOverlay& overlay : overlays) {
    STOCKOUT_CHECK(why_malformed(overlay).empty(), why_malformed(overlay));
    if (matches(overlay, catalog, request.machine, request.region, request.model, request.use))
      chosen.push_back(&overlay);
  }
  return chosen;
}

bool is_about(const PriceOverlay& overlay, const Catalog& catalog, const MachineType& machine) {
  return (overlay.machine.empty() || overlay.machine == machine.name) &&
         (overlay.gpu.empty() || overlay.gpu == catalog.gpu_name(machine.gpu));
}

/// Whether there is anything that both match.
bool overlap(const PriceOverlay& a, const PriceOverlay& b, const Catalog& catalog) {
  if (!a.region.empty() && !b.region.empty() && a.region != b.region) return false;
  if (a.model && b.model && a.model != b.model) return false;
  if (a.use && b.use && a.use != b.use) return false;
  return std::ranges::any_of(catalog.machines(), [&](const MachineType& machine) {
    return is_about(a, catalog, machine) && is_about(b, catalog, machine);
  });
}

std::string why_not_hourly(const std::vector<const PriceOverlay*>& overlays, const PriceRequest& request) {
  for (const PriceOverlay* overlay : overlays) {
    for (const auto& day : {overlay->from, overlay->until}) {
      if (day && (start_of(*day, request) - kStart) % kHour != SimDuration::zero()) {
        return fmt::format(
            "{} changes at the start of {}, which is not a whole number of hours from the start of the "
            "scenario. Start the scenario on a whole hour",
            name_of(*overlay), to_text(*day));
      }
    }
  }
  return {};
}

void add_step(PriceLine& line, const PriceStep& step) {
  if (!line.steps.empty() && line.steps.back().list == step.list &&
      line.steps.back().contracted == step.contracted) {
    return;
  }
  line.steps.push_back(step);
}

std::string why_no_day(const Catalog& catalog, const PriceRequest& request) {
  const auto history = catalog.price_history(request.machine, request.region, request.model);
  if (request.follow_calendar && !history.empty()) {
    return fmt::format(
        "{}: the window begins on {}, but the catalogue's earliest price is of {}; start later, or give a "
        "price of your own without dates",
        what(catalog, request), to_text(first_day(request)), to_text(history.front().as_of));
  }
  return fmt::format(
      "{}: the planner's prices leave days without a price, and the catalogue has none; give one without "
      "dates first",
      what(catalog, request));
}

/// The list price at a time: that of the list, or else that of the last overlay that names one.
std::optional<MachineHourPrice> list_at(std::span<const ListStep> list,
                                        const std::vector<const PriceOverlay*>& overlays, SimTime at,
                                        const PriceRequest& request) {
  const auto listed = std::prev(std::ranges::upper_bound(list, at, {}, &ListStep::from))->price;
  if (listed) return listed;
  std::optional<MachineHourPrice> own;
  for (const PriceOverlay* overlay : overlays) {
    if (names_price(*overlay) && holds_at(*overlay, at, request)) own = overlay->usd_per_hour;
  }
  return own;
}

MachineHourPrice contracted_at(MachineHourPrice list, const std::vector<const PriceOverlay*>& overlays,
                               SimTime at, const PriceRequest& request) {
  MachineHourPrice contracted = list;
  for (const PriceOverlay* overlay : overlays) {
    if (holds_at(*overlay, at, request)) contracted = apply(*overlay, list, contracted);
  }
  return contracted;
}

/// Adds the steps; what is wrong if some time has no price.
std::string add_steps(PriceLine& line, std::span<const ListStep> rows,
                      const std::vector<const PriceOverlay*>& overlays, const PriceRequest& request,
                      const Catalog& catalog) {
  for (const SimTime edge : edges_of(rows, overlays, request)) {
    const auto list = list_at(rows, overlays, edge, request);
    if (!list) return why_no_day(catalog, request);
    add_step(line,
             {.from = edge, .list = *list, .contracted = contracted_at(*list, overlays, edge, request)});
  }
  return {};
}

/// The overlay whose own price is paid at kStart, whatever factors make of it; nullptr: the list's is.
const PriceOverlay* agreed_at_start(std::span<const ListStep> list,
                                    const std::vector<const PriceOverlay*>& overlays,
                                    const PriceRequest& request) {
  const bool is_listed =
      std::prev(std::ranges::upper_bound(list, kStart, {}, &ListStep::from))->price.has_value();
  const PriceOverlay* agreed = nullptr;
  for (const PriceOverlay* overlay : overlays) {
    if (!holds_at(*overlay, kStart, request)) continue;
    if (names_price(*overlay))
      agreed = overlay;
    else if (is_listed && overlay->factor_of == FactorOf::list)
      agreed = nullptr;
  }
  return agreed;
}

/// Where what is paid comes from, then the overlays.
void add_origin(PriceLine& line, const ListPrices& list, const std::vector<const PriceOverlay*>& overlays,
                const PriceRequest& request) {
  const PriceOverlay* agreed = agreed_at_start(list.steps, overlays, request);
  if (agreed != nullptr) {
    line.confidence = kOwnConfidence;
    if (agreed->as_of) line.as_of = to_text(*agreed->as_of);
  } else {
    line.confidence = list.confidence;
    line.as_of = list.as_of;
    line.source = list.source;
  }
  for (const PriceOverlay* overlay : overlays) {
    if (!line.source.empty()) line.source += "; ";
    line.source += name_of(*overlay);
  }
  line.overlaid = !overlays.empty();
}

}  // namespace

std::string why_malformed(const PriceOverlay& overlay) {
  if (overlay.factor_ppm.has_value() == overlay.usd_per_hour.has_value()) {
    return "must have either a factor or a price per hour, not both";
  }
  if (overlay.factor_ppm && (*overlay.factor_ppm < 0 || *overlay.factor_ppm > 100 * kMillion)) {
    return "the factor must be from 0 to 100";
  }
  if (overlay.usd_per_hour &&
      (*overlay.usd_per_hour < MachineHourPrice{} || *overlay.usd_per_hour > kDearest)) {
    return "the price must be from 0 to 1000000 dollars an hour";
  }
  if (overlay.as_of && overlay.factor_ppm)
    return "only a price has a day of its own, a factor has that of the price";
  if (overlay.from && overlay.until && *overlay.until <= *overlay.from) {
    return fmt::format("must end after it begins, but is from {} until {}", to_text(*overlay.from),
                       to_text(*overlay.until));
  }
  return {};
}

bool matches(const PriceOverlay& overlay, const Catalog& catalog, MachineId id, std::string_view region,
             PriceModel model, PriceUse use) {
  return is_about(overlay, catalog, catalog.machine(id)) &&
         (overlay.region.empty() || overlay.region == region) &&
         (overlay.use ? *overlay.use == use : use != PriceUse::existing) &&
         (overlay.model ? *overlay.model == model : model != PriceModel::management_fee);
}

bool finds_price(const PriceOverlay& factor, const Catalog& catalog, std::span<const PriceOverlay> overlays) {
  PriceOverlay listed = factor;  // a management fee is a share of the price on demand
  if (listed.model == PriceModel::management_fee) listed.model = PriceModel::on_demand;
  const auto in_catalog = [&](const PriceRow& row) {
    return matches(listed, catalog, row.machine, row.region, row.model,
                   listed.use.value_or(PriceUse::leased));
  };
  const auto is_own = [&](const PriceOverlay& own) {
    return names_price(own) && (overlap(factor, own, catalog) || overlap(listed, own, catalog));
  };
  return std::ranges::any_of(catalog.prices(), in_catalog) || std::ranges::any_of(overlays, is_own);
}

MachineHourPrice apply(const PriceOverlay& overlay, MachineHourPrice list, MachineHourPrice above) {
  if (overlay.usd_per_hour) return *overlay.usd_per_hour;
  __extension__ using Wide = __int128;
  const MachineHourPrice base = overlay.factor_of == FactorOf::above ? above : list;
  const Wide product = (Wide{base.count()} * overlay.factor_ppm.value() + kMillion / 2) / kMillion;
  return MachineHourPrice{static_cast<std::int64_t>(std::min(product, Wide{kDearestProduct.count()}))};
}

PriceAnswer price_line(const Catalog& catalog, const PriceRequest& request,
                       std::span<const PriceOverlay> overlays) {
  PriceAnswer answer;
  const ListPrices list = list_prices(catalog, request, overlays);
  const auto chosen = matching(catalog, request, overlays);
  const auto names = [](const PriceOverlay* overlay) { return names_price(*overlay); };
  if (!list.why_none.empty() && std::ranges::none_of(chosen, names)) {
    answer.why_not = list.why_none;
    return answer;
  }
  answer.line.machine = request.machine;
  answer.line.region = request.region;
  answer.line.model = request.model;
  add_origin(answer.line, list, chosen, request);
  answer.why_not = why_not_hourly(chosen, request);
  if (answer.why_not.empty()) answer.why_not = add_steps(answer.line, list.steps, chosen, request, catalog);
  return answer;
}

}  // namespace stockout
