#include "models/repricing/break_even.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <boost/math/distributions/students_t.hpp>

#include "models/billing/cost.h"
#include "models/experiment/cost_difference.h"
#include "models/experiment/goal_words.h"
#include "models/experiment/noise_text.h"
#include "models/experiment/standing.h"
#include "sim/core/check.h"

namespace stockout {
namespace {

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double covariance(const std::vector<double>& a, const std::vector<double>& b) {
  const double mean_a = mean_of(a);
  const double mean_b = mean_of(b);
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - mean_a) * (b[i] - mean_b);
  return sum / static_cast<double>(a.size() - 1);
}

std::vector<double> difference(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> values;
  for (std::size_t i = 0; i < a.size(); ++i) values.push_back(a[i] - b[i]);
  return values;
}

LinearCosts lines_by_replication(const LinearCosts& costs, std::size_t replications) {
  return {.fixed = by_replication(costs.fixed, replications),
          .slope = by_replication(costs.slope, replications)};
}

/// A strategy that may win.
struct Contender {
  std::size_t strategy = 0;  // of the comparison
  LinearCosts costs;
  double fixed = 0;  // means
  double slope = 0;

  [[nodiscard]] double cost_at(double factor) const { return fixed + factor * slope; }
};

// The lower of two at a price that is a little higher than `factor`.
bool is_cheaper(const Contender& a, const Contender& b, double factor) {
  const double cost_a = a.cost_at(factor);
  const double cost_b = b.cost_at(factor);
  return cost_a != cost_b ? cost_a < cost_b : a.slope < b.slope;
}

// The lower envelope of the contenders' lines, from a factor of 0 on. As the price rises, the winner is one
// that pays less and less of it.
std::vector<WinningRange> ranges_of(const std::vector<Contender>& contenders) {
  std::vector<WinningRange> ranges;
  const Contender* winner = &contenders.front();
  for (const Contender& other : contenders)
    if (is_cheaper(other, *winner, 0)) winner = &other;
  double factor = 0;
  while (winner != nullptr) {
    const Contender* next = nullptr;
    double at = 0;
    for (const Contender& other : contenders) {
      if (other.slope >= winner->slope) continue;
      const double equal = std::max(factor, (other.fixed - winner->fixed) / (winner->slope - other.slope));
      if (next != nullptr && (equal > at || (equal == at && other.slope >= next->slope))) continue;
      next = &other;
      at = equal;
    }
    WinningRange range{
        .strategy = winner->strategy, .from = factor, .until = {}, .doubt_from = {}, .doubt_until = {}};
    if (next != nullptr) {
      range.until = at;
      const std::size_t most = std::max(winner->costs.fixed.size(), next->costs.fixed.size());
      if (most > 1) {
        const FactorInterval doubt =
            fieller(lines_by_replication(winner->costs, most), lines_by_replication(next->costs, most));
        range.doubt_from = doubt.low;
        range.doubt_until = doubt.high;
      }
    }
    if (next == nullptr || at > factor) ranges.push_back(range);
    factor = at;
    winner = next;
  }
  return ranges;
}

/// The factors at which `other` costs less than the cheapest of `contenders`, whose ranges these are. The
/// lower envelope is concave, so that they are one interval; at most nothing.
struct Cheaper {
  bool anywhere = false;
  double from = 0;
  std::optional<double> until;
};

Cheaper where_cheaper(const Contender& other, const std::vector<Contender>& contenders,
                      const std::vector<WinningRange>& ranges) {
  Cheaper found;
  for (const WinningRange& range : ranges) {
    const Contender& winner = *std::ranges::find(contenders, range.strategy, &Contender::strategy);
    const double saved = winner.fixed - other.fixed;  // by it, at a price of nothing
    const double slope = winner.slope - other.slope;
    double from = range.from;
    std::optional<double> until = range.until;
    if (slope == 0 && saved <= 0) continue;
    if (slope > 0) from = std::max(from, -saved / slope);
    if (slope < 0) until = std::min(until.value_or(-saved / slope), -saved / slope);
    if (until && *until <= from) continue;
    if (!found.anywhere) found.from = from;
    found.anywhere = true;
    found.until = until;
  }
  return found;
}

class Finder {
 public:
  Finder(const StoredComparison& record, const Comparison& comparison, std::span<const std::size_t> of_record,
         const std::vector<PriceLine>& lines, const BillTerms& terms)
      : record_{record},
        of_record_{of_record},
        lines_{lines},
        terms_{terms},
        standings_{comparison, record.goal},
        words_{comparison, record.goal, record.goal_text, standings_},
        bills_(comparison.strategies.size()) {
    for (const AskedGoal& asked : comparison.goals)
      if (asked.goal.kind == Goal::Kind::budget)
        budget_ = std::min(budget_.value_or(asked.goal.budget_usd), asked.goal.budget_usd);
  }

  BreakEvens find();

