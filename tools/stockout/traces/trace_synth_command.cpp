#include <array>
#include <memory>
#include <ostream>

#include <fmt/format.h>

#include "models/measures/number_text.h"
#include "sim/core/counted.h"
#include "sim/io/gzip_file.h"
#include "sim/io/whole_file.h"
#include "tools/report/run/trace_csv.h"
#include "tools/stockout/arguments/scenario_arguments.h"
#include "tools/stockout/arguments/whole_number.h"
#include "tools/stockout/commands.h"
#include "tools/stockout/files/output_files.h"
#include "tools/stockout/terminal/progress.h"

namespace stockout {
namespace {

constexpr const char* kTraceSynthExamples =
    "Examples:\n"
    "  stockout trace synth scenarios/quickstart.json --out jobs.csv\n"
    "  stockout trace synth scenarios/quickstart.json --replication 3 --set /demand=1.4 --out jobs.csv.gz\n"
    "\n"
    "Jobs of the window, in order, from every source of the workload; other tenants' are left out.";

struct SynthArguments {
  ScenarioArguments scenario;
  std::uint64_t replication = 0;
  std::string out;
};

struct Written {
  std::uint64_t jobs = 0;
  std::uint64_t without_work = 0;
  std::int32_t gpus_per_node = 0;
};

template <typename File>
Written write_jobs(const World& world, std::uint64_t replication, File& file) {
  const TraceCsv csv{world, replication};
  Written written{.gpus_per_node = csv.gpus_per_node()};
  file.write(csv.header());
  for_each_recorded_job(world, replication, [&](std::uint64_t, const Job& job) {
    file.write(csv.line(job));
    ++written.jobs;
    if (job.work == SimDuration::zero()) ++written.without_work;
  });
  file.commit();
  return written;
}

void synthesize(const SynthArguments& arguments, Console& console) {
  const Scenario scenario = arguments.scenario.load(console);
  check_outputs(std::array{OutputFile{.option = "--out", .path = arguments.out}}, scenario.inputs);
  Written written;
  with_status(console, "writing " + arguments.out, [&] {
    if (arguments.out.ends_with(".gz")) {
      GzipFile file{arguments.out};
      written = write_jobs(scenario.world, arguments.replication, file);
    } else {
      WholeFile file{arguments.out};
      written = write_jobs(scenario.world, arguments.replication, file);
    }
  });
  console.out << fmt::format(
      "{} of replication {} in {}\n"
      "Read them again with \"trace\": {{\"file\": ..., \"format\": \"csv\", \"shift\": \"none\"{}}}\n",
      counted(written.jobs, "job"), arguments.replication, arguments.out,
      written.gpus_per_node > 0 ? fmt::format(", \"gpus_per_node\": {}", written.gpus_per_node) : "");
  if (written.without_work > 0) {
    console.out << fmt::format("{} of them have no work at all: a reader leaves those out\n",
                               written.without_work);
  }
}

}  // namespace

CLI::App* add_trace_synth_command(CLI::App& trace, Console& console) {
  CLI::App* command =
      trace.add_subcommand("synth", "The jobs of a scenario's replication as a trace file of our own format");
  const auto arguments = std::make_shared<SynthArguments>();
  arguments->scenario.add_to(*command);
  command->add_option("--replication", arguments->replication, "Which one, from 0")
      ->check(whole_number())
      ->capture_default_str();
  command->add_option("--out", arguments->out, "The file to write; .gz is packed")
      ->required()
      ->type_name("FILE");
  command->footer(kTraceSynthExamples);
  command->callback([arguments, &console] { synthesize(*arguments, console); });
  return command;
}

}  // namespace stockout
