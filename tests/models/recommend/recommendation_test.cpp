// What is recommended, against every way to buy run often, and the books that it is said to rest on.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <catch2/catch.hpp>

#include "models/experiment/comparison.h"
#include "models/recommend/recommendation.h"
#include "models/recommend/trade_offs.h"
#include "sim/core/error.h"
#include "tests/support/made_up/purchase_question.h"

using namespace stockout;
using test::kHowMany;
using test::Question;

namespace {

struct Truth {
  double cost = 0;
  double goal_met = 0;
  double work_done = 0;
};

std::vector<Truth> truth_of(const Question& question, std::size_t replications) {
  const std::vector<Goal> goals = goals_of(question.written());
  PurchaseRuns runs{question.purchases(), goals};
  std::vector<std::size_t> all(question.purchases().all().size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  runs.run(all, replications, 0);
  std::vector<Truth> truth(all.size());
  const auto count = static_cast<double>(replications);
  for (const std::size_t i : all) {
    for (std::size_t r = 0; r < replications; ++r) {
      truth[i].cost += runs.at(i, r)[Measure::cost].value / count;
      truth[i].goal_met += runs.at(i, r).goals[0].value.value / count;
      truth[i].work_done += runs.at(i, r)[Measure::work_done_share].value / count;
    }
  }
  return truth;
}

// The cheapest that meets the goal and does the same work; of all.
double least_cost(const std::vector<Truth>& truth) {
  const double most_work = std::ranges::max(truth, {}, &Truth::work_done).work_done;
  double least = std::numeric_limits<double>::infinity();
  for (const Truth& one : truth) {
    if (one.goal_met >= 0.9 && one.work_done >= 0.99 * most_work) least = std::min(least, one.cost);
  }
  return least;
}

}  // namespace

TEST_CASE("What is recommended is the cheapest of those that meet the goal when all are run often",
          "[recommend]") {
  const Question question{kHowMany};
  CHECK(question.purchases().all().size() == 6);  // on-demand is the same whatever is reserved
  const std::vector<Truth> truth = truth_of(question, 400);
  const double least = least_cost(truth);
  const Recommendation found = question.answer();
  REQUIRE(found.kind == Recommendation::Kind::recommended);
  const PurchaseStanding& best = found.standings[found.best];
  CHECK(truth[best.purchase].cost <= least + 500);
  CHECK(truth[best.purchase].goal_met >= 0.9 - 0.01);
  CHECK(2 * found.simulated < truth.size() * best.standing.replications);  // as many of each
}

TEST_CASE("A recommendation is the same whatever the threads", "[recommend]") {
  const Question question{kHowMany};
  const Recommendation found = question.answer();
  const Recommendation alone = question.answer({.threads = 1});
  REQUIRE(alone.standings.size() == found.standings.size());
  for (std::size_t i = 0; i < found.standings.size(); ++i) {
    CHECK(alone.standings[i].purchase == found.standings[i].purchase);
    CHECK(alone.standings[i].standing.replications == found.standings[i].standing.replications);
    CHECK(alone.standings[i].cost.mean == found.standings[i].cost.mean);
  }
}

// The suite's share of what the nightly evidence does: seeds were fixed before the first look.
TEST_CASE("Of twenty experiments nearly all choose well", "[recommend][evidence]") {
  const std::vector<Truth> truth = truth_of(Question{kHowMany, {{"/seed", "1000"}}}, 1'000);
  const double least = least_cost(truth);
  int good = 0;
  constexpr int kExperiments = 20;
  for (int seed = 1; seed <= kExperiments; ++seed) {
    const Question question{kHowMany, {{"/seed", std::to_string(seed)}}};
    const Recommendation found = question.answer();
    const Truth& chosen = truth[found.standings[found.best].purchase];
    const bool is_good = chosen.cost <= least + 500 && chosen.goal_met >= 0.9 - 0.01;
    if (found.kind == Recommendation::Kind::recommended && is_good) ++good;
  }
  // At 95 % each, fewer than 16 of 20 come once in 400.
  CHECK(good >= 16);
}

TEST_CASE("A purchase that a decision does not touch is the same run under each choice", "[recommend]") {
  const Question question{kHowMany};
  std::vector<std::uint64_t> prints;
  for (std::size_t point = 0; point < question.purchases().grid().points(); ++point) {
    const Scenario& scenario = question.purchases().scenario({.point = point, .decided = {}, .term = {}});
    prints.push_back(observe_run(scenario.world, {.strategy = 1, .replication = 3}, {}, {}).fingerprint);
  }
  CHECK(std::ranges::count(prints, prints.front()) == static_cast<std::ptrdiff_t>(prints.size()));
}

TEST_CASE("What a purchase costs more is the sum of its parts", "[recommend]") {
  const Question question{kHowMany, {{"/undone_usd_per_gpu_h", "2"}}};
  const Recommendation found = question.answer();
  for (const PurchaseStanding& one : found.standings) {
    if (!one.more) continue;
    const double parts = std::accumulate(one.more->parts.begin(), one.more->parts.end(), one.more->undone);
    CHECK(parts == Approx(one.more->in_all.mean).margin(1e-6));
  }
}

TEST_CASE("A priced GPU-hour of work not done takes the place of the same work", "[recommend]") {
  const Question cheap{kHowMany,
                       {{"/undone_usd_per_gpu_h", "0"}, {"/goal", R"({"wait_p": 1, "at_most": "400h"})"}}};
  const Recommendation found = cheap.answer();
  CHECK(found.goals.size() == 2);
  CHECK(cheap.best(found) == "on-demand");  // which does less, and that costs nothing
  const Question dear{kHowMany,
                      {{"/undone_usd_per_gpu_h", "1000"}, {"/goal", R"({"wait_p": 1, "at_most": "400h"})"}}};
  CHECK_THAT(dear.best(dear.answer()), Catch::StartsWith("reserved"));
}

TEST_CASE("What obliges for too long is left out, and said", "[recommend]") {
  const std::vector<Override> committed{{"/reservations/0/commitment", "1y"}};
  const Question question{kHowMany, committed};
  const Recommendation all = question.answer();
  CHECK(all.obliging.empty());
  const Recommendation short_ones = question.answer({.longest_obligation = SimDuration::zero()});
  CHECK(short_ones.obliging.size() == 4);
  CHECK(short_ones.standings.size() == 2);  // on-demand, and nothing reserved
  CHECK(question.purchases().all()[all.standings[all.best].purchase].term ==
        SimDuration{std::chrono::days{365}});
}

TEST_CASE("Where nothing meets the goals the nearest is named", "[recommend]") {
  const Question question{kHowMany, {{"/goals", R"([{"budget_usd": 10}])"}}};
  const Recommendation found = question.answer();
  CHECK(found.kind == Recommendation::Kind::none_meets_goals);
  CHECK(std::ranges::all_of(found.standings, [](const PurchaseStanding& one) {
    return one.standing.kind == CandidateStanding::Kind::misses;
  }));
}

TEST_CASE("A class that never runs disqualifies", "[recommend]") {
  const Question question{
      kHowMany,
      {{"/workload/-", R"({"name": "odd", "machine": "a3-highgpu-8g", "nodes": 3, "work": "1min",
                           "schedule": {"at": "12:00", "days": ["mon"]}})"},
       {"/goal", R"({"wait_p": 50, "at_most": "100h"})"}}};
  const Recommendation found = question.answer();
  for (const PurchaseStanding& one : found.standings) {
    const std::string name = question.name(one);
    if (name == "reserved; machines: 1" || name == "reserved; machines: 2")
      CHECK(one.standing.kind == CandidateStanding::Kind::misses);
  }
  CHECK_THAT(question.best(found), !Catch::EndsWith(": 1") && !Catch::EndsWith(": 2"));
}

TEST_CASE("At the price of a flip the other purchase costs what the best does", "[recommend]") {
  const std::vector<Override> committed{{"/reservations/0/commitment", "1y"},
                                        {"/goal", R"({"wait_p": 10, "at_most": "400h", "same_work": 0})"}};
  const Question question{kHowMany, committed};
  const Recommendation found = question.answer();
  REQUIRE(found.kind == Recommendation::Kind::recommended);
  const std::vector<PurchaseFlip> flips = price_flips(found);
  REQUIRE_FALSE(flips.empty());
  const PurchaseFlip& flip = flips.front();
  const PurchaseStanding& best = found.standings[found.best];
  const PurchaseStanding& other = found.standings[flip.standing];
  const char* model = flip.model == PriceModel::cud_1y ? "cud_1y" : "on_demand";
  std::vector<Override> changes = committed;
  changes.push_back({"/prices", std::string{R"([{"machine": "a3-highgpu-8g", "model": ")"} + model +
                                    R"(", "factor": )" + std::to_string(flip.factor) + "}]"});
  const Question flipped{kHowMany, changes};
  PurchaseRuns runs{flipped.purchases(), {}};
  const std::vector<std::size_t> both{best.purchase, other.purchase};
  const std::size_t replications = std::min(best.standing.replications, other.standing.replications);
  runs.run(both, replications, 0);
  double more = 0;
  double cost = 0;
  for (std::size_t r = 0; r < replications; ++r) {
    more += runs.at(other.purchase, r)[Measure::cost].value - runs.at(best.purchase, r)[Measure::cost].value;
    cost += runs.at(best.purchase, r)[Measure::cost].value;
  }
  CHECK(std::abs(more) < 1e-4 * cost);  // the factor is written with six digits
}

TEST_CASE("Too many combinations, and none that is accepted, are errors", "[recommend]") {
  CHECK_THROWS_WITH((Question{kHowMany,
                              {{"/decide",
                                R"([{"name": "a", "at": "/pools/0/hosts", "from": 1, "to": 200},
                      {"name": "b", "at": "/reservations/0/count", "from": 1, "to": 200}])"}}}),
                    Catch::Contains("/decide: makes more than 10000 combinations"));
  CHECK_THROWS_WITH(
      (Question{kHowMany, {{"/decide", R"([{"name": "a", "at": "/pools/7/hosts", "values": [1, 2]}])"}}}),
      Catch::Contains("decision \"a\": /pools/7/hosts"));
}

TEST_CASE("A combination that is refused is left out, with the reason", "[recommend]") {
  const Question question{
      kHowMany, {{"/decide", R"([{"name": "machines", "at": "/reservations/0/count", "values": [2, 99]}])"}}};
  REQUIRE(question.purchases().refused().size() == 1);
  CHECK(question.purchases().refused()[0].point == 1);
  CHECK_THAT(question.purchases().refused()[0].why, Catch::Contains("never has more than"));
}
