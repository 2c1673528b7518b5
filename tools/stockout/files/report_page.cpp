#include "tools/stockout/files/report_page.h"

#include <ostream>
#include <vector>

#include "tools/stockout/arguments/scenario_arguments.h"
#include "tools/stockout/terminal/progress.h"

namespace stockout {

void add_page_option(CLI::App& command, std::string& path) {
  command
      .add_option(
          "--report", path,
          "Writes a report page (HTML, one file, opens offline): pictures, and what could change the answer")
      ->type_name("FILE");
}

PageOutput::PageOutput(const std::string& path, const Scenario& scenario)
    : path_{path}, scenario_{scenario}, file_{path}, waits_{scenario.world, scenario.goal} {}

void PageOutput::begin(const RunPlace& run, Logs& logs) {
  if (run.replication != 0) return;
  const World& world = scenario_.world;
  const std::lock_guard lock{mutex_};
  const auto [book, is_new] =
      under_way_.try_emplace(run.strategy, world, bins_over_time(world, world.strategies.size()));
  book->second.listen(logs);
}

void PageOutput::end(const RunPlace& run, const RunRecord& record, const Measures& /*measures*/) {
  waits_.add(run.strategy, run.replication, record);
  if (run.replication != 0) return;
  const std::lock_guard lock{mutex_};
  const auto book = under_way_.find(run.strategy);
  histories_[run.strategy] = strategy_history(run.strategy, book->second.finish(record));
  under_way_.erase(book);
}

void PageOutput::write(const Report& report, const BreakEvens& break_evens, const std::string& command,
                       Console& console) {
  const WaitCurves waits = waits_.curves();
  std::vector<StrategyHistory> histories;
  for (const std::size_t strategy : strategies_over_time(report))
    histories.push_back(std::move(histories_.at(strategy)));
  file_.write(write_page(comparison_page({.report = report,
                                          .waits = waits,
                                          .break_evens = break_evens,
                                          .histories = histories,
                                          .command = command})));
  file_.commit();
  if (console.err_is_terminal) console.err << "The report page is in " << path_ << '\n';
}

}  // namespace stockout
