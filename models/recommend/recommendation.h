#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/experiment/summary.h"
#include "models/measures/cost_parts.h"
#include "models/recommend/goals_of.h"
#include "models/recommend/in_worlds.h"
#include "models/recommend/purchase_runs.h"
#include "models/recommend/purchases.h"
#include "models/recommend/selection.h"

namespace stockout {

/// How a recommendation is found.
struct RecommendationRules {
  std::optional<double> indifference_usd = {};  // instead of the scenario's
  std::optional<SimDuration> longest_obligation = {};
  double error = 0.05;       // probability that the guarantee fails; in (0, 1)
  std::size_t most = 1'000;  // replications of a purchase; at least first_look() of a round of the worlds
  double tolerance =
      0.01;  // of a budget, and the most of a share (tolerance_above()): so near counts either way
  double work_tolerance = 0.005;  // of the share of work done
  int threads = 0;                // 0: as many as the machine has cores
};

/// Goal of every purchase beside those of the scenario.
enum class CommonGoal : std::uint8_t {
  every_class_runs,  // of each class with jobs one starts, in most runs
  same_work,         // as much work is done as by the most complete purchase, or what the goal asks of it
};

/// Extra cost of a purchase over another, in USD, on the same random numbers.
struct ExtraCost {
  Estimate in_all;
  std::array<double, kCostParts.size()> parts{};     // by kCostParts, with the sign that they count with
  std::array<double, kWaysToBuy.size()> by_model{};  // what is paid under each, by PriceModel
  double undone = 0;                                 // the price of work that is not done
};

/// How a class meets a goal that is asked of all jobs.
struct ClassMet {
  std::size_t goal = 0;  // place in Recommendation::goals
  ClassId job_class{};
  Estimate met;
};

/// A purchase, and how it stands.
struct PurchaseStanding {
  std::size_t purchase = 0;                    // place in Purchases::all()
  CandidateStanding standing;                  // `by` is a purchase, or a place in Recommendation::goals
  std::size_t runs = 0;                        // that were simulated: one in a world where it draws nothing
  Summaries means;                             // of kPurchaseMeasures, over its own replications
  std::vector<std::optional<Estimate>> goals;  // by Recommendation::goals: the values that were met
  std::vector<ClassMet> by_class;              // of the classes that have jobs of it
  Estimate cost;                               // USD, with the price of work that is not done
  std::optional<ExtraCost> more;               // than the best; none of the best itself
  std::vector<InWorld> in_worlds;              // by Recommendation::worlds
};

/// The advice. With worlds all means are over their rounds: over noise and worlds, by weight.
struct Recommendation {
  enum class Kind : std::uint8_t {
    recommended,       // the best meets all goals, and nothing else is cheaper by more than the indifference
    none_meets_goals,  // the best comes nearest
    undecided,         // within the replications; the best is the cheapest that may meet the goals on average
  };
  static constexpr std::array<std::string_view, 3> kKindNames{"recommended", "none_meets_goals", "undecided"};

  /// One that was asked of every purchase.
  struct Asked {
    Goal goal;
    std::optional<CommonGoal> common;  // then `goal` has the share that is asked, and nothing else counts
    std::string text;                  // "95 % of training jobs start within 4h and complete"
    double tolerance = 0;              // a Goal::margin() this near to 0 counts either way

    [[nodiscard]] bool is_budget() const { return !common && goal.kind == Goal::Kind::budget; }
    /// Whether all jobs must meet it. It is missed as soon as one does not.
    [[nodiscard]] bool is_of_all() const { return !common && !is_budget() && goal.least >= 1; }
    /// Whether a value misses it for good: by more than the tolerance, or of all jobs at all.
    [[nodiscard]] bool is_missed_by(double value) const {
      return goal.margin(value) < (is_of_all() ? 0 : -tolerance);
    }
  };

  /// One of the worlds.
  struct JudgedIn {
    std::string name;
    std::size_t turns = 1;  // its weight, against the others
  };

  Kind kind = Kind::undecided;
  std::size_t best = 0;  // place in `standings`
  std::vector<Asked> goals;
  std::vector<PurchaseStanding> standings;  // the best, those as good, the dearer by cost, then the others
  std::vector<JudgedIn> worlds;             // that it is judged over; none: the scenario as it is written
  Measures first_run;                       // of the best: its first replication, in the world in the middle
  std::vector<std::size_t> obliging;        // purchases left out, since they oblige for too long
  SimDuration longest_obligation{};
  double indifference_usd = 0;
  double error = 0;
  std::size_t most = 0;       // replications allowed
  std::size_t simulated = 0;  // runs
};

/// The longest term of a commitment that may be begun: that of the rules, else that of the scenario, else its
/// window.
[[nodiscard]] SimDuration longest_obligation(const Scenario& scenario, const RecommendationRules& rules);

/// Values of a purchase's run for its goals, by place in Recommendation::goals; nothing where no job of it
/// came.
[[nodiscard]] std::optional<double> value_of(const std::vector<Recommendation::Asked>& goals,
                                             std::size_t place, const PurchaseRun& run);

/// Cost of a run, in USD, with the price of work that is not done.
[[nodiscard]] double cost_of(const DecisionTerms& terms, const PurchaseRun& run);

/// The cheapest purchase that meets all goals, by as many replications as that takes (selection.h). With
/// worlds the best is run in each at least kFirstLook times, as far as `most` allows. `written`: in the world
/// in the middle. `done` hears how many runs were simulated, from any thread. `store` keeps the runs, and has
/// earlier ones. Throws InputError if all oblige for too long, and WorkInterrupted if the store says so.
[[nodiscard]] Recommendation recommend(const Scenario& written, const Purchases& purchases,
                                       const RecommendationRules& rules,
                                       const std::function<void(std::size_t)>& done = {},
                                       PurchaseStore* store = nullptr);

}  // namespace stockout
