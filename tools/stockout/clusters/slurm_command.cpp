#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "sim/core/counted.h"
#include "sim/io/whole_file.h"
#include "tools/slurm_replay/account_tables.h"
#include "tools/slurm_replay/conf_reader.h"
#include "tools/slurm_replay/job_list.h"
#include "tools/slurm_replay/replay.h"
#include "tools/slurm_replay/scenario_part.h"
#include "tools/stockout/arguments/scenario_arguments.h"
#include "tools/stockout/commands.h"
#include "tools/stockout/files/import_output.h"
#include "tools/stockout/files/output_files.h"
#include "tools/stockout/terminal/progress.h"
#include "tools/table/csv_columns.h"
#include "tools/table/write_text.h"

namespace stockout {
namespace {

constexpr std::array<std::string_view, 5> kBackfillNames{"slurm", "none", "easy", "easy-by-number",
                                                         "conservative"};

constexpr const char* kSlurmHelp =
    "Slurm decides which jobs of a cluster may start: models/orchestrators/slurm models it. A scenario puts\n"
    "it before its legs with the key \"slurm\".\n"
    "\n"
    "Examples:\n"
    "  stockout slurm import /etc/slurm/slurm.conf\n"
    "      partitions as the model reads them, and what it leaves out\n"
    "  stockout slurm import /etc/slurm/slurm.conf --out slurm.json\n"
    "      the same, and the cluster as a part of a scenario\n"
    "  stockout slurm replay jobs.csv --conf /etc/slurm/slurm.conf\n"
    "      how long jobs wait under that configuration";

constexpr const char* kSlurmImportHelp =
    "SLURM_CONF is a file as slurmctld reads it, with those that it includes; GRES_CONF is checked against it.\n"
    "Keys that could change who starts when, but are not modelled, are listed with file and line. --out\n"
    "writes the key \"slurm\" of a scenario, and says what a scenario has not of the cluster.\n"
    "\n"
    "Nodes that are always there become those of a reservation, which the scenario has to have. Nodes with\n"
    "State=CLOUD come and go; their machine type follows from GPU type, GPUs and CPUs. Where several would\n"
    "do, --machine says which. A set of nodes has the name with which its nodes begin.\n"
    "\n"
    "Examples:\n"
    "  stockout slurm import /etc/slurm/slurm.conf /etc/slurm/gres.conf\n"
    "  stockout slurm import /etc/slurm/slurm.conf --out slurm.json --machine a3=a3-megagpu-8g";

constexpr const char* kReplayHelp =
    "JOBS is a comma-separated file with a header. It must have the columns id, submit, nodes, limit and\n"
    "runtime. It may have cpus and gpus (on each node), partition, nice, priority, array (number of tasks),\n"
    "after (id of a job above that must have ended), exclusive and requeue (0 or 1), account, user and qos.\n"
    "Times are in seconds; submit counts from the start of the controller. Jobs are listed in the order of\n"
    "their submission. A preempted job stops at once, and begins anew when it starts again.\n"
    "\n"
    "Accounts and QOS are what these commands print:\n"
    "  sacctmgr -P show assoc format=account,parentname,user,share\n"
    "  sacctmgr -P show qos\n"
    "\n"
    "Nodes that are off are up at once, but for those of --power: a comma-separated file with the columns\n"
    "node, boot, down and back, in seconds. Each row is a power-up of its nodes, in their order and then again\n"
    "from the first. The node is up after boot. Else it is DOWN after down, or after ResumeTimeout; back later\n"
    "it may be tried again.\n"
    "\n"
    "Backfill:\n"
    "  slurm         the plugin sched/backfill: in cycles, with whole nodes promised to each job\n"
    "  none          sched/builtin: strict order in each partition\n"
    "  easy          textbook EASY at each event: only the first job that waits is promised nodes\n"
    "  easy-by-number  the same, but the first job is promised the nodes with the lowest numbers\n"
    "  conservative  textbook conservative backfill at each event: every job is promised nodes\n"
    "\n"
    "Examples:\n"
    "  stockout slurm replay jobs.csv --conf slurm.conf\n"
    "      waits under the configuration\n"
    "  stockout slurm replay jobs.csv --conf slurm.conf --backfill easy --output played.csv\n"
    "      the same with EASY backfill, and when and where each job ran";

struct ReplayArguments {
  std::string jobs;
  std::string conf;
  std::string gres;
  std::string accounts;
  std::string qos;
  std::string power;
  std::string backfill;
  std::string output;
  double epoch = 0;
};

std::string list_notes(const slurm::ClusterFile& cluster) {
  std::string page;
  for (const std::string& note : cluster.notes) page += fmt::format("note: {}\n", note);
  for (const std::string& key : cluster.not_modelled) page += fmt::format("not modelled: {}\n", key);
  return page;
}

std::string length_of_limit(SimDuration limit) {
  return limit == kForever ? "none" : fmt::format("{}", limit.count() / 60'000);
}

struct SlurmImportArguments {
  std::string conf;
  std::string gres;
  std::vector<std::string> machines;
  std::string out;
};

std::string partitions_table(const slurm::ClusterFile& cluster, const TextLayout& layout) {
  Relation table{.title = "Partitions"};
  table.columns.push_back({.title = "partition"});
  table.add_columns(kWhole, {"nodes", "CPUs", "GPUs", "tier"});
  table.columns.push_back({.title = "longest\njob [min]"});
  for (const slurm::Partition& partition : cluster.configuration.partitions) {
    std::int64_t cpus = 0;
    std::int64_t gpus = 0;
    for (const slurm::NodeIndex node : partition.nodes) {
      cpus += cluster.configuration.nodes[node].cpus;
      gpus += cluster.configuration.nodes[node].gpus;
    }
    table.add({partition.name, static_cast<std::int64_t>(partition.nodes.size()), cpus, gpus,
               std::int64_t{partition.priority_tier}, length_of_limit(partition.max_time)});
  }
  return write_text(table, layout);
}

// "SET=TYPE"
slurm::GivenMachines given_machines(const std::vector<std::string>& texts) {
  slurm::GivenMachines machines;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
      throw InputError{{.file = "command line", .pointer = "--machine"},
                       fmt::format("must be SET=TYPE, but is \"{}\"", text)};
    machines[text.substr(0, equals)] = text.substr(equals + 1);
  }
  return machines;
}

void import_slurm(const SlurmImportArguments& arguments, Console& console) {
  const std::array outputs{OutputFile{.option = "--out", .path = arguments.out}};
  check_outputs(outputs, std::vector{arguments.conf, arguments.gres});
  const slurm::ClusterFile cluster = slurm::read_cluster_file(arguments.conf, arguments.gres);
  check_outputs(outputs, cluster.files);
  std::string left_out;
  if (!arguments.out.empty()) {
    const slurm::SlurmPart part =
        slurm::scenario_part(cluster, Catalog::embedded(), given_machines(arguments.machines));
    write_scenario_part(part.json, arguments.out);
    left_out = list_left_out(part.left_out) + '\n';
  }
  console.out << partitions_table(cluster, console.layout()) << '\n'
              << list_notes(cluster) << left_out
              << fmt::format("{}, {}\n", counted(cluster.configuration.nodes.size(), "node"),
                             counted(cluster.configuration.partitions.size(), "partition"));
}

struct PlayedRow {
  const slurm::PlayedJob& job;
  const slurm::Configuration& cluster;
};

std::string seconds_or_nothing(const std::optional<SimTime>& at) {
  return at ? csv_seconds(*at) : std::string{};
}

std::string nodes_of(const PlayedRow& row) {
  std::string names;
  for (const slurm::NodeIndex node : row.job.nodes)
    names += (names.empty() ? "" : " ") + row.cluster.nodes[node].name;
  return names;
}

using P = const PlayedRow&;
const CsvColumn<PlayedRow> kPlayedColumns[] = {
    {"id", [](P p) { return p.job.id; }},
    {"submit", [](P p) { return csv_seconds(p.job.submit); }},
    {"start", [](P p) { return seconds_or_nothing(p.job.start); }},
    {"end", [](P p) { return seconds_or_nothing(p.job.end); }},
    {"restarts", [](P p) { return fmt::format("{}", p.job.restarts); }},
    {"timed_out", [](P p) { return std::string{p.job.timed_out ? "1" : "0"}; }},
    {"nodes", nodes_of}};

void write_played(const std::string& path, const std::vector<slurm::PlayedJob>& played,
                  const slurm::Configuration& cluster) {
  WholeFile file{path};
  file.write(csv_header(kPlayedColumns));
  for (const slurm::PlayedJob& job : played)
    file.write(csv_line(kPlayedColumns, PlayedRow{.job = job, .cluster = cluster}));
  file.commit();
}

std::string summary_of_waits(const std::vector<slurm::PlayedJob>& played) {
  std::vector<double> waits;
  std::int64_t restarts = 0;
  std::int64_t timed_out = 0;
  double sum = 0;
  for (const slurm::PlayedJob& job : played) {
    restarts += job.restarts;
    timed_out += job.timed_out ? 1 : 0;
    if (!job.start) continue;
    waits.push_back(static_cast<double>(job.wait().count()) / 1000);
    sum += waits.back();
  }
  std::string page = fmt::format("{}, {} of them never started, {}, {} timed out\n",
                                 counted(played.size(), "job"), played.size() - waits.size(),
                                 counted(static_cast<std::uint64_t>(restarts), "restart"), timed_out);
  if (waits.empty()) return page;
  std::sort(waits.begin(), waits.end());
  const auto part = [&](std::size_t percent) { return waits[(waits.size() - 1) * percent / 100]; };
  return page + fmt::format("wait [s]: mean {:.3f}, median {:.3f}, p90 {:.3f}, longest {:.3f}\n",
                            sum / static_cast<double>(waits.size()), part(50), part(90), waits.back());
}

void replay_jobs(const ReplayArguments& arguments, Console& console) {
  const std::array outputs{OutputFile{"--output", arguments.output}};
  const std::vector<std::string> inputs{arguments.jobs,     arguments.conf, arguments.gres,
                                        arguments.accounts, arguments.qos,  arguments.power};
  check_outputs(outputs, inputs);
  slurm::ClusterFile cluster = slurm::read_cluster_file(arguments.conf, arguments.gres);
  check_outputs(outputs, cluster.files);
  slurm::Settings& settings = cluster.configuration.settings;
  settings.epoch = SimDuration{std::llround(arguments.epoch * 1000)};
  constexpr std::array kBackfills{slurm::Backfill::slurm, slurm::Backfill::none, slurm::Backfill::easy,
                                  slurm::Backfill::easy_by_number, slurm::Backfill::conservative};
  if (!arguments.backfill.empty()) {
    settings.backfill_type =
        kBackfills[choose("--backfill", "backfill type", arguments.backfill, kBackfillNames)];
  }
  if (!arguments.accounts.empty()) slurm::read_accounts(arguments.accounts, cluster);
  if (!arguments.qos.empty()) slurm::read_qos(arguments.qos, cluster);
  const auto plan =
      arguments.power.empty() ? slurm::PowerPlan{} : slurm::read_power_plan(arguments.power, cluster);
  const auto jobs = slurm::read_job_list(arguments.jobs, cluster);
  const auto played = with_status(console, "playing the jobs",
                                  [&] { return slurm::replay(cluster.configuration, jobs, plan); });
  if (!arguments.output.empty()) write_played(arguments.output, played, cluster.configuration);
  console.out << list_notes(cluster) << summary_of_waits(played);
}

void add_slurm_import(CLI::App& slurm, Console& console) {
  CLI::App* command =
      slurm.add_subcommand("import", "Reads a cluster's configuration, and says what is not modelled");
  const auto arguments = std::make_shared<SlurmImportArguments>();
  command->add_option("SLURM_CONF", arguments->conf, "Configuration of the controller")->required();
  command->add_option("GRES_CONF", arguments->gres, "GPUs of its nodes");
  CLI::Option* out =
      command->add_option("--out", arguments->out, "The scenario's part is written to this file")
          ->type_name("FILE");
  command->add_option("--machine", arguments->machines, "The machine type of a set of nodes; may be repeated")
      ->type_name("SET=TYPE")
      ->needs(out);
  command->footer(kSlurmImportHelp);
  command->callback([arguments, &console] { import_slurm(*arguments, console); });
}

void add_slurm_replay(CLI::App& slurm, Console& console) {
  CLI::App* command = slurm.add_subcommand("replay", "Plays a list of jobs through the model of Slurm alone");
  const auto arguments = std::make_shared<ReplayArguments>();
  command->add_option("JOBS", arguments->jobs, "Jobs, as CSV")->required();
  command->add_option("--conf", arguments->conf, "The cluster's slurm.conf")->required()->type_name("FILE");
  command->add_option("--gres", arguments->gres, "Its gres.conf, which is checked only")->type_name("FILE");
  command
      ->add_option("--accounts", arguments->accounts, "Shares of accounts and users, as sacctmgr shows them")
      ->type_name("FILE");
  command->add_option("--qos", arguments->qos, "Qualities of service, as sacctmgr shows them")
      ->type_name("FILE");
  command->add_option("--power", arguments->power, "How nodes come up, as CSV")->type_name("FILE");
  command->add_option("--backfill", arguments->backfill, "Another backfill than that of the configuration")
      ->type_name(choices(kBackfillNames));
  command
      ->add_option("--epoch", arguments->epoch,
                   "Unix time at which the controller starts: backfill rounds by it")
      ->type_name("SECONDS")
      ->check(CLI::Range(0.0, 1e11));
  command->add_option("--output", arguments->output, "Starts, ends and nodes of each job, as CSV")
      ->type_name("FILE");
  command->footer(kReplayHelp);
  command->callback([arguments, &console] { replay_jobs(*arguments, console); });
}

}  // namespace

CLI::App* add_slurm_command(CLI::App& app, Console& console) {
  CLI::App* command =
      app.add_subcommand("slurm", "Slurm: jobs through the model of it, and a cluster's configuration");
  command->footer(kSlurmHelp);
  command->require_subcommand(1);
  add_slurm_import(*command, console);
  add_slurm_replay(*command, console);
  return command;
}

}  // namespace stockout