 private:
  void choose();
  [[nodiscard]] const std::vector<StoredRun>& runs_of(std::size_t strategy) const {
    return record_.strategies[of_record_[strategy]].runs;
  }
  [[nodiscard]] Contender contender(std::size_t strategy, PriceModel model) const;
  [[nodiscard]] std::vector<Contender> contenders(PriceModel model) const;
  void describe(BreakEven& found, std::span<const std::size_t> strategies) const;
  [[nodiscard]] std::optional<double> over_budget_from(const std::vector<Contender>& all,
                                                       const std::vector<WinningRange>& ranges) const;
  void say_what_lacks(WouldWin& found) const;
  [[nodiscard]] Contender with_all_work(Contender one) const;
  void add_would_win(std::size_t strategy);

  const StoredComparison& record_;
  std::span<const std::size_t> of_record_;
  const std::vector<PriceLine>& lines_;
  const BillTerms& terms_;
  Standings standings_;
  GoalWords words_;
  std::optional<double> budget_;          // the least of all
  std::vector<std::size_t> chosen_;       // may win, the better of two equal ones first
  std::vector<std::size_t> missing_;      // they miss a goal, or do less of the work
  std::vector<std::vector<Bill>> bills_;  // by strategy and replication, of these
  BreakEvens result_;
};

void Finder::choose() {
  for (const std::size_t i : standings_.by_cost()) {
    const Standing& standing = standings_[i];
    const bool qualifies = standing.runs_all && standing.work.on_average && standing.service.on_average;
    const bool looks = record_.strategies[of_record_[i]].looks_at_prices;
    if (!qualifies) result_.not_qualifying.push_back(i);
    if (qualifies && looks) result_.looking.push_back(i);
    if (looks || !standing.runs_all) continue;
    (qualifies ? chosen_ : missing_).push_back(i);
    for (const StoredRun& run : runs_of(i))
      bills_[i].push_back(bill_of(run.use, lines_, terms_, record_.window_end));
  }
  std::ranges::sort(result_.not_qualifying);
  std::ranges::sort(result_.looking);
}

Contender Finder::contender(std::size_t strategy, PriceModel model) const {
  Contender found{.strategy = strategy, .costs = {}, .fixed = 0, .slope = 0};
  for (const Bill& bill : bills_[strategy]) {
    const auto place = static_cast<std::size_t>(model);
    Money slope = bill.machines.direct[place].contracted + bill.machines.held[place].contracted;
    if (model == PriceModel::on_demand) slope -= bill.covered.contracted;
    found.costs.slope.push_back(slope.to_usd());
    found.costs.fixed.push_back((bill.in_all().contracted - slope).to_usd());
  }
  found.fixed = mean_of(found.costs.fixed);
  found.slope = mean_of(found.costs.slope);
  return found;
}

// Of those that cost the same at every price the better one alone: it comes first.
std::vector<Contender> Finder::contenders(PriceModel model) const {
  std::vector<Contender> all;
  for (const std::size_t strategy : chosen_) {
    Contender next = contender(strategy, model);
    const bool known = std::ranges::any_of(all, [&](const Contender& other) {
      const std::size_t most = std::max(other.costs.slope.size(), next.costs.slope.size());
      const Estimate slope = estimate_difference(by_replication(other.costs.slope, most),
                                                 by_replication(next.costs.slope, most));
      return standings_.cost_the_same(other.strategy, next.strategy) && slope.mean == 0 &&
             slope.half_width.value_or(0) == 0;
    });
    if (!known) all.push_back(std::move(next));
  }
  return all;
}

// By the machine and region on which the strategies spend most under the model.
void Finder::describe(BreakEven& found, std::span<const std::size_t> strategies) const {
  std::map<std::pair<std::string, std::string>, Money> spent;
  std::map<std::pair<std::string, std::string>, std::size_t> line_of;
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    if (lines_[i].model != found.model || lines_[i].charge == Charge::sublet) continue;
    const std::pair key{record_.lines[i].machine, lines_[i].region};
    for (const std::size_t strategy : strategies) {
      for (const StoredRun& run : runs_of(strategy)) {
        const auto hours = run.use.hours(PriceLineId{static_cast<std::uint32_t>(i)});
        if (hours.empty()) continue;
        spent[key] += cost_of(lines_[i], hours).contracted;
        line_of.emplace(key, i);
      }
    }
  }
  STOCKOUT_CHECK(!spent.empty());
  const auto most = std::ranges::max_element(spent, {}, [](const auto& entry) { return entry.second; });
  found.machine = most->first.first;
  found.region = most->first.second;
  found.usd_per_hour =
      static_cast<double>(price_at(lines_[line_of.at(most->first)], 0).contracted.count()) / 1e9;
  found.is_one_of_several = spent.size() > 1;
}

std::optional<double> Finder::over_budget_from(const std::vector<Contender>& all,
                                               const std::vector<WinningRange>& ranges) const {
  if (!budget_) return std::nullopt;
  for (const WinningRange& range : ranges) {
    const Contender& winner = *std::ranges::find(all, range.strategy, &Contender::strategy);
    if (winner.cost_at(range.from) > *budget_) return range.from;
    if (winner.slope <= 0) continue;
    const double reached = (*budget_ - winner.fixed) / winner.slope;
    if (!range.until || reached < *range.until) return reached;
  }
  return std::nullopt;
}

