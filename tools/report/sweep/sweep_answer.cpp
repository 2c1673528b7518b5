#include "tools/report/sweep/sweep_answer.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/measures/number_text.h"
#include "sim/core/counted.h"

namespace stockout {
namespace {

constexpr std::size_t kMostToFlip = 3;
constexpr double kMoveTogether = 0.3;       // a correlation that is worth a sentence
constexpr std::size_t kMostCorrelated = 8;  // axes looked at for it, those of most impact

const std::string& axis_name(const SweepStory& story, std::size_t axis) {
  return story.sweep.axes[axis].name;
}

const std::string& value_text(const SweepStory& story, std::size_t axis, std::uint32_t value) {
  return story.sweep.axes[axis].values[value].text;
}

std::string of_points(std::size_t some, std::size_t all) { return fmt::format("{} of {} points", some, all); }

// Strategies that cost what the winner does, and lose by waiting longer; the first two.
std::string ties_text(const SweepStory& story) {
  std::string text;
  std::size_t told = 0;
  for (std::size_t i = 0; i < story.sweep.strategies.size() && told < 2; ++i) {
    const std::size_t ties = story.findings.winners.tallies[i].ties;
    if (ties == 0) continue;
    text += fmt::format(" {} costs the same at {} of them.", quoted(story.sweep.strategies[i]), ties);
    ++told;
  }
  return text;
}

// How many of the wins are more than chance; nothing where all are.
std::string surely_text(const StrategyTally& tally) {
  if (tally.sure == tally.wins) return {};
  return tally.sure == 0 ? ", at none of them beyond chance"
                         : fmt::format(", at {} of them beyond chance", tally.sure);
}

std::string who_wins(const SweepStory& story) {
  const StoredSweep& sweep = story.sweep;
  const SweepWinners& winners = story.findings.winners;
  const std::string& best = sweep.strategies[*winners.best];
  const StrategyTally& tally = winners.tallies[*winners.best];
  if (tally.wins == 0) {
    const auto met = range_of(sweep, *winners.best, Measure::goal_met_share);
    const std::string nearest = met ? fmt::format(" Nearest comes {}: {} at its best point.", quoted(best),
                                                  share_text(met->highest.mean))
                                    : "";
    return fmt::format("At none of the {} points does a strategy meet {} ({}) and get the same work done.{}",
                       sweep.points.size(), sweep.goal_words(), sweep.goal_text, nearest);
  }
  const std::string where = of_points(tally.wins, sweep.points.size());
  const std::string goal = sweep.goal_text.empty()
                               ? "for the same work"
                               : fmt::format("that meets {} ({})", sweep.goal_words(), sweep.goal_text);
  if (sweep.strategies.size() == 1)
    return sweep.goal_text.empty()
               ? fmt::format("{} is the only strategy.", quoted(best))
               : fmt::format("{}, the only strategy, meets {} ({}) at {}.", quoted(best), sweep.goal_words(),
                             sweep.goal_text, where + surely_text(tally));
  std::string text =
      fmt::format("{} is the cheapest strategy {} at {}{}.", quoted(best), goal, where, surely_text(tally));
  text += ties_text(story);
  if (winners.none > 0) text += fmt::format(" At {} none does.", winners.none);
  return text;
}

std::string boundary_text(const SweepStory& story, const AxisFlips& flips) {
  const Boundary& boundary = flips.boundaries.front();
  return fmt::format("between {} and {}: from {} to {}", value_text(story, flips.axis, boundary.from),
                     value_text(story, flips.axis, boundary.to), winner_name(story.sweep, boundary.winner),
                     winner_name(story.sweep, boundary.winner_then));
}

std::string lines_text(const AxisFlips& flips) {
  if (flips.lines == 1) return "";
  return fmt::format("at {} of {} combinations of the others", flips.flipped, flips.lines);
}

// What is given, those that flip most first: a decision is taken, and flips nothing.
std::vector<const AxisImpact*> given_impacts(const SweepStory& story) {
  std::vector<const AxisImpact*> given;
  for (const AxisImpact& impact : story.findings.impacts)
    if (!story.sweep.axes[impact.axis].is_decision) given.push_back(&impact);
  return given;
}

// Where there are no lines: by parts of the axis.
std::string moves_wins(const SweepStory& story, const AxisImpact& impact) {
  const AxisEffect& wins = *impact.wins;
  const auto part = [&](std::size_t at) {
    const GroupMean& mean = wins.means[at];
    return fmt::format("{} of the {} with {}", share_text(mean.mean),
                       mean.points == 1 ? "one point" : fmt::format("{} points", mean.points),
                       group_label(story.findings, wins, mean));
  };
  return fmt::format("{} is the cheapest at {}, and at {}",
                     quoted(story.sweep.strategies[*story.findings.winners.best]), part(wins.highest),
                     part(wins.lowest));
}

// "demand (between 1 and 1.5) and load (between 0.5 and 0.7)".
std::string flipping_axes(const SweepStory& story) {
  std::vector<std::string> named;
  for (const AxisImpact* impact : given_impacts(story)) {
    if (impact->flips.flipped == 0 || named.size() == kMostToFlip) continue;
    const Boundary& boundary = impact->flips.boundaries.front();
    named.push_back(fmt::format("{} (between {} and {})", axis_name(story, impact->axis),
                                value_text(story, impact->axis, boundary.from),
                                value_text(story, impact->axis, boundary.to)));
  }
  if (named.empty()) return {};
  const std::string last = named.back();
  named.pop_back();
  return named.empty() ? last : fmt::format("{} and {}", fmt::join(named, ", "), last);
}

std::string what_flips(const SweepStory& story) {
  const std::vector<const AxisImpact*> impacts = given_impacts(story);
  if (impacts.empty())
    return story.findings.decisions.empty()
               ? " Only one value of everything was tried: nothing could flip it."
               : "";
  const std::string flipping = flipping_axes(story);
  if (!flipping.empty()) return fmt::format(" It is flipped by {}.", flipping);
  const AxisImpact& first = *impacts.front();
  if (first.share() == 0) return " No single change among the values tried flips it.";
  return fmt::format(" It is moved most by {}: {}.", axis_name(story, first.axis), moves_wins(story, first));
}

// Who costs how much more, as the axis goes from one of its values to another.
std::string cost_text(const SweepStory& story, const AxisEffect& cost) {
  const SweepWinners& winners = story.findings.winners;
  const GroupMean& at_first = cost.means.front();
  const GroupMean& at_last = cost.means.back();
  const bool ends =
      cost.lowest + cost.highest == cost.means.size() - 1 && (cost.lowest == 0 || cost.highest == 0);
  const GroupMean& a = ends ? at_first : cost.means[cost.lowest];
  const GroupMean& b = ends ? at_last : cost.means[cost.highest];
  const auto more = [](double usd) -> std::string {
    if (std::abs(usd) < 0.005) return "the same";
    return fmt::format("{} {}", dollar_text(std::abs(usd)), usd < 0 ? "less" : "more");
  };
  const std::string pair = fmt::format("{} against {}", quoted(story.sweep.strategies[*winners.runner_up]),
                                       quoted(story.sweep.strategies[*winners.best]));
  if (cost.range() == 0) return fmt::format(" {} costs {}, whatever its value.", pair, more(a.mean));
  return fmt::format(" {} costs on average {} at {}, and {} at {}.", pair, more(a.mean),
                     group_label(story.findings, cost, a), more(b.mean),
                     group_label(story.findings, cost, b));
}

std::string flip_text(const SweepStory& story, const AxisImpact& impact) {
  const SweepAxis& axis = story.sweep.axes[impact.axis];
  const auto& groups =
      std::ranges::find(story.findings.grouped.axes, impact.axis, &GroupedAxis::axis)->groups;
  std::string text = fmt::format(
      "{}, {}{}: ", axis.name,
      axis.is_number()
          ? fmt::format("{:.4g} to {:.4g}", *axis.values.front().number, *axis.values.back().number)
          : fmt::format("{} values", groups.size()),
      axis.as_written.empty() ? "" : fmt::format(" (the scenario has {})", axis.as_written));
  if (impact.flips.lines == 0) {
    text += moves_wins(story, impact) + '.';
  } else if (impact.flips.flipped == 0) {
    text += "no value of it changes the winner.";
  } else {
    const std::string where = lines_text(impact.flips);
    text += fmt::format("the winner changes with it{}, most often {}.", where.empty() ? "" : ' ' + where,
                        boundary_text(story, impact.flips));
  }
  return impact.cost_more ? text + cost_text(story, *impact.cost_more) : text;
}

std::vector<std::string> together(const SweepStory& story) {
  std::vector<std::string> lines;
  const auto& impacts = story.findings.impacts;
  const std::size_t looked_at = std::min(impacts.size(), kMostCorrelated);
  for (std::size_t i = 0; i < looked_at; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const auto r = correlation(story.sweep, impacts[j].axis, impacts[i].axis);
      if (!r || std::abs(*r) < kMoveTogether) continue;
      lines.push_back(fmt::format(
          "{} and {} move together over these points (correlation {}): their effects cannot be told "
          "apart.",
          axis_name(story, impacts[j].axis), axis_name(story, impacts[i].axis), number_text(*r, 2)));
    }
  }
  return lines;
}

}  // namespace

