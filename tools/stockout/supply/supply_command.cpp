#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "models/supply/profile_text.h"
#include "models/supply/regime_fit.h"
#include "sim/core/duration_text.h"
#include "sim/core/error.h"
#include "sim/io/time_stamp.h"
#include "sim/io/whole_file.h"
#include "tools/stockout/arguments/whole_number.h"
#include "tools/stockout/commands.h"
#include "tools/stockout/files/output_files.h"
#include "tools/stockout/supply/supply_report.h"
#include "tools/stockout/terminal/command_text.h"
#include "tools/stockout/terminal/progress.h"

namespace stockout {
namespace {

constexpr int kMostDays = 3'660;
constexpr SimDuration kLongestHorizon = std::chrono::hours{7 * 24};

struct Arguments {
  std::string file;
  AvailabilityOptions read;
  bool inverted = false;
  bool upright = false;
  std::int32_t cap = 0;
  std::size_t levels = 6;
  bool is_chain = false;
  int train_days = 0;  // 0: all
  std::vector<std::string> horizons;
  std::string out;
};

// A zone as it was measured, of which the first `count` values are fitted to.
struct ZoneSeries {
  std::string name;
  AvailabilitySeries read;
  TickSeries all;
  std::size_t count = 0;

  [[nodiscard]] TickSeries first() const { return all.part(0, count); }
};

struct Fit {
  FitSource source;
  FittedChain chain;
  TickSeries fitted_on;
  std::vector<std::string> left_out = {};  // as of Zones
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

ZoneSeries read_zone(const Arguments& arguments, const std::string& zone) {
  AvailabilityOptions options = arguments.read;
  options.zone = zone;
  options.asked_at = {.file = "command line", .pointer = "--zone"};
  check_time_zone(options.time_zone, {.file = "command line", .pointer = "--time-zone"});
  if (arguments.inverted || arguments.upright) options.inverted = arguments.inverted;
  ZoneSeries series{.name = zone, .read = read_availability(arguments.file, options), .all = {}};
  series.all = to_ticks(series.read, arguments.cap);
  series.count = arguments.train_days == 0 ? series.all.size()
                                           : series.all.within(std::chrono::hours{24 * arguments.train_days});
  if (std::ranges::count(series.first().follows, 1) == 0)
    throw InputError{{.file = arguments.file}, "has no two samples one tick apart to fit to"};
  return series;
}

// The zone that is asked for; the only one of a file need not be named.
std::string asked_zone(const Arguments& arguments) {
  if (!arguments.read.zone.empty()) return arguments.read.zone;
  const std::vector<std::string> names = availability_zones(arguments.file);
  return names.size() == 1 ? names.front() : std::string{};
}

// Zones that are fitted together, and those of the file that are not.
struct Zones {
  std::vector<ZoneSeries> used;
  std::vector<std::string> left_out;  // "us-central1-b (its values end at another cap)"
};

std::string left_out_text(const std::string& zone, const InputError& error) {
  const std::string_view said = error.what();
  const std::string place = error_place(error.where());
  return fmt::format("{} ({})", zone, said.starts_with(place) ? said.substr(place.size()) : said);
}

// Adds a zone that was probed as the first was. A row that is none is a mistake of the file, not of the zone.
void add_zone(Zones& zones, const Arguments& arguments, const std::string& name, bool is_asked) {
  try {
    ZoneSeries zone = read_zone(arguments, name);
    const TickSeries& first = zones.used.empty() ? zone.all : zones.used.front().all;
    if (zone.all.cap != first.cap || zone.all.tick != first.tick)
      return zones.left_out.push_back(name +
                                      " (probed for another number of machines, or at another interval)");
    zones.used.push_back(std::move(zone));
  } catch (const InputError& error) {
    if (is_asked || error.where().line > 0) throw;
    zones.left_out.push_back(left_out_text(name, error));
  }
}

// The zone that was asked for and the others of its file, or all of them.
Zones read_zones(const Arguments& arguments) {
  const std::vector<std::string> names = availability_zones(arguments.file);
  const std::string asked = asked_zone(arguments);
  Zones zones;
  if (!asked.empty() || names.empty()) add_zone(zones, arguments, asked, true);
  for (const std::string& name : names) {
    if (name != asked) add_zone(zones, arguments, name, false);
  }
  if (zones.used.empty())
    throw InputError{{.file = arguments.file},
                     fmt::format("has no zone to fit to: {}", fmt::join(zones.left_out, "; "))};
  return zones;
}

void print_left_out(const std::vector<std::string>& zones, std::ostream& out) {
  if (!zones.empty()) out << fmt::format("\nLeft out: {}.\n", fmt::join(zones, "; "));
}

std::vector<TickSeries> first_parts(const std::vector<ZoneSeries>& zones) {
  std::vector<TickSeries> parts;
  for (const ZoneSeries& zone : zones) parts.push_back(zone.first());
  return parts;
}

FitSource source_of(const Arguments& arguments, const ZoneSeries& zone, std::size_t zones) {
  return {.file = arguments.file,
          .zone = arguments.read.zone,
          .samples = zone.read.size(),
          .span = span_text(zone.read),
          .fitted_on = zone.count,
          .tick = zone.read.tick,
          .zones = zones};
}

Fit make_fit(const Arguments& arguments) {
  if (arguments.is_chain) {
    const ZoneSeries zone = read_zone(arguments, asked_zone(arguments));
    const TickSeries part = zone.first();
    return {.source = source_of(arguments, zone, 1),
            .chain = fit_chain(part, arguments.levels),
            .fitted_on = part};
  }
  if (availability_zones(arguments.file).size() > 1)
    static_cast<void>(read_zone(arguments, arguments.read.zone));  // refuses to guess which one
  Zones zones = read_zones(arguments);
  return {.source = source_of(arguments, zones.used.front(), zones.used.size()),
          .chain = fit_regimes(first_parts(zones.used)).front(),
          .fitted_on = zones.used.front().first(),
          .left_out = std::move(zones.left_out)};
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
  if (arguments.is_chain) text += fmt::format(" --chain --levels {}", arguments.levels);
  if (arguments.train_days != 0) text += fmt::format(" --train-days {}", arguments.train_days);
  return text;
}

void write_profile(const Arguments& arguments, Fit& fit, WholeFile& file) {
  const std::string zone = fit.source.zone.empty() ? "" : " " + fit.source.zone;
  fit.chain.profile.source =
      fmt::format("{}{}, {}", base_name(fit.source.file), zone, days_text(fit.fitted_on));
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
  CLI::App* command = supply.add_subcommand(
      "fit", "Fits hidden regimes, or a chain of levels, to a measured series and checks them");
  const auto arguments = std::make_shared<Arguments>();
  add_options(*command, *arguments);
  CLI::Option* const chain = command->add_flag(
      "--chain", arguments->is_chain,
      "A chain whose states are levels, which forgets how long an outage has lasted; default: "
      "hidden regimes, which the zones of the file have in common");
  command->get_option("--levels")->needs(chain);
  command->add_option("--train-days", arguments->train_days, "Fit to the first days only; default: to all")
      ->check(whole_number(1, kMostDays));
  command->add_option("--out", arguments->out, "Write the profile here, for \"markov\" in a scenario")
      ->type_name("FILE");
  command->footer(
      "Examples:\n"
      "  stockout supply fit probes.csv.gz --zone us-central1-a --time-zone -07:00 --out us-central1-a.json\n"
      "  stockout supply fit availability-16node.json --not-inverted --cap 16");
  command->callback([arguments, &console] {
    check_outputs(std::array{OutputFile{.option = "--out", .path = arguments->out}},
                  std::array{arguments->file});
    const auto file = arguments->out.empty() ? nullptr : std::make_unique<WholeFile>(arguments->out);
    Fit fit = with_status(console, "fitting to " + arguments->file, [&] { return make_fit(*arguments); });
    console.out << fit_page(fit.source, fit.chain, check_fit(fit.chain, fit.fitted_on), console.layout());
    print_left_out(fit.left_out, console.out);
    if (file) write_profile(*arguments, fit, *file);
  });
  return command;
}

// Of the zone that was asked for, or of all.
Zones zones_to_score(const Arguments& arguments) {
  Zones zones = read_zones(arguments);
  const bool is_one = !arguments.read.zone.empty() || zones.used.size() == 1;
  const auto is_short = [](const ZoneSeries& zone) { return zone.count == zone.all.size(); };
  const std::string why =
      fmt::format("nothing after its first {} days to score a forecast on", arguments.train_days);
  if (std::ranges::all_of(zones.used, is_short) || (is_one && is_short(zones.used.front())))
    throw InputError{{.file = arguments.file}, "has " + why};
  for (const ZoneSeries& zone : zones.used)
    if (is_short(zone)) zones.left_out.push_back(fmt::format("{} (it has {})", zone.name, why));
  std::erase_if(zones.used, is_short);
  return zones;
}

// The first `count` of the zones, with fits to the first days of all.
std::vector<ScoredZone> fit_to_score(const std::vector<ZoneSeries>& zones, std::size_t count,
                                     std::size_t levels) {
  const std::vector<TickSeries> parts = first_parts(zones);
  const std::vector<FittedChain> regimes = fit_forecast_regimes(parts);
  const std::vector<FittedChain> drawn = fit_regimes(parts);
  std::vector<ScoredZone> scored;
  for (std::size_t i = 0; i < count; ++i) {
    scored.push_back({.series = zones[i].all,
                      .fitted = zones[i].count,
                      .chain = fit_chain(parts[i], levels),
                      .regimes = regimes[i],
                      .drawn = drawn[i]});
  }
  return scored;
}

// Those asked for, or the usual ones.
ForecastHorizons read_horizons(const std::vector<std::string>& texts) {
  if (texts.empty()) return {};
  std::vector<SimDuration> asked;
  for (const std::string& text : texts) {
    const std::optional<SimDuration> length = parse_duration(text);
    if (!length || *length <= SimDuration{} || *length > kLongestHorizon) {
      throw InputError{
          {.file = "command line", .pointer = "--horizon"},
          fmt::format("must be a duration of more than 0s and at most {}, such as 3h, not \"{}\"",
                      format_duration(kLongestHorizon), text)};
    }
    asked.push_back(*length);
  }
  return {.events = asked, .counts = asked};
}

void print_scores(const Arguments& arguments, Console& console) {
  const ForecastHorizons horizons = read_horizons(arguments.horizons);
  const Zones zones = zones_to_score(arguments);
  const std::size_t count = arguments.read.zone.empty() ? zones.used.size() : 1;
  const std::vector<ScoredZone> scored = with_status(console, "fitting to " + arguments.file, [&] {
    return fit_to_score(zones.used, count, arguments.levels);
  });
  console.out << score_page(source_of(arguments, zones.used.front(), count),
                            score_forecasts(scored, horizons));
  print_left_out(zones.left_out, console.out);
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
  command
      ->add_option("--horizon", arguments->horizons,
                   "How long ahead it is forecast how many machines are there, up to 7d; may be repeated; "
                   "default: 10min, 1h, 6h and 24h")
      ->allow_extra_args(false)
      ->type_name("DURATION");
  command->footer(
      "Examples:\n"
      "  stockout supply score probes.csv.gz --zone us-central1-a --time-zone -07:00 --train-days 10\n"
      "  stockout supply score probes.csv.gz --time-zone -07:00 --train-days 10    (all zones together)\n"
      "  stockout supply score probes.csv.gz --train-days 10 --horizon 3h --horizon 2d");
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
