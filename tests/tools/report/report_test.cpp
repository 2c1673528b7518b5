// The parts of a report: tables, numbers, fields, lines.

#include <catch2/catch.hpp>

#include "models/measures/number_text.h"
#include "tests/support/made_up/measured_world.h"
#include "tools/report/run/jobs_csv.h"
#include "tools/table/csv_text.h"
#include "tools/table/wrap_text.h"

using namespace stockout;
using namespace std::chrono_literals;

TEST_CASE("Numbers have commas between thousands and no negative zero", "[report]") {
  CHECK(number_text(0) == "0");
  CHECK(number_text(999) == "999");
  CHECK(number_text(1000) == "1,000");
  CHECK(number_text(-1234567.891, 2) == "-1,234,567.89");
  CHECK(number_text(-0.001, 2) == "0.00");
}

TEST_CASE("Dollars have cents where they matter", "[report]") {
  CHECK(dollar_text(12.345) == "$12.35");
  CHECK(dollar_text(123456.7) == "$123,457");
  CHECK(dollar_text(-5) == "-$5.00");
  CHECK(dollar_text(-0.0001) == "$0.00");
}

TEST_CASE("A share is 0 or 100 per cent only if it is", "[report]") {
  CHECK(share_text(1) == "100.0 %");
  CHECK(share_text(0) == "0.0 %");
  CHECK(share_text(0.99999) == "> 99.9 %");
  CHECK(share_text(0.00001) == "< 0.1 %");
  CHECK(share_text(0.956) == "95.6 %");
}

TEST_CASE("A field of a CSV file is quoted if it must be", "[report]") {
  CHECK(csv_text("plain") == "plain");
  CHECK(csv_text("on-demand, one zone") == "\"on-demand, one zone\"");
  CHECK(csv_text("say \"so\"") == "\"say \"\"so\"\"\"");
  CHECK(csv_text("two\nlines") == "\"two\nlines\"");
}

TEST_CASE("A name that a spreadsheet would run is written as text, and numbers as they are", "[report]") {
  for (const std::string name :
       {"=1+2", "+x", "-x", "@SUM(A1)", "\tx", "=", "--", "-inf", "-1+cmd|' /C calc'!A0"}) {
    CHECK(disarmed(name) == "'" + name);
    CHECK(rearmed(disarmed(name)) == name);
    CHECK(rearmed(disarmed("'" + name)) == "'" + name);
  }
  for (const std::string text :
       {"-0.5", "-12", "1e-07", "-1.5e+30", "plain", "", "-", "'-", "'", "'plain", "a=b", "'-5"}) {
    CHECK(disarmed(text) == text);
    CHECK(rearmed(text) == text);
  }
  CHECK(csv_text("=HYPERLINK(\"x\", 1)") == "\"'=HYPERLINK(\"\"x\"\", 1)\"");
  CHECK(csv_text("\r\n") == "\"'\r\n\"");
}

TEST_CASE("Lines break at blanks, counting characters and not bytes", "[report]") {
  CHECK(wrap_text("one two three", 9, "") == "one two\n  three\n");
  CHECK(wrap_text("± ± ±", 5, "") == "± ± ±\n");
  CHECK(wrap_text("immeasurable", 4, "  ") == "  immeasurable\n");
  CHECK(wrap_text("", 4, "") == "\n");
}

