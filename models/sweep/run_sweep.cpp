#include "models/sweep/run_sweep.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <new>

#include <fmt/format.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "models/experiment/on_threads.h"
#include "models/experiment/over_turns.h"
#include "models/kept/batch_writer.h"
#include "models/launch/most_steps.h"
#include "models/measures/goal_text.h"
#include "models/scenario/load/alternatives.h"
#include "sim/core/error.h"
#include "sim/io/utf8.h"

namespace stockout {
namespace {

/// Thrown out of a point, which is then as if never begun.
struct Interrupted {};

void check_work(const Scenario& scenario) {
  if (scenario.most_jobs_in_all() <= kMostJobsInAll) return;
  throw InputError{{.file = scenario.file},
                   fmt::format("up to {:.1g} jobs would be simulated; at most {:.0g} are",
                               scenario.most_jobs_in_all(), kMostJobsInAll)};
}

void replace_all(std::string& text, const std::string& what, const std::string& with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
}

// One line, and the same wherever the program was started.
std::string stored_error(const Sweep& sweep, std::string text) {
  constexpr std::size_t kMostText = 2'000;
  const std::string folder = sweep.folder();
  if (!folder.empty()) {
    replace_all(text, sweep.scenario_file, sweep.scenario_file.substr(folder.size()));
    replace_all(text, sweep.file, sweep.file.substr(folder.size()));
  }
  text.resize(std::min(text.size(), kMostText));
  text.resize(first_not_utf8(text));
  for (std::size_t at = first_control(text); at < text.size(); at = first_control(text)) text[at] = ' ';
  return text;
}

/// Ends the runs of a point if the sweep is to stop.
class SweepWatch : public RunObserver {
 public:
  SweepWatch(const SweepOptions& options, const World& world) : options_{options}, world_{world} {}

  void begin(const RunPlace& /*run*/, Logs& logs) override {
    also_hear(logs.on_time, [this](SimTime now) {
      stop_if_asked();
      if (options_.reached) options_.reached(world_, now);
    });
  }
  void count(std::size_t /*done*/, std::size_t /*of*/) override { stop_if_asked(); }

 private:
  void stop_if_asked() const {
    if (options_.interrupted && options_.interrupted()) throw Interrupted{};
  }

  const SweepOptions& options_;
  const World& world_;
};

class SweepRunner {
 public:
  SweepRunner(const Sweep& sweep, const Catalog& catalog, ScenarioCache& cache, InputStamps& inputs,
              SweepStore& store, const SweepOptions& options)
      : sweep_{sweep},
        catalog_{catalog},
        cache_{cache},
        inputs_{inputs},
        options_{options},
        finished_{store.finished()},
        writer_{[this, &store](const std::vector<FinishedPoint>& points) {
          store.add(points);
          tell_written(points.size());
        }} {}

  SweepOutcome run();

 private:
  [[nodiscard]] std::size_t next_point();
  void run_point(std::size_t point);
  [[nodiscard]] FinishedPoint simulate_point(std::size_t point);
  void tell_written(std::size_t points);
  [[nodiscard]] PointRows rows_of(std::size_t point, FinishedPoint& finished);
  [[nodiscard]] Comparison compare_at(const Scenario& scenario) const;
  [[nodiscard]] std::vector<Scenario> scenarios_of(std::size_t point);
  [[nodiscard]] Comparison compare_over(const std::vector<Scenario>& scenarios) const;
  [[nodiscard]] bool is_interrupted() const { return options_.interrupted && options_.interrupted(); }

  const Sweep& sweep_;
  const Catalog& catalog_;
  ScenarioCache& cache_;
  InputStamps& inputs_;
  const SweepOptions& options_;
  std::vector<bool> finished_;

  std::size_t total_ = 0;
  int threads_of_a_point_ = 1;

  std::mutex mutex_;  // of cursor_ and outcome_
  std::size_t cursor_ = 0;
  SweepOutcome outcome_;
  BatchWriter<FinishedPoint> writer_;
};

// Points are begun in their order.
SweepOutcome SweepRunner::run() {
  for (std::size_t point = 0; point < finished_.size(); ++point) {
    if (!options_.shard.has(point)) continue;
    ++(finished_[point] ? outcome_.done_before : total_);
  }
  // Threads that few points leave idle work inside them.
  const int threads = threads_of(options_.threads);
  const int points_at_a_time =
      static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(threads), total_));
  if (points_at_a_time > 0) {
    threads_of_a_point_ = threads / points_at_a_time;
    tbb::task_arena arena{points_at_a_time};
    arena.execute([&] {
      tbb::parallel_for(
          0, points_at_a_time,
          [&](int) {
            for (std::size_t point = next_point(); point < finished_.size(); point = next_point())
              run_point(point);
          },
          tbb::simple_partitioner{});
    });
  }
  writer_.finish();
  outcome_.left = total_ - outcome_.done;
  outcome_.interrupted = outcome_.left > 0 && is_interrupted();
  return outcome_;
}

