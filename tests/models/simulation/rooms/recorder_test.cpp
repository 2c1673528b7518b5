// The recorder writes down what happens, and compares its counts with those of others.

#include <functional>
#include <vector>

#include <catch2/catch.hpp>

#include "models/simulation/books/recorder.h"
#include "sim/core/check.h"
#include "tests/models/simulation/rooms/floors.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

const PoolId kPool{0};

World one_pool() {
  WorldBuilder make;
  make.pool(8);
  make.shape(1);
  make.leg({.policy = on_demand(), .places = {kPool}});
  return make.build();
}

// A lease of a job in its first leg since the start, which the books do not know.
Lease lease_of(UpToBooks& floors, JobSlot job) {
  return {.job = job, .pool = kPool, .gpus = GpuCount{1}, .asked = {.candidate = &floors.candidate(job)}};
}

std::uint64_t fingerprint_of(const std::function<void(UpToBooks&, JobState&, JobState&)>& happens) {
  UpToBooks floors{one_pool()};
  const JobSlot a = floors.add_job({.work = 10s});
  const JobSlot b = floors.add_job({.work = 10s});
  happens(floors, floors.job(a), floors.job(b));
  for (const JobSlot job : {a, b}) {
    floors.known.recorder.job_final(job, floors.job(job), FinalState::completed);
  }
  return floors.known.recorder.finish(0, {}).fingerprint;
}

}  // namespace

TEST_CASE("The record says what became of a job", "[rooms]") {
  UpToBooks floors{one_pool()};
  const JobSlot slot = floors.add_job({.work = 10s});
  CHECK(floors.known.recorder.open_jobs() == 1);
  floors.go_to(30s);
  JobState& job = floors.job(slot);
  job.history.first_grant = kStart + 12s;
  job.history.first_running = kStart + 15s;
  job.history.lost = 2s;
  job.history.preemptions = 1;
  floors.known.recorder.job_final(slot, job, FinalState::completed);
  CHECK(floors.known.recorder.open_jobs() == 0);
  const RunRecord record = floors.known.recorder.finish(0, {});
  CHECK(record.arrivals == 1);
  const JobOutcome outcome = record.jobs.at(0);
  CHECK(outcome.state == FinalState::completed);
  CHECK(outcome.first_grant == kStart + 12s);
  CHECK(outcome.start_delay == 3s);
  CHECK(outcome.finished == kStart + 30s);
  CHECK(outcome.lost == 2s);
  CHECK(outcome.preemptions == 1);
}

TEST_CASE("A job that is closed twice or never stops the run", "[rooms]") {
  UpToBooks floors{one_pool()};
  const JobSlot slot = floors.add_job({.work = 10s});
  SECTION("never") {}
  SECTION("twice") {
    floors.known.recorder.job_final(slot, floors.job(slot), FinalState::completed);
    floors.known.recorder.job_final(slot, floors.job(slot), FinalState::completed);
  }
  CHECK_THROWS_AS(floors.known.recorder.finish(0, {}), InvariantError);
}

TEST_CASE("A job that says another time of release breaks Little's law", "[rooms]") {
  UpToBooks floors{one_pool()};
  const JobSlot slot = floors.add_job({.work = 10s});
  floors.go_to(10s);
  floors.job(slot).history.released = kStart + 3s;
  floors.known.recorder.job_final(slot, floors.job(slot), FinalState::completed);
  CHECK_THROWS_WITH(floors.known.recorder.finish(0, {}),
                    Catch::Contains("Little's law: 10000 job-ms in the system, jobs stayed 7000 ms"));
}

TEST_CASE("Requests that were opened, closed and decided are as many", "[rooms]") {
  UpToBooks floors{one_pool()};
  const JobSlot slot = floors.add_job({.work = 10s});
  const Request request{.job = slot, .candidate = &floors.candidate(slot)};
  Recorder& recorder = floors.known.recorder;
  recorder.requests().opened(request, floors.job(slot));
  recorder.job_final(slot, floors.job(slot), FinalState::refused);
  SECTION("one was not closed") {
    CHECK_THROWS_WITH(recorder.finish(0, {}), Catch::Contains("1 requests opened, 0 closed, 0 granted"));
  }
  SECTION("one was not decided") {
    recorder.requests().closed(request, floors.job(slot));
    CHECK_THROWS_WITH(recorder.finish(0, {}), Catch::Contains("1 requests opened, 1 closed, 0 granted"));
  }
  SECTION("all were") {
    recorder.requests().closed(request, floors.job(slot));
    CHECK_NOTHROW(recorder.finish(1, {}));
  }
}

TEST_CASE("The fingerprint depends on what happens, in which order, and when", "[rooms]") {
  const auto first_a = [](UpToBooks& floors, JobState& a, JobState& b) {
    floors.known.recorder.granted(a.job.row, kPool, true);
    floors.known.recorder.granted(b.job.row, kPool, true);
  };
  const auto first_b = [](UpToBooks& floors, JobState& a, JobState& b) {
    floors.known.recorder.granted(b.job.row, kPool, true);
    floors.known.recorder.granted(a.job.row, kPool, true);
  };
  const auto b_later = [](UpToBooks& floors, JobState& a, JobState& b) {
    floors.known.recorder.granted(a.job.row, kPool, true);
    floors.go_to(SimDuration{1});
    floors.known.recorder.granted(b.job.row, kPool, true);
    floors.go_to(0s);
  };
  CHECK(fingerprint_of(first_a) == fingerprint_of(first_a));
  CHECK(fingerprint_of(first_a) != fingerprint_of(first_b));
  CHECK(fingerprint_of(first_a) != fingerprint_of(b_later));
}

