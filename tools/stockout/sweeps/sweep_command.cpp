#include <cstdlib>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "sim/core/counted.h"
#include "sim/core/error.h"
#include "tools/stockout/arguments/whole_number.h"
#include "tools/stockout/commands.h"
#include "tools/stockout/sweeps/sweep_run.h"
#include "tools/stockout/terminal/interrupt.h"
#include "tools/stockout/terminal/printable.h"
#include "tools/stockout/terminal/progress.h"

namespace stockout {
namespace {

constexpr const char* kSweepExamples =
    "Examples:\n"
    "  stockout sweep scenarios/sweeps/quickstart-load.json --store load.sqlite\n"
    "      every point of the sweep, several at a time; a point that is done is on the disk\n"
    "  stockout sweep scenarios/sweeps/quickstart-load.json --store load.sqlite --resume\n"
    "      goes on where it was interrupted; begins if there is nothing yet\n"
    "  stockout sweep SWEEP.json --store prices.sqlite --worlds worlds.json\n"
    "      every point over the worlds that agree with a history (`stockout calibrate`)\n"
    "  stockout sweep export load.sqlite --output load.csv\n"
    "  sqlite3 -header -column load.sqlite 'select demand, strategy, wait_p95_h, cost_usd from wide'\n"
    "On many machines, each with its own part and its own store:\n"
    "  stockout sweep SWEEP.json --store load.sqlite --shard 3/10 --resume\n"
    "  stockout sweep merge load.sqlite load.shard-*-of-10.sqlite\n"
    "In a Slurm array (--array=0-9) and in a Kubernetes Job with completionMode Indexed (then with --shards "
    "n)\n"
    "the shard is taken from the environment.\n"
    "\n"
    "Exit codes: 0 every point is done, 1 a point failed, 2 bad input, 130 interrupted.";

struct SweepArguments {
  std::string file;
  std::string store;
  std::string shard;
  std::optional<std::size_t> shards;
  bool resume = false;
  int threads = 0;
  std::string catalog_dir;
  std::vector<std::string> price_files;
  SweepWorldsArguments worlds;
};

// The store of this process, and what the user must know of it.
std::string store_of(const SweepArguments& arguments, const ShardChoice& choice, Console& console) {
  if (choice.said_by.empty()) return arguments.store;
  std::string path = shard_path(arguments.store, choice.shard);
  fmt::print(console.err, "stockout: shard {} of {} (from {}), store {}\n", choice.shard.index,
             choice.shard.of, choice.said_by, printable(path));
  return path;
}

void tell_outcome(const SweepOutcome& outcome, std::size_t failed, const std::string& store,
                  Console& console) {
  if (outcome.done_before > 0)
    fmt::print(console.out, "{} done before. ", counted(outcome.done_before, "point was", "points were"));
  fmt::print(console.out, "{} done, {} left; {} of all failed. Store: {}\n", counted(outcome.done, "point"),
             outcome.left, failed, store);
  if (failed > 0) fmt::print(console.out, "See why: sqlite3 {} 'select * from failed'\n", store);
  if (outcome.out_of_memory > 0)
    fmt::print(console.out, "{} did not fit into memory: try --resume with fewer --threads\n",
               counted(outcome.out_of_memory, "point"));
  if (outcome.interrupted) fmt::print(console.out, "Interrupted: the same command with --resume goes on\n");
  if (outcome.interrupted) {
    console.exit = ExitCode::interrupted;
  } else if (failed > 0 || outcome.left > 0) {
    console.exit = ExitCode::not_as_asked;
  }
}

void tell_worlds(const SweepWorlds& worlds, Console& console) {
  if (worlds.all.empty()) return;
  fmt::print(console.out, "Each point is over {} that {}\n", counted(worlds.all.size(), "world"),
             printable(worlds.agreement));
}

void sweep_points(const SweepArguments& arguments, Console& console) {
  if (arguments.file.empty()) throw InputError{{.file = "command line"}, "SWEEP is missing: the sweep file"};
  if (arguments.store.empty())
    throw InputError{{.file = "command line"}, "--store is missing: the file that the results go to"};
  if (arguments.store == "-") {
    throw InputError{{.file = "command line", .pointer = "--store"},
                     "a store is a database and cannot be standard output: name a file"};
  }
  const ShardChoice choice =
      choose_shard(arguments.shard, arguments.shards, [](const char* name) { return std::getenv(name); });
  SweepRun run{arguments.file, arguments.catalog_dir, arguments.price_files, arguments.worlds, console};
  const std::string path = store_of(arguments, choice, console);
  const Interrupt interrupt;
  advise_on_interrupt("The same command with --resume goes on with the points that are done.");
  ProgressMeter progress{console, "points"};
  const SweepOutcome outcome =
      run.fill(path, arguments.resume,
               {.shard = choice.shard,
                .threads = arguments.threads,
                .progress = [&](std::size_t done, std::size_t of) { progress.show(done, of); },
                .interrupted = [] { return Interrupt::was_asked_for(); },
                .reached = [&](const World& world, SimTime now) { progress.reach(world, now); }});
  tell_outcome(outcome, run.failed_points(), path, console);
  tell_worlds(run.sweep().worlds, console);
}

}  // namespace

CLI::App* add_sweep_command(CLI::App& app, Console& console) {
  CLI::App* command =
      app.add_subcommand("sweep", "A scenario at many points, into a database; shards, resumable");
  const auto arguments = std::make_shared<SweepArguments>();
  command->add_option("SWEEP", arguments->file, "The sweep file (JSON)");
  command->add_option("--store", arguments->store, "The database (SQLite) that the results go to")
      ->type_name("FILE");
  command->add_flag("--resume", arguments->resume,
                    "Goes on with a store that is there; begins it if it is not");
  command
      ->add_option("--shard", arguments->shard,
                   "i/n: only the points whose number leaves i when divided by n")
      ->type_name("I/N");
  command->add_option("--shards", arguments->shards, "n, where the environment says only which")
      ->check(whole_number());
  command
      ->add_option("--threads", arguments->threads,
                   "Simulations at a time, at most as many as the machine has cores; 0: so many")
      ->check(whole_number(0, 1024));
  command
      ->add_option("--catalog", arguments->catalog_dir,
                   "A folder with the catalogue's files, instead of the built-in one")
      ->type_name("FOLDER");
  add_prices_to(*command, arguments->price_files);
  add_worlds_options(
      *command,
      "Over worlds that agree with a history, as `stockout calibrate` has found them: the replications of "
      "each point take turns through them by weight",
      arguments->worlds.file, arguments->worlds.most);
  add_sweep_merge_command(*command, console);
  add_sweep_export_command(*command, console);
  command->footer(kSweepExamples);
  command->callback([arguments, command, &console] {
    if (command->get_subcommands().empty()) sweep_points(*arguments, console);
  });
  return command;
}

}  // namespace stockout