// Behind the last when there is none, or it is to stop.
std::size_t SweepRunner::next_point() {
  const std::lock_guard lock{mutex_};
  if (is_interrupted() || writer_.has_failed()) return finished_.size();
  while (cursor_ < finished_.size() && (finished_[cursor_] || !options_.shard.has(cursor_))) ++cursor_;
  return cursor_ < finished_.size() ? cursor_++ : cursor_;
}

void SweepRunner::tell_written(std::size_t points) {
  const std::lock_guard lock{mutex_};
  outcome_.done += points;
  if (options_.progress) options_.progress(outcome_.done, total_);
}

void SweepRunner::run_point(std::size_t point) {
  try {
    writer_.add(simulate_point(point));
  } catch (const Interrupted&) {
    return;
  } catch (const std::bad_alloc&) {
    const std::lock_guard lock{mutex_};
    ++outcome_.out_of_memory;
  }
}

FinishedPoint SweepRunner::simulate_point(std::size_t point) {
  FinishedPoint finished{.rows = {.point = point, .error = {}, .fingerprint = {}, .strategies = {}},
                         .inputs = options_.catalog};
  PointRows& rows = finished.rows;
  try {
    rows = rows_of(point, finished);
  } catch (const InputError& error) {
    rows.error = stored_error(sweep_, error.what());
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {  // an invariant, or what else should not be
    rows.error = stored_error(sweep_, fmt::format("internal error, please report it: {}", error.what()));
  }
  return finished;
}

// Of all its worlds, or as it is. The files that are read are noted even if it is refused later.
PointRows SweepRunner::rows_of(std::size_t point, FinishedPoint& finished) {
  const std::vector<Scenario> scenarios = scenarios_of(point);
  for (const Scenario& scenario : scenarios) {
    for (const std::string& input : scenario.inputs) finished.inputs.push_back(inputs_.of(input));
    check_work(scenario);
  }
  const Scenario& first = scenarios.front();
  const bool is_over_worlds = !sweep_.worlds.all.empty();
  const Comparison comparison =
      is_over_worlds ? compare_over(scenarios) : in_most_steps(first, [&] { return compare_at(first); });
  PointRows rows = judged_rows(point, comparison, first.goal, goal_text(first.goal, first.world.classes));
  for (StrategyRow& row : rows.strategies) row.replications *= sweep_.worlds.turns.round();
  return rows;
}

// By world; without worlds one.
std::vector<Scenario> SweepRunner::scenarios_of(std::size_t point) {
  std::vector<Scenario> scenarios;
  if (sweep_.worlds.all.empty()) {
    scenarios.push_back(point_scenario(sweep_, point, catalog_, cache_));
    return scenarios;
  }
  const Scenario written = point_scenario(sweep_, point, catalog_, cache_);
  check_whole_rounds(written, sweep_.worlds);
  for (const SweepWorld& world : sweep_.worlds.all) {
    scenarios.push_back(load_alternative(written,
                                         {.rule = "worlds", .name = world.name, .changes = world.changes},
                                         [&](const std::vector<PlacedValue>& changes) {
                                           return point_scenario(sweep_, point, catalog_, cache_, changes);
                                         }));
  }
  return scenarios;
}

Comparison SweepRunner::compare_at(const Scenario& scenario) const {
  SweepWatch watch{options_, scenario.world};
  return options_.simulate(scenario.world, {.strategies = {},
                                            .replications = static_cast<std::size_t>(scenario.replications),
                                            .threads = threads_of_a_point_,
                                            .by = GroupBy::nothing,
                                            .goal = scenario.goal,
                                            .goals = asked_goals(scenario.goals, scenario.world.classes),
                                            .between = scenario.between(),
                                            .terms = &scenario.terms,
                                            .precision = scenario.precision,
                                            .control_variates = scenario.control_variates,
                                            .observers = {&watch}});
}

Comparison SweepRunner::compare_over(const std::vector<Scenario>& scenarios) const {
  std::vector<SweepWatch> watches;
  watches.reserve(scenarios.size());
  for (const Scenario& scenario : scenarios) watches.emplace_back(options_, scenario.world);
  const Scenario& first = scenarios.front();
  const OverTurnsOptions asked{.replications = static_cast<std::size_t>(first.replications),
                               .threads = threads_of_a_point_,
                               .goals = asked_goals(first.goals, first.world.classes)};
  std::vector<Goal> goals;
  for (const AskedGoal& goal : asked.goals) goals.push_back(goal.goal);
  return compare_over_turns(first.world, sweep_.worlds.turns, asked,
                            [&](std::size_t world, const RunPlace& run) {
                              const Scenario& scenario = scenarios[world];
                              if (is_interrupted()) throw Interrupted{};
                              RunObserver* watch = &watches[world];
                              return in_most_steps(scenario, [&] {
                                return observe_run(scenario.world, run,
                                                   {.goal = scenario.goal,
                                                    .goals = goals,
                                                    .between = scenario.between(),
                                                    .terms = &scenario.terms},
                                                   {&watch, 1});
                              });
                            });
}

}  // namespace

SweepOutcome run_sweep(const Sweep& sweep, const Catalog& catalog, ScenarioCache& cache, InputStamps& inputs,
                       SweepStore& store, const SweepOptions& options) {
  return SweepRunner{sweep, catalog, cache, inputs, store, options}.run();
}

}  // namespace stockout
