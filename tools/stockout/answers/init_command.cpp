#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <CLI/CLI.hpp>

#include "models/billing/billing_export.h"
#include "models/billing/billing_rows.h"
#include "models/inventory/inventory_part.h"
#include "models/scenario/scenario.h"
#include "models/starter/starter.h"
#include "models/workload/readers/fitting_formats.h"
#include "sim/core/counted.h"
#include "sim/core/error.h"
#include "sim/core/unknown_name.h"
#include "sim/io/whole_file.h"
#include "tools/stockout/arguments/scenario_arguments.h"
#include "tools/stockout/arguments/usd_rate.h"
#include "tools/stockout/commands.h"
#include "tools/stockout/files/output_files.h"
#include "tools/stockout/terminal/progress.h"
#include "tools/stockout/traces/trace_arguments.h"
#include "tools/table/wrap_text.h"

namespace stockout {
namespace {

namespace fs = std::filesystem;

constexpr const char* kInitHelp =
    "The file validates and runs as it is. Questions that your files do not answer stand in comments: look for ASK.\n"
    "\n"
    "Examples:\n"
    "  stockout init --from sacct.txt --zone Europe/Berlin --out training.json\n"
    "      jobs as they were recorded, in any format of `stockout trace info`; pools are guessed\n"
    "  stockout init --from jobs.json --from nightly.csv --billing july.csv --out team.json\n"
    "      two histories, and the prices that you were charged (`stockout prices --query` prints the query for\n"
    "      BigQuery that makes july.csv)\n"
    "  stockout init --from sacct.txt --from reservations.json --from commitments.json --out team.json\n"
    "      and what you hold: `gcloud compute reservations list --format=json`, and the lists of commitments\n"
    "      and future-reservations\n"
    "  stockout init --template reserve --out reserve.json\n"
    "      made-up jobs, for who has no history yet\n"
    "  stockout compare training.json";

struct InitArguments {
  std::vector<std::string> from;
  std::string format;
  std::string zone;  // empty: not said
  std::string billing;
  std::optional<double> usd_rate;
  std::string chosen;  // template
  std::string catalog;
  std::string out;
  bool force = false;
};

[[noreturn]] void fail(const char* option, const std::string& problem) {
  throw InputError{{.file = "command line", .pointer = option}, problem};
}

std::string template_names() {
  std::string names;
  for (const StarterTemplate& one : starter_templates())
    names += fmt::format("{}{}", names.empty() ? "" : "|", one.name);
  return names;
}

/// The files of --from by what they hold.
struct NamedFiles {
  std::vector<std::string> histories = {};
  std::vector<std::string> held = {};  // lists of reservations and commitments
};

// Its jobs would count twice.
void check_named_once(const std::vector<std::string>& files) {
  std::set<fs::path> seen;
  std::error_code error;
  for (const std::string& file : files) {
    if (!seen.insert(fs::weakly_canonical(fs::absolute(file), error)).second)
      fail("--from", fmt::format("names {} twice: leave one out", file));
  }
}

NamedFiles sorted_by_content(const std::vector<std::string>& files) {
  check_named_once(files);
  NamedFiles named;
  for (const std::string& file : files) {
    if (is_billing_export(file) && fitting_formats(file).empty())
      fail("--from", fmt::format("{} is a bill, not a history: name it with --billing", file));
    (is_inventory(file) ? named.held : named.histories).push_back(file);
  }
  return named;
}

const StarterTemplate* template_of(const InitArguments& arguments, const NamedFiles& files) {
  if (arguments.chosen.empty() && files.histories.empty()) {
    fail("--from", fmt::format("{}: name a history with --from FILE, or --template {}",
                               files.held.empty() ? "is missing" : "names no jobs, but what you hold",
                               template_names()));
  }
  if (arguments.chosen.empty()) return nullptr;
  if (!files.histories.empty()) {
    fail("--template",
         fmt::format("has jobs of its own: leave it or --from {} out", files.histories.front()));
  }
  if (const StarterTemplate* found = find_template(arguments.chosen)) return found;
  std::vector<std::string> known;
  for (const StarterTemplate& one : starter_templates()) known.emplace_back(one.name);
  fail("--template", unknown_name("template", arguments.chosen, known));
}

void check_new(const InitArguments& arguments) {
  std::error_code error;
  if (const fs::path folder = fs::absolute(arguments.out).parent_path(); !fs::is_directory(folder, error))
    fail("--out", fmt::format("{}: there is no folder {}", arguments.out, folder.string()));
  if (arguments.force || !fs::exists(arguments.out, error)) return;
  fail("--out",
       fmt::format("{} is there already: name another file, or replace it with --force", arguments.out));
}

// As the scenario will name it: from its folder.
std::string named_from(const std::string& scenario, const std::string& file) {
  std::error_code error;
  const fs::path folder = fs::weakly_canonical(fs::absolute(scenario), error).parent_path();
  const fs::path path = fs::weakly_canonical(fs::absolute(file), error);
  const fs::path relative = path.lexically_relative(folder);
  return relative.empty() ? path.string() : relative.string();
}

std::string without_folder(const std::string& path) { return fs::path{path}.filename().string(); }

void read_billing(const InitArguments& arguments, const Catalog& catalog, Findings& findings,
                  std::vector<std::string>& notes) {
  const BillingExport bill = read_billing_export(arguments.billing, billing_format_of(arguments.billing),
                                                 catalog, arguments.usd_rate);
  for (const SkippedCharges& skipped : bill.skipped) {
    notes.push_back(fmt::format("{}: not used: {}, {:.2f} USD: {}", arguments.billing,
                                counted(skipped.rows, "row"), skipped.usd, skipped.reason));
  }
  findings.prices = bill.prices;
  for (const UsedRate& rate : bill.rates) findings.prices_remarks.push_back(text_of(rate));
  if (const std::string day = bill.last.substr(0, 10); parse_date(day)) findings.prices_day = day;
  const std::string file = without_folder(arguments.billing);
  findings.prices_label = bill.first.empty() ? fmt::format("charged, {}", file)
                                             : fmt::format("charged {} to {}, {}", bill.first.substr(0, 10),
                                                           bill.last.substr(0, 10), file);
}

std::string command_of(const InitArguments& arguments) {
  std::string command = "stockout init";
  for (const std::string& file : arguments.from) command += " --from " + without_folder(file);
  if (!arguments.billing.empty()) command += " --billing " + without_folder(arguments.billing);
  if (arguments.usd_rate) command += fmt::format(" --usd-rate {}", *arguments.usd_rate);
  if (!arguments.chosen.empty()) command += " --template " + arguments.chosen;
  return command;
}

// `notes`: what the planner must know of the files before using the scenario.
StarterQuestion question_of(const InitArguments& arguments, const Catalog& catalog, Console& console,
                            std::vector<std::string>& notes) {
  StarterQuestion question;
  const NamedFiles files = sorted_by_content(arguments.from);
  question.made_up = template_of(arguments, files);
  question.name = fs::path{arguments.out}.stem().string();
  question.made_by = command_of(arguments);
  if (!files.held.empty()) question.findings.existing = inventory_part(read_inventory(files.held), catalog);
  if (arguments.billing.empty() && arguments.usd_rate)
    fail("--usd-rate", "is for the charges of --billing FILE");
  if (!arguments.billing.empty()) read_billing(arguments, catalog, question.findings, notes);
  const std::string zone = arguments.zone.empty() ? "UTC" : arguments.zone;
  for (const std::string& file : files.histories) {
    const TraceArguments trace{.file = file, .format = arguments.format, .zone = zone};
    const Trace read =
        with_status(console, "reading " + file, [&] { return trace.read(TraceUse::jobs_and_rows); });
    add_history(question.findings, read, arguments.zone, catalog);
    question.files.push_back(named_from(arguments.out, file));
    for (const std::string& why : question.findings.histories.back().unfit)
      notes.push_back(fmt::format("{} must not be used as it is: {}", file, why));
  }
  return question;
}

std::size_t count_of(const std::string& text, std::string_view word) {
  std::size_t count = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++count;
  return count;
}

void tell(const InitArguments& arguments, const std::string& text, const Scenario& scenario,
          const std::vector<std::string>& notes, Console& console) {
  console.out << list_section("Warnings", notes, console.layout()) << (notes.empty() ? "" : "\n");
  fmt::print(console.out, "{}: {}, {}, {} to answer (look for ASK)\n", arguments.out,
             counted(scenario.world.pools.size(), "pool"),
             counted(scenario.world.strategies.size(), "strategy", "strategies"),
             counted(count_of(text, "ASK: "), "question"));
  fmt::print(console.out, "Next: stockout validate {0}, then stockout compare {0}\n", arguments.out);
}

// Nothing is written unless it can be read again.
void init(const InitArguments& arguments, Console& console) {
  check_new(arguments);
  std::vector<std::string> inputs = arguments.from;
  if (!arguments.billing.empty()) inputs.push_back(arguments.billing);
  check_outputs(std::array{OutputFile{.option = "--out", .path = arguments.out}}, inputs);
  const Catalog catalog =
      arguments.catalog.empty() ? Catalog::embedded() : Catalog::from_folder(arguments.catalog);
  std::vector<std::string> notes;
  const StarterQuestion question = question_of(arguments, catalog, console, notes);
  const std::string text = starter_text(question, catalog);
  const Scenario scenario = with_status(console, "reading " + arguments.out + " again",
                                        [&] { return parse_scenario(text, arguments.out, catalog); });
  WholeFile file{arguments.out};
  file.write(text);
  file.commit();
  tell(arguments, text, scenario, notes, console);
}

}  // namespace

CLI::App* add_init_command(CLI::App& app, Console& console) {
  CLI::App* command =
      app.add_subcommand("init", "Writes a first scenario: from your own history, or from a template");
  const auto arguments = std::make_shared<InitArguments>();
  command
      ->add_option("--from", arguments->from,
                   "A history of jobs, or a list of reservations or commitments; may be given again")
      ->allow_extra_args(false)
      ->type_name("FILE");
  command
      ->add_option("--format", arguments->format, "Of the histories; default: recognised by their beginning")
      ->type_name(choices(kTraceFormatNames));
  command
      ->add_option("--zone", arguments->zone,
                   "Time zone of dates without an offset, and of the scenario; default: UTC, and a question")
      ->type_name("ZONE");
  command->add_option("--billing", arguments->billing, "A billing export, for the prices that you pay")
      ->type_name("FILE");
  add_usd_rate(*command, arguments->usd_rate);
  command->add_option("--template", arguments->chosen, "Made-up jobs instead of a history")
      ->type_name(template_names());
  command
      ->add_option("--catalog", arguments->catalog,
                   "A folder with the catalogue's files, instead of the built-in one")
      ->type_name("FOLDER");
  command->add_option("--out", arguments->out, "The scenario to write")->required()->type_name("FILE");
  command->add_flag("--force", arguments->force, "Replaces a file that is there");
  command->footer(kInitHelp);
  command->callback([arguments, &console] { init(*arguments, console); });
  return command;
}

}  // namespace stockout
