#include "models/calibration/calibration.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "models/experiment/on_threads.h"
#include "models/launch/most_steps.h"
#include "models/scenario/load/alternatives.h"
#include "models/simulation/simulate.h"
#include "sim/core/check.h"
#include "sim/core/error.h"

namespace stockout {
namespace {

constexpr std::size_t kWaves = 4;
// Of the range that the nearest worlds span, kept on each side of it: what lies outside has a weight of next
// to nothing, and the next wave says so if it has not.
constexpr double kMargin = 0.5;
// A set of 95 % that is narrower than that of the prior by less is not told from it by a few hundred worlds.
constexpr double kLeastLearned = 0.1;
constexpr double kConfounded = 0.7;

// One world that was simulated.
struct SimulatedWorld {
  WorldShares shares;
  std::vector<double> figures;  // not scaled
};

// What becomes of one that was drawn.
struct Outcome {
  std::optional<std::vector<double>> figures;  // none: the scenario refuses it ...
  std::string refused;                         // ... and why
};

class Waves {
 public:
  Waves(const Scenario& written, std::size_t strategy, const HistoryJobs& history, const LoadWorld& load,
        const CalibrationOptions& options)
      : written_{written},
        strategy_{strategy},
        history_{history},
        load_{load},
        options_{options},
        figures_{history},
        box_(written.unknown.size()) {}

  [[nodiscard]] Calibration run() {
    const std::vector<double> recorded = figures_.of(history_.recorded());
    const std::vector<double> observed = figures_.scaled(recorded);
    WeightedWorlds worlds;
    std::vector<std::size_t> within;
    for (std::size_t wave = 0; wave < kWaves; ++wave) {
      simulate_wave(wave, options_.runs * (wave + 1) / kWaves - options_.runs * wave / kWaves);
      within = drawn_within();
      worlds = weigh_worlds(written_.unknown, box_, drawn(within), observed);
      if (wave + 1 < kWaves) cut(worlds, within);
    }
    return result(std::move(worlds), within, recorded);
  }

 private:
  [[nodiscard]] std::vector<PlacedValue> changes(const WorldShares& shares) const {
    std::vector<PlacedValue> all;
    for (std::size_t i = 0; i < shares.size(); ++i) {
      const std::vector<PlacedValue> one = written_.unknown[i].changes_at(shares[i]);
      all.insert(all.end(), one.begin(), one.end());
    }
    return all;
  }

  // Of a world that the scenario does not refuse.
  [[nodiscard]] std::vector<double> figures_of(const Scenario& scenario, std::uint64_t luck) const {
    Logs logs{.on_lease = {}};
    if (options_.store != nullptr)
      logs.on_time = [this](SimTime /*now*/) { options_.store->stop_if_asked(); };
    const RunRecord record =
        in_most_steps(scenario, [&] { return simulate(scenario.world, strategy_, luck, logs); });
    return figures_.of(history_.simulated(scenario.world, luck, record));
  }

  void simulate_world(const WorldShares& shares, std::uint64_t luck, Outcome& outcome) const {
    CalibrationStore* store = options_.store;
    if (store != nullptr) {
      store->stop_if_asked();
      outcome.figures = store->find(luck, shares, figures_.figures().size());
      if (outcome.figures) return;
    }
    std::vector<std::string> read_from;
    try {
      const Scenario scenario = load_(changes(shares));
      outcome.figures = figures_of(scenario, luck);
      read_from = scenario.inputs;
    } catch (const InputError& error) {
      outcome.refused = error.what();
      return;
    }
    if (store != nullptr)
      store->add({.world = luck, .shares = shares, .figures = *outcome.figures}, read_from);
  }

  // A world that the scenario refuses is none that may be.
  void simulate_wave(std::size_t wave, std::size_t count) {
    const std::vector<WorldShares> worlds = draw_worlds(box_, count, written_.world.seed, wave);
    std::vector<Outcome> outcomes(count);
    std::atomic<std::size_t> done{luck_};
    on_threads(options_.threads, count, [&](std::size_t i) {
      simulate_world(worlds[i], luck_ + i, outcomes[i]);
      const std::size_t now = ++done;
      if (options_.done) options_.done(now);
    });
    luck_ += count;
    for (std::size_t i = 0; i < count; ++i) {
      if (outcomes[i].figures) {
        simulated_.push_back({.shares = worlds[i], .figures = std::move(*outcomes[i].figures)});
      } else if (refused_++ == 0) {
        why_refused_ = outcomes[i].refused;
      }
    }
    check_refused();
  }

