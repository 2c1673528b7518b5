#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "models/orchestrators/kueue/quota_tree.h"
#include "sim/core/counted.h"
#include "sim/core/error.h"
#include "sim/io/json_reader.h"
#include "tools/kueue/cluster_import.h"
#include "tools/kueue/conformance.h"
#include "tools/kueue/manifests.h"
#include "tools/kueue/scenario_part.h"
#include "tools/stockout/commands.h"
#include "tools/stockout/files/import_output.h"
#include "tools/stockout/files/output_files.h"
#include "tools/stockout/terminal/printable.h"
#include "tools/stockout/terminal/progress.h"
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
    "      whether the model decides as Kueue does, case by case\n"
    "  kubectl get clusterqueues,cohorts,resourceflavors,localqueues -A -o yaml > queues.yaml\n"
    "  kubectl get admissionchecks,provisioningrequestconfigs -o yaml > checks.yaml\n"
    "  stockout kueue import queues.yaml checks.yaml --out kueue.json\n"
    "      the queues of a cluster as the model reads them, and as a part of a scenario";

constexpr const char* kImportHelp =
    "Each FILE is what kubectl prints, as JSON or YAML (API versions v1beta1 and v1beta2); of workloads in it "
    "only\n"
    "minCount is read: partial admission, by priority class. Of admission checks the retries of requests for\n"
    "capacity are. Objects of other kinds are left out. The tables show queues, and quota by flavor and resource. \"Most\" is what a queue "
    "could use if\n"
    "nobody else used anything. CPUs are in thousandths, all else in whole units. Below them stands what a "
    "scenario\n"
    "has not of all that, and why. --out writes the rest: the key \"kueue\" of a scenario.\n"
    "\n"
    "Examples:\n"
    "  kubectl get clusterqueues,cohorts,resourceflavors,localqueues -A -o yaml > queues.yaml\n"
    "  kubectl get admissionchecks,provisioningrequestconfigs -o yaml > checks.yaml\n"
    "  stockout kueue import queues.yaml checks.yaml --out kueue.json";

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
    "Exit codes: 0 all modelled cases agree, 1 at least one does not, 2 FILE is no file of cases, or one of\n"
    "them is malformed. The others are run all the same.";

struct Tally {
  std::int64_t passed = 0;
  std::int64_t failed = 0;
  std::int64_t not_modelled = 0;
  std::int64_t malformed = 0;

  void count(CaseVerdict verdict) {
    passed += verdict == CaseVerdict::passed ? 1 : 0;
    failed += verdict == CaseVerdict::failed ? 1 : 0;
    not_modelled += verdict == CaseVerdict::not_modelled ? 1 : 0;
    malformed += verdict == CaseVerdict::malformed ? 1 : 0;
  }
};

void report_malformed(const std::vector<CaseResult>& results, Console& console) {
  for (const CaseResult& result : results) {
    if (result.verdict != CaseVerdict::malformed) continue;
    console.err << "stockout: " << console.err_label("error:", Tone::failure) << ' '
                << printable(result.notes.front()) << '\n';
  }
}

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
    if (result.verdict == CaseVerdict::malformed) continue;
    by_kind[result.kind].count(result.verdict);
    for (const std::string& feature : result.features) by_feature[feature].count(result.verdict);
  }
  const TextLayout layout = console.layout();
  console.out << list_of(results, CaseVerdict::failed, "differs")
              << list_of(results, CaseVerdict::not_modelled, "not modelled")
              << table_of("Cases by kind", "kind", by_kind, layout) << '\n'
              << table_of("Cases by feature (a case may have several)", "feature", by_feature, layout)
              << fmt::format("\n{} passed, {} failed, {} not modelled", all.passed, all.failed,
                             all.not_modelled)
              << (all.malformed > 0 ? fmt::format(", {} malformed\n", all.malformed) : "\n");
  report_malformed(results, console);
  if (all.failed > 0) console.exit = ExitCode::not_as_asked;
  if (all.malformed > 0) console.exit = ExitCode::bad_input;
}

