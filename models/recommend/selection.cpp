#include "models/recommend/selection.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/students_t.hpp>

#include "models/experiment/stopping.h"
#include "models/experiment/world_turns.h"
#include "sim/core/check.h"

namespace stockout {
namespace {

// Replications, in whole rounds.
std::size_t most_of(const SelectionRules& rules) { return rules.most / rules.round * rules.round; }

std::size_t look_after(std::size_t replications, const SelectionRules& rules) {
  const std::size_t most = most_of(rules);
  return std::min(whole_rounds(next_look(replications, most), rules.round), most);
}

std::size_t looks_of(const SelectionRules& rules) {
  const std::size_t most = most_of(rules);
  std::size_t looks = 1;
  for (std::size_t at = first_look(rules.round); at < most; at = look_after(at, rules)) ++looks;
  return looks;
}

// Sums, for means and their spreads.
struct Moments {
  double mean = 0;
  double deviation = 0;  // of a unit
};

double mean_of(std::span<const double> values) {
  return std::reduce(values.begin(), values.end()) / static_cast<double>(values.size());
}

// Of units of so many values each.
Moments moments_of(std::span<const double> values, std::size_t unit) {
  const double mean = mean_of(values);
  double squares = 0;
  for (std::size_t at = 0; at < values.size(); at += unit) {
    const double value = mean_of(values.subspan(at, unit));
    squares += (value - mean) * (value - mean);
  }
  const std::size_t units = values.size() / unit;
  return {.mean = mean, .deviation = std::sqrt(squares / static_cast<double>(units - 1))};
}

struct Contender {
  std::vector<double> costs;                // by replication
  std::vector<std::vector<double>> shares;  // by goal and replication: how far above it
  std::vector<double> jobs;                 // by goal: that its shares are of ...
  std::vector<double> met;                  // ... and of these, that met it
  std::vector<bool> is_met;                 // by goal: found to be
  bool is_open = true;
  CandidateStanding standing;
};

class Contest {
 public:
  Contest(std::size_t candidates, const SelectionRules& rules) : rules_{rules}, contenders_(candidates) {
    const std::size_t goals = rules.goals.size();
    const std::size_t bounds = candidates * goals + candidates * (candidates - 1);
    const std::size_t all = std::max<std::size_t>(bounds * looks_of(rules), 1);
    each_error_ = rules.error / static_cast<double>(all);
    for (Contender& contender : contenders_) {
      contender.shares.resize(goals);
      contender.jobs.resize(goals);
      contender.met.resize(goals);
      contender.is_met.resize(goals);
    }
  }

  [[nodiscard]] std::vector<std::size_t> open() const {
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < contenders_.size(); ++i) {
      if (contenders_[i].is_open) open.push_back(i);
    }
    return open;
  }

  void add(std::size_t who, const std::vector<Observation>& seen) {
    Contender& contender = contenders_[who];
    for (const Observation& one : seen) {
      STOCKOUT_CHECK(one.met.size() == rules_.goals.size());
      contender.costs.push_back(one.cost);
      for (std::size_t goal = 0; goal < one.met.size(); ++goal) add_share(contender, goal, one);
    }
    contender.standing.replications = contender.costs.size();
  }

  // When all that are open have as many replications.
  void look(std::size_t replications) {
    unit_ = replications / rules_.round >= kFirstLook ? rules_.round : 1;
    const std::size_t units = replications / unit_;
    const auto freedom = static_cast<double>(units - 1);
    using boost::math::complement;
    const double t = quantile(complement(boost::math::students_t{freedom}, each_error_));
    width_ = t / std::sqrt(static_cast<double>(units));
    for (Contender& contender : contenders_) {
      if (contender.is_open && !contender.standing.meets_all) judge_shares(contender);
    }
    find_leader();
    if (leader_) judge_costs(*leader_);
  }

  // Whether nobody left can be better than the leader by more than the indifference.
  [[nodiscard]] bool is_over() const { return is_over_; }

  [[nodiscard]] Selection result() && {
    Selection selection;
    if (is_over_ && leader_) {
      for (const std::size_t i : open()) contenders_[i].standing.kind = CandidateStanding::Kind::as_good;
      contenders_[*leader_].standing.kind = CandidateStanding::Kind::chosen;
      selection.chosen = leader_;
    } else {
      for (const std::size_t i : open()) note_needs(contenders_[i]);
    }
    for (Contender& contender : contenders_) selection.standings.push_back(contender.standing);
    return selection;
  }

 private:
  void add_share(Contender& contender, std::size_t goal, const Observation& one) {
    const double met = one.met[goal].value_or(rules_.goals[goal].share);
    contender.shares[goal].push_back(met - rules_.goals[goal].share);
    const double jobs = one.met[goal] && goal < one.jobs.size() ? one.jobs[goal] : 0;
    contender.jobs[goal] += jobs;
    contender.met[goal] += met * jobs;
  }

  // Between which bounds a share lies, less what is asked; with `times` as many replications that go on as
  // those so far.
  [[nodiscard]] std::pair<double, double> bounds_of(const Contender& contender, std::size_t goal,
                                                    double times = 1) const {
    const Moments above = moments_of(contender.shares[goal], unit_);
    const double least_deviation = rules_.goals[goal].tolerance / std::sqrt(static_cast<double>(unit_));
    const double half = width_ * std::max(above.deviation, least_deviation) / std::sqrt(times);
    std::pair<double, double> bounds{above.mean - half, above.mean + half};
    const double jobs = contender.jobs[goal] * times;
    if (jobs == 0) return bounds;
    using Binomial = boost::math::binomial_distribution<double>;
    const double met = std::clamp(contender.met[goal] * times, 0.0, jobs);
    const double asked = rules_.goals[goal].share;
    bounds.first = std::min(bounds.first, Binomial::find_lower_bound_on_p(jobs, met, each_error_) - asked);
    bounds.second = std::max(bounds.second, Binomial::find_upper_bound_on_p(jobs, met, each_error_) - asked);
    return bounds;
  }

