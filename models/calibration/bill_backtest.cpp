#include "models/calibration/bill_backtest.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "sim/core/check.h"
#include "sim/core/error.h"
#include "sim/stats/weighted_quantile.h"

namespace stockout {
namespace {

bool is_commitment(PriceModel model) { return commitment_term(model).has_value(); }

class ProductSet {
 public:
  explicit ProductSet(const World& world) : world_{world} {}

  void add(PriceLineId id) {
    const PriceLine& line = world_.price_lines[index(id)];
    if (is_commitment(line.model)) return;
    if (line.charge != Charge::sublet)
      products_.insert(
          {.machine = world_.machines[index(line.machine)].name, .region = line.region, .model = line.model});
    if (line.fee) add(*line.fee);
  }
  void add(const Part& part) {
    if (part.machines > 0 && !part.line.is_none()) add(part.line.value());
  }
  [[nodiscard]] std::set<BilledProduct> take() { return std::move(products_); }

 private:
  const World& world_;
  std::set<BilledProduct> products_;
};

BilledUse use_within(const BilledUse& use, const World& world, const BillTerms& terms, const BillSpan& span) {
  BilledUse within{use.lines()};
  for (std::size_t i = 0; i < use.lines(); ++i) {
    const PriceLineId line{static_cast<std::uint32_t>(i)};
    if (is_commitment(world.price_lines[i].model)) continue;
    std::vector<UsageHour> hours;
    std::ranges::copy_if(use.hours(line), std::back_inserter(hours), [&](const UsageHour& hour) {
      return hour.hour >= span.from && hour.hour < span.to;
    });
    within.add(line, hours);
  }
  within.other.resize(terms.other.size());
  within.close();
  return within;
}

// The part of a charge that lies in a span.
double usd_within(const RecordedCharge& charge, const BillSpan& span) {
  const SimTime from = std::max(charge.from, kStart + span.from * kHour);
  const SimTime to = std::min(charge.to, kStart + span.to * kHour);
  if (to <= from) return 0;
  const auto length = [](SimDuration of) { return static_cast<double>(of.count()); };
  return charge.usd * (length(to - from) / length(charge.to - charge.from));
}

bool overlaps(const RecordedCharge& charge, std::span<const BillSpan> spans) {
  return charge.from < kStart + spans.back().to * kHour && charge.to > kStart + spans.front().from * kHour;
}

// The spans follow one another.
double usd_in_all(const RecordedCharge& charge, std::span<const BillSpan> spans) {
  double usd = 0;
  for (const BillSpan& span : spans) usd += usd_within(charge, span);
  return usd;
}

BillRow row_of(const std::string& name, double recorded,
               const std::vector<std::pair<double, double>>& bills) {
  BillRow row{.name = name, .recorded_usd = recorded};
  double weight = 0;
  for (const auto& [usd, own] : bills) {
    row.predicted_usd += usd * own;
    weight += own;
  }
  row.predicted_usd /= weight;
  for (std::size_t i = 0; i < kBillLevels.size(); ++i) {
    const double beyond = (1 - kBillLevels[i]) / 2;
    row.intervals[i] = {.low = weighted_quantile(bills, beyond),
                        .high = weighted_quantile(bills, 1 - beyond)};
  }
  return row;
}

void add_others(std::span<const BillSpan> spans, const std::set<BilledProduct>& products,
                const std::vector<RecordedCharge>& charges, BillBacktest& found) {
  std::map<BilledProduct, double> usd;
  for (const RecordedCharge& charge : charges) {
    if (!products.contains(charge.product) && overlaps(charge, spans))
      usd[charge.product] += usd_in_all(charge, spans);
  }
  for (const auto& [product, sum] : usd)
    found.others.push_back({.product = product_text(product), .usd = sum});
  std::ranges::stable_sort(found.others, std::ranges::greater{}, &OtherCharges::usd);
}

}  // namespace

std::set<BilledProduct> products_of(const World& world, std::size_t strategy) {
  const Strategy& of = world.strategies[strategy];
  ProductSet products{world};
  for (const Leg& leg : of.legs) {
    for (const std::vector<Candidate>& candidates : leg.candidates) {
      for (const Candidate& candidate : candidates) {
        for (const Part& part : candidate.parts) products.add(part);
      }
    }
  }
  for (const PoolId held : of.held) products.add(world.held_pool(held).line);
  return products.take();
}

std::string product_text(const BilledProduct& product) {
  return fmt::format("{} as {} in {}", product.machine,
                     kPriceModelNames[static_cast<std::size_t>(product.model)], product.region);
}

void check_charges(std::span<const BillSpan> spans, const std::set<BilledProduct>& products,
                   const std::vector<RecordedCharge>& charges, const std::string& files) {
  const auto is_bought = [&](const RecordedCharge& charge) { return products.contains(charge.product); };
  if (std::ranges::none_of(charges, is_bought)) {
    throw InputError{{.file = files},
                     products.empty() ? "cannot be held against a strategy that buys nothing but commitments"
                                      : fmt::format("has no charge for what the strategy buys, such as {}",
                                                    product_text(*products.begin()))};
  }
  const bool has_any = std::ranges::any_of(
      charges, [&](const RecordedCharge& charge) { return is_bought(charge) && overlaps(charge, spans); });
  if (has_any) return;
  throw InputError{
      {.file = files},
      "has its charges for what the strategy buys before the split, or after the last job of the "
      "history: are its dates those of the history?"};
}

std::vector<double> bill_of_spans(const BilledUse& use, const World& world, const BillTerms& terms,
                                  std::span<const BillSpan> spans) {
  std::vector<double> usd;
  for (const BillSpan& span : spans) {
    const Bill bill =
        bill_of(use_within(use, world, terms, span), world.price_lines, terms, world.window_end);
    usd.push_back((bill.machines.paid().contracted - bill.covered.contracted).to_usd());
  }
  return usd;
}

std::optional<double> BillRow::error() const {
  return recorded_usd > 0 ? std::optional{predicted_usd / recorded_usd - 1} : std::nullopt;
}

double BillBacktest::others_usd() const {
  return std::accumulate(others.begin(), others.end(), 0.0,
                         [](double sum, const OtherCharges& other) { return sum + other.usd; });
}

bool BillBacktest::is_within(double share) const {
  const auto error = rows.front().error();
  return error && std::abs(*error) <= share;
}

BillBacktest backtest_bill(std::span<const BillSpan> spans, const std::set<BilledProduct>& products,
                           const std::vector<RecordedCharge>& charges,
                           const std::vector<PredictedBill>& predicted) {
  STOCKOUT_CHECK(!spans.empty() && !predicted.empty());
  BillBacktest found{.rows = {}, .others = {}, .skipped = {}, .worlds = predicted.size()};
  std::vector<std::pair<double, double>> in_all;
  for (const PredictedBill& bill : predicted)
    in_all.emplace_back(std::accumulate(bill.usd.begin(), bill.usd.end(), 0.0), bill.weight);
  std::vector<BillRow> months;
  double recorded_in_all = 0;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    double recorded = 0;
    for (const RecordedCharge& charge : charges)
      if (products.contains(charge.product)) recorded += usd_within(charge, spans[i]);
    recorded_in_all += recorded;
    std::vector<std::pair<double, double>> bills;
    for (const PredictedBill& bill : predicted) bills.emplace_back(bill.usd[i], bill.weight);
    months.push_back(row_of(spans[i].name, recorded, bills));
  }
  found.rows.push_back(row_of("in all", recorded_in_all, in_all));
  if (months.size() > 1) found.rows.insert(found.rows.end(), months.begin(), months.end());
  add_others(spans, products, charges, found);
  return found;
}

}  // namespace stockout
