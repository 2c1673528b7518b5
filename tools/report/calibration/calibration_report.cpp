#include "tools/report/calibration/calibration_report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "models/calibration/history_figures.h"
#include "sim/core/counted.h"
#include "sim/core/duration_text.h"
#include "sim/core/hours.h"
#include "sim/stats/weighted_quantile.h"
#include "tools/table/wrap_text.h"
#include "tools/table/write_json.h"
#include "tools/table/write_text.h"

namespace stockout {
namespace {

constexpr std::size_t kShownPairs = 5;

const char* provenance_of(const FoundUnknown& found) { return found.identified ? "fitted" : "assumed"; }

std::string prior_text(const Unknown& unknown) {
  if (unknown.range) return fmt::format("{} to {}", unknown.text_at(0), unknown.text_at(1));
  std::vector<std::string> names;
  for (const UnknownChoice& choice : unknown.choices) names.push_back(choice.text);
  return fmt::format("{}", fmt::join(names, ", "));
}

// The likeliest first.
std::string choices_text(const Unknown& unknown, const std::vector<double>& weights) {
  std::vector<std::size_t> order(weights.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) { return weights[i]; });
  std::vector<std::string> parts;
  for (const std::size_t i : order)
    parts.push_back(fmt::format("{} ({:.0f} %)", unknown.choices[i].text, 100 * weights[i]));
  return fmt::format("{}", fmt::join(parts, ", "));
}

// Of what choices_text() lists.
std::string likeliest(const std::string& choices) { return choices.substr(0, choices.find("%)") + 2); }

KnownNow known_now(const Unknown& unknown, const FoundUnknown& found) {
  KnownNow known{.name = unknown.name,
                 .prior = prior_text(unknown),
                 .median = {},
                 .low = {},
                 .high = {},
                 .provenance = provenance_of(found)};
  if (unknown.range) {
    known.median = unknown.text_at(found.median);
    known.low = unknown.text_at(found.low);
    known.high = unknown.text_at(found.high);
  } else {
    known.median = choices_text(unknown, found.choice_weights);
  }
  return known;
}

Relation known_table(const CalibrationReport& report) {
  Relation table{.title = "Unknowns, as known now", .columns = {name_column("unknown")}};
  for (const auto& [key, title] :
       {std::pair{"before", "before"}, std::pair{"middle", "middle of\nthe worlds"},
        std::pair{"low", "95 % of them\nfrom"}, std::pair{"high", "95 % of them\nto"}})
    table.columns.push_back({.key = key, .title = title});
  table.columns.push_back({.key = "learned", .title = "narrowed\nby", .unit = "%", .style = kPercent});
  table.columns.push_back({.key = "provenance", .title = "how it is\nknown"});
  for (std::size_t i = 0; i < report.found.found.size(); ++i) {
    const KnownNow known = known_now(report.written.unknown[i], report.found.found[i]);
    const bool is_range = report.written.unknown[i].range.has_value();
    const Cell before =
        is_range ? Cell{known.prior}
                 : Cell{known.prior}.as(counted(report.written.unknown[i].choices.size(), "choice"));
    const Cell middle = is_range ? Cell{known.median} : Cell{known.median}.as(likeliest(known.median));
    table.add(
        {known.name, before, middle, known.low, known.high, report.found.found[i].learned, known.provenance});
  }
  return table;
}

// Of the worlds by weight.
double quantile_over_worlds(const Calibration& found, std::size_t figure, double weight) {
  WeightedValues<double> values;
  for (std::size_t i = 0; i < found.simulated.size(); ++i) {
    if (std::isfinite(found.simulated[i][figure]))
      values.emplace_back(found.simulated[i][figure], found.worlds.weights[i]);
  }
  return values.empty() ? std::nan("") : weighted_quantile(std::move(values), weight);
}

std::string figure_text(const HistoryFigure& figure) {
  switch (figure.kind) {
    case HistoryFigure::Kind::within:
      return figure.limit == SimDuration::zero()
                 ? "started at once, %"
                 : fmt::format("started within {}, %", format_duration(figure.limit));
    case HistoryFigure::Kind::quantile_h:
      return fmt::format("p{:.0f} wait, h", 100 * figure.share);
    case HistoryFigure::Kind::mean_h:
      return "mean wait, h";
    case HistoryFigure::Kind::never_started:
      return "never started, %";
    case HistoryFigure::Kind::refused:
      return "refused, %";
    case HistoryFigure::Kind::interrupted:
      return "interrupted, %";
    case HistoryFigure::Kind::mean_log:
      break;
  }
  return {};
}

// Limits that people think in; the others are for the search.
constexpr std::array<SimDuration, 5> kShownLimits{SimDuration::zero(), std::chrono::minutes{10},
                                                  std::chrono::hours{1}, std::chrono::hours{6},
                                                  std::chrono::hours{24}};

bool is_shown(const HistoryGroup& group, const HistoryFigure& figure) {
  const bool is_main = group.kind == HistoryGroup::Kind::all || group.kind == HistoryGroup::Kind::job_class;
  if (figure.kind == HistoryFigure::Kind::within)
    return is_main && std::ranges::find(kShownLimits, figure.limit) != kShownLimits.end();
  return is_main && figure.kind != HistoryFigure::Kind::mean_log;
}

bool is_in_hours(const HistoryFigure& figure) {
  return figure.kind == HistoryFigure::Kind::mean_h || figure.kind == HistoryFigure::Kind::quantile_h;
}

Relation figures_table(const CalibrationReport& report) {
  const HistoryFigures figures{report.history};
  Relation table{
      .title = "The history, and what the worlds make of its jobs",
      .columns = {{.key = "jobs", .title = "jobs", .once = true}, {.key = "figure", .title = "figure"}}};
  for (const auto& [key, title] :
       {std::pair{"recorded", "recorded"}, std::pair{"low", "5 % of the\nworlds below"},
        std::pair{"middle", "middle"}, std::pair{"high", "5 % of the\nworlds above"}})
    table.columns.push_back({.key = key, .title = title, .style = kHundredths, .bound = true});
  for (std::size_t i = 0; i < figures.figures().size(); ++i) {
    const HistoryFigure& figure = figures.figures()[i];
    const HistoryGroup& group = figures.groups()[figure.group];
    if (!is_shown(group, figure) || !std::isfinite(report.found.recorded[i])) continue;
    const double low = quantile_over_worlds(report.found, i, 0.05);
    const double high = quantile_over_worlds(report.found, i, 0.95);
    if (low == high && high == report.found.recorded[i]) continue;
    const double scale = is_in_hours(figure) ? 1 : 100;
    const auto cell = [&](double value) {
      Cell known;
      if (!std::isfinite(value)) return known;
      known.value = scale * value;
      known.at_least = figure.kind == HistoryFigure::Kind::quantile_h && value >= to_hours(kLongestFigure);
      return known;
    };
    table.add({group.name, figure_text(figure), cell(report.found.recorded[i]), cell(low),
               cell(quantile_over_worlds(report.found, i, 0.5)), cell(high)});
  }
  return table;
}

std::string headline(const CalibrationReport& report) {
  const auto& found = report.found.found;
  const auto known = static_cast<std::size_t>(std::ranges::count_if(found, &FoundUnknown::identified));
  const bool explains = report.found.unlike <= kMostUnlike;
  return fmt::format("{} {} {} of {}, bought as \"{}\"{}. They narrow {} of {}.",
                     counted(report.found.worlds.size(), "world"), explains ? "agree with" : "are nearest to",
                     counted(report.history.recorded().size(), "job"), report.observed, report.strategy,
                     explains ? "" : ", but do not explain them", known, counted(found.size(), "unknown"));
}

void add_confounded(const CalibrationReport& report, std::vector<std::string>& notes) {
  const auto& pairs = report.found.confounded;
  for (std::size_t i = 0; i < std::min(pairs.size(), kShownPairs); ++i) {
    notes.push_back(fmt::format(
        "The history cannot tell \"{}\" and \"{}\" apart: {} of one with {} of the other explains it as well "
        "(correlation {:.2f}). A count or a load that is known narrows both.",
        report.written.unknown[pairs[i].one].name, report.written.unknown[pairs[i].other].name, "more",
        pairs[i].correlation > 0 ? "more" : "less", pairs[i].correlation));
  }
}

void add_unidentified(const CalibrationReport& report, std::vector<std::string>& notes) {
  for (std::size_t i = 0; i < report.found.found.size(); ++i) {
    if (report.found.found[i].identified) continue;
    notes.push_back(fmt::format(
        "The history hardly narrows \"{}\": it stays as assumed. Waits, refusals or preemptions of jobs that "
        "depend on it would; so would a narrower range that is known otherwise.",
        report.written.unknown[i].name));
  }
}

std::vector<std::string> calibration_notes(const CalibrationReport& report) {
  std::vector<std::string> notes;
  if (report.found.unlike > kMostUnlike) {
    notes.push_back(fmt::format(
        "These worlds do not explain the history: {:.0f} % of its figures occur in none of them. A rule of the "
        "scenario is another one there, or a range is too narrow.",
        100 * report.found.unlike));
  }
  add_unidentified(report, notes);
  add_confounded(report, notes);
  if (report.history.left_out() > 0) {
    notes.push_back(
        counted(report.history.left_out(), "job") +
        (report.history.are_same()
             ? " of the history never started. Nobody knows how long they would have run: they are "
               "not simulated, and count on neither side."
             : " of the history are of classes that the scenario does not have: they do not count."));
  }
  const std::vector<std::string> ignored = ignored_notes(report.history);
  notes.insert(notes.end(), ignored.begin(), ignored.end());
  if (report.found.refused > 0) {
    notes.push_back(fmt::format("{} that the unknowns leave open are refused, the first of them: {}",
                                counted(report.found.refused, "world"), report.found.why_refused));
  }
  notes.push_back(fmt::format(
      "{} simulated, each of another world with luck of its own. The set holds the truth with 95 % if the "
      "scenario's rules are those of the cloud; `stockout backtest` shows how far off they are.",
      counted(report.found.runs, "run")));
  return notes;
}

std::string calibration_text(const CalibrationReport& report, const TextLayout& layout) {
  std::string text = layout.markdown ? fmt::format("## {}\n\n{}\n", report.written.name, headline(report))
                                     : wrap_text(report.written.name, layout.width, "") +
                                           wrap_text(headline(report), layout.width, "");
  text += write_section(known_table(report), layout) + write_section(figures_table(report), layout) + '\n';
  for (const std::string& note : calibration_notes(report)) text += list_line(note, layout);
  return text;
}

nlohmann::ordered_json calibration_json(const CalibrationReport& report) {
  return {{"scenario", {{"file", report.written.file}, {"name", report.written.name}}},
          {"observed", report.observed},
          {"strategy", report.strategy},
          {"jobs", report.history.recorded().size()},
          {"runs", report.found.runs},
          {"worlds", report.found.worlds.size()},
          {"figures_in_no_world_share", report.found.unlike},
          {"unknown", write_json(known_table(report))},
          {"figures", write_json(flat(figures_table(report)))},
          {"notes", calibration_notes(report)}};
}

}  // namespace

