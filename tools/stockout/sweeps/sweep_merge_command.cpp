#include <memory>
#include <optional>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "models/sweep/merge.h"
#include "sim/core/counted.h"
#include "tools/stockout/arguments/scenario_arguments.h"
#include "tools/stockout/commands.h"
#include "tools/stockout/sweeps/sweep_run.h"
#include "tools/stockout/terminal/progress.h"

namespace stockout {
namespace {

struct MergeArguments {
  std::string out;
  std::vector<std::string> shards;
  bool partial = false;
  std::string sweep;
  std::vector<std::string> price_files;
  SweepWorldsArguments worlds;
};

void merge_shards(const MergeArguments& arguments, Console& console) {
  std::optional<Sweep> sweep;
  if (!arguments.sweep.empty())
    sweep = read_sweep_over(arguments.sweep, {}, arguments.price_files, arguments.worlds);
  const MergeOutcome outcome =
      with_status(console, "merging " + counted(arguments.shards.size(), "store"), [&] {
        return merge_stores(arguments.out, arguments.shards, arguments.partial, sweep ? &*sweep : nullptr);
      });
  fmt::print(console.out, "{} of {} from {}, {} of them failed. Store: {}\n", outcome.points,
             counted(outcome.of, "point"), counted(arguments.shards.size(), "store"), outcome.failed,
             arguments.out);
  if (outcome.failed > 0) console.exit = ExitCode::not_as_asked;
}

}  // namespace

CLI::App* add_sweep_merge_command(CLI::App& sweep, Console& console) {
  CLI::App* command = sweep.add_subcommand("merge", "The stores of all shards of a sweep as one");
  const auto arguments = std::make_shared<MergeArguments>();
  command->add_option("OUT", arguments->out, "The store to be made")->required();
  command->add_option("SHARD", arguments->shards, "The stores of the shards")->required();
  command->add_flag("--partial", arguments->partial, "Also if shards or points are missing");
  command
      ->add_option("--sweep", arguments->sweep,
                   "The sweep file they must be of, as it is now: shards of an earlier one are refused")
      ->type_name("FILE");
  add_prices_to(*command, arguments->price_files)->needs("--sweep");
  add_worlds_options(*command, "The worlds they must be over", arguments->worlds.file, arguments->worlds.most)
      ->needs("--sweep");
  command->footer(
      "Example:\n  stockout sweep merge load.sqlite load.shard-*-of-10.sqlite\n"
      "\nThe same rows in the same order as one process would have written. Exit code 1 if a point failed.");
  command->callback([arguments, &console] { merge_shards(*arguments, console); });
  return command;
}

}  // namespace stockout