const char* name_of(kueue::PreemptionPolicy policy) {
  constexpr std::array kNames{"Never", "LowerPriority", "LowerOrNewerEqualPriority", "Any"};
  return kNames[static_cast<std::size_t>(policy)];
}

// Numbers of tables have the digits of a double, which bytes of memory exceed.
Cell cell_of(const std::optional<kueue::Amount>& amount) {
  if (!amount) return {};
  return Cell{amount->count()}.as(amount->is_unlimited() ? "unlimited"
                                                         : with_commas(std::to_string(amount->count())));
}

Column text_column(const char* title) { return {.title = title}; }

std::string queues_of(const kueue::Configuration& cluster, const TextLayout& layout) {
  Relation table{.title = "Cluster queues"};
  table.columns = {text_column("queue"),      text_column("cohort"),   text_column("strategy"),
                   text_column("evicts own"), text_column("reclaims"), text_column("evicts while\nborrowing"),
                   text_column("stopped")};
  for (const auto& [name, queue] : cluster.cluster_queues) {
    const bool is_strict = queue.strategy == kueue::QueueingStrategy::strict_fifo;
    table.add({name, queue.cohort, is_strict ? "StrictFIFO" : "BestEffortFIFO",
               name_of(queue.preemption.within_queue), name_of(queue.preemption.reclaim_within_cohort),
               queue.preemption.borrow_within_cohort.lower_priority ? "LowerPriority" : "Never",
               queue.stop == kueue::StopPolicy::none ? "no" : "yes"});
  }
  return write_text(table, layout);
}

std::string quotas_of(const kueue::Configuration& cluster, const TextLayout& layout) {
  kueue::QuotaTree tree;
  tree.rebuild(cluster);
  Relation table{.title = "Quota: GPUs, thousandths of a CPU, bytes of memory"};
  table.columns = {text_column("queue or cohort"), text_column("flavor"), text_column("resource")};
  table.add_columns(kWhole, {"nominal", "borrowing\nlimit", "lending\nlimit", "most"});
  const auto add = [&](const std::string& name, kueue::NodeId node,
                       const std::vector<kueue::ResourceGroup>& groups) {
    for (const kueue::ResourceGroup& group : groups) {
      for (const kueue::FlavorQuotas& flavor : group.flavors) {
        for (const auto& [resource, quota] : flavor.quotas) {
          const kueue::CellId cell = tree.cell(flavor.flavor, resource);
          table.add({name, flavor.flavor, resource, cell_of(quota.nominal), cell_of(quota.borrowing_limit),
                     cell_of(quota.lending_limit), cell_of(tree.potentially_available(node, cell))});
        }
      }
    }
  };
  for (const auto& [name, cohort] : cluster.cohorts) add(name, *tree.cohort(name), cohort.groups);
  for (const auto& [name, queue] : cluster.cluster_queues) add(name, *tree.queue(name), queue.groups);
  return write_text(table, layout);
}

// The circle to which the parents of a cohort lead, from the cohort that they reach first.
std::vector<std::string> circle_above(const kueue::Configuration& cluster, std::string name) {
  std::vector<std::string> path;
  while (std::ranges::find(path, name) == path.end()) {
    path.push_back(name);
    name = cluster.cohorts.at(name).parent;
  }
  path.erase(path.begin(), std::ranges::find(path, name));
  return path;
}

// Each circle once, from its first cohort by name, and who is below one.
std::string circles_of(const kueue::Configuration& cluster, const kueue::QuotaTree& tree) {
  std::string page;
  for (const auto& [name, cohort] : cluster.cohorts) {
    if (!tree.is_in_cycle(*tree.cohort(name))) continue;
    const std::vector<std::string> circle = circle_above(cluster, name);
    if (std::ranges::find(circle, name) == circle.end()) {
      page += fmt::format("the parents of {} lead to a circle, that of {}.\n", printable(name),
                          printable(std::ranges::min(circle)));
    } else if (name == std::ranges::min(circle)) {
      page += "the parents of cohorts form a circle: ";
      for (const std::string& one : circle) page += printable(one) + " -> ";
      page += printable(name) + ".\n";
    }
  }
  return page;
}

