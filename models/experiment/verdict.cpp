#include "models/experiment/verdict.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/experiment/goal_words.h"
#include "models/experiment/noise_text.h"
#include "models/experiment/standing.h"
#include "models/measures/number_text.h"
#include "sim/core/check.h"

namespace stockout {
namespace {

// "at once", "within 12 min", "within 7.5 h".
std::string wait_words(double hours) {
  const double minutes = std::ceil(hours * 60);
  if (minutes <= 0) return "at once";
  return minutes < 60 ? fmt::format("within {} min", number_text(minutes))
                      : fmt::format("within {} h", number_text(hours, 1));
}

// The first classes of several.
std::string classes_text(const std::vector<std::string>& classes) {
  constexpr std::size_t kMostClasses = 2;
  std::string text = fmt::format("class \"{}\"", classes.front());
  for (std::size_t i = 1; i < std::min(classes.size(), kMostClasses); ++i)
    text += fmt::format(", \"{}\"", classes[i]);
  if (classes.size() > kMostClasses) text += fmt::format(" and {} more", classes.size() - kMostClasses);
  return text;
}

class Judge {
 public:
  Judge(const Comparison& comparison, const std::optional<WaitGoal>& goal, const std::string& goal_text)
      : comparison_{comparison},
        standings_{comparison, goal},
        goals_{comparison, goal, goal_text, standings_} {}

  [[nodiscard]] Verdict decide() const;

 private:
  [[nodiscard]] const StrategyResult& at(std::size_t i) const { return comparison_.strategies[i]; }
  [[nodiscard]] std::string name(std::size_t i) const { return fmt::format("\"{}\"", at(i).name); }
  [[nodiscard]] std::size_t count() const { return comparison_.strategies.size(); }
  [[nodiscard]] double mean(std::size_t i, Measure measure) const { return at(i).total[measure].mean; }
  template <typename Holds>
  [[nodiscard]] std::vector<std::size_t> those(Holds holds) const;

  [[nodiscard]] std::optional<std::string> nothing_to_judge() const;
  [[nodiscard]] Verdict none_qualifies() const;
  [[nodiscard]] Verdict winner_is(std::size_t winner) const;
  [[nodiscard]] std::vector<std::string> doubts(std::size_t winner) const;
  [[nodiscard]] std::string doubt_about(std::size_t other, std::size_t winner) const;

  [[nodiscard]] std::string work_text(std::size_t i) const;
  [[nodiscard]] std::string wait_text(std::size_t i) const;
  [[nodiscard]] std::string describe(std::size_t i) const;
  [[nodiscard]] std::string others_text(std::size_t winner) const;
  [[nodiscard]] std::string less_work_text(std::size_t winner) const;
  [[nodiscard]] std::string never_ran_text(std::size_t winner) const;
  [[nodiscard]] std::string held_text(std::size_t winner) const;
  [[nodiscard]] std::string obligation_text(std::size_t winner) const;
  [[nodiscard]] std::string caveats(std::size_t winner) const;
  [[nodiscard]] std::string opening() const;

