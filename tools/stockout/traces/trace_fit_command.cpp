#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <ostream>
#include <vector>

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>
#include <boost/math/distributions/chi_squared.hpp>

#include "models/measures/number_text.h"
#include "models/workload/fit/trace_fit.h"
#include "sim/core/counted.h"
#include "sim/io/whole_file.h"
#include "tools/stockout/arguments/scenario_arguments.h"
#include "tools/stockout/arguments/whole_number.h"
#include "tools/stockout/commands.h"
#include "tools/stockout/files/output_files.h"
#include "tools/stockout/terminal/length_text.h"
#include "tools/stockout/terminal/print_row.h"
#include "tools/stockout/terminal/progress.h"
#include "tools/stockout/traces/fit_json.h"
#include "tools/stockout/traces/fit_types.h"
#include "tools/stockout/traces/trace_arguments.h"
#include "tools/table/small_charts.h"
#include "tools/table/wrap_text.h"
#include "tools/table/write_text.h"

namespace stockout {
namespace {

constexpr const char* kTraceFitExamples =
    "Examples:\n"
    "  stockout trace fit philly.csv.gz --zone America/Los_Angeles --gpu H100-80GB\n"
    "  stockout trace fit jobs.csv --name tuning --out workload.json\n"
    "  stockout trace fit sacct.txt --by class,user\n"
    "  stockout trace fit sacct.txt --names big=H100-80GB,small=L4\n"
    "\n"
    "The list that is printed is the `workload` of a scenario. Hours are local ones of --zone; a trace\n"
    "that is not on the calendar counts from its own zero, as if that were Monday 00:00. Where counts\n"
    "vary more than Poisson counts would, jobs come in bursts that random arrivals do not have, and\n"
    "made-up demand waits less: then replay the trace itself, or blocks of it (`resample`).";

// Counts of a Poisson process have a dispersion of 1; with many hours 1.2 is far from it.
constexpr double kPoissonDispersion = 1.2;

// Of Kolmogorov and Smirnov.
constexpr Style kDistance{.decimals = 4};

struct FitArguments {
  TraceArguments trace;
  std::string name;
  std::string gpu;
  std::vector<std::string> names;
  std::int32_t gpus_per_node = 8;
  std::vector<std::string> by{"class", "machine", "team"};
  std::string out;
};

std::string law_text(const Law& law) {
  const std::string a = length_text(law.a);
  switch (law.kind) {
    case Law::Kind::exponential:
      return fmt::format("exponential, mean {}", a);
    case Law::Kind::lognormal:
      return fmt::format("lognormal, median {}, sigma {:.3f}", a, law.sigma);
    case Law::Kind::weibull:
      return fmt::format("Weibull, scale {}, shape {:.3f}", a, law.sigma);
    case Law::Kind::pareto:
      return fmt::format("Pareto, least {}, shape {:.3f}", a, law.sigma);
    case Law::Kind::empirical:
      return "the trace's own quantiles";
    default:
      return fmt::format("always {}", a);
  }
}

std::string p_text(double p) { return p < 0.001 ? "p < 0.001" : fmt::format("p = {:.2g}", p); }

std::string growth_text(const RateFit& rate) {
  if (!rate.growth) return "too little for growth (8 weeks with 5 jobs each)";
  const double percent = rate.growth->per_month * 100;
  if (rate.growth->is_significant())
    return fmt::format("growth of {:+.3g} % a month ({})", percent, p_text(rate.growth->p_value));
  return fmt::format("no significant growth ({:+.3g} % a month, {})", percent, p_text(rate.growth->p_value));
}

void print_profile(const RateFit& rate, const TextLayout& layout, std::ostream& out) {
  if (rate.covers_day) {
    const auto [quiet, busy] = std::ranges::minmax_element(rate.hour_profile);
    print_row(out, layout, "by hour",
              "busiest at {}:00 ({:.2f} times the mean), quietest at {}:00 ({:.2f} times)",
              busy - rate.hour_profile.begin(), *busy, quiet - rate.hour_profile.begin(), *quiet);
    if (layout.charts)
      print_row(out, "", "{}  from 0:00 to 23:00", sparkline(rate.hour_profile, layout.utf8));
  }
  if (!rate.covers_week) return;
  const auto& day = rate.day_profile;
  print_row(out, layout, "by day",
            "Mon {:.2f}, Tue {:.2f}, Wed {:.2f}, Thu {:.2f}, Fri {:.2f}, Sat {:.2f}, Sun {:.2f}", day[0],
            day[1], day[2], day[3], day[4], day[5], day[6]);
  if (rate.degrees == 0) return;
  const boost::math::chi_squared law{rate.degrees};
  print_row(out, layout, "hour times day",
            "chi-square {:.0f} on {:.0f} degrees of freedom ({} if it were Poisson)", rate.chi_square,
            rate.degrees, p_text(boost::math::cdf(boost::math::complement(law, rate.chi_square))));
}

void print_dispersion(const RateFit& rate, const TextLayout& layout, std::ostream& out) {
  if (rate.hour_dispersion <= 0) return print_row(out, layout, "Poisson?", "too short to tell");
  const bool is_poisson = std::max(rate.hour_dispersion, rate.day_dispersion) < kPoissonDispersion;
  const std::string by_day =
      rate.day_dispersion > 0 ? fmt::format(", of days {:.3g} times", rate.day_dispersion) : "";
  print_row(out, layout, "Poisson?",
            "{}: counts of hours vary {:.3g} times as much as Poisson counts would{}",
            is_poisson ? "yes" : "no", rate.hour_dispersion, by_day);
}

void print_laws(const std::vector<LawFit>& laws, const TextLayout& layout, std::ostream& out) {
  Relation table{};
  table.add_columns(kText, {"work of all jobs"});
  table.add_columns(kWhole, {"log-likelihood", "AIC"});
  table.add_columns(kDistance, {"KS D"});
  for (const LawFit& fit : laws) table.add({law_text(fit.law), fit.log_likelihood, fit.aic, fit.distance});
  out << write_section(table, layout);
}

void add_group(Relation& table, const std::string& kind, const SizeGroup& group) {
  const std::string used = law_text(group.work);
  const bool has_law = !group.laws.empty();
  table.add({kind, group.name, group.jobs, has_law ? law_text(group.laws.front().law) : used,
             has_law ? Cell{group.laws.front().distance} : Cell{""}, used});
}

// Kinds stand once above the sizes of their jobs, if there are several.
void print_groups(const std::vector<FittedKind>& kinds, const TextLayout& layout, std::ostream& out) {
  Relation table{};
  table.columns.push_back({.title = kinds.size() > 1 ? "kind" : "", .once = true});
  table.add_columns(kText, {"jobs of"});
  table.add_columns(kWhole, {"jobs"});
  table.add_columns(kText, {"best law of work"});
  table.add_columns(kDistance, {"KS D"});
  table.add_columns(kText, {"used"});
  for (const FittedKind& kind : kinds) {
    for (const SizeGroup& group : kind.groups)
      add_group(table, fmt::format("{:.40}", name_of_kind(kind)), group);
  }
  out << write_section(table, layout);
}

// One line a kind: how often its jobs come. Says which kinds have too few jobs for a fit of their own.
void print_kinds(const TraceFit& fit, const TextLayout& layout, std::ostream& out) {
  if (fit.kinds.size() < 2) return;
  Relation table{.title = "Kinds of jobs, a fit each"};
  table.add_columns(kText, {"kind"});
  table.add_columns(kWhole, {"jobs"});
  table.add_columns(kTenths, {"a week"});
  table.columns.push_back({.title = "dispersion\nof hours", .style = kTenths});
  table.columns.push_back({.title = "small kinds\nin it", .style = kWhole, .optional = true});
  std::uint64_t few = 0;
  for (const FittedKind& kind : fit.kinds) {
    few += kind.few;
    table.add({fmt::format("{:.40}", name_of_kind(kind)), kind.jobs, kind.rate.per_week,
               kind.rate.hour_dispersion, kind.few});
  }
  out << write_section(table, layout);
  if (few == 0) return;
  out << wrap_text(
      fmt::format("Kinds of fewer than {} jobs: {}. Those of one machine or GPU type are fitted together as "
                  "\"others\", without the words that they do not share: the last of --by goes first.",
                  kLeastFittedJobs, few),
      layout.width, "");
}

// Whose type the block does not have, though they name one.
std::uint64_t jobs_of_mixed_types(const Trace& trace, const TraceFit& fit) {
  if (trace.gpu.empty() && trace.machine.empty()) return 0;
  const auto names_none = [](const WordColumn& column) {
    return column.empty() || std::ranges::all_of(column.names, &std::string::empty);
  };
  if (names_none(trace.gpu) && names_none(trace.machine)) return 0;
  std::uint64_t jobs = 0;
  for (const FittedKind& kind : fit.kinds) jobs += kind.machine.empty() && kind.gpu.empty() ? kind.jobs : 0;
  return jobs;
}

// How the types of the trace are called in the block, and what of them is not in it.
void print_types(const Trace& trace, const TraceFit& fit, const NamedTypes& types, const std::string& gpu,
                 const TextLayout& layout, std::ostream& out) {
  const std::string instead = gpu.empty() ? "names no type for them" : "has --gpu for them";
  for (const TypeGuess& type : types.taken) print_row(out, layout, "type", "{}", text_of(type));
  for (const std::string& several : types.first)
    print_row(out, layout, "type", "\"{}\": the block has the first, on which work was measured", several);
  for (const std::string& name : types.unknown)
    print_row(
        out, layout, "unknown type",
        "\"{0}\" is none of the catalogue: say which with --names {0}=TYPE; jobs of it have their row's "
        "other type, or the block {1}",
        name, instead);
  if (const std::uint64_t jobs = jobs_of_mixed_types(trace, fit); jobs > 0) {
    print_row(out, layout, "no type",
              "{} of several types together, or of none: the block {}; --by with machine tells types apart",
              counted(jobs, "job is", "jobs are"), instead);
  }
}

void print_fit(const Trace& trace, const TraceFit& fit, const NamedTypes& types, const std::string& gpu,
               const TextLayout& layout, std::ostream& out) {
  const auto jobs = static_cast<double>(trace.size());
  print_row(out, layout, "file", "{}", trace.file);
  print_row(out, layout, "jobs", "{} in {}", number_text(jobs),
            length_text(static_cast<double>(fit.rate.hours) * 3'600'000));
  print_row(out, layout, "arrivals", "{} a week, {}", number_text(fit.rate.per_week, 1),
            growth_text(fit.rate));
  print_profile(fit.rate, layout, out);
  print_dispersion(fit.rate, layout, out);
  if (fit.users > 0) {
    print_row(out, layout, "users", "{}, the busiest with {} of the jobs",
              number_text(static_cast<double>(fit.users)), share_text(fit.top_user_share));
  }
  print_types(trace, fit, types, gpu, layout, out);
  print_laws(fit.work, layout, out);
  print_kinds(fit, layout, out);
  print_groups(fit.kinds, layout, out);
}

std::vector<LocalOffset> offsets_of(const Trace& trace, const std::string& zone) {
  if (!trace.absolute && !trace.zero_ms) return {{}};
  const std::int64_t zero = trace.zero_ms.value_or(0);
  return local_offsets(zone, {.file = "command line"}, zero + trace.submit_ms.front(),
                       zero + trace.submit_ms.back());
}

std::string name_of(const FitArguments& arguments) {
  if (!arguments.name.empty()) return arguments.name;
  const std::string file = std::filesystem::path{arguments.trace.file}.filename().string();
  return file.substr(0, file.find('.'));
}

// What tells kinds apart, in the order in which it is said; "none" stands alone.
std::vector<FitBy> by_of(const std::vector<std::string>& words) {
  std::vector<FitBy> by;
  if (words == std::vector<std::string>{"none"}) return by;
  for (const std::string& word : words) {
    const auto one = static_cast<FitBy>(choose("--by", "grouping", word, kFitByNames));
    if (std::ranges::find(by, one) == by.end()) by.push_back(one);
  }
  return by;
}

void fit_file(const FitArguments& arguments, Console& console) {
  const FitOptions options{.gpus_per_node = arguments.gpus_per_node, .by = by_of(arguments.by)};
  const Catalog catalog = Catalog::embedded();
  check_outputs(std::array{OutputFile{.option = "--out", .path = arguments.out}},
                std::array{arguments.trace.file});
  const auto file = arguments.out.empty() ? nullptr : std::make_unique<WholeFile>(arguments.out);
  Trace trace;
  TraceFit fit;
  NamedTypes types;
  with_status(console, "reading and fitting " + arguments.trace.file, [&] {
    trace = arguments.trace.read();
    types = name_types(trace, arguments.names, catalog);
    fit = fit_trace(trace, offsets_of(trace, arguments.trace.zone), options, catalog);
  });
  const std::string workload =
      fitted_workload(fit, {.name = name_of(arguments), .gpu = arguments.gpu}, catalog);
  print_fit(trace, fit, types, arguments.gpu, console.layout(), console.out);
  if (file) {
    file->write(workload);
    file->commit();
  } else {
    console.out << "\n\"workload\": " << workload;
  }
}

}  // namespace

CLI::App* add_trace_fit_command(CLI::App& trace, Console& console) {
  CLI::App* command = trace.add_subcommand(
      "fit",
      "Random demand that resembles a trace: rates, profiles, growth, sizes, work, and how well each fits");
  const auto arguments = std::make_shared<FitArguments>();
  arguments->trace.add_to(*command);
  command->add_option("--name", arguments->name, "Of the sources in the block; default: the file's")
      ->type_name("NAME");
  command
      ->add_option(
          "--by", arguments->by,
          "Columns that tell kinds of jobs apart, each with a fit of its own; the last is given up first")
      ->delimiter(',')
      ->capture_default_str()
      ->type_name("class|machine|team|user|none");
  command
      ->add_option("--names", arguments->names,
                   "Which types of the catalogue the trace's own words are; spellings such as h100 are known")
      ->delimiter(',')
      ->type_name("NAME=TYPE");
  command
      ->add_option("--gpu", arguments->gpu,
                   "GPU type in the block of jobs for which none is known; default: any")
      ->type_name("GPU");
  command->add_option("--gpus-per-node", arguments->gpus_per_node, "How a job's total is split into nodes")
      ->check(whole_number(1, 1024))
      ->capture_default_str();
  command
      ->add_option("--out", arguments->out,
                   "Writes the block to this file instead of below the figures (JSON)")
      ->type_name("FILE");
  command->footer(kTraceFitExamples);
  command->callback([arguments, &console] { fit_file(*arguments, console); });
  return command;
}

}  // namespace stockout
