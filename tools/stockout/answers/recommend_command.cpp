#include <array>
#include <memory>
#include <optional>
#include <ostream>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "models/experiment/stopping.h"
#include "models/recommend/purchases.h"
#include "models/recommend/recommendation.h"
#include "models/scenario/format/keys.h"
#include "sim/core/error.h"
#include "sim/io/whole_file.h"
#include "tools/report/recommend/orders.h"
#include "tools/report/recommend/recommend_text.h"
#include "tools/report/recommend_page/recommend_page.h"
#include "tools/stockout/answers/recommend_arguments.h"
#include "tools/stockout/answers/recommend_hindsight.h"
#include "tools/stockout/answers/winner_scenario.h"
#include "tools/stockout/arguments/report_arguments.h"
#include "tools/stockout/arguments/scenario_arguments.h"
#include "tools/stockout/arguments/whole_number.h"
#include "tools/stockout/arguments/world_runs.h"
#include "tools/stockout/commands.h"
#include "tools/stockout/files/output_files.h"
#include "tools/stockout/files/report_page.h"
#include "tools/stockout/terminal/command_text.h"
#include "tools/stockout/terminal/interrupt.h"

namespace stockout {
namespace {

constexpr const char* kRecommendExamples =
    "Examples:\n"
    "  stockout recommend scenarios/recommend-quickstart.json\n"
    "      how many machines to reserve, if any, so that jobs start in time at the least cost\n"
    "  stockout recommend scenarios/quickstart.json\n"
    "      without `decide`: which of the scenario's strategies\n"
    "  stockout recommend scenarios/recommend-quickstart.json --most-obligation none\n"
    "      without a new commitment\n"
    "  stockout recommend scenarios/recommend-quickstart.json --indifference 500 --confidence 99\n"
    "  stockout recommend scenario.json --worlds worlds.json\n"
    "      over the worlds that agree with a history (`stockout calibrate`)\n"
    "  stockout recommend scenarios/recommend-quickstart.json --format json --output answer.json\n"
    "  stockout recommend scenarios/recommend-quickstart.json --store runs.sqlite --resume\n"
    "      goes on after Ctrl-C, a kill or a full disk; begins if there is nothing yet\n"
    "  stockout recommend scenarios/recommend-quickstart.json --write-scenario winner.json\n"
    "      the scenario with the choices made, for `stockout compare winner.json --report page.html`\n"
    "  stockout recommend scenarios/recommend-quickstart.json --write-orders orders.tf\n"
    "      what it holds, as Terraform's resources; with orders.sh as commands of gcloud\n"
    "  stockout recommend scenarios/recommend-quickstart.json --report answer.html\n"
    "      a page for a browser: every way to buy, why this one, what would change it\n"
    "  stockout recommend cluster.json --observed jobs.csv --split 2026-05-01\n"
    "      advised on the jobs before that day: what is that worth on those after it?\n"
    "\n"
    "The scenario says what may be chosen (`decide`) and what must be met (`goal`, `goals`). Every choice\n"
    "under every strategy is a way to buy. Each is run as often as it takes to tell them apart.\n"
    "With --observed the scenario replays that history (`trace` of a source). The advice of its first part is\n"
    "paid on its second. It is held against the best in hindsight there, and against what is bought today.\n"
    "\n"
    "Exit code 1: no way to buy meets the goals, or it is undecided, on either part of a history. Or the\n"
    "advice misses a goal on the second part. Without a recommendation --write-scenario and --write-orders\n"
    "write nothing.";

// By how the file's name ends.
OrderForm order_form(const std::string& path) {
  for (std::size_t i = 0; i < kOrderEndings.size(); ++i) {
    if (path.ends_with(kOrderEndings[i])) return static_cast<OrderForm>(i);
  }
  refuse_option("--write-orders", "must end in .sh (commands of gcloud) or .tf (Terraform), but is " + path);
}

// It must be a scenario where it is put: paths in it start in its folder.
void check_winner(const RecommendArguments& arguments, const std::string& text) {
  const std::string& folder = arguments.scenario.catalog_dir;
  const Catalog catalog = folder.empty() ? Catalog::embedded() : Catalog::from_folder(folder);
  ScenarioOptions options = arguments.scenario.options();
  options.overrides.clear();
  options.price_files.clear();  // it names them itself
  options.seed.reset();
  try {
    static_cast<void>(parse_scenario(text, arguments.winner, catalog, options));
  } catch (const InputError& error) {
    refuse_option("--write-scenario",
                  fmt::format("is no scenario there: {}. Paths in it start in its folder: write it beside {}",
                              error.what(), arguments.scenario.file));
  }
}

// What is written beside the report, each whole or not at all.
class AdviceFiles {
 public:
  // Files that cannot be written are reported now.
  explicit AdviceFiles(const RecommendArguments& arguments)
      : arguments_{arguments},
        winner_{file_at(arguments.winner)},
        orders_{file_at(arguments.orders)},
        page_{file_at(arguments.page)} {}

