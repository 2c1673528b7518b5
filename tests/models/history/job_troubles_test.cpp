// What an orchestrator calls a job, and what troubled it.

#include <catch2/catch.hpp>

#include "models/history/job_troubles.h"
#include "tests/support/scenarios/small_scenario.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

const Policy& policy(const std::string& name) { return *find_policy(name); }

std::string job_at(const std::string& name, const std::string& at, const std::string& work) {
  return R"({"name": ")" + name + R"(", "schedule": {"at": ")" + at +
         R"("}, "machine": "generic", "work": ")" + work + R"("})";
}

// A day of six jobs on two GPUs, each an hour from its start. A run lasts at most three hours.
Scenario six_jobs(const std::string& orchestrator) {
  return ScenarioLoader{}.small(
      {{"/window", "1d"},
       {"/end", "window"},
       {"/pools/0/gpus", "2"},
       {"/models", R"({"all": {"start_up": "1h", "run_max": "3h"}})"},
       {"/strategies/0/orchestrator", orchestrator},
       {"/workload", "[" + job_at("done", "00:00", "1h") + "," + job_at("long", "05:00", "5h") + "," +
                         job_at("runs", "22:00", "10h") + "," + job_at("starts", "23:30", "1h") + "," +
                         job_at("fails", "23:40", "1h") + "," + job_at("waits", "23:50", "1h") + "]"}});
}

struct Told {
  std::vector<std::string> states;
  std::vector<std::uint64_t> stock_outs;
  std::vector<std::uint64_t> revoked;
};

Told told_of(const Scenario& scenario) {
  JobTroublesBook book;
  Logs logs;
  book.listen(logs);
  const RunRecord record = simulate(scenario.world, 0, 0, logs);
  Told told;
  for (std::uint64_t job = 0; job < record.jobs.size(); ++job) {
    told.states.emplace_back(
        orchestrator_state(scenario.world.strategies[0], record.jobs.at(job), book.of(job)));
    told.stock_outs.push_back(book.of(job).stock_outs);
    told.revoked.push_back(book.of(job).revoked);
  }
  return told;
}

using States = std::vector<std::string>;
using Counts = std::vector<std::uint64_t>;

}  // namespace

// On Vertex AI the fourth try of the fifth job, at 23:55, is its last; the sixth tries at 23:50, 23:55 and
// 24:00. On GKE its node group is not asked for 5 min after 23:40 and for 10 min after 23:45: both try at
// 23:55.
TEST_CASE("A job ends, or is found at the end, in the state that its orchestrator names", "[troubles]") {
  const Told vertex = told_of(six_jobs("vertex"));
  CHECK(vertex.states == States{"SUCCEEDED", "CANCELLED", "RUNNING", "PENDING", "FAILED", "PENDING"});
  CHECK(vertex.stock_outs == Counts{0, 0, 0, 0, 4, 3});
  const Told gke = told_of(six_jobs("gke"));
  CHECK(gke.states == States{"Complete", "Failed", "Running", "Pending", "Pending", "Pending"});
  CHECK(gke.stock_outs == Counts{0, 0, 0, 0, 3, 1});
  const Told compute_engine = told_of(six_jobs("compute_engine"));
  CHECK(compute_engine.states == States{"TERMINATED", "TERMINATED", "RUNNING", "STAGING",
                                        "ZONE_RESOURCE_POOL_EXHAUSTED", "ZONE_RESOURCE_POOL_EXHAUSTED"});
  CHECK(compute_engine.stock_outs == Counts{0, 0, 0, 0, 1, 1});
}

// Flex Start in a managed instance group of three GPUs, where a request is cancelled after 30 min and
// machines take an hour to come. At the end of the day "long" and "runs" work, and the machine of "starts" is
// on its way.
TEST_CASE("A job of a managed instance group has the state of its resize request", "[troubles]") {
  const Scenario scenario = ScenarioLoader{}.small(
      {{"/window", "1d"},
       {"/end", "window"},
       {"/pools/0/gpus", "3"},
       {"/models", R"({"all": {"provisioning": "1h"}})"},
       {"/strategies/0", R"({"name": "first", "orchestrator": "compute_engine", "legs": [
          {"model": "flex_start_mig", "max_wait": "30min"}]})"},
       {"/workload", "[" + job_at("long", "00:00", "30h") + "," + job_at("done", "00:10", "4h") + "," +
                         job_at("runs", "22:00", "10h") + "," + job_at("starts", "23:10", "1h") + "," +
                         job_at("given up", "23:20", "1h") + "," + job_at("waits", "23:40", "1h") + "]"}});
  CHECK(told_of(scenario).states ==
        States{"SUCCEEDED", "SUCCEEDED", "SUCCEEDED", "PROVISIONING", "CANCELLED", "ACCEPTED"});
  CHECK(state_name(OrchestratorName::compute_engine, policy("flex_start_mig"), JobFate::refused) == "FAILED");
  CHECK(state_name(OrchestratorName::compute_engine, policy("flex_start_mig"), JobFate::short_of_quota)
            .empty());
}