// Circles of cohorts, and names that lead nowhere: such queues admit nobody.
std::string gaps_of(const kueue::Configuration& cluster) {
  kueue::QuotaTree tree;
  tree.rebuild(cluster);
  std::string page = circles_of(cluster, tree);
  for (const auto& [name, queue] : cluster.cluster_queues) {
    if (tree.is_in_cycle(*tree.queue(name))) {
      page += fmt::format("{} admits nobody: the parents of its cohort form a circle.\n", printable(name));
    }
    for (const kueue::ResourceGroup& group : queue.groups) {
      for (const kueue::FlavorQuotas& flavor : group.flavors) {
        if (cluster.flavors.contains(flavor.flavor)) continue;
        page += fmt::format("{} admits nobody: there is no flavor \"{}\".\n", printable(name),
                            printable(flavor.flavor));
      }
    }
  }
  for (const auto& [name, queue] : cluster.local_queues) {
    if (cluster.cluster_queues.contains(queue.cluster_queue)) continue;
    page += fmt::format("{} leads nowhere: there is no cluster queue \"{}\".\n", printable(name),
                        printable(queue.cluster_queue));
  }
  return page;
}

struct ImportArguments {
  std::vector<std::string> files;
  std::string out;
};

std::vector<kueue::Manifest> read_all(const std::vector<std::string>& files) {
  std::vector<kueue::Manifest> manifests;
  for (const std::string& file : files) {
    for (JsonValue& root : kueue::read_manifests(file)) manifests.push_back({file, std::move(root)});
  }
  return manifests;
}

void import_cluster(const ImportArguments& arguments, Console& console) {
  if (!arguments.out.empty())
    check_outputs(std::array{OutputFile{.option = "--out", .path = arguments.out}}, arguments.files);
  const auto imported = with_status(console, "reading " + arguments.files.front(),
                                    [&] { return kueue::read_cluster(read_all(arguments.files)); });
  const kueue::Configuration& cluster = imported.objects;
  const kueue::ScenarioPart part = kueue::scenario_part(imported);
  const TextLayout layout = console.layout();
  console.out << queues_of(cluster, layout) << '\n'
              << quotas_of(cluster, layout) << '\n'
              << gaps_of(cluster) << list_under("Warnings", imported.warnings) << list_left_out(part.left_out)
              << fmt::format("\n{}, {}, {}, {}\n", counted(cluster.cluster_queues.size(), "cluster queue"),
                             counted(cluster.cohorts.size(), "cohort"),
                             counted(cluster.flavors.size(), "flavor"),
                             counted(cluster.local_queues.size(), "local queue"));
  if (arguments.out.empty()) return;
  if (!part.is_usable)
    throw InputError{{.file = arguments.files.front()},
                     "has no local queue that leads to a cluster queue with a quota of nvidia.com/gpu, so "
                     "that a scenario would have none: nothing is written"};
  write_scenario_part(part.json, arguments.out);
}

void add_import(CLI::App& kueue, Console& console) {
  CLI::App* command = kueue.add_subcommand("import", "Reads the queues of a cluster, as kubectl prints them");
  const auto arguments = std::make_shared<ImportArguments>();
  command->add_option("FILE", arguments->files, "Queues, as JSON or YAML")->required();
  command->add_option("--out", arguments->out, "The scenario's part is written to this file")
      ->type_name("FILE");
  command->footer(kImportHelp);
  command->callback([arguments, &console] { import_cluster(*arguments, console); });
}

void add_conform(CLI::App& kueue, Console& console) {
  CLI::App* command = kueue.add_subcommand("conform", "Runs recorded decisions of Kueue against the model");
  const auto file = std::make_shared<std::string>();
  command->add_option("FILE", *file, "Recorded decisions, as JSON")->required();
  command->footer(kConformHelp);
  command->callback([file, &console] { conform(*file, console); });
}

}  // namespace

CLI::App* add_kueue_command(CLI::App& app, Console& console) {
  CLI::App* command =
      app.add_subcommand("kueue", "Kueue: whether the model decides as it does, and the queues of a cluster");
  command->footer(kKueueHelp);
  command->require_subcommand(1);
  add_conform(*command, console);
  add_import(*command, console);
  return command;
}

}  // namespace stockout