  // The winner and its orders only if there is one; else says so. Throws InputError before any is written.
  void write(const RecommendationReport& report, const std::string& command, Console& console) {
    if (report.found.kind == Recommendation::Kind::recommended) {
      if (winner_) put(*winner_, winner_text(report));
      if (orders_) put(*orders_, orders_file(report, order_form(arguments_.orders)));
    } else {
      say_unwritten(console, "--write-scenario", arguments_.winner);
      say_unwritten(console, "--write-orders", arguments_.orders);
    }
    if (page_) put(*page_, write_page(recommendation_page(report, command)));
  }

 private:
  static std::unique_ptr<WholeFile> file_at(const std::string& path) {
    return path.empty() ? nullptr : std::make_unique<WholeFile>(path);
  }
  static void say_unwritten(Console& console, std::string_view option, const std::string& path) {
    if (path.empty()) return;
    console.err << fmt::format("{} nothing is recommended, so {} writes nothing to {}\n",
                               console.err_label("warning:", Tone::warning), option, path);
  }
  static void put(WholeFile& file, const std::string& text) {
    file.write(text);
    file.commit();
  }
  [[nodiscard]] std::string winner_text(const RecommendationReport& report) const {
    std::string text =
        winner_scenario(arguments_.scenario.file, arguments_.winner, arguments_.scenario.options(),
                        report.purchases.grid().changes(report.purchase(report.best()).point));
    check_winner(arguments_, text);
    return text;
  }