  void check_refused() const {
    if (refused_ * 2 < luck_) return;
    throw InputError{
        {.file = written_.file, .pointer = "/unknown"},
        fmt::format("leaves open worlds that the scenario refuses, {} of {}; the first of them: {}", refused_,
                    luck_, why_refused_)};
  }

  [[nodiscard]] std::vector<std::size_t> drawn_within() const {
    std::vector<std::size_t> within;
    for (std::size_t i = 0; i < simulated_.size(); ++i) {
      if (is_within(box_, simulated_[i].shares)) within.push_back(i);
    }
    return within;
  }

  [[nodiscard]] DrawnWorlds drawn(const std::vector<std::size_t>& within) const {
    DrawnWorlds drawn;
    for (const std::size_t i : within) {
      drawn.shares.push_back(simulated_[i].shares);
      drawn.figures.push_back(figures_.scaled(simulated_[i].figures));
    }
    return drawn;
  }

  // To what the nearest worlds span, as they were drawn and as they were moved, and a margin.
  void cut(const WeightedWorlds& worlds, const std::vector<std::size_t>& within) {
    for (std::size_t unknown = 0; unknown < box_.size(); ++unknown) {
      if (!written_.unknown[unknown].range) continue;
      double low = 1;
      double high = 0;
      for (std::size_t i = 0; i < worlds.size(); ++i) {
        const double drawn = simulated_[within[worlds.draws[i]]].shares[unknown];
        low = std::min({low, worlds.shares[i][unknown], worlds.weights[i] > 1e-4 ? drawn : 1.0});
        high = std::max({high, worlds.shares[i][unknown], worlds.weights[i] > 1e-4 ? drawn : 0.0});
      }
      const double margin = kMargin * (high - low);
      box_[unknown].low = std::max(box_[unknown].low, low - margin);
      box_[unknown].high = std::min(box_[unknown].high, high + margin);
    }
  }

  [[nodiscard]] FoundUnknown found(const WeightedWorlds& worlds, std::size_t place) const {
    const Unknown& unknown = written_.unknown[place];
    FoundUnknown found{.median = worlds.quantile(place, 0.5),
                       .low = worlds.quantile(place, 0.025),
                       .high = worlds.quantile(place, 0.975),
                       .choice_weights = {}};
    if (unknown.range) {
      found.learned = std::max(0.0, 1 - (found.high - found.low) / 0.95);
    } else {
      found.choice_weights = worlds.choice_weights(unknown, place);
      double total = 0;
      for (const UnknownChoice& choice : unknown.choices) total += choice.weight;
      for (std::size_t i = 0; i < unknown.choices.size(); ++i)
        found.learned += std::max(0.0, found.choice_weights[i] - unknown.choices[i].weight / total);
    }
    found.identified = found.learned >= kLeastLearned;
    return found;
  }

  [[nodiscard]] std::vector<Confounded> confounded(const WeightedWorlds& worlds) const {
    std::vector<Confounded> pairs;
    for (std::size_t one = 0; one < box_.size(); ++one) {
      for (std::size_t other = one + 1; other < box_.size(); ++other) {
        if (!written_.unknown[one].range || !written_.unknown[other].range) continue;
        const double correlation = worlds.correlation(one, other);
        if (std::abs(correlation) >= kConfounded)
          pairs.push_back({.one = one, .other = other, .correlation = correlation});
      }
    }
    std::ranges::stable_sort(pairs, std::greater{},
                             [](const Confounded& pair) { return std::abs(pair.correlation); });
    return pairs;
  }

