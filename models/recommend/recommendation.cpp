#include "models/recommend/recommendation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "models/experiment/stopping.h"
#include "models/measures/goal_text.h"
#include "models/measures/number_text.h"
#include "models/recommend/trade_offs.h"
#include "sim/core/counted.h"
#include "sim/core/duration_text.h"
#include "sim/core/error.h"

namespace stockout {
namespace {

using Asked = Recommendation::Asked;
using StandingKind = CandidateStanding::Kind;

constexpr double kClassesRun = 0.5;  // in so many of the runs; a class that never runs disqualifies
constexpr double kClassTolerance = 0.25;
constexpr double kUsualIndifference = 0.01;

// The share that is asked; of a budget what must be left of it.
double least_of(const Asked& asked) { return asked.is_budget() ? 0 : asked.goal.least; }

// Without draws the means over worlds are exact.
void leave_out_noise(PurchaseStanding& standing) {
  for (const Measure measure : kPurchaseMeasures) standing.means[measure].half_width.reset();
  for (auto& goal : standing.goals) {
    if (goal) goal->half_width.reset();
  }
  for (ClassMet& of : standing.by_class) of.met.half_width.reset();
  standing.cost.half_width.reset();
}

/// A recommendation while it is being found. Places of candidates are those in `who_`.
class RecommendationSearch {
 public:
  RecommendationSearch(const Scenario& written, const Purchases& purchases, const RecommendationRules& rules,
                       const std::function<void(std::size_t)>& done, PurchaseStore* store)
      : written_{written},
        purchases_{purchases},
        rules_{rules},
        goals_{goals_of(written)},
        asked_{goals_.size()},
        first_look_{first_look(purchases.worlds().round())},
        runs_{purchases, with_classes(written, goals_), done, store} {}

  Recommendation find();

 private:
  void leave_out_obliging();
  void ask();
  [[nodiscard]] double most_work_done() const;
  [[nodiscard]] double usual_indifference() const;
  [[nodiscard]] double cost(std::size_t who, std::size_t replication) const;
  [[nodiscard]] std::optional<double> value(std::size_t goal, std::size_t who, std::size_t replication) const;
  [[nodiscard]] Observation observation(std::size_t who, std::size_t replication) const;
  [[nodiscard]] Selection select();
  [[nodiscard]] PurchaseStanding standing_of(std::size_t who, const CandidateStanding& standing) const;
  [[nodiscard]] std::vector<ClassMet> by_class(std::size_t who) const;
  [[nodiscard]] std::vector<InWorld> in_worlds(std::size_t who) const;
  [[nodiscard]] const PurchaseWorlds& worlds() const { return purchases_.worlds(); }
  void look_closer_at_best(const CandidateStanding& standing);
  [[nodiscard]] std::optional<ExtraCost> more_than(const PurchaseStanding& other,
                                                   const PurchaseStanding& best) const;
  [[nodiscard]] double least_margin(const PurchaseStanding& standing) const;
  [[nodiscard]] std::size_t best_of(const Selection& selection) const;
  void put_in_order();

