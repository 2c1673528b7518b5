#include "models/experiment/over_turns.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "models/experiment/on_threads.h"
#include "sim/core/check.h"

namespace stockout {
namespace {

/// The values of several replications, and what is known of their mean.
class ValueMean {
 public:
  void add(const Value& value) {
    if (value.is_absent()) return;
    ++count_;
    sum_ += value.value;
    known_ = std::max(known_, value.known);  // absent < exact < at least
  }
  [[nodiscard]] std::size_t count() const { return count_; }
  /// Absent without a value.
  [[nodiscard]] Value result() const {
    return count_ == 0 ? Value{} : Value{.value = sum_ / static_cast<double>(count_), .known = known_};
  }

 private:
  double sum_ = 0;
  Value::Known known_ = Value::Known::absent;
  std::size_t count_ = 0;
};

Values mean_values(const std::vector<const Measures*>& round) {
  Values values;
  for (const MeasureInfo& of : measure_table()) {
    ValueMean mean;
    for (const Measures* run : round) mean.add(run->total[of.measure]);
    const bool is_lacking = of.kind == MeasureKind::sum && mean.count() < round.size();
    if (!is_lacking) values[of.measure] = mean.result();
  }
  return values;
}

std::vector<GoalMet> mean_goals(const std::vector<const Measures*>& round) {
  std::vector<GoalMet> goals(round.front()->goals.size());
  for (std::size_t i = 0; i < goals.size(); ++i) {
    ValueMean mean;
    for (const Measures* run : round) {
      mean.add(run->goals[i].value);
      goals[i].jobs += run->goals[i].jobs;
    }
    goals[i].value = mean.result();
  }
  return goals;
}

// FNV-1a over the eight bytes of each, as of the runs of a comparison; one run is itself.
std::uint64_t fingerprint_of_round(const std::vector<const Measures*>& round) {
  if (round.size() == 1) return round.front()->fingerprint;
  std::vector<StrategyResult> all(1);
  for (const Measures* run : round) all.front().fingerprints.push_back(run->fingerprint);
  return fingerprint_of(all);
}

/// One strategy, round by round.
class TurnRounds {
 public:
  TurnRounds(const WorldTurns& turns, std::string name)
      : turns_{turns}, first_(turns.in_round().size()), runs_(turns.round()), reduction_{std::move(name)} {}

  /// Whether the replication has to be run: another one in its world may stand for it.
  [[nodiscard]] bool needs(std::size_t replication) const {
    const auto& first = first_[turns_.world_of(replication)];
    return !first || first->drew;
  }
  [[nodiscard]] bool draws() const {
    return std::ranges::any_of(first_, [](const auto& first) { return first && first->drew; });
  }
  void put(std::size_t replication, Measures run) {
    if (turns_.first_alike(replication) == replication) first_[turns_.world_of(replication)] = run;
    runs_[replication % turns_.round()] = std::move(run);
  }
  /// Takes the round that begins with this replication.
  void end_round(std::size_t begin) {
    std::vector<const Measures*> round;
    for (std::size_t i = 0; i < turns_.round(); ++i)
      round.push_back(needs(begin + i) ? &runs_[i] : &*first_[turns_.world_of(i)]);
    reduction_.add(mean_of_round(round));
  }
  [[nodiscard]] StrategyResult finish(const std::vector<JobClass>& classes) {
    return reduction_.finish(classes);
  }

 private:
  const WorldTurns& turns_;
  std::vector<std::optional<Measures>> first_;  // by world
  std::vector<Measures> runs_;                  // by replication of the round
  StrategyReduction reduction_;
};

/// Runs a round at a time, of all strategies.
class TurnRunner {
 public:
  TurnRunner(const World& any, const WorldTurns& turns, int threads, const MeasureInWorld& measure)
      : turns_{turns}, threads_{threads}, measure_{measure} {
    for (const Strategy& strategy : any.strategies) strategies_.emplace_back(turns, strategy.name);
  }

  // The first replication in each world tells who draws there at all.
  void run_first_round() {
    run([&](std::size_t, std::size_t replication) { return turns_.first_alike(replication) == replication; },
        0);
    run(
        [&](std::size_t i, std::size_t replication) {
          return turns_.first_alike(replication) != replication && strategies_[i].needs(replication);
        },
        0);
    for (TurnRounds& strategy : strategies_) strategy.end_round(0);
  }
  void run_round(std::size_t begin) {
    run([&](std::size_t i,
            std::size_t replication) { return strategies_[i].draws() && strategies_[i].needs(replication); },
        begin);
    for (TurnRounds& strategy : strategies_) {
      if (strategy.draws()) strategy.end_round(begin);
    }
  }
  [[nodiscard]] std::vector<StrategyResult> finish(const std::vector<JobClass>& classes) {
    std::vector<StrategyResult> results;
    for (TurnRounds& strategy : strategies_) results.push_back(strategy.finish(classes));
    return results;
  }

 private:
  template <typename Wanted>
  void run(const Wanted& wanted, std::size_t begin) {
    std::vector<RunPlace> places;
    for (std::size_t replication = begin; replication < begin + turns_.round(); ++replication) {
      for (std::size_t i = 0; i < strategies_.size(); ++i)
        if (wanted(i, replication)) places.push_back({.strategy = i, .replication = replication});
    }
    std::vector<Measures> measured(places.size());
    on_threads(threads_, places.size(), [&](std::size_t i) {
      measured[i] = measure_(turns_.world_of(places[i].replication), places[i]);
    });
    for (std::size_t i = 0; i < places.size(); ++i)
      strategies_[places[i].strategy].put(places[i].replication, std::move(measured[i]));
  }

  const WorldTurns& turns_;
  int threads_;
  const MeasureInWorld& measure_;
  std::vector<TurnRounds> strategies_;
};

}  // namespace

Measures mean_of_round(const std::vector<const Measures*>& round) {
  STOCKOUT_CHECK(!round.empty());
  Measures mean;
  mean.total = mean_values(round);
  mean.goals = mean_goals(round);
  mean.classes.resize(round.front()->classes.size());
  for (const Measures* run : round) {
    mean.drew = mean.drew || run->drew;
    for (std::size_t i = 0; i < mean.classes.size(); ++i) {
      mean.classes[i].jobs += run->classes[i].jobs;
      mean.classes[i].started += run->classes[i].started;
    }
  }
  mean.fingerprint = fingerprint_of_round(round);
  return mean;
}

Comparison compare_over_turns(const World& any, const WorldTurns& turns, const OverTurnsOptions& options,
                              const MeasureInWorld& measure) {
  STOCKOUT_CHECK(options.replications > 0 && options.replications % turns.round() == 0);
  TurnRunner runner{any, turns, options.threads, measure};
  runner.run_first_round();
  for (std::size_t begin = turns.round(); begin < options.replications; begin += turns.round())
    runner.run_round(begin);
  Comparison comparison;
  comparison.goals = options.goals;
  comparison.replications = options.replications / turns.round();
  comparison.strategies = runner.finish(any.classes);
  comparison.fingerprint = fingerprint_of(comparison.strategies);
  return comparison;
}

}  // namespace stockout