// Queued provisioning on two GPUs, with one restart. Where pods come after 20 min, machines wait for them for
// 10: "late" gives its own back at 0:10 and 0:50, and "again" at 23:50, to ask at 0:20. Where they come after
// 5 min, "long" is cut off at 12:00, and "starts" waits for its pods at the end of the day. Where machines
// break after an hour, "lost" has two before its pods come.
TEST_CASE("A job of queued provisioning has the state of its ProvisioningRequest", "[troubles]") {
  const auto played = [](const std::string& request, const std::string& jobs,
                         std::vector<Override> more = {}) {
    std::vector<Override> all{{"/window", "1d"},
                              {"/end", "window"},
                              {"/pools/0/gpus", "2"},
                              {"/models", "{}"},
                              {"/strategies/0", R"({"name": "first", "orchestrator": "gke", "legs": [
                                 {"model": "flex_start_mig", "max_wait": "30min", "restarts": 1, "run_max": "12h"}],
                                 "provisioning_request": )" +
                                                    request + "}"},
                              {"/workload", "[" + jobs + "]"}};
    all.insert(all.end(), more.begin(), more.end());
    return told_of(ScenarioLoader{}.small(all));
  };
  const Told late = played(R"({"pods_after": "20min", "again": "30min"})",
                           job_at("late", "00:00", "1h") + "," + job_at("again", "23:40", "1h"));
  CHECK(late.states == States{"BookingExpired", "BookingExpired"});
  const std::string in_time = R"({"pods_after": "5min"})";
  CHECK(played(in_time, job_at("long", "00:00", "13h") + "," + job_at("done", "00:10", "4h") + "," +
                            job_at("runs", "22:00", "10h") + "," + job_at("starts", "23:56", "1h") + "," +
                            job_at("waits", "23:57", "1h"))
            .states == States{"CapacityRevoked", "Provisioned", "Provisioned", "Provisioned", "Accepted"});
  CHECK(played(in_time, job_at("runs", "00:00", "10h") + "," + job_at("too", "00:00", "10h") + "," +
                            job_at("given up", "00:10", "1h"))
            .states == States{"Provisioned", "Provisioned", "Failed"});
  const Told lost = played(R"({"pods_after": "2h", "hold": "3h"})", job_at("lost", "00:00", "1h"),
                           {{"/pools/0/faults", R"([{"name": "hardware", "life": "1h", "repair": "1h"}])"}});
  CHECK(lost.states == States{"CapacityRevoked"});
  CHECK(lost.revoked == Counts{2});
}

TEST_CASE("Nobody names the state of a job without an orchestrator, or of one that never asked",
          "[troubles]") {
  Scenario scenario = six_jobs("vertex");
  scenario.world.strategies[0].legs[0].orchestrator.reset();
  CHECK(told_of(scenario).states == States(6));
  Strategy strategy;
  strategy.legs.resize(1);
  strategy.legs[0].orchestrator = OrchestratorName::vertex;
  JobOutcome outcome{.released = kStart + 2h, .finished = kStart + 2h};
  CHECK(orchestrator_state(strategy, outcome, {}).empty());
  outcome.finished = kStart + 3h;
  CHECK(orchestrator_state(strategy, outcome, {}) == "PENDING");
}

TEST_CASE("A job that was short of quota to the end is told from one that waits for capacity", "[troubles]") {
  JobOutcome outcome{.released = kStart + 1h, .finished = kStart + 5h};
  outcome.quota.wait = 4h;
  CHECK(fate_of(outcome, {}) == JobFate::short_of_quota);
  outcome.quota.wait = 3h;
  CHECK(fate_of(outcome, {}) == JobFate::waiting);
  CHECK(state_name(OrchestratorName::vertex, policy("on_demand"), JobFate::short_of_quota) == "QUEUED");
  CHECK(state_name(OrchestratorName::compute_engine, policy("spot"), JobFate::short_of_quota).empty());
}

TEST_CASE("Stock-outs and faults are counted apart, machines of a partial lease one by one", "[troubles]") {
  JobTroubles troubles;
  for (const auto what : {PoolChange::What::refused, PoolChange::What::fault, PoolChange::What::preempted})
    troubles.add(PoolChange{.what = what, .count = 2});
  troubles.add(PoolChange{.what = PoolChange::What::refused});
  CHECK(troubles.stock_outs == 3);
  CHECK(troubles.faults == 2);
}

TEST_CASE("Every orchestrator has a name for a job that is done and for one that runs", "[troubles]") {
  for (std::size_t i = 0; i < kOrchestratorNames.size(); ++i) {
    CHECK_FALSE(state_name(static_cast<OrchestratorName>(i), Policy{}, JobFate::completed).empty());
    CHECK_FALSE(state_name(static_cast<OrchestratorName>(i), Policy{}, JobFate::running).empty());
  }
}

TEST_CASE("Slurm has words of its own for a job at its time limit, and for one that gave way for good",
          "[history]") {
  const auto state = [](SlurmEnd end) {
    const JobOutcome outcome{.state = FinalState::failed, .slurm_end = end};
    return state_name(OrchestratorName::slurm, policy("on_demand"), fate_of(outcome, {}));
  };
  CHECK(state(SlurmEnd::none) == "NODE_FAIL");
  CHECK(state(SlurmEnd::timed_out) == "TIMEOUT");
  CHECK(state(SlurmEnd::preempted) == "PREEMPTED");
}