std::vector<std::string> ignored_notes(const HistoryJobs& history) {
  std::vector<std::string> notes;
  if (history.without_wait() > 0)
    notes.push_back(
        fmt::format("{} of the history left out: no start is known, or one before the submission.",
                    counted(history.without_wait(), "job")));
  for (const DroppedRows& rows : history.dropped())
    notes.push_back(fmt::format("Left out of the history: {}.", text_of(rows)));
  return notes;
}

WorldSet world_set_of(const CalibrationReport& report) {
  const WeightedWorlds& worlds = report.found.worlds;
  WorldSet set{.version = report.version,
               .scenario = report.written.name,
               .observed = report.observed,
               .strategy = report.strategy,
               .runs = report.found.runs,
               .unlike = report.found.unlike,
               .unknown = {},
               .typical = report.found.typical,
               .worlds = {}};
  for (std::size_t i = 0; i < report.found.found.size(); ++i)
    set.unknown.push_back(known_now(report.written.unknown[i], report.found.found[i]));
  for (std::size_t i = 0; i < worlds.size(); ++i) {
    CalibratedWorld& world = set.worlds.emplace_back(
        CalibratedWorld{.name = fmt::format("world {}", i + 1), .weight = worlds.weights[i], .changes = {}});
    for (std::size_t place = 0; place < report.written.unknown.size(); ++place) {
      const auto changes = report.written.unknown[place].changes_at(worlds.shares[i][place]);
      world.changes.insert(world.changes.end(), changes.begin(), changes.end());
    }
  }
  return set;
}

std::string write_calibration(const CalibrationReport& report, ReportFormat format,
                              const TextLayout& layout) {
  return write_in(format,
                  {.text = [&](const TextLayout& of) { return calibration_text(report, of); },
                   .csv = [&] { return known_table(report); },
                   .json = [&] { return calibration_json(report); },
                   .version = report.version},
                  layout);
}

}  // namespace stockout
