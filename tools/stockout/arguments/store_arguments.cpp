#include "tools/stockout/arguments/store_arguments.h"

#include <filesystem>

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include "sim/core/counted.h"
#include "sim/core/error.h"
#include "sim/io/input_file.h"
#include "tools/stockout/terminal/interrupt.h"

namespace stockout {
namespace {

constexpr std::size_t kMostFactBytes = 64 << 20;

std::string joined_texts(const std::vector<std::string>& files) {
  std::string text;
  for (const std::string& file : files) text += read_text_file(file, kMostFactBytes) + '\n';
  return text;
}

// A pipe is empty when it is read again, and any other would look the same.
void check_readable_again(const std::string& file) {
  std::error_code error;
  if (std::filesystem::is_regular_file(file, error)) return;
  throw InputError{{.file = file},
                   "is no ordinary file, so that --store could not tell it from another: write it to a file"};
}

}  // namespace

void StoreArguments::add_to(CLI::App& command, const std::string& what) {
  CLI::Option* store =
      command
          .add_option(
              "--store", file,
              fmt::format("Keeps {} that was simulated in this database (SQLite), so that it can go on "
                          "after an interrupt",
                          what))
          ->type_name("FILE");
  command.add_flag("--resume", resume, "Goes on with a store that is there; begins it if it is not")
      ->needs(store);
}

InputStamps stamps_of(const ScenarioArguments& scenario) {
  return InputStamps{scenario.file.substr(0, scenario.file.rfind('/') + 1)};
}

WorkIdentity identity_of(const ScenarioArguments& arguments, const Scenario& scenario,
                         const std::vector<std::string>& more, InputStamps& inputs) {
  WorkIdentity work;
  std::vector<std::string> files = scenario.inputs;
  files.insert(files.end(), more.begin(), more.end());
  for (const std::string& file : files) {
    check_readable_again(file);
    work.inputs.push_back(inputs.of(file));
  }
  if (arguments.catalog_dir.empty()) work.inputs.push_back(InputStamps::built_in_catalog());
  work.facts = {{.what = "stockout", .value = STOCKOUT_VERSION},
                {.what = "the scenario", .value = joined_texts({arguments.file})},
                {.what = "--set", .value = fmt::format("{}", fmt::join(arguments.sets, "; "))},
                {.what = "the files of --prices", .value = joined_texts(arguments.price_files)},
                {.what = "the catalogue", .value = arguments.catalog_dir.empty() ? "built in" : "--catalog"},
                {.what = "the seed", .value = fmt::format("{}", scenario.world.seed)}};
  return work;
}

bool keep_while(const StoreUse& store, const std::function<void()>& work, Console& console) {
  if (store.found > 0) {
    fmt::print(console.err, "stockout: note: {} kept before\n",
               counted(store.found, store.what + " was", store.what + "s were"));
  }
  const Interrupt interrupt;
  advise_on_interrupt("The same command with --resume goes on with what is done.");
  try {
    work();
  } catch (const WorkInterrupted&) {
    store.finish();
    fmt::print(console.err, "stockout: interrupted: the same command with --resume goes on\n");
    console.exit = ExitCode::interrupted;
    return false;
  }
  store.finish();
  return true;
}

}  // namespace stockout