  // In units of each unknown's set, so that what is hardly known counts as little as what is.
  [[nodiscard]] std::size_t typical(const WeightedWorlds& worlds,
                                    const std::vector<FoundUnknown>& found) const {
    const auto distance = [&](std::size_t i) {
      double sum = 0;
      for (std::size_t place = 0; place < found.size(); ++place) {
        const Unknown& unknown = written_.unknown[place];
        if (unknown.range) {
          const double width = std::max(found[place].high - found[place].low, 1e-9);
          sum += std::pow((worlds.shares[i][place] - found[place].median) / width, 2);
        } else {
          sum += 1 - found[place].choice_weights[unknown.choice_at(worlds.shares[i][place])];
        }
      }
      return sum;
    };
    std::size_t best = 0;
    for (std::size_t i = 1; i < worlds.size(); ++i) {
      if (distance(i) < distance(best)) best = i;
    }
    return best;
  }

  [[nodiscard]] static double unlike(const std::vector<double>& recorded,
                                     const std::vector<std::vector<double>>& simulated) {
    std::size_t outside = 0;
    std::size_t known = 0;
    for (std::size_t figure = 0; figure < recorded.size(); ++figure) {
      if (!std::isfinite(recorded[figure])) continue;
      ++known;
      bool any_below = false;
      bool any_above = false;
      for (const std::vector<double>& world : simulated) {
        any_below |= world[figure] <= recorded[figure];
        any_above |= world[figure] >= recorded[figure];
      }
      outside += any_below && any_above ? 0U : 1U;
    }
    return known == 0 ? 0 : static_cast<double>(outside) / static_cast<double>(known);
  }

  [[nodiscard]] Calibration result(WeightedWorlds worlds, const std::vector<std::size_t>& within,
                                   const std::vector<double>& recorded) const {
    Calibration calibration;
    for (std::size_t i = 0; i < box_.size(); ++i) calibration.found.push_back(found(worlds, i));
    calibration.confounded = confounded(worlds);
    calibration.typical = typical(worlds, calibration.found);
    calibration.runs = luck_;
    calibration.refused = refused_;
    calibration.why_refused = why_refused_;
    calibration.recorded = recorded;
    for (const std::size_t draw : worlds.draws)
      calibration.simulated.push_back(simulated_[within[draw]].figures);
    calibration.unlike = unlike(recorded, calibration.simulated);
    calibration.worlds = std::move(worlds);
    return calibration;
  }

  const Scenario& written_;
  std::size_t strategy_;
  const HistoryJobs& history_;
  const LoadWorld& load_;
  const CalibrationOptions& options_;
  HistoryFigures figures_;
  WorldBox box_;
  std::vector<SimulatedWorld> simulated_;
  std::uint64_t luck_ = 0;  // the replication of the next world
  std::size_t refused_ = 0;
  std::string why_refused_;
};

std::optional<Scenario> load_if_it_is_one(const LoadWorld& load, const std::vector<PlacedValue>& changes) {
  try {
    return load(changes);
  } catch (const InputError&) {
    return std::nullopt;  // check_refused() says why
  }
}

// The history came about under one of the strategies: it is the same one in every world.
void check_strategies(const Scenario& written, const LoadWorld& load) {
  for (std::size_t i = 0; i < written.unknown.size(); ++i) {
    for (const UnknownChoice& choice : written.unknown[i].choices) {
      const std::optional<Scenario> chosen = load_if_it_is_one(load, choice.changes);
      if (!chosen || same_strategies(written, *chosen)) continue;
      throw InputError{{.file = written.file, .pointer = fmt::format("/unknown/{}", i)},
                       fmt::format("has the choice \"{}\", which changes which strategies there are: must be "
                                   "the same ones, in the same order",
                                   choice.text)};
    }
  }
}

}  // namespace

Calibration calibrate(const Scenario& written, std::size_t strategy, const HistoryJobs& history,
                      const LoadWorld& load, const CalibrationOptions& options) {
  STOCKOUT_CHECK(options.runs >= kFewestCalibrationRuns);
  if (written.unknown.empty()) {
    throw InputError{{.file = written.file, .pointer = "/unknown"},
                     "is missing: it says what nobody publishes, and between what it lies "
                     "(scenarios/REFERENCE.md), as in {\"name\": \"hosts\", \"at\": \"/pools/0/hosts\", "
                     "\"from\": 4, \"to\": 64, \"step\": 1}"};
  }
  check_strategies(written, load);
  return Waves{written, strategy, history, load, options}.run();
}

}  // namespace stockout
