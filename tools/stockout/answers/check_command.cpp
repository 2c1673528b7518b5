#include <array>
#include <memory>
#include <optional>
#include <ostream>

#include "sim/io/whole_file.h"
#include "tools/report/check/check_tables.h"
#include "tools/report/check/junit.h"
#include "tools/stockout/answers/check_run.h"
#include "tools/stockout/arguments/whole_number.h"
#include "tools/stockout/arguments/work_limit.h"
#include "tools/stockout/commands.h"
#include "tools/stockout/files/output_files.h"
#include "tools/stockout/terminal/interrupt.h"
#include "tools/stockout/terminal/progress.h"

namespace stockout {
namespace {

constexpr const char* kCheckExamples =
    "Examples:\n"
    "  stockout check scenarios/quickstart.json --baseline quickstart.baseline.json --update\n"
    "  stockout check scenarios/quickstart.json --baseline quickstart.baseline.json\n"
    "  stockout check scenarios/quickstart.json --baseline quickstart.baseline.json --junit check.xml\n"
    "  stockout check scenarios/quickstart.json --baseline quickstart.baseline.json --tolerance 1%\n"
    "\n"
    "Exit code 0: all as in the baseline, 1: something moved beyond its tolerance, or another strategy is\n"
    "recommended than the baseline says, which fails whatever the tolerance unless the noise explains it.\n"
    "A tolerance is \"exact\" (the default), a percentage of the baseline's value, or \"interval\": the root "
    "of\n"
    "the sum of the squared 95 % half-widths. Tolerances of single measures are in the baseline file, put\n"
    "there by hand and kept by --update: \"tolerances\": {\"wait_mean_h\": \"2%\"}.\n"
    "models/baseline/README.md says what is compared.";

struct CheckOptions {
  CheckArguments asked;
  std::string junit;
};

// The baseline is read, or written over on purpose; what is written must fall upon nothing else that is read.
void check_files(const CheckOptions& options, const Scenario& scenario) {
  const CheckArguments& asked = options.asked;
  std::vector<std::string> inputs = scenario.inputs;
  if (!asked.update) inputs.push_back(asked.baseline);
  check_outputs(
      std::array<OutputFile, 2>{{{.option = "--baseline", .path = asked.update ? asked.baseline : ""},
                                 {.option = "--junit", .path = options.junit}}},
      inputs);
}

void update_baseline(const CheckArguments& arguments, const std::optional<Baseline>& then, Baseline now,
                     WholeFile& file, Console& console) {
  const BaselineCheck changes = accept_baseline(then, now);
  file.write(write_baseline(now));
  file.commit();
  console.out << write_check({.check = changes,
                              .now = now,
                              .scenario_file = arguments.scenario.file,
                              .baseline_file = arguments.baseline,
                              .accepted = true},
                             console.layout());
}

void check_baseline(const CheckOptions& options, Console& console) {
  const CheckArguments& asked = options.asked;
  const std::optional<Tolerance> tolerance = asked.asked_tolerance();
  const std::optional<Baseline> then = asked.read_if_there();
  const Scenario scenario = asked.scenario.load_to_run(console);
  check_total_work(scenario);
  check_files(options, scenario);
  const std::string target = asked.update ? asked.baseline : options.junit;
  const auto file = target.empty() ? nullptr : std::make_unique<WholeFile>(target);

  advise_on_interrupt(kFewerReplications);
  ComparisonProgress progress{console, scenario.world};
  Baseline now = measure_now(asked, scenario, progress);
  if (asked.update) return update_baseline(asked, then, std::move(now), *file, console);

  const BaselineCheck check = check_against(*then, now, tolerance);
  if (file) {
    file->write(write_junit(check, now));
    file->commit();
  }
  console.out << write_check(
      {.check = check, .now = now, .scenario_file = asked.scenario.file, .baseline_file = asked.baseline},
      console.layout());
  if (!check.holds()) console.exit = ExitCode::not_as_asked;
}

}  // namespace

CLI::App* add_check_command(CLI::App& app, Console& console) {
  CLI::App* command = app.add_subcommand("check", "Whether a scenario still measures what its baseline says");
  const auto arguments = std::make_shared<CheckOptions>();
  arguments->asked.scenario.add_to(*command);
  command->add_option("--baseline", arguments->asked.baseline, "The file to hold the measures against (JSON)")
      ->required()
      ->type_name("FILE");
  CLI::Option* update = command->add_flag("--update", arguments->asked.update,
                                          "Writes the baseline instead, and says what changed");
  command->add_option("--tolerance", arguments->asked.tolerance, "exact, interval or a percentage such as 1%")
      ->excludes(update)
      ->type_name("TOLERANCE");
  command->add_option("--junit", arguments->junit, "Writes the result to this file (JUnit XML)")
      ->excludes(update)
      ->type_name("FILE");
  arguments->asked.scenario.add_replications_to(*command);
  command
      ->add_option("--threads", arguments->asked.threads,
                   "Simulations at a time, at most as many as the machine has cores; 0: so many")
      ->check(whole_number(0, 1024));
  command->footer(kCheckExamples);
  command->callback([arguments, &console] { check_baseline(*arguments, console); });
  return command;
}

}  // namespace stockout
