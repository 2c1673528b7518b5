#include <array>
#include <memory>
#include <ostream>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "sim/core/duration_text.h"
#include "sim/core/error.h"
#include "sim/io/time_stamp.h"
#include "sim/io/whole_file.h"
#include "tools/stockout/commands.h"
#include "tools/stockout/output_files.h"
#include "tools/stockout/progress.h"
#include "tools/stockout/supply_report.h"
#include "tools/stockout/whole_number.h"

namespace stockout {
namespace {

constexpr int kMostDays = 3'660;

struct Arguments {
  std::string file;
  AvailabilityOptions read;
  bool inverted = false;
  bool upright = false;
  std::int32_t cap = 0;
  std::size_t levels = 6;
  int train_days = 0;  // 0: all
  std::string out;
};

struct Fit {
  FitSource source;
  FittedChain chain;
  TickSeries fitted_on;
  TickSeries all;
};

std::string span_text(const AvailabilitySeries& series) {
  const std::int64_t first = series.at_ms.front();
  const std::int64_t last = series.at_ms.back();
  if (!series.absolute) return format_duration(SimDuration{last - first}) + " long, without dates";
  return format_unix_ms(first) + " to " + format_unix_ms(last);
}

// From which to which day, or how many samples if there are no dates.
std::string days_text(const TickSeries& series) {
  if (!series.absolute) return fmt::format("{} samples", series.size());
  constexpr std::size_t kDate = 10;
  return fmt::format("{} to {}", format_unix_ms(series.at_ms.front()).substr(0, kDate),
                     format_unix_ms(series.at_ms.back()).substr(0, kDate));
}

Fit make_fit(const Arguments& arguments) {
  AvailabilityOptions options = arguments.read;
  options.asked_at = {.file = "command line", .pointer = "--zone"};
  check_time_zone(options.time_zone, {.file = "command line", .pointer = "--time-zone"});
  if (arguments.inverted || arguments.upright) options.inverted = arguments.inverted;
  const AvailabilitySeries series = read_availability(arguments.file, options);
  Fit fit{.source = {}, .chain = {}, .fitted_on = {}, .all = to_ticks(series, arguments.cap)};
  const std::size_t count = arguments.train_days == 0
                                ? fit.all.size()
                                : fit.all.within(std::chrono::hours{24 * arguments.train_days});
  fit.fitted_on = fit.all.part(0, count);
  fit.chain = fit_chain(fit.fitted_on, arguments.levels);
  if (fit.chain.transitions == 0)
    throw InputError{{.file = arguments.file}, "has no two samples one tick apart to fit a chain to"};
  fit.source = {.file = arguments.file,
                .zone = options.zone,
                .samples = series.size(),
                .span = span_text(series),
                .fitted_on = count,
                .tick = series.tick};
  return fit;
}

Fit fit_with_status(const Arguments& arguments, Console& console) {
  return with_status(console, "fitting to " + arguments.file, [&] { return make_fit(arguments); });
}

std::string base_name(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

// The command without folders, which differ from machine to machine.
std::string command_text(const Arguments& arguments) {
  std::string text = "stockout supply fit " + base_name(arguments.file);
  if (!arguments.read.zone.empty()) text += " --zone " + arguments.read.zone;
  if (arguments.read.time_zone != "UTC") text += " --time-zone " + arguments.read.time_zone;
  if (arguments.inverted) text += " --inverted";
  if (arguments.upright) text += " --not-inverted";
  if (arguments.cap != 0) text += fmt::format(" --cap {}", arguments.cap);
  text += fmt::format(" --levels {}", arguments.levels);
  if (arguments.train_days != 0) text += fmt::format(" --train-days {}", arguments.train_days);
  return text;
}

void write_profile(const Arguments& arguments, Fit& fit) {
  const std::string zone = fit.source.zone.empty() ? "" : " " + fit.source.zone;
  fit.chain.profile.source =
      fmt::format("{}{}, {}", base_name(fit.source.file), zone, days_text(fit.fitted_on));
  WholeFile file{arguments.out};
  file.write(profile_text(fit.chain.profile, command_text(arguments)));
  file.commit();
}

void add_options(CLI::App& command, Arguments& arguments) {
  command.add_option("FILE", arguments.file, "Measured availability of a zone: CSV or JSON, plain or gzip")
      ->required();
  command.add_option("--zone", arguments.read.zone, "Whose rows are read, in a file with a zone column")
      ->type_name("ZONE");
  command
      .add_option("--time-zone", arguments.read.time_zone,
                  "Of dates without an offset: UTC, -07:00 or an IANA name")
      ->capture_default_str()
      ->type_name("ZONE");
  auto* inverted = command.add_flag("--inverted", arguments.inverted, "In this series 1 means unavailable");
  command.add_flag("--not-inverted", arguments.upright, "In this JSON series 1 means available")
      ->excludes(inverted);
  command
      .add_option("--cap", arguments.cap,
                  "Machines asked for each time; default: what the file says, else its greatest value")
      ->check(whole_number(1, 1'000'000));
  command.add_option("--levels", arguments.levels, "Most levels of the chain")
      ->check(whole_number(3, kMostLevels))
      ->capture_default_str();
}

CLI::App* add_fit(CLI::App& supply, Console& console) {
  CLI::App* command = supply.add_subcommand("fit", "Fits a Markov chain to a measured series and checks it");
  const auto arguments = std::make_shared<Arguments>();
  add_options(*command, *arguments);
  command->add_option("--train-days", arguments->train_days, "Fit to the first days only; default: to all")
      ->check(whole_number(1, kMostDays));
  command->add_option("--out", arguments->out, "Write the profile here, for \"markov\" in a scenario")
      ->type_name("FILE");
  command->footer(
      "Examples:\n"
      "  stockout supply fit probes.csv.gz --zone us-central1-a --time-zone -07:00 --out us-central1-a.json\n"
      "  stockout supply fit availability-16node.json --not-inverted --cap 16");
  command->callback([arguments, &console] {
    Fit fit = fit_with_status(*arguments, console);
    console.out << fit_page(fit.source, fit.chain, check_fit(fit.chain, fit.fitted_on), console.layout());
    check_outputs(std::array{OutputFile{.option = "--out", .path = arguments->out}},
                  std::array{arguments->file});
    if (!arguments->out.empty()) write_profile(*arguments, fit);
  });
  return command;
}

void print_scores(const Arguments& arguments, Console& console) {
  const Fit fit = fit_with_status(arguments, console);
  if (fit.source.fitted_on == fit.all.size()) {
    throw InputError{
        {.file = arguments.file},
        fmt::format("has nothing after its first {} days to score a forecast on", arguments.train_days)};
  }
  const TickSeries rest = fit.all.part(fit.source.fitted_on, fit.all.size());
  console.out << score_page(fit.source, score_forecasts(fit.chain, fit.fitted_on, rest));
}

CLI::App* add_score(CLI::App& supply, Console& console) {
  CLI::App* command = supply.add_subcommand(
      "score",
      "Fits to the first days of a series, forecasts the rest, and scores it against naive forecasts");
  const auto arguments = std::make_shared<Arguments>();
  add_options(*command, *arguments);
  command->add_option("--train-days", arguments->train_days, "Days to fit to")
      ->required()
      ->check(whole_number(1, kMostDays));
  command->footer(
      "Example:\n"
      "  stockout supply score probes.csv.gz --zone us-central1-a --time-zone -07:00 --train-days 10");
  command->callback([arguments, &console] { print_scores(*arguments, console); });
  return command;
}

}  // namespace

CLI::App* add_supply_command(CLI::App& app, Console& console) {
  CLI::App* supply = app.add_subcommand("supply", "Measured availability as a model of capacity");
  supply->require_subcommand(1);
  add_fit(*supply, console);
  add_score(*supply, console);
  return supply;
}

}  // namespace stockout
