#include "tools/stockout/supply/supply_report.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "sim/core/counted.h"
#include "sim/core/duration_text.h"
#include "tools/table/write_text.h"

namespace stockout {
namespace {

std::string per_cent(double share) { return fmt::format("{:.2f} %", 100 * share); }
std::string hours(double value) { return fmt::format("{:.3g} h", value); }

// Shares and hours stand in one column: in words.
template <typename Text>
void add_check(Relation& table, const std::string& label, const CheckedNumber& number, Text text) {
  table.add({label, number.is_seen ? Cell{text(number.seen)} : Cell{}, text(number.mean),
             fmt::format("{} to {}", text(number.low), text(number.high)),
             !number.is_seen         ? "not seen"
             : number.is_explained() ? "yes"
                                     : "NO"});
}

std::string head(const FitSource& source) {
  const std::string zone = source.zone.empty() ? "" : ", zone " + source.zone;
  return fmt::format("{}{}\n{} samples, one every {}, {}\n", source.file, zone, source.samples,
                     format_duration(source.tick), source.span);
}

std::string regimes_line(const FitSource& source, const FittedChain& fit) {
  return fmt::format("hidden regimes in {} states, common to {} of the file\n", fit.profile.shows.size(),
                     counted(source.zones, "zone"));
}

std::string hours_line(const FittedChain& fit) {
  if (fit.hour_ratio == 0) return "hour of the day: not tried (needs dates and three days)\n";
  const std::string gain = fmt::format("2 x log-likelihood rises by {:.1f}", fit.hour_ratio);
  if (fit.profile.upward.empty())
    return fmt::format("hour of the day: {}, less than {}: not kept\n", gain, kHourThreshold);
  const auto most = std::ranges::max_element(fit.profile.upward);
  return fmt::format("hour of the day: {}: kept; the odds of going up are most at {} h UTC, times {:.2f}\n",
                     gain, most - fit.profile.upward.begin(), std::exp(*most));
}

constexpr double kLeastShown = 0.00005;  // of scores with four decimals: less reads as equal
constexpr std::array kNaive{Forecaster::persistence, Forecaster::climatology};

std::string name_of(Forecaster who) { return std::string{kForecasterNames[static_cast<std::size_t>(who)]}; }

// Whether the model is better than persistence and climatology, or worse than one, beyond the noise of the
// days.
std::string verdict(const Score& score) {
  std::size_t better = 0;
  for (const Forecaster who : kNaive) {
    const auto& by = score.better_than[static_cast<std::size_t>(who)];
    if (!by || !by->half_width || std::abs(by->mean) < kLeastShown) return "not decided";
    if (by->high() < 0) return "worse than " + name_of(who);
    if (by->low() > 0) ++better;
  }
  return better == kNaive.size() ? "better" : "not decided";
}

}  // namespace

std::string fit_page(const FitSource& source, const FittedChain& fit, const FitCheck& check,
                     const TextLayout& layout) {
  std::string page = head(source);
  page += fmt::format("fitted on the first {} samples, {} steps of one tick between {} levels\n",
                      source.fitted_on, fit.transitions, fit.tops.size());
  page += (fit.profile.is_hidden() ? regimes_line(source, fit) : hours_line(fit)) + '\n';
  Relation table{.columns = {{.title = " "}}};
  table.add_columns(kWhole, {"seen", "drawn", "95 % of drawn series"});
  table.add_columns(kText, {"explained"});
  for (std::size_t i = 0; i < fit.tops.size(); ++i) {
    const std::int32_t least = i == 0 ? 0 : fit.tops[i - 1] + 1;
    const std::string range =
        least == fit.tops[i] ? fmt::format("{}", least) : fmt::format("{}-{}", least, fit.tops[i]);
    add_check(table, fmt::format("share of {} machines (as {})", range, fit.profile.machines[i]),
              check.level_shares[i], per_cent);
  }
  for (const SpellCheck& spell : check.spells) {
    add_check(table, fmt::format("{} or more: share", spell.wanted), spell.share, per_cent);
    add_check(table, fmt::format("  mean spell ({} ended)", spell.ended), spell.spell_h, hours);
    add_check(table, "  mean wait, at most a day", spell.wait_h, hours);
  }
  page += write_text(table, layout);
  page += fmt::format(
      "\nA number is explained if it lies where 95 in 100 of {} series of the same length lie that are drawn "
      "from\nthe fit. A spell's mean is the time there, divided by how often it was seen to end; a wait is "
      "that from a\nmoment chosen at random.\n",
      kCheckSeries);
  return page;
}

std::string score_page(const FitSource& source, const std::vector<Score>& scores) {
  std::string page = head(source);
  page += fmt::format("fitted on the first {} samples, scored on the rest, {}; the less the better\n\n",
                      source.fitted_on, counted(source.zones, "zone"));
  constexpr Style kScore{.decimals = 4};
  Relation table{};
  table.add_columns(kText, {"forecast", "score"});
  table.add_columns(kWhole, {"moments"});
  for (const std::string_view name : kForecasterNames)
    table.columns.push_back({.title = std::string{name}, .style = kScore});
  for (const Forecaster who : kNaive) {
    table.columns.push_back(
        {.title = name_of(who) + " - model", .style = kScore, .interval = Interval::shown});
  }
  table.add_columns(kText, {"the model is"});
  for (const Score& score : scores) {
    std::vector<Cell> cells{score.what, score.rule, score.moments};
    cells.insert(cells.end(), score.mean.begin(), score.mean.end());
    for (const Forecaster who : kNaive) cells.emplace_back(score.better_than[static_cast<std::size_t>(who)]);
    cells.emplace_back(verdict(score));
    table.add(std::move(cells));
  }
  page += write_markdown(table);
  page +=
      "\nThe model is the blend for events, that is the mean of regimes and regression, and else the regimes."
      "\nDifferences are means over the moments, with half of their 95 % interval for other days of these "
      "zones.\nThe model is better where both intervals are above 0.\n";
  return page;
}

}  // namespace stockout
