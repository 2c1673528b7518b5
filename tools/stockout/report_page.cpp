#include "tools/stockout/report_page.h"

#include <algorithm>
#include <ostream>
#include <vector>

#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "models/history/run_history.h"
#include "tools/report/comparison_page/comparison_page.h"
#include "tools/stockout/progress.h"
#include "tools/stockout/scenario_arguments.h"

namespace stockout {
namespace {

std::vector<StrategyHistory> histories_of(const Report& report, int threads) {
  std::vector<StrategyHistory> histories;
  for (const std::size_t strategy : strategies_over_time(report))
    histories.push_back({.strategy = strategy, .history = {}});
  const std::size_t bins = bins_over_time(report);
  const int cores = tbb::info::default_concurrency();
  tbb::task_arena arena{threads > 0 ? std::min(threads, cores) : cores};
  arena.execute([&] {
    tbb::parallel_for(std::size_t{0}, histories.size(), [&](std::size_t i) {
      histories[i].history = history_of(report.scenario.world, histories[i].strategy, 0, bins);
    });
  });
  return histories;
}

}  // namespace

void add_page_option(CLI::App& command, std::string& path) {
  command.add_option(
      "--report", path,
      "Writes a report page (HTML, one file, opens offline): pictures, and what could change the "
      "answer");
}

PageOutput::PageOutput(const std::string& path, const Scenario& scenario)
    : path_{path}, scenario_{scenario}, file_{path}, waits_{scenario.world, scenario.goal} {}

void PageOutput::write(const Report& report, const BreakEvens& break_evens, const std::string& command,
                       int threads, Console& console) {
  const WaitCurves waits = waits_.curves();
  const std::vector<StrategyHistory> histories =
      with_status(console, "pools over time", [&] { return histories_of(report, threads); });
  file_.write(write_page(comparison_page({.report = report,
                                          .waits = waits,
                                          .break_evens = break_evens,
                                          .histories = histories,
                                          .command = command})));
  file_.commit();
  if (console.err_is_terminal) console.err << "The report page is in " << path_ << '\n';
}

}  // namespace stockout