  const RecommendArguments& arguments_;
  std::unique_ptr<WholeFile> winner_;
  std::unique_ptr<WholeFile> orders_;
  std::unique_ptr<WholeFile> page_;
};

Recommendation search(const Scenario& written, const Purchases& purchases, const RecommendationRules& rules,
                      PurchaseStore* store, Console& console) {
  Recommendation found;
  with_runs_shown(console, purchases.all().size(),
                  [&](const auto& done) { found = recommend(written, purchases, rules, done, store); });
  return found;
}

// All that a run depends on. How sure the answer has to be only says how many there are.
WorkIdentity recommendation_identity(const RecommendArguments& arguments, const Scenario& written,
                                     InputStamps& inputs) {
  WorkIdentity work = identity_of(arguments.scenario, written, {}, inputs);
  const bool has_worlds = !arguments.worlds.empty();
  work.facts.push_back(
      {.what = "--most-worlds", .value = has_worlds ? std::to_string(arguments.most_worlds) : ""});
  return work;
}

// Nothing if it was interrupted.
std::optional<Recommendation> search_as_asked(const RecommendArguments& arguments, const Scenario& written,
                                              const Purchases& purchases, Console& console) {
  const RecommendationRules rules = arguments.rules();
  if (!arguments.store.is_asked()) return search(written, purchases, rules, nullptr, console);
  InputStamps inputs = stamps_of(arguments.scenario);
  PurchaseStore store{arguments.store.file, recommendation_identity(arguments, written, inputs), inputs,
                      arguments.store.resume, [] { return Interrupt::was_asked_for(); }};
  std::optional<Recommendation> found;
  const StoreUse use{.what = "run", .found = store.found(), .finish = [&] { store.finish(); }};
  const auto work = [&] { found = search(written, purchases, rules, &store, console); };
  return keep_while(use, work, console) ? std::move(found) : std::nullopt;
}

void recommend_purchase(const RecommendArguments& arguments, const std::string& command, Console& console) {
  const ReportFormat format = arguments.report.report_format();
  static_cast<void>(arguments.rules());
  if (!arguments.orders.empty()) static_cast<void>(order_form(arguments.orders));
  ScenarioArguments in_middle = arguments.scenario;
  const auto chosen = chosen_worlds(arguments, in_middle);
  Scenario written = in_middle.load_to_run(console);
  tell_worlds(chosen, written);
  check_outputs(std::array{OutputFile{.option = "--output", .path = arguments.report.output},
                           OutputFile{.option = "--write-scenario", .path = arguments.winner},
                           OutputFile{.option = "--write-orders", .path = arguments.orders},
                           OutputFile{.option = "--report", .path = arguments.page},
                           OutputFile{.option = "--store", .path = arguments.store.file}},
                written.inputs);
  AdviceFiles files{arguments};
  ReportTarget target{arguments.report, console};
  advise_on_interrupt("A wider --indifference is decided sooner.");
  const Purchases purchases =
      read_purchases(arguments.scenario, written, purchase_worlds(chosen, in_middle), console);
  const std::optional<Recommendation> found = search_as_asked(arguments, written, purchases, console);
  if (!found) return;
  RecommendationReport report{
      .written = written, .purchases = purchases, .found = *found, .version = STOCKOUT_VERSION};
  if (chosen)
    report.worlds = {.file = chosen->file, .agreement = chosen->agreement, .in_all = chosen->in_all};
  files.write(report, command, console);
  target.write(write_recommendation(report, format, target.layout()));
  if (found->kind != Recommendation::Kind::recommended) console.exit = ExitCode::not_as_asked;
}

void recommend_as_asked(const RecommendArguments& arguments, const std::string& command, Console& console) {
  if (arguments.observed.file.empty()) {
    recommend_purchase(arguments, command, console);
  } else {
    recommend_in_hindsight(arguments, console);
  }
}

}  // namespace

CLI::App* add_recommend_command(CLI::App& app, Console& console) {
  CLI::App* command =
      app.add_subcommand("recommend", "The cheapest purchase that meets the goals, how much of it, and why");
  const auto arguments = std::make_shared<RecommendArguments>();
  arguments->scenario.add_to(*command);
  command
      ->add_option("--most-obligation", arguments->most_obligation,
                   "The longest term of a commitment that may be begun, instead of the scenario's; default: "
                   "those that end within the window")
      ->type_name(choices(kObligationNames));
  command
      ->add_option(
          "--indifference", arguments->indifference,
          "US dollars: whatever costs so much more at most is as good; default: the scenario's, or 1 "
          "% of the cost of the cheapest that seems to meet the goals")
      ->type_name("USD");
  command
      ->add_option("--confidence", arguments->confidence,
                   "Per cent: how sure it is that the answer meets the goals, and that nothing is cheaper by "
                   "more than the indifference")
      ->capture_default_str()
      ->type_name("PERCENT");
  command
      ->add_option("--most-replications", arguments->most_replications,
                   "Runs of one way to buy, after which it is undecided")
      ->capture_default_str()
      ->check(whole_number(kFirstLook, static_cast<std::uint64_t>(kMostReplications)));
  command
      ->add_option("--threads", arguments->threads,
                   "Simulations at a time, at most as many as the machine has cores; 0: so many")
      ->check(whole_number(0, 1024));
  add_worlds_options(
      *command,
      "Over worlds that agree with a history, as `stockout calibrate` has found them: they take "
      "turns by weight, and the guarantee is over them too",
      arguments->worlds, arguments->most_worlds);
  add_hindsight_to(*command, *arguments);
  arguments->store.add_to(*command, "each run");
  arguments->report.add_format_to(*command);
  add_page_option(*command, arguments->page);
  command
      ->add_option("--write-scenario", arguments->winner,
                   "Writes the scenario with the recommended choices to this file")
      ->type_name("FILE");
  command
      ->add_option("--write-orders", arguments->orders,
                   "Writes what would order the recommended purchase to this file: commands of gcloud if it "
                   "ends in .sh, Terraform's resources if in .tf. Nothing is ordered")
      ->type_name("FILE");
  command->footer(kRecommendExamples);
  command->callback([arguments, command, &console] {
    recommend_as_asked(*arguments, command_text(*command, {"--store", "--resume"}), console);
  });
  return command;
}

}  // namespace stockout