TEST_CASE("A job's line has times in seconds to the millisecond and nothing where there is nothing",
          "[report]") {
  JobColumns jobs;
  test::add_job(jobs, 1, 2, ShapeId{1}, ClassId{0}, UserId{1}, 5h);
  const World world = test::measured_world(jobs);
  Job job;
  for_each_recorded_job(world, 0, [&](std::uint64_t, const Job& one) { job = one; });
  JobOutcome outcome;
  outcome.state = FinalState::completed;
  outcome.released = kStart + 1h;
  outcome.first_grant = kStart + 1h + 1500ms;
  outcome.finished = kStart + 4h;
  outcome.start_delay = 1ms;
  outcome.leased = 3h;
  outcome.lost = 30min;
  outcome.preemptions = 1;
  outcome.exits = 6;
  outcome.quota = {.wait = 1s, .refusals = 2};
  outcome.kueue = {.wait = 250ms, .evictions = 4, .reduced = GpuCount{2}};
  outcome.pending_for[WaitCause::borrowing] = 250ms;
  const auto line_of = [&](const Strategy& strategy, std::uint64_t number, const JobOutcome& became,
                           const JobTroubles& troubles, const std::vector<std::uint64_t>& gave_way_to = {}) {
    return jobs_csv_line({.world = world,
                          .strategy = strategy,
                          .number = number,
                          .job = job,
                          .outcome = became,
                          .troubles = troubles,
                          .gave_way_to = gave_way_to});
  };
  CHECK(line_of(world.strategies[0], 0, outcome,
                {.stock_outs = 3, .faults = 1, .bookings_expired = 5, .revoked = 2}, {7, 12}) ==
        "0,jobs,0,train,bob,4,7200.000,3600.000,3600.000,3601.500,14400.000,1.500,0.001,10800.000,completed,"
        "everything,1,1800.000,18000.000,1,1.000,2,0.250,4,2,3,1,6,5,2,,,,,7 "
        "12,0.000,,quota,0.000,1.000,0.250,0.000,0.000,0.000,0.250,0.001\n");

  JobOutcome never;
  never.state = FinalState::refused;
  never.released = never.finished = kStart + 1h;
  job.deadline = kForever;
  CHECK(line_of(world.strategies[0], 7, never, {}) ==
        "7,jobs,0,train,bob,4,7200.000,3600.000,3600.000,,3600.000,,,0.000,refused,everything,0,0.000,,,0."
        "000,0,0.000,0,,0,0,0,0,0,,,,,,0.000,,,0.000,0.000,0.000,0.000,0.000,0.000,0.000,0.000\n");

  Strategy on_vertex = world.strategies[0];
  on_vertex.legs[0].orchestrator = OrchestratorName::vertex;
  CHECK_THAT(line_of(on_vertex, 7, never, {.stock_outs = 4}), Catch::Contains(",4,0,0,0,0,vertex,FAILED,"));

  World with_slurm = world;
  with_slurm.slurm.emplace();
  with_slurm.slurm->configuration.associations = {{.name = "science"},
                                                  {.name = "ann", .parent = 0, .is_user = true},
                                                  {.name = "bob", .parent = 0, .is_user = true}};
  with_slurm.slurm->options = {{.associations = {1, 2}}};
  with_slurm.strategies[0].legs[0].partition = "long";
  CHECK_THAT(jobs_csv_line({.world = with_slurm,
                            .strategy = with_slurm.strategies[0],
                            .number = 7,
                            .job = job,
                            .outcome = never,
                            .troubles = {}}),
             Catch::Contains(",long,science,,"));
}

TEST_CASE("A lease's line says when it ran, if it did", "[report]") {
  const World world = test::measured_world({});
  LeaseRow lease;
  lease.gpus = GpuCount{4};
  lease.pool = PoolId{1};
  lease.granted = kStart + 1s;
  lease.running = kStart + 2s;
  lease.ended = kStart + 3s;
  lease.preempted = true;
  CHECK(leases_csv_header() == "job,attempt,leg,pool,gpus,granted_s,running_s,ended_s,lost_s,preempted\n");
  CHECK(leases_csv_line(world, world.strategies[0], lease) ==
        "0,1,everything,zone B,4,1.000,2.000,3.000,0.000,1\n");
  lease.running = lease.ended;
  CHECK(leases_csv_line(world, world.strategies[0], lease) ==
        "0,1,everything,zone B,4,1.000,,3.000,0.000,1\n");
}
