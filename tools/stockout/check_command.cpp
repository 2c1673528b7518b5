#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <ostream>
#include <system_error>

#include <fmt/format.h>

#include "models/baseline/baseline_check.h"
#include "models/baseline/baseline_file.h"
#include "sim/core/error.h"
#include "sim/io/whole_file.h"
#include "tools/report/check/check_tables.h"
#include "tools/report/check/junit.h"
#include "tools/stockout/commands.h"
#include "tools/stockout/interrupt.h"
#include "tools/stockout/output_files.h"
#include "tools/stockout/progress.h"
#include "tools/stockout/scenario_arguments.h"
#include "tools/stockout/whole_number.h"
#include "tools/stockout/work_limit.h"

namespace stockout {
namespace {

constexpr const char* kCheckExamples =
    "Examples:\n"
    "  stockout check scenarios/quickstart.json --baseline quickstart.baseline.json --update\n"
    "  stockout check scenarios/quickstart.json --baseline quickstart.baseline.json\n"
    "  stockout check scenarios/quickstart.json --baseline quickstart.baseline.json --junit check.xml\n"
    "  stockout check scenarios/quickstart.json --baseline quickstart.baseline.json --tolerance 1%\n"
    "\n"
    "Exit code 0: all as in the baseline, 1: something moved beyond its tolerance.\n"
    "A tolerance is \"exact\" (the default), a percentage of the baseline's value, or \"interval\": the root "
    "of\n"
    "the sum of the squared 95 % half-widths. Tolerances of single measures are in the baseline file, put\n"
    "there by hand and kept by --update: \"tolerances\": {\"wait_mean_h\": \"2%\"}.\n"
    "models/baseline/README.md says what is compared.";

struct CheckArguments {
  ScenarioArguments scenario;
  std::string baseline;
  std::string tolerance;
  std::string junit;
  bool update = false;
  int threads = 0;

  [[nodiscard]] std::optional<Tolerance> asked_tolerance() const;
};

std::optional<Tolerance> CheckArguments::asked_tolerance() const {
  if (tolerance.empty()) return std::nullopt;
  const auto parsed = parse_tolerance(tolerance);
  if (parsed) return parsed;
  throw InputError{{.file = "command line", .pointer = "--tolerance"},
                   fmt::format("must be {}, but is \"{}\"", kToleranceForms, tolerance)};
}

std::optional<Baseline> read_if_there(const CheckArguments& arguments) {
  std::error_code error;
  if (std::filesystem::exists(arguments.baseline, error) || error) return read_baseline(arguments.baseline);
  if (arguments.update) return std::nullopt;
  throw InputError{{.file = arguments.baseline},
                   fmt::format("there is no such file; `stockout check {} --baseline {} --update` makes it",
                               arguments.scenario.file, arguments.baseline)};
}

// The baseline is read, or written over on purpose; what is written must fall upon nothing else that is read.
void check_files(const CheckArguments& arguments, const Scenario& scenario) {
  std::vector<std::string> inputs = scenario.inputs;
  if (!arguments.update) inputs.push_back(arguments.baseline);
  check_outputs(
      std::array<OutputFile, 2>{{{.option = "--baseline", .path = arguments.update ? arguments.baseline : ""},
                                 {.option = "--junit", .path = arguments.junit}}},
      inputs);
}

Baseline measure_now(const CheckArguments& arguments, const Scenario& scenario, Console& console) {
  ComparisonProgress progress{console, scenario.world};
  const Comparison comparison = compare_or_explain(scenario, [&] {
    return compare(scenario.world, {.strategies = {},
                                    .replications = static_cast<std::size_t>(scenario.replications),
                                    .threads = arguments.threads,
                                    .by = GroupBy::nothing,
                                    .goal = scenario.goal,
                                    .between = scenario.between(),
                                    .terms = &scenario.terms,
                                    .precision = scenario.precision,
                                    .control_variates = scenario.control_variates,
                                    .observers = {&progress}});
  });
  return baseline_of(scenario, comparison, STOCKOUT_VERSION);
}

void update_baseline(const CheckArguments& arguments, const std::optional<Baseline>& then, Baseline now,
                     WholeFile& file, Console& console) {
  BaselineCheck changes;
  if (then) {
    Baseline exact = *then;
    exact.tolerances.clear();
    changes = check_against(exact, now, std::nullopt);
    now.tolerances = then->tolerances;
  }
  file.write(write_baseline(now));
  file.commit();
  console.out << write_check({.check = changes,
                              .now = now,
                              .scenario_file = arguments.scenario.file,
                              .baseline_file = arguments.baseline,
                              .accepted = true},
                             console.layout());
}

void check_baseline(const CheckArguments& arguments, Console& console) {
  const std::optional<Tolerance> asked = arguments.asked_tolerance();
  const std::optional<Baseline> then = read_if_there(arguments);
  const Scenario scenario = arguments.scenario.load_to_run(console);
  check_total_work(scenario);
  check_files(arguments, scenario);
  const std::string target = arguments.update ? arguments.baseline : arguments.junit;
  const auto file = target.empty() ? nullptr : std::make_unique<WholeFile>(target);

  advise_on_interrupt(kFewerReplications);
  Baseline now = measure_now(arguments, scenario, console);
  if (arguments.update) return update_baseline(arguments, then, std::move(now), *file, console);

  const BaselineCheck check = check_against(*then, now, asked);
  if (file) {
    file->write(write_junit(check, now));
    file->commit();
  }
  console.out << write_check({.check = check,
                              .now = now,
                              .scenario_file = arguments.scenario.file,
                              .baseline_file = arguments.baseline},
                             console.layout());
  if (!check.holds()) console.exit = ExitCode::not_as_asked;
}

}  // namespace

CLI::App* add_check_command(CLI::App& app, Console& console) {
  CLI::App* command = app.add_subcommand("check", "Whether a scenario still measures what its baseline says");
  const auto arguments = std::make_shared<CheckArguments>();
  arguments->scenario.add_to(*command);
  command->add_option("--baseline", arguments->baseline, "The file to hold the measures against (JSON)")
      ->required()
      ->type_name("FILE");
  CLI::Option* update =
      command->add_flag("--update", arguments->update, "Writes the baseline instead, and says what changed");
  command->add_option("--tolerance", arguments->tolerance, "exact, interval or a percentage such as 1%")
      ->excludes(update)
      ->type_name("TOLERANCE");
  command->add_option("--junit", arguments->junit, "Writes the result to this file (JUnit XML)")
      ->excludes(update)
      ->type_name("FILE");
  arguments->scenario.add_replications_to(*command);
  command
      ->add_option("--threads", arguments->threads,
                   "Simulations at a time, at most as many as the machine has cores; 0: so many")
      ->check(whole_number(0, 1024));
  command->footer(kCheckExamples);
  command->callback([arguments, &console] { check_baseline(*arguments, console); });
  return command;
}

}  // namespace stockout
