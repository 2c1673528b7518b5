#include <array>
#include <map>
#include <memory>
#include <ostream>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "sim/io/json_reader.h"
#include "tools/kueue/conformance.h"
#include "tools/stockout/commands.h"
#include "tools/stockout/progress.h"
#include "tools/table/write_text.h"

namespace stockout {
namespace {

using kueue::CaseResult;
using CaseVerdict = kueue::Verdict;

constexpr const char* kKueueHelp =
    "Kueue decides which jobs of a Kubernetes cluster may start: models/orchestrators/kueue models it.\n"
    "\n"
    "Examples:\n"
    "  stockout kueue conform kueue-cases.json\n"
    "      whether the model decides as Kueue does, case by case";

constexpr const char* kConformHelp =
    "FILE holds decisions that Kueue's own tests expect, in the format \"stockout-conformance-kueue/1\". "
    "Each case\n"
    "gives queues, quota and workloads, and who is admitted, evicted or left waiting then. The model decides "
    "the\n"
    "same cases. For each that differs, the page says what was expected and what the model came to. Cases "
    "that ask\n"
    "for a feature that is not modelled are named with the reason, and are no failures.\n"
    "\n"
    "Examples:\n"
    "  stockout kueue conform kueue-cases.json\n"
    "      what differs, what is not modelled, and a table by kind and by feature\n"
    "  stockout kueue conform kueue-cases.json | tail -n 1\n"
    "      403 passed, 0 failed, 0 not modelled\n"
    "\n"
    "Exit codes: 0 all modelled cases agree, 1 at least one does not, 2 FILE is no file of cases.";

struct Tally {
  std::int64_t passed = 0;
  std::int64_t failed = 0;
  std::int64_t not_modelled = 0;

  void count(CaseVerdict verdict) {
    passed += verdict == CaseVerdict::passed ? 1 : 0;
    failed += verdict == CaseVerdict::failed ? 1 : 0;
    not_modelled += verdict == CaseVerdict::not_modelled ? 1 : 0;
  }
};

std::string list_of(const std::vector<CaseResult>& results, CaseVerdict verdict, std::string_view title) {
  std::string page;
  for (const CaseResult& result : results) {
    if (result.verdict != verdict) continue;
    page += fmt::format("{} ({}): {}\n", result.id, result.kind, title);
    for (const std::string& note : result.notes) page += fmt::format("  {}\n", note);
  }
  return page;
}

std::string table_of(const std::string& title, const std::string& column,
                     const std::map<std::string, Tally>& tallies, const TextLayout& layout) {
  Relation table{.title = title};
  table.columns.push_back({.title = column});
  table.add_columns(kWhole, {"passed", "failed", "not\nmodelled"});
  for (const auto& [name, tally] : tallies) {
    table.add({name, tally.passed, tally.failed, tally.not_modelled});
  }
  return write_text(table, layout);
}

void conform(const std::string& file, Console& console) {
  const auto results = with_status(console, "running the cases of " + file,
                                   [&] { return kueue::run_conformance(read_json_file(file), file); });
  Tally all;
  std::map<std::string, Tally> by_kind;
  std::map<std::string, Tally> by_feature;
  for (const CaseResult& result : results) {
    all.count(result.verdict);
    by_kind[result.kind].count(result.verdict);
    for (const std::string& feature : result.features) by_feature[feature].count(result.verdict);
  }
  const TextLayout layout = console.layout();
  console.out << list_of(results, CaseVerdict::failed, "differs")
              << list_of(results, CaseVerdict::not_modelled, "not modelled")
              << table_of("Cases by kind", "kind", by_kind, layout) << '\n'
              << table_of("Cases by feature (a case may have several)", "feature", by_feature, layout)
              << fmt::format("\n{} passed, {} failed, {} not modelled\n", all.passed, all.failed,
                             all.not_modelled);
  if (all.failed > 0) console.exit = ExitCode::not_as_asked;
}

}  // namespace

CLI::App* add_kueue_command(CLI::App& app, Console& console) {
  CLI::App* command = app.add_subcommand("kueue", "Whether the model of Kueue decides as Kueue does");
  command->footer(kKueueHelp);
  command->require_subcommand(1);
  CLI::App* check = command->add_subcommand("conform", "Runs recorded decisions of Kueue against the model");
  const auto file = std::make_shared<std::string>();
  check->add_option("FILE", *file, "Recorded decisions, as JSON")->required();
  check->footer(kConformHelp);
  check->callback([file, &console] { conform(*file, console); });
  return command;
}

}  // namespace stockout
