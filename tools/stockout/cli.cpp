#include "tools/stockout/cli.h"

#include <algorithm>
#include <exception>
#include <memory>
#include <new>
#include <ostream>
#include <string_view>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "sim/core/check.h"
#include "sim/core/error.h"
#include "sim/core/unknown_name.h"
#include "tools/stockout/arguments/scenario_arguments.h"
#include "tools/stockout/commands.h"
#include "tools/stockout/shell/help_format.h"
#include "tools/stockout/terminal/printable.h"

namespace stockout {
namespace {

constexpr std::string_view kAbout =
    "Replays a GPU workload against cloud GPU pools under each way of buying them,\n"
    "and says how long jobs wait, what they lose and what they cost.\n";

constexpr std::string_view kExamples =
    "Examples:\n"
    "  stockout compare scenarios/quickstart.json\n"
    "      every strategy of the scenario over the same jobs and the same luck, side by side\n"
    "  stockout compare scenarios/quickstart.json --by class --format csv > by_class.csv\n"
    "  stockout compare scenarios/quickstart.json --set /replications=20 --seed 7\n"
    "  stockout recommend scenarios/recommend-quickstart.json\n"
    "      what to buy and how much of it, as cheap as the goals allow, and why\n"
    "  stockout run scenarios/quickstart.json --strategy spot --jobs-out jobs.csv\n"
    "      one strategy, and what became of each job\n"
    "  stockout check scenarios/quickstart.json --baseline quickstart.baseline.json\n"
    "      whether all is still as it was\n"
    "  stockout sweep scenarios/sweeps/quickstart-load.json --store load.sqlite\n"
    "  stockout report load.sqlite\n"
    "      the sweep as one HTML page: who is the cheapest where, and what flips it\n"
    "  stockout price runs.sqlite --date 2025-03-15\n"
    "      what the runs of `compare --record runs.sqlite` cost at other prices\n"
    "  stockout validate my_scenario.json\n"
    "  stockout trace info jobs.swf.gz\n"
    "  stockout trace fit jobs.swf.gz\n"
    "  stockout supply fit probes.csv --zone us-central1-a --out profile.json\n"
    "  stockout catalog --gpu H100 --region us-central1 --date 2026-07-30\n"
    "`stockout COMMAND --help` tells more about each.\n"
    "\n"
    "Exit codes: 0 done, 1 a result is not as asked, 2 bad input, 3 internal error, 130 interrupted.";

std::string version_text() {
#if defined(__clang__)
  constexpr std::string_view kCompiler = "clang++ " __clang_version__;
#else
  constexpr std::string_view kCompiler = "g++ " __VERSION__;
#endif
  return fmt::format("stockout {} ({})", STOCKOUT_VERSION, kCompiler);
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

// The innermost command that was named on the command line.
const CLI::App& deepest_command(const CLI::App& app) {
  const auto parsed = app.get_subcommands();
  return parsed.empty() ? app : deepest_command(*parsed.front());
}

// What is wrong with the command line, and the nearest word that would have been right.
std::string explain(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& command = deepest_command(app);
  const std::vector<std::string> extras = app.remaining(true);
  if (extras.empty()) return error.what();
  const auto option =
      std::find_if(extras.begin(), extras.end(), [](const auto& word) { return word[0] == '-'; });
  if (option != extras.end()) {
    const std::string name = option->substr(0, option->find('='));
    return unknown_name("option", name, option_names(command));
  }
  const std::vector<std::string> commands = command_names(command);
  if (commands.empty()) return fmt::format("\"{}\" is one argument too many", extras.front());
  return unknown_name("command", extras.front(), commands);
}

// The innermost command with those it belongs to: "stockout trace info".
std::string full_name(const CLI::App& app) {
  const auto parsed = app.get_subcommands();
  return parsed.empty() ? app.get_name() : app.get_name() + ' ' + full_name(*parsed.front());
}

// An error may quote names of any length: what stands in the middle of a long one is left out.
std::string shortened(const std::string& text) {
  constexpr std::size_t kHead = 1'200;
  constexpr std::size_t kTail = 400;
  if (text.size() <= kHead + kTail) return text;
  return text.substr(0, kHead) + " ... " + text.substr(text.size() - kTail);
}

ExitCode report_bad_input(std::string_view problem, Console& console) {
  console.err << "stockout: " << console.err_label("error:", Tone::failure) << ' '
              << shortened(printable(problem)) << '\n';
  return ExitCode::bad_input;
}

ExitCode report_parse_error(const CLI::App& app, const CLI::ParseError& error, Console& console) {
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {  // --help or --version
    app.exit(error, console.out, console.err);
    return ExitCode::done;
  }
  const ExitCode code = report_bad_input(explain(app, error), console);
  console.err << "See `" << full_name(app) << " --help`.\n";
  return code;
}

void add_commands(CLI::App& app, Console& console) {
  add_init_command(app, console);
  add_compare_command(app, console);
  add_recommend_command(app, console);
  add_calibrate_command(app, console);
  add_backtest_command(app, console);
  add_run_command(app, console);
  add_check_command(app, console);
  add_sweep_command(app, console);
  add_report_command(app, console);
  add_validate_command(app, console);
  add_trace_command(app, console);
  add_supply_command(app, console);
  add_catalog_command(app, console);
  add_price_command(app, console);
  add_prices_command(app, console);
  add_reservations_command(app, console);
  add_kueue_command(app, console);
  add_slurm_command(app, console);
  add_completion_command(app, console);
  add_manual_command(app, console);
}

// To every command, since people write it behind the command as often as before.
void add_colour_option(CLI::App& app, Console& console) {
  app.add_option_function<std::string>(
         "--color",
         [&console](const std::string& given) {
           const auto choice =
               static_cast<ColourChoice>(choose("--color", "choice of colours", given, kColourChoiceNames));
           if (choice != ColourChoice::automatic) console.colour = choice;
         },
         "Colours on a terminal only (and as NO_COLOR and CLICOLOR_FORCE say), in any case, or never")
      ->type_name(choices(kColourChoiceNames));
  for (CLI::App* command : app.get_subcommands({})) add_colour_option(*command, console);
}

std::string check_not_empty(const std::string& text) { return text.empty() ? "must not be empty" : ""; }

// An empty value is that of a shell variable that is not set, and never what was meant: it would count as an
// option that is not given.
void refuse_empty_values(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    if (option->get_items_expected_max() > 0) option->check(check_not_empty);
  }
  for (CLI::App* command : app.get_subcommands({})) refuse_empty_values(*command);
}

// As in --record=$UNSET, where CLI11 would take the next word for the value.
void refuse_empty_assignments(const std::vector<std::string>& arguments) {
  for (const std::string& word : arguments) {
    if (word.starts_with("--") && word.find('=') == word.size() - 1)
      throw CLI::ValidationError{word.substr(0, word.size() - 1), check_not_empty({})};
  }
}

}  // namespace

ExitCode run_cli(const std::vector<std::string>& arguments, Console& console) {
  CLI::App app{std::string{kAbout}, "stockout"};
  try {
    app.formatter(std::make_shared<HelpFormat>(console.layout().width));
    app.set_version_flag("--version", version_text());
    app.set_help_flag("-h,--help", "Prints this help");
    app.footer(std::string{kExamples});
    app.require_subcommand(1);
    add_commands(app, console);
    add_colour_option(app, console);
    refuse_empty_values(app);
    refuse_empty_assignments(arguments);
    app.parse(
        std::vector<std::string>{arguments.rbegin(), arguments.rend()});  // CLI11 takes the last word first
    return console.exit;
  } catch (const CLI::ParseError& error) {
    return report_parse_error(app, error, console);
  } catch (const InputError& error) {
    report_bad_input(error.what(), console);
    for (const std::string& other : error.others()) report_bad_input(other, console);
    return ExitCode::bad_input;
  } catch (const std::bad_alloc&) {
    return report_bad_input(
        "out of memory: use a smaller trace, window or number of --threads, or a larger machine", console);
  } catch (const InvariantError& error) {
    console.err << "stockout: internal error, please report it with the scenario: " << error.what() << '\n';
  } catch (const std::exception& error) {
    console.err << "stockout: internal error: " << error.what() << '\n';
  }
  return ExitCode::internal_error;
}

}  // namespace stockout
