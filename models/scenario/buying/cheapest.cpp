#include "models/scenario/buying/cheapest.h"

#include <algorithm>
#include <optional>

#include "models/billing/cost.h"
#include "models/scenario/workload/job_speed.h"

namespace stockout {
namespace {

constexpr double kNano = 1e9;

Offer offer_of(PriceModel model) {
  switch (model) {
    case PriceModel::on_demand:
      return Offer::on_demand;
    case PriceModel::spot:
      return Offer::spot;
    case PriceModel::flex_start:
      return Offer::flex_start;
    case PriceModel::calendar:
      return Offer::calendar;
    case PriceModel::cud_1y:
    case PriceModel::cud_3y:
    case PriceModel::management_fee:
      break;
  }
  return Offer::reservation;
}

// Whether it is bought for a time, whatever jobs use of it.
bool is_held(PriceModel model) { return model == PriceModel::calendar || commitment_term(model).has_value(); }

// The machines of a job: a kind for the full nodes, and one for the last, smaller node.
struct Gang {
  std::vector<MachineId> kinds;
  std::vector<double> counts;
};

std::optional<Gang> gang_of(const Catalog& catalog, const std::string& family, Offer offer,
                            const Shape& shape) {
  Gang gang;
  const auto add = [&](std::int32_t nodes, std::int32_t gpus) {
    const auto machine = catalog.smallest_machine(family, offer, GpuCount{gpus});
    if (machine) gang.kinds.push_back(*machine);
    gang.counts.push_back(nodes);
    return machine.has_value();
  };
  if (!add(shape.nodes, shape.gpus_per_node)) return std::nullopt;
  if (shape.tail_gpus > 0 && !add(1, shape.tail_gpus)) return std::nullopt;
  return gang;
}

class OfferFinder {
 public:
  OfferFinder(const Catalog& catalog, const Scenario& scenario, const Shape& shape, std::string_view region)
      : catalog_{catalog},
        scenario_{scenario},
        shape_{shape},
        profile_{scenario.world.speeds[index(shape.speed)]},
        region_{region} {}

  JobOffers all() {
    for (const std::string& family : catalog_.families()) {
      if (family == kGeneric) continue;
      for (std::size_t i = 0; i < kWaysToBuy.size(); ++i) add(family, static_cast<PriceModel>(i));
    }
    std::ranges::stable_sort(found_.offers, {}, [](const JobOffer& offer) {
      return std::pair{!offer.fits, offer.usd_per_reference_hour};
    });
    return std::move(found_);
  }

 private:
  void add(const std::string& family, PriceModel model) {
    const auto gang = gang_of(catalog_, family, offer_of(model), shape_);
    if (!gang) return;
    const MachineType& machine = catalog_.machine(gang->kinds.front());
    if (!machine.has_gpus) return;
    if (!runs_on(profile_, catalog_.gpu_name(machine.gpu))) return;
    const JobSpeed speed = job_speed(catalog_, profile_, shape_, gang->kinds);
    if (!speed.why_not.empty()) {
      if (std::ranges::find(found_.why_not, speed.why_not) == found_.why_not.end())
        found_.why_not.push_back(speed.why_not);
      return;
    }
    JobOffer offer{.machine = gang->kinds.front(),
                   .model = model,
                   .region = {},
                   .speed = speed.times,
                   .fits = fits_memory(profile_, machine)};
    if (!set_price(offer, *gang, family)) return;
    offer.usd_per_reference_hour =
        offer.usd_per_hour / static_cast<double>(shape_.gpus().count()) / offer.speed;
    found_.offers.push_back(std::move(offer));
  }

  // The least price of the regions in question; false if none is known.
  bool set_price(JobOffer& offer, const Gang& gang, const std::string& family) const {
    for (const Place& place : catalog_.places()) {
      if (place.name != place.region || place.name == kGeneric || !Catalog::offers(place, family)) continue;
      if (!region_.empty() && place.name != region_) continue;
      const auto price = price_of(gang, place.name, offer.model);
      if (!price || (!offer.region.empty() && price->usd >= offer.usd_per_hour)) continue;
      offer.region = place.name;
      offer.usd_per_hour = price->usd;
      offer.overlaid = price->overlaid;
    }
    return !offer.region.empty();
  }

  struct Price {
    double usd = 0;
    bool overlaid = false;
  };

  // Of an hour of all the machines, at the start; nothing if one of them has none.
  [[nodiscard]] std::optional<Price> price_of(const Gang& gang, const std::string& region,
                                              PriceModel model) const {
    Price price;
    for (std::size_t i = 0; i < gang.kinds.size(); ++i) {
      const PriceAnswer answer = price_of(gang.kinds[i], region, model);
      if (!answer) return std::nullopt;
      price.usd += gang.counts[i] * static_cast<double>(answer.line.steps.front().contracted.count()) / kNano;
      price.overlaid = price.overlaid || answer.line.overlaid;
    }
    return price;
  }

  [[nodiscard]] PriceAnswer price_of(MachineId machine, const std::string& region, PriceModel model) const {
    const PriceRequest request{.machine = machine,
                               .region = region,
                               .model = model,
                               .use = is_held(model) ? PriceUse::held : PriceUse::leased,
                               .as_of = *parse_date(scenario_.prices_as_of),
                               .follow_calendar = scenario_.prices_follow_calendar,
                               .start = *parse_date(scenario_.start),
                               .offsets = scenario_.world.utc_offsets,
                               .fee_ppm = scenario_.world.billing.fee_ppm};
    return price_line(catalog_, request, scenario_.prices);
  }

  const Catalog& catalog_;
  const Scenario& scenario_;
  const Shape& shape_;
  const SpeedProfile& profile_;
  std::string_view region_;
  JobOffers found_;
};

}  // namespace

JobOffers job_offers(const Catalog& catalog, const Scenario& scenario, const Shape& shape,
                     std::string_view region) {
  return OfferFinder{catalog, scenario, shape, region}.all();
}

}  // namespace stockout