  const Scenario& written_;
  const Purchases& purchases_;
  const RecommendationRules& rules_;
  std::vector<Goal> goals_;  // those asked, then for what is asked of all jobs one of each class
  std::size_t asked_;
  std::size_t first_look_;
  PurchaseRuns runs_;
  std::vector<std::size_t> who_;  // the purchases that are candidates
  Recommendation result_;
};

void RecommendationSearch::leave_out_obliging() {
  result_.longest_obligation = longest_obligation(written_, rules_);
  for (std::size_t i = 0; i < purchases_.all().size(); ++i) {
    const bool is_long = purchases_.all()[i].term > result_.longest_obligation;
    (is_long ? result_.obliging : who_).push_back(i);
  }
  if (!who_.empty()) return;
  throw InputError{{.file = written_.file, .pointer = "/most_obligation"},
                   fmt::format("every purchase begins a commitment of more than {}: allow \"1y\" or \"3y\"",
                               format_duration(result_.longest_obligation))};
}

// Of the candidate that does most on average, of those of which every class runs if there are any.
double RecommendationSearch::most_work_done() const {
  double most = 0;
  for (const std::size_t who : who_) {
    RunningEstimate work;
    for (std::size_t r = 0; r < first_look_; ++r) {
      const Value& share = runs_.at(who, r)[Measure::work_done_share];
      if (!share.is_absent()) work.add(share.value);
    }
    if (work.count() > 0) most = std::max(most, work.mean());
  }
  return most;
}

void RecommendationSearch::ask() {
  for (const AskedGoal& asked : asked_goals(std::span{goals_}.first(asked_), written_.world.classes)) {
    Asked& one = result_.goals.emplace_back(
        Asked{.goal = asked.goal, .common = {}, .text = asked.text, .tolerance = rules_.tolerance});
    if (!one.is_budget()) one.tolerance = tolerance_above(asked.goal.least, rules_.tolerance);
  }
  Goal classes_run;
  classes_run.least = kClassesRun;
  result_.goals.push_back({.goal = classes_run,
                           .common = CommonGoal::every_class_runs,
                           .text = "of every class with jobs one starts, in most runs",
                           .tolerance = kClassTolerance});
  if (written_.decide.undone_usd_per_gpu_h) return;
  const double same_work = written_.goal ? written_.goal->same_work : kSameWork;
  const double most = most_work_done();
  Goal work_done;
  work_done.least = same_work * most;
  result_.goals.push_back(
      {.goal = work_done,
       .common = CommonGoal::same_work,
       .text = fmt::format("{} of the work done, {:.6g} % of the most that any purchase does",
                           share_text(same_work * most), 100 * same_work),
       .tolerance = rules_.work_tolerance});
}

double RecommendationSearch::cost(std::size_t who, std::size_t replication) const {
  return cost_of(written_.decide, runs_.at(who, replication));
}

std::optional<double> RecommendationSearch::value(std::size_t goal, std::size_t who,
                                                  std::size_t replication) const {
  return value_of(result_.goals, goal, runs_.at(who, replication));
}

Observation RecommendationSearch::observation(std::size_t who, std::size_t replication) const {
  Observation seen{.cost = cost(who, replication), .met = {}};
  const bool is_exact = !runs_.draws(who);
  for (std::size_t i = 0; i < result_.goals.size(); ++i) {
    const Asked& asked = result_.goals[i];
    const auto met = value(i, who, replication);
    seen.met.push_back(met && asked.is_budget() ? asked.goal.margin(*met) : met);
    const bool is_of_jobs = !asked.common && !is_exact;
    seen.jobs.push_back(is_of_jobs ? static_cast<double>(runs_.at(who, replication).goals[i].jobs) : 0);
  }
  return seen;
}

// A share of the least mean cost at the first look of those that then seem to meet the goals; of all, if none
// does.
double RecommendationSearch::usual_indifference() const {
  double least = std::numeric_limits<double>::infinity();
  double least_of_all = least;
  for (const std::size_t who : who_) {
    double sum = 0;
    std::vector<double> margins(result_.goals.size());
    for (std::size_t r = 0; r < first_look_; ++r) {
      const Observation seen = observation(who, r);
      sum += seen.cost;
      for (std::size_t i = 0; i < margins.size(); ++i) {
        const Asked& asked = result_.goals[i];
        const double asked_for = least_of(asked);
        margins[i] += seen.met[i].value_or(asked_for) - asked_for;
      }
    }
    const double mean = sum / static_cast<double>(first_look_);
    least_of_all = std::min(least_of_all, mean);
    const bool seems_to = std::ranges::all_of(margins, [](double margin) { return margin >= 0; });
    if (seems_to) least = std::min(least, mean);
  }
  const double cheapest = std::isfinite(least) ? least : least_of_all;
  constexpr double kCent = 0.01;
  return std::max(kUsualIndifference * std::abs(cheapest), kCent);
}

Selection RecommendationSearch::select() {
  SelectionRules rules{.goals = {},
                       .indifference = result_.indifference_usd,
                       .error = rules_.error,
                       .most = rules_.most,
                       .round = worlds().round()};
  for (const Asked& asked : result_.goals)
    rules.goals.push_back(
        {.share = least_of(asked), .tolerance = asked.tolerance, .of_all = asked.is_of_all()});
  return select_cheapest(who_.size(), rules,
                         [&](std::span<const std::size_t> places, std::size_t from, std::size_t to) {
                           std::vector<std::size_t> who;
                           for (const std::size_t place : places) who.push_back(who_[place]);
                           runs_.run(who, to, rules_.threads);
                           std::vector<std::vector<Observation>> seen;
                           for (const std::size_t i : who) {
                             auto& row = seen.emplace_back();
                             for (std::size_t r = from; r < to; ++r) row.push_back(observation(i, r));
                           }
                           return seen;
                         });
}

PurchaseStanding RecommendationSearch::standing_of(std::size_t who, const CandidateStanding& standing) const {
  PurchaseStanding result;
  result.purchase = who;
  result.standing = standing;
  result.runs = runs_.runs_of(who);
  if (standing.kind == StandingKind::dearer) result.standing.by = who_[standing.by];
  RunningSummaries means;
  std::vector<RunningEstimate> goals(result_.goals.size());
  for (std::size_t r = 0; r < runs_.replications_of(who); ++r) {
    Values values;
    for (const Measure measure : kPurchaseMeasures) values[measure] = runs_.at(who, r)[measure];
    means.add(values);
    for (std::size_t i = 0; i < goals.size(); ++i) {
      if (const auto met = value(i, who, r)) goals[i].add(*met);
    }
  }
  result.means = means.result();
  for (const RunningEstimate& goal : goals)
    result.goals.push_back(goal.count() > 0 ? std::optional{goal.result()} : std::nullopt);
  result.by_class = by_class(who);
  result.in_worlds = in_worlds(who);
  RunningEstimate costs;
  for (std::size_t r = 0; r < runs_.replications_of(who); ++r) costs.add(cost(who, r));
  result.cost = costs.result();
  if (!runs_.draws(who)) leave_out_noise(result);
  return result;
}

std::vector<InWorld> RecommendationSearch::in_worlds(std::size_t who) const {
  if (worlds().all().empty()) return {};
  RunningInWorlds all{worlds().all().size(), result_.goals.size()};
  for (std::size_t r = 0; r < runs_.replications_of(who); ++r) {
    std::vector<std::optional<double>> met;
    for (std::size_t i = 0; i < result_.goals.size(); ++i) met.push_back(value(i, who, r));
    all.add(worlds().world_of(r), runs_.at(who, r)[Measure::cost].value, met);
  }
  return all.result();
}

// Their goals stand behind those asked, class by class.
std::vector<ClassMet> RecommendationSearch::by_class(std::size_t who) const {
  std::vector<ClassMet> all;
  std::size_t asked = 0;
  for (std::size_t i = asked_; i < goals_.size(); ++i) {
    if (i > asked_ && *goals_[i].job_class == ClassId{}) ++asked;
    while (goals_[asked].job_class || goals_[asked].kind == Goal::Kind::budget) ++asked;
    RunningEstimate met;
    for (std::size_t r = 0; r < runs_.replications_of(who); ++r) {
      const Value& value = runs_.at(who, r).goals[i].value;
      if (!value.is_absent()) met.add(value.value);
    }
    if (met.count() > 0)
      all.push_back({.goal = asked, .job_class = *goals_[i].job_class, .met = met.result()});
  }
  return all;
}

std::optional<ExtraCost> RecommendationSearch::more_than(const PurchaseStanding& other,
                                                         const PurchaseStanding& best) const {
  if (other.purchase == best.purchase) return std::nullopt;
  const bool draws = runs_.draws(other.purchase) || runs_.draws(best.purchase);
  const std::size_t replications =
      draws ? std::min(other.standing.replications, best.standing.replications) : worlds().round();
  const double share = 1 / static_cast<double>(replications);
  RunningEstimate in_all;
  ExtraCost more;
  for (std::size_t r = 0; r < replications; ++r) {
    const PurchaseRun& mine = runs_.at(other.purchase, r);
    const PurchaseRun& theirs = runs_.at(best.purchase, r);
    in_all.add(cost(other.purchase, r) - cost(best.purchase, r), cost(other.purchase, r));
    for (std::size_t i = 0; i < kCostParts.size(); ++i) {
      const auto [part, sign] = kCostParts[i];
      more.parts[i] += sign * share * (mine[part].value - theirs[part].value);
    }
    for (std::size_t i = 0; i < more.by_model.size(); ++i) {
      const Measure paid = cost_under(static_cast<PriceModel>(i));
      more.by_model[i] += share * (mine[paid].value - theirs[paid].value);
    }
    more.undone +=
        share * written_.decide.undone_usd_per_gpu_h.value_or(0) * (mine.undone_gpu_h - theirs.undone_gpu_h);
  }
  more.in_all = in_all.result();
  if (!draws) more.in_all.half_width.reset();
  return more;
}

double RecommendationSearch::least_margin(const PurchaseStanding& standing) const {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < result_.goals.size(); ++i) {
    if (standing.goals[i]) least = std::min(least, result_.goals[i].goal.margin(standing.goals[i]->mean));
  }
  return least;
}

// Place in the standings, which are in the order of `who_`.
std::size_t RecommendationSearch::best_of(const Selection& selection) const {
  if (selection.chosen) return *selection.chosen;
  const bool all_miss = result_.kind == Recommendation::Kind::none_meets_goals;
  const auto rank = [&](const PurchaseStanding& one) {
    const double margin = std::min(least_margin(one), 0.0);
    const double cost = one.cost.mean;
    const bool is_left = one.standing.kind == StandingKind::undecided;
    return all_miss ? std::tuple{false, -margin, cost} : std::tuple{!is_left, -margin, cost};
  };
  const auto best = std::ranges::min_element(result_.standings, {}, rank);
  return static_cast<std::size_t>(best - result_.standings.begin());
}

// What it does in each world is told.
void RecommendationSearch::look_closer_at_best(const CandidateStanding& standing) {
  for (const PurchaseWorld& world : worlds().all())
    result_.worlds.push_back({.name = world.name, .turns = world.turns});
  PurchaseStanding& best = result_.standings[result_.best];
  const std::size_t rounds = std::min(kFirstLook, rules_.most / worlds().round());
  const std::array who{best.purchase};
  runs_.run(who, rounds * worlds().round(), rules_.threads);
  best = standing_of(best.purchase, standing);
}

void RecommendationSearch::put_in_order() {
  const std::size_t best = result_.standings[result_.best].purchase;
  // Those that miss a goal by how near they come to it.
  const auto rank = [&](const PurchaseStanding& one) {
    const StandingKind kind = one.standing.kind;
    const bool is_best = one.purchase == best;
    const bool misses = kind == StandingKind::misses;
    const int place = is_best ? -1 : kind == StandingKind::undecided ? 0 : static_cast<int>(kind);
    return std::tuple{place, misses ? -least_margin(one) : 0, one.cost.mean, one.purchase};
  };
  std::ranges::sort(result_.standings, {}, rank);
  result_.best = 0;
}

Recommendation RecommendationSearch::find() {
  leave_out_obliging();
  runs_.run(who_, first_look_, rules_.threads);
  ask();
  result_.error = rules_.error;
  result_.most = rules_.most;
  const auto given = rules_.indifference_usd ? rules_.indifference_usd : written_.decide.indifference_usd;
  result_.indifference_usd = given ? *given : usual_indifference();
  const Selection selection = select();
  for (std::size_t i = 0; i < who_.size(); ++i)
    result_.standings.push_back(standing_of(who_[i], selection.standings[i]));
  const bool all_miss = std::ranges::all_of(
      selection.standings, [](const CandidateStanding& one) { return one.kind == StandingKind::misses; });
  result_.kind = selection.chosen ? Recommendation::Kind::recommended
                 : all_miss       ? Recommendation::Kind::none_meets_goals
                                  : Recommendation::Kind::undecided;
  result_.best = best_of(selection);
  if (!worlds().all().empty()) look_closer_at_best(selection.standings[result_.best]);
  const PurchaseStanding best = result_.standings[result_.best];
  for (PurchaseStanding& one : result_.standings) one.more = more_than(one, best);
  call_as_good(result_);
  put_in_order();
  result_.first_run = runs_.measure_in_middle(best.purchase);
  result_.simulated = runs_.simulated();
  return std::move(result_);
}

}  // namespace

SimDuration longest_obligation(const Scenario& scenario, const RecommendationRules& rules) {
  return rules.longest_obligation.value_or(
      scenario.decide.longest_obligation.value_or(scenario.world.window_end - kStart));
}

std::optional<double> value_of(const std::vector<Asked>& goals, std::size_t place, const PurchaseRun& run) {
  const Asked& asked = goals[place];
  if (asked.common == CommonGoal::every_class_runs) return run.runs_every_class ? 1 : 0;
  const Value& value = asked.common ? run[Measure::work_done_share] : run.goals[place].value;
  return value.is_absent() ? std::nullopt : std::optional{value.value};
}

double cost_of(const DecisionTerms& terms, const PurchaseRun& run) {
  return run[Measure::cost].value + terms.undone_usd_per_gpu_h.value_or(0) * run.undone_gpu_h;
}

Recommendation recommend(const Scenario& written, const Purchases& purchases,
                         const RecommendationRules& rules, const std::function<void(std::size_t)>& done,
                         PurchaseStore* store) {
  return RecommendationSearch{written, purchases, rules, done, store}.find();
}

}  // namespace stockout