  enum class Judged : std::uint8_t { met, missed, open };

  // On the side of the mean only: it then is what is seen, too.
  [[nodiscard]] Judged judge(const Contender& contender, std::size_t goal, double times = 1) const {
    const ShareGoal& asked = rules_.goals[goal];
    const double mean = mean_of(contender.shares[goal]);
    if (asked.of_all && mean < 0) return Judged::missed;
    const auto [low, high] = bounds_of(contender, goal, times);
    if (mean >= 0) return low >= -asked.tolerance ? Judged::met : Judged::open;
    return high <= asked.tolerance ? Judged::missed : Judged::open;
  }

  void judge_shares(Contender& contender) {
    for (std::size_t goal = 0; goal < rules_.goals.size(); ++goal) {
      if (contender.is_met[goal]) continue;
      const Judged judged = judge(contender, goal);
      contender.is_met[goal] = judged == Judged::met;
      if (judged != Judged::missed) continue;
      leave(contender, CandidateStanding::Kind::misses, goal);
      return;
    }
    contender.standing.meets_all = std::ranges::all_of(contender.is_met, std::identity{});
  }

  // About how many times as many replications would tell whether it meets the goals, and is no cheaper than
  // the leader by more than the indifference.
  [[nodiscard]] double times_needed(const Contender& contender) const {
    constexpr double kStep = 1.1;
    constexpr double kFar = 1e4;
    double times = 1;
    for (std::size_t goal = 0; goal < rules_.goals.size(); ++goal) {
      while (!contender.is_met[goal] && times < kFar && judge(contender, goal, times) == Judged::open)
        times *= kStep;
    }
    if (!leader_) return times;
    const Moments more = difference(contender.costs, contenders_[*leader_].costs);
    const double room = more.mean + rules_.indifference;
    if (room <= 0) return times;
    const double widths = width_ * more.deviation / room;
    return std::min(kFar, std::max(times, widths * widths));
  }

  void find_leader() {
    leader_.reset();
    double least = 0;
    for (const std::size_t i : open()) {
      if (!contenders_[i].standing.meets_all) continue;
      const double cost = mean_of(contenders_[i].costs);
      if (leader_ && cost >= least) continue;
      leader_ = i;
      least = cost;
    }
    is_over_ = open().empty();
  }

  void judge_costs(std::size_t leader) {
    is_over_ = true;
    for (const std::size_t i : open()) {
      if (i == leader) continue;
      const double least_more = least_difference(contenders_[i].costs, contenders_[leader].costs);
      if (least_more >= 0) {
        leave(contenders_[i], CandidateStanding::Kind::dearer, leader);
      } else if (least_more < -rules_.indifference) {
        is_over_ = false;
      }
    }
  }

  // The lower bound of what one costs more than the other.
  [[nodiscard]] double least_difference(std::span<const double> costs, std::span<const double> than) const {
    const Moments more = difference(costs, than);
    return more.mean - width_ * more.deviation;
  }

  [[nodiscard]] Moments difference(std::span<const double> costs, std::span<const double> than) const {
    std::vector<double> differences(costs.size());
    std::ranges::transform(costs, than, differences.begin(), std::minus{});
    return moments_of(differences, unit_);
  }

  void note_needs(Contender& contender) const {
    CandidateStanding& standing = contender.standing;
    standing.needs = static_cast<std::size_t>(
        std::ceil(static_cast<double>(standing.replications) * times_needed(contender)));
  }

  static void leave(Contender& contender, CandidateStanding::Kind kind, std::size_t by) {
    contender.is_open = false;
    contender.standing.kind = kind;
    contender.standing.by = by;
  }

  const SelectionRules& rules_;
  std::vector<Contender> contenders_;
  double each_error_ = 0;
  std::size_t unit_ = 1;  // replications whose mean counts as one value
  double width_ = 0;      // half-width of an interval, in standard deviations of a unit
  std::optional<std::size_t> leader_;
  bool is_over_ = false;
};

void check_rules(const SelectionRules& rules) {
  STOCKOUT_CHECK(rules.indifference > 0 && rules.error > 0 && rules.error < 1);
  STOCKOUT_CHECK(rules.round > 0 && rules.most >= first_look(rules.round));
  for (const ShareGoal& goal : rules.goals) STOCKOUT_CHECK(goal.tolerance > 0);
}

}  // namespace

double tolerance_above(double share, double usual) {
  if (share >= 1) return kToleranceOfAll;
  return std::min(usual, (1 - share) / 2);
}

std::size_t first_look(std::size_t round) { return whole_rounds(kFirstLook, round); }

Selection select_cheapest(std::size_t candidates, const SelectionRules& rules, const Observe& observe) {
  check_rules(rules);
  STOCKOUT_CHECK(candidates > 0);
  Contest contest{candidates, rules};
  std::size_t observations = 0;
  const std::size_t most = most_of(rules);
  for (std::size_t from = 0; from < most && !contest.is_over();) {
    const std::size_t to = from == 0 ? first_look(rules.round) : look_after(from, rules);
    const std::vector<std::size_t> who = contest.open();
    const auto seen = observe(who, from, to);
    for (std::size_t i = 0; i < who.size(); ++i) contest.add(who[i], seen[i]);
    observations += who.size() * (to - from);
    contest.look(to);
    from = to;
  }
  Selection selection = std::move(contest).result();
  selection.observations = observations;
  return selection;
}

}  // namespace stockout