std::string quoted(const std::string& name) { return fmt::format("\"{}\"", name); }

std::string none_text(const StoredSweep& sweep) {
  return sweep.goal_text.empty() ? "no strategy gets the same work done"
                                 : fmt::format("no strategy meets {}", sweep.goal_words());
}

std::string winner_name(const StoredSweep& sweep, const std::optional<std::size_t>& winner) {
  return winner                    ? quoted(sweep.strategies[*winner])
         : sweep.goal_text.empty() ? "none"
                                   : fmt::format("none that meets {}", sweep.goal_words());
}

const std::string& group_label(const SweepFindings& findings, const AxisEffect& effect,
                               const GroupMean& mean) {
  return std::ranges::find(findings.grouped.axes, effect.axis, &GroupedAxis::axis)->groups[mean.group].label;
}

std::string decision_text(const SweepStory& story, const AxisDecision& decision) {
  if (decision.values.empty()) return fmt::format("no value, since {}", none_text(story.sweep));
  const bool one_line = decision.lines == 1;
  std::vector<std::string> parts;
  for (const DecidedValue& value : decision.values) {
    if (parts.size() == kMostToFlip) break;
    std::string part =
        fmt::format("{}, {}", value_text(story, decision.axis, value.value), dollar_text(value.cost));
    if (!one_line) {
      part += fmt::format("{} at {} of {} combinations of what is given",
                          value.lines > 1 ? " on average," : "", value.lines, decision.lines);
    }
    parts.push_back(std::move(part));
  }
  if (decision.none > 0) parts.push_back(fmt::format("at {} {}", decision.none, none_text(story.sweep)));
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::vector<std::string> decision_lines(const SweepStory& story) {
  std::vector<std::string> lines;
  for (const AxisDecision& decision : story.findings.decisions)
    lines.push_back(
        fmt::format("Decision {}: {}.", axis_name(story, decision.axis), decision_text(story, decision)));
  return lines;
}

std::string sweep_answer(const SweepStory& story) {
  std::string text = who_wins(story);
  for (const std::string& line : decision_lines(story)) text += ' ' + line;
  return story.sweep.strategies.size() > 1 || story.findings.winners.none > 0 ? text + what_flips(story)
                                                                              : text;
}

std::vector<std::string> what_could_flip(const SweepStory& story) {
  std::vector<std::string> lines;
  for (const AxisImpact* impact : given_impacts(story)) {
    if (lines.size() == kMostToFlip) break;
    lines.push_back(flip_text(story, *impact));
  }
  return lines;
}

std::string worlds_text(const StoredSweep& sweep) {
  return fmt::format("{} that {}", counted(sweep.head.worlds.size(), "world"), sweep.head.agreement);
}

std::vector<std::string> sweep_caveats(const SweepStory& story) {
  const StoredSweep& sweep = story.sweep;
  std::vector<std::string> lines;
  if (!sweep.head.worlds.empty()) {
    lines.push_back(
        fmt::format("Every number is over {}, each by its weight: they take turns, {} in a round. Noise (±) "
                    "is that of noise and these worlds together: a round is one observation.",
                    worlds_text(sweep), counted(sweep.head.round(), "replication")));
  }
  if (sweep.head.shard.of > 1) {
    lines.push_back(fmt::format(
        "This is shard {} of {} (counted from 0): {} of the sweep's {} points. `stockout sweep merge` puts "
        "the shards together.",
        sweep.head.shard.index, sweep.head.shard.of, sweep.head.shard_points(), sweep.head.points));
  }
  if (sweep.missing() > 0) {
    lines.push_back(
        fmt::format("Not finished: {} of {} points are still to be done, and are in no number here. "
                    "`stockout sweep` with --resume goes on.",
                    sweep.missing(), sweep.head.shard_points()));
  }
  if (!sweep.failed.empty()) {
    lines.push_back(
        fmt::format("Failed: {} of {} points, which are in no number here; \"Points\" below says why.",
                    sweep.failed.size(), sweep.head.shard_points()));
  }
  if (sweep.goal_varies) lines.emplace_back("The goal itself is varied: each point is judged by its own.");
  for (std::size_t i = 0; i < sweep.strategies.size(); ++i) {
    const StrategyTally& tally = story.findings.winners.tallies[i];
    if (tally.never_runs == 0) continue;
    lines.push_back(
        fmt::format("{}: at {} some class of jobs never runs under it. There it is not the answer.",
                    quoted(sweep.strategies[i]), of_points(tally.never_runs, tally.points)));
  }
  const std::size_t won = sweep.points.size() - story.findings.winners.none;
  if (sweep.strategies.size() > 1 && won > 0) {
    lines.push_back(
        fmt::format("Chance: at {} of the {} points that have a winner it is sure by the 95 % intervals, "
                    "as `stockout compare` would say there. At the others the means decide.",
                    story.findings.winners.sure, won));
  }
  return lines;
}

std::vector<std::string> sensitivity_rule(const SweepStory& story) {
  std::vector<std::string> lines;
  switch (story.findings.grouped.rule) {
    case SensitivityRule::every_combination:
      lines.emplace_back(
          "Each bar runs from the least to the greatest mean over the points that have one value of a "
          "parameter. Every combination of values was run once, so that all others are the same on average. "
          "Means do not show an effect that two parameters have only together.");
      break;
    case SensitivityRule::one_at_a_time:
      lines.push_back(fmt::format(
          "Point {} is the base: every other point differs from it in one parameter. Each bar runs from the "
          "least to the greatest value as that parameter alone changes. No point changes two together.",
          story.sweep.points[*story.findings.grouped.base].number));
      break;
    case SensitivityRule::means:
      lines.push_back(fmt::format(
          "Each bar runs from the least to the greatest mean over the points that agree in a parameter. "
          "Numbers with more than {} values are cut into {} parts of about equally many points. The other "
          "parameters differ between those points too, and average out only as far as the points allow: "
          "small bars may be no effect at all.",
          kMostAxisGroups, kRangeParts));
      break;
  }
  for (std::string& line : together(story)) lines.push_back(std::move(line));
  return lines;
}

}  // namespace stockout