TEST_CASE("The machines of a job are billed, those of a tenant to nobody", "[rooms]") {
  UpToBooks floors{one_pool()};
  const JobSlot slot = floors.add_job({.work = 10s});
  const bool is_tenant = GENERATE(false, true);
  if (is_tenant) floors.job(slot).record = kNotRecorded;
  Meter& meter = floors.known.recorder.meter();
  const Lease lease = lease_of(floors, slot);
  meter.start(lease, floors.job(slot));
  floors.go_to(90s);
  meter.stop(lease, floors.job(slot));
  meter.book(lease, {.useful = GpuTime{90'000}}, floors.job(slot));
  floors.job(slot).record = 0;
  floors.known.recorder.job_final(slot, floors.job(slot), FinalState::failed);
  const UsageLedger usage = floors.known.recorder.finish(0, {}).usage;
  REQUIRE(usage.keys().size() == (is_tenant ? 0 : 1));
  if (is_tenant) return;
  CHECK(usage.hours(usage.keys()[0]).at(0).used == MachineTime{90'000});
  CHECK(usage.split(usage.keys()[0]).useful == GpuTime{90'000});
}

TEST_CASE("A single machine of a tenant has no price line, and needs none", "[rooms]") {
  UpToBooks floors{one_pool()};
  const JobSlot slot = floors.add_job({.work = 10s});
  floors.job(slot).record = kNotRecorded;
  floors.go_to(90s);
  Lease lease = lease_of(floors, slot);
  Candidate unpriced = *lease.asked.candidate;
  unpriced.parts[0].line = BilledLine{};
  lease.asked.candidate = &unpriced;
  CHECK_NOTHROW(floors.known.recorder.meter().bill_machine(lease, kStart, floors.job(slot)));
}

TEST_CASE("Machines that never came up are billed to nobody", "[rooms]") {
  UpToBooks floors{one_pool()};
  const JobSlot slot = floors.add_job({.work = 10s});
  Meter& meter = floors.known.recorder.meter();
  Lease lease = lease_of(floors, slot);
  lease.times.up = kStart + 2h;
  meter.start(lease, floors.job(slot));
  floors.go_to(30s);
  meter.stop(lease, floors.job(slot));
  floors.known.recorder.job_final(slot, floors.job(slot), FinalState::failed);
  CHECK(floors.known.recorder.finish(0, {}).usage.keys().empty());
}

TEST_CASE("Machines of a lease that lost its race are phantom usage, too", "[rooms]") {
  UpToBooks floors{one_pool()};
  const JobSlot slot = floors.add_job({.work = 10s});
  Lease lease = lease_of(floors, slot);
  Meter& meter = floors.known.recorder.meter();
  meter.start(lease, floors.job(slot));
  lease.ending.interrupted = Interruption::lost_race;
  floors.go_to(90s);
  meter.stop(lease, floors.job(slot));
  floors.known.recorder.job_final(slot, floors.job(slot), FinalState::failed);
  const RunRecord record = floors.known.recorder.finish(0, {});
  CHECK(record.phantom.hours(record.phantom.keys().at(0)).at(0).used == MachineTime{90'000});
}

TEST_CASE("Work kept on earlier leases was of use if the job is completed in the end", "[rooms]") {
  UpToBooks floors{one_pool()};
  const JobSlot slot = floors.add_job({.work = 90s});
  floors.go_to(60s);
  floors.known.recorder.meter().book(lease_of(floors, slot), {.useful = GpuTime{60'000}}, floors.job(slot));
  const bool is_done = GENERATE(true, false);
  floors.known.recorder.job_final(slot, floors.job(slot),
                                  is_done ? FinalState::completed : FinalState::failed);
  const UsageLedger usage = floors.known.recorder.finish(0, {}).usage;
  CHECK(usage.split(usage.keys().at(0)).completed == GpuTime{is_done ? 60'000 : 0});
}

TEST_CASE("Held capacity is paid for until the run ends or the last recorded job has started", "[rooms]") {
  World world = one_pool();
  world.hold_end = GENERATE(HoldEnd::run_end, HoldEnd::last_start);
  UpToBooks floors{world};
  const JobSlot slot = floors.add_job({.work = 10s});
  const JobSlot tenant = floors.add_job({.work = 10s});
  floors.go_to(5s);
  floors.known.recorder.granted(floors.job(slot).job.row, kPool, true);
  floors.go_to(7s);
  floors.known.recorder.granted(floors.job(tenant).job.row, kPool, false);
  floors.go_to(9s);
  CHECK(floors.known.recorder.hold_end() == kStart + (world.hold_end == HoldEnd::run_end ? 9s : 5s));
}

TEST_CASE("Who asks for a log is reported, and of recorded jobs alone", "[rooms]") {
  std::vector<JobChange::What> told;
  UpToBooks floors{one_pool(),
                   {.on_lease = {}, .on_job = [&](const JobChange& change) { told.push_back(change.what); }}};
  const JobSlot slot = floors.add_job({.work = 10s});
  const JobSlot tenant = floors.ground.tables.jobs.add();
  floors.job(tenant).record = floors.known.recorder.job_came(false);
  const RunLog& log = floors.known.recorder.log();
  log.job(floors.job(tenant), JobChange::What::leasing);
  log.job(floors.job(slot), JobChange::What::leasing);
  log.job(floors.job(slot), JobChange::What::waiting);
  floors.known.recorder.job_final(slot, floors.job(slot), FinalState::completed);
  using enum JobChange::What;
  CHECK(told == std::vector{released, leasing, waiting, over});
}