  const Comparison& comparison_;
  Standings standings_;
  GoalWords goals_;
};

// Places of the strategies for which `holds`, the cheapest first.
template <typename Holds>
std::vector<std::size_t> Judge::those(Holds holds) const {
  std::vector<std::size_t> found = standings_.by_cost();
  std::erase_if(found, [&](std::size_t i) { return !holds(i); });
  return found;
}

std::string Judge::work_text(std::size_t i) const {
  return fmt::format("{} of the work done", share_with_noise(standings_[i].work_done));
}

// A bound would be no time at all: jobs that never start are the thing to say.
std::string Judge::wait_text(std::size_t i) const {
  const Summary& wait = at(i).total[Measure::wait_p95];
  if (wait.is_absent()) return {};
  if (wait.known == Value::Known::exact) {
    return "95 % of jobs start " + wait_words(wait.mean);
  }
  return fmt::format("{} of jobs never start", share_text(mean(i, Measure::never_started_share)));
}

// What a strategy costs and, beside it, what it gives for that.
std::string Judge::describe(std::size_t i) const {
  std::vector<std::string> parts{
      dollars_with_noise(mean(i, Measure::cost), at(i).total[Measure::cost].half_width)};
  if (goals_.any()) {
    parts.push_back(goals_.met(i));
  } else if (std::string wait = wait_text(i); !wait.empty()) {
    parts.push_back(std::move(wait));
  }
  if (standings_[i].work_done && standings_[i].work_done->mean < 1) parts.push_back(work_text(i));
  if (const double missed = mean(i, Measure::deadline_missed); missed > 0) {
    parts.push_back(fmt::format("{} of {} deadlines missed", number_text(missed, 1),
                                number_text(mean(i, Measure::with_deadline), 1)));
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

// What the winner was measured against: those that cost the same, and the next dearer one.
std::string Judge::others_text(std::size_t winner) const {
  std::string same;
  for (const std::size_t other : those([&](std::size_t i) { return standings_[i].qualifies(); })) {
    if (other == winner) continue;
    if (!standings_.cost_the_same(other, winner)) {
      const Estimate extra = standings_.extra_cost(other, winner);
      return same + fmt::format(" Next: {}, {} more.", name(other),
                                dollars_with_noise(extra.mean, extra.half_width));
    }
    same += fmt::format(
        " {} costs the same{}.", name(other),
        goals_.only_wait_goal() ? fmt::format(" ({} do)", share_with_noise(standings_[other].goal_met)) : "");
  }
  if (!same.empty() || count() == 1) return same;
  if (!goals_.any()) return " No other strategy gets as much of the work done.";
  const auto all_meet_it =
      those([&](std::size_t i) { return standings_[i].runs_all && standings_[i].goal.on_average; });
  const bool less_work = all_meet_it.size() > 1;
  return fmt::format(" No other strategy meets {}{}.", goals_.several() ? "all goals" : "the goal",
                     less_work ? " with as much of the work done" : "");
}

// Those that would have won, were it not that less is paid for less.
std::string Judge::less_work_text(std::size_t winner) const {
  const std::vector<std::size_t> cheaper = those([&](std::size_t i) {
    return standings_[i].runs_all && standings_[i].goal.on_average && !standings_[i].work.on_average &&
           mean(i, Measure::cost) < mean(winner, Measure::cost);
  });
  if (cheaper.empty()) return {};
  std::vector<std::string> named;
  for (const std::size_t i : cheaper) {
    if (named.size() < 3) {
      named.push_back(fmt::format("{} ({}, {} of it)", name(i), dollar_text(mean(i, Measure::cost)),
                                  share_text(standings_[i].work_done ? standings_[i].work_done->mean : 0)));
    }
  }
  const std::size_t more = cheaper.size() - named.size();
  return fmt::format(" Cheaper only by getting less of the work done: {}{}.", fmt::join(named, ", "),
                     more == 0 ? "" : fmt::format(" and {} more", more));
}

// Cheaper ones under which a class never runs: those are never the answer.
std::string Judge::never_ran_text(std::size_t winner) const {
  const std::vector<std::size_t> cheaper = those([&](std::size_t i) {
    return !standings_[i].runs_all && mean(i, Measure::cost) < mean(winner, Measure::cost);
  });
  if (cheaper.empty()) return {};
  constexpr std::size_t kMostNamed = 2;
  std::vector<std::string> named;
  for (const std::size_t i : cheaper) {
    if (named.size() < kMostNamed)
      named.push_back(fmt::format("{} (no job of {} ever starts)", name(i), classes_text(at(i).never_ran)));
  }
  const std::size_t more = cheaper.size() - named.size();
  return fmt::format(" Cheaper, but no answer: {}{}.", fmt::join(named, ", "),
                     more == 0 ? "" : fmt::format(" and {} more", more));
}

std::string Judge::held_text(std::size_t winner) const {
  const Summary& late = at(winner).total[Measure::held_late];
  if (late.is_absent() || (late.mean == 0 && late.known == Value::Known::exact)) return {};
  if (late.known == Value::Known::exact) {
    return fmt::format(" Its held capacity came {} h late on average.", number_text(late.mean, 1));
  }
  return fmt::format(" Its held capacity was missing for {} h or more on average, and did not always come.",
                     number_text(late.mean, 1));
}

// What is owed for held capacity beyond the window.
std::string Judge::obligation_text(std::size_t winner) const {
  const double owed = mean(winner, Measure::commitment);
  if (owed <= mean(winner, Measure::cost_held)) return {};
  return fmt::format(" Its held capacity obliges to {} over the whole term, within the window and beyond.",
                     dollar_text(owed));
}

// What the reader must know before believing it.
std::string Judge::caveats(std::size_t winner) const {
  std::string text = held_text(winner) + obligation_text(winner);
  if (!at(winner).never_ran.empty())
    text += fmt::format(" No job of {} ever starts.", classes_text(at(winner).never_ran));
  const auto& met = at(winner).goal_met;
  const auto empty = std::ranges::count_if(met, [](const auto& share) { return !share; });
  if (standings_[winner].goal_met && empty > 0) {
    text += fmt::format(" In {} of {} replications no job is one the goal is about: they are left out of it.",
                        empty, met.size());
  }
  const bool drew = std::ranges::any_of(comparison_.strategies, &StrategyResult::drew);
  if (drew && comparison_.replications == 1) {
    text += " One replication only: no interval, chance may have decided.";
  }
  return text;
}

// Why `other` may be the cheaper buy, if it may.
std::string Judge::doubt_about(std::size_t other, std::size_t winner) const {
  const Standing& standing = standings_[other];
  if (!standings_.may_beat(other, winner)) return {};
  const Estimate extra = standings_.extra_cost(other, winner);
  std::string text =
      fmt::format("{} costs {} {}", name(other), dollars_with_noise(std::abs(extra.mean), extra.half_width),
                  extra.mean < 0 ? "less" : "more");
  if (extra.high() > 0) text += ", which may be chance";
  if (!standing.goal.on_average) {
    text += goals_.only_wait_goal()
                ? fmt::format(", and may meet it too ({})", share_with_noise(standing.goal_met))
                : fmt::format(", and may meet {} too", goals_.unsure(other));
  }
  if (!standing.work.on_average)
    text += fmt::format(", and may get as much work done ({})", work_text(other));
  return text;
}

std::vector<std::string> Judge::doubts(std::size_t winner) const {
  std::vector<std::string> found;
  if (!standings_[winner].goal.surely) {
    found.push_back(goals_.only_wait_goal() ? "only within the noise"
                                            : goals_.unsure(winner) + " is met only within the noise");
  }
  if (!standings_[winner].work.surely) {
    const std::size_t most = standings_.most_complete();
    found.push_back(fmt::format("it may get less of the work done than {} ({})", name(most),
                                share_with_noise(standings_[most].work_done)));
  }
  for (const std::size_t other : standings_.by_cost()) {
    if (other == winner) continue;
    std::string doubt = doubt_about(other, winner);
    if (!doubt.empty()) found.push_back(std::move(doubt));
  }
  return found;
}

// What no numbers can decide.
std::optional<std::string> Judge::nothing_to_judge() const {
  const auto all = [&](auto holds) { return those(holds).size() == count(); };
  if (all([&](std::size_t i) { return mean(i, Measure::jobs) == 0; })) {
    return "Undecided: no job came in the window.";
  }
  if (const auto goal = goals_.about_no_job())
    return fmt::format("Undecided: the goal ({}) is about no job of this run.", *goal);
  if (all([&](std::size_t i) { return mean(i, Measure::completed) == 0; })) {
    return fmt::format("Undecided: {} a job in the window, so that costs say nothing.",
                       count() == 1 ? "the only strategy does not complete" : "no strategy completes");
  }
  return std::nullopt;
}

// The nearest is one that does the work: the one that misses its worst goal by least.
Verdict Judge::none_qualifies() const {
  std::size_t nearest = standings_.most_complete();
  for (const std::size_t i :
       those([&](std::size_t s) { return standings_[s].runs_all && standings_[s].work.on_average; })) {
    if (goals_.least_margin(i) > goals_.least_margin(nearest)) nearest = i;
  }
  const auto running_all = those([&](std::size_t i) { return standings_[i].runs_all; });
  if (running_all.empty()) {
    return {.kind = Verdict::Kind::class_never_runs,
            .strategy = nearest,
            .sentence = fmt::format("No answer: under {} strategy some class never runs. Nearest: {} ({}).{}",
                                    count() == 1 ? "the only" : "every", name(nearest), describe(nearest),
                                    caveats(nearest))};
  }
  const bool open = !those([&](std::size_t i) { return standings_[i].may_qualify(); }).empty();
  const auto less_work =
      those([&](std::size_t i) { return standings_[i].runs_all && standings_[i].goal.on_average; });
  std::string text =
      fmt::format("{} strategy meets {}{}{}. Nearest: {} ({}).", open ? "Undecided: on average no" : "No",
                  goals_.named(), less_work.empty() ? "" : " and gets as much of the work done as the others",
                  open ? ", but the noise leaves it open" : "", name(nearest), describe(nearest));
  if (!less_work.empty()) {
    text += fmt::format(" {} meets {} by getting less of the work done ({}).", name(less_work.front()),
                        goals_.several() ? "the goals" : "the goal", describe(less_work.front()));
  }
  return {.kind = open ? Verdict::Kind::undecided : Verdict::Kind::none_meets_goal,
          .strategy = nearest,
          .sentence = text + never_ran_text(nearest) + caveats(nearest)};
}

std::string Judge::opening() const {
  if (count() == 1) return goals_.any() ? "Meets " + goals_.named() : "The only strategy";
  return goals_.any() ? "Cheapest under " + goals_.named() : "Cheapest for the same work";
}

Verdict Judge::winner_is(std::size_t winner) const {
  std::vector<std::string> against = doubts(winner);
  if (!against.empty()) {
    std::vector<std::string> all = against;
    if (!standings_[winner].goal.surely) {
      all.front() = fmt::format("{} may miss {}", name(winner), goals_.unsure(winner));
    }
    if (against.size() > 2) against.resize(2);
    const std::string under = goals_.any() ? " under " + goals_.named() : "";
    const std::string_view them = goals_.several() ? "them" : "it";
    const std::string rank = count() == 1   ? fmt::format("meets {} on average", them)
                             : goals_.any() ? fmt::format("is the cheapest that meets {} on average", them)
                                            : "is the cheapest on average for the same work";
    return {.kind = Verdict::Kind::undecided,
            .strategy = winner,
            .sentence = fmt::format("Undecided{}: {} {} ({}), but {}.{}", under, name(winner), rank,
                                    describe(winner), fmt::join(against, ", and "), caveats(winner)),
            .doubts = std::move(all)};
  }
  const std::string note =
      goals_.any() || count() == 1 ? "" : " There is no wait goal, so that the wait does not count here.";
  return {.kind = goals_.any() ? Verdict::Kind::cheapest_within_goal : Verdict::Kind::cheapest,
          .strategy = winner,
          .sentence = fmt::format("{}: {} ({}).{}{}{}{}{}", opening(), name(winner), describe(winner),
                                  others_text(winner), less_work_text(winner), never_ran_text(winner), note,
                                  caveats(winner))};
}

Verdict Judge::decide() const {
  if (auto sentence = nothing_to_judge()) {
    return {.kind = Verdict::Kind::undecided,
            .strategy = standings_.by_cost().front(),
            .sentence = std::move(*sentence)};
  }
  const auto qualified = those([&](std::size_t i) { return standings_[i].qualifies(); });
  return qualified.empty() ? none_qualifies() : winner_is(qualified.front());
}

}  // namespace

Verdict judge(const Comparison& comparison, const std::optional<WaitGoal>& goal,
              const std::string& goal_text) {
  STOCKOUT_CHECK(!comparison.strategies.empty());
  return Judge{comparison, goal, goal_text}.decide();
}

}  // namespace stockout