// What a strategy lacks, and how it is today.
void Finder::say_what_lacks(WouldWin& found) const {
  const Standing& standing = standings_[found.strategy];
  std::vector<std::string> conditions;
  std::vector<std::string> today;
  if (!standing.service.on_average) {
    conditions.push_back("met " + words_.named());
    today.push_back((words_.only_wait_goal() ? "" : "it ") + words_.met(found.strategy));
  }
  if (!standing.work.on_average) {
    conditions.emplace_back("got as much of the work done, each part of it at the cost of today");
    today.push_back(fmt::format("{} of the work is done", share_with_noise(standing.work_done)));
  }
  found.condition = fmt::format("{}", fmt::join(conditions, " and "));
  found.today = fmt::format("{}", fmt::join(today, ", and "));
}

// The costs of a strategy if it did the work of the most complete one.
Contender Finder::with_all_work(Contender one) const {
  const Standing& standing = standings_[one.strategy];
  if (standing.work.on_average) return one;
  const double times = standings_[standings_.most_complete()].work_done->mean / standing.work_done->mean;
  one.fixed *= times;
  one.slope *= times;
  return one;
}

void Finder::add_would_win(std::size_t strategy) {
  const Standing& standing = standings_[strategy];
  if (!standing.work.on_average && standing.work_done->mean <= 0) return;
  std::optional<Contender> most;  // by the price on which it spends most
  WouldWin found{.strategy = strategy, .price = {}, .until = {}, .condition = {}, .today = {}};
  for (std::size_t i = 0; i < kPriceModelNames.size(); ++i) {
    Contender one = contender(strategy, static_cast<PriceModel>(i));
    if (one.slope <= (most ? most->slope : 0)) continue;
    most = std::move(one);
    found.price.model = static_cast<PriceModel>(i);
  }
  if (!most) return;
  say_what_lacks(found);
  describe(found.price, std::span{&strategy, 1});
  const std::vector<Contender> all = contenders(found.price.model);
  const Cheaper cheaper = where_cheaper(with_all_work(std::move(*most)), all, ranges_of(all));
  found.at_no_price = !cheaper.anywhere;
  found.from = cheaper.from;
  found.until = cheaper.until;
  result_.would_win.push_back(std::move(found));
}

BreakEvens Finder::find() {
  choose();
  for (std::size_t i = 0; i < kPriceModelNames.size() && !chosen_.empty(); ++i) {
    BreakEven found{.model = static_cast<PriceModel>(i), .machine = {}, .region = {}, .ranges = {}};
    const std::vector<Contender> all = contenders(found.model);
    if (std::ranges::none_of(all, [](const Contender& one) { return one.slope > 0; })) continue;
    describe(found, chosen_);
    found.ranges = ranges_of(all);
    found.over_budget_from = over_budget_from(all, found.ranges);
    result_.models.push_back(std::move(found));
  }
  if (chosen_.empty()) missing_.clear();
  std::ranges::sort(missing_);
  for (const std::size_t strategy : missing_) add_would_win(strategy);
  return std::move(result_);
}

}  // namespace

// The factors f for which |X - f Y| <= t s(X - f Y) / sqrt(n), X and Y being the means of the differences in
// what is fixed and in slope: a quadratic in f.
FactorInterval fieller(const LinearCosts& a, const LinearCosts& b) {
  const std::size_t n = a.fixed.size();
  STOCKOUT_CHECK(n > 1 && a.slope.size() == n && b.fixed.size() == n && b.slope.size() == n);
  const std::vector<double> fixed = difference(b.fixed, a.fixed);
  const std::vector<double> slope = difference(a.slope, b.slope);
  const double t = boost::math::quantile(boost::math::students_t(static_cast<double>(n - 1)), 0.975);
  const double share = t * t / static_cast<double>(n);
  const double x = mean_of(fixed);
  const double y = mean_of(slope);
  const double quadratic = y * y - share * covariance(slope, slope);
  const double linear = x * y - share * covariance(fixed, slope);
  const double constant = x * x - share * covariance(fixed, fixed);
  const double root = std::sqrt(std::max(0.0, linear * linear - quadratic * constant));
  if (quadratic > 0) {
    return {.low = std::max(0.0, (linear - root) / quadratic),
            .high = std::max(0.0, (linear + root) / quadratic)};
  }
  // The slopes may be equal. Then the doubt has no end on the side of x / y, or on both.
  if (root == 0 || quadratic == 0) return {};
  const double first = (linear + root) / quadratic;   // not above ...
  const double second = (linear - root) / quadratic;  // ... this one
  if (x / y >= second) return {.low = std::max(0.0, second), .high = {}};
  return {.low = 0, .high = std::max(0.0, first)};
}

BreakEvens break_evens(const StoredComparison& record, const Comparison& comparison,
                       std::span<const std::size_t> of_record, const std::vector<PriceLine>& lines,
                       const BillTerms& terms) {
  STOCKOUT_CHECK(of_record.size() == comparison.strategies.size());
  return Finder{record, comparison, of_record, lines, terms}.find();
}

}  // namespace stockout
