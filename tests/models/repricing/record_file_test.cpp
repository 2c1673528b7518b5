// Records as files: whole, the same bytes for the same runs, and never trusted.

#include <cstdint>
#include <fstream>

#include <SQLiteCpp/SQLiteCpp.h>
#include <catch2/catch.hpp>

#include "models/repricing/record_reader.h"
#include "models/repricing/record_tables.h"
#include "models/repricing/record_writer.h"
#include "tests/support/runs/recorded.h"
#include "tests/support/scenarios/small_scenario.h"

using namespace stockout;
using namespace stockout::test;
using Catch::Contains;

namespace {

const StoredComparison& billed_record() {
  static const StoredComparison kRecord = [] {
    const ScratchFolder folder;
    return recorded(load_scenario(folder.file("billed.json", kBilledScenario)));
  }();
  return kRecord;
}

const std::string& billed_bytes() {
  static const std::string kBytes = record_bytes(billed_record());
  return kBytes;
}

std::string why_unreadable(const std::string& path) {
  return error_in([&] { static_cast<void>(read_record(path)); });
}

enum class Sums : std::uint8_t { kept, made_anew };

// What is said of the record after this SQL, by accident or by somebody who knows check sums.
std::string after(const std::string& sql, Sums sums = Sums::kept) {
  const ScratchFolder folder;
  const std::string path = folder.file("runs.sqlite", billed_bytes());
  {
    SQLite::Database record{path, SQLite::OPEN_READWRITE};
    record.exec(sql);
    if (sums == Sums::made_anew) {
      for (const SummedRows& rows : each_table(kRecordTables)) seal_rows<kTableSumsTable>(record, rows);
    }
  }
  return why_unreadable(path);
}

}  // namespace

TEST_CASE("What was written is what is read", "[record]") {
  const ScratchFolder folder;
  const std::string path = folder.file("runs.sqlite", billed_bytes());
  const StoredComparison read = read_record(path);
  CHECK(record_bytes(read) == billed_bytes());
  CHECK(read.strategies.size() == 6);
  CHECK(read.strategies[1].name == "spot \"quoted\"");
  CHECK(read.strategies[5].looks_at_prices);
  CHECK(read.overlays[1].label == "'; DROP TABLE runs; --");
  CHECK(read.terms.commitments[0].plan == PriceModel::cud_1y);
  CHECK(read.goal->quantile == 0.5);
  CHECK(read.asked() == std::vector<std::string>{"50 % of jobs start within 2d and complete",
                                                 "1 % of small jobs start within 3d and complete",
                                                 "the cost is at most $100,000,000 on average"});
  CHECK(read.goals[1].goal.budget_usd == 100'000'000);
  CHECK(read.strategies[0].runs[0].goals == billed_record().strategies[0].runs[0].goals);
  CHECK(read.strategies[0].runs[0].goals[0].jobs > 0);
  CHECK(read.scenario_text == kBilledScenario);
  CHECK(read.fingerprint == billed_record().fingerprint);
}

TEST_CASE("The same runs give the same bytes, on one thread or two", "[record]") {
  const ScratchFolder folder;
  const std::string scenario = folder.file("billed.json", kBilledScenario);
  CHECK(record_bytes(recorded(load_scenario(scenario), 1)) ==
        record_bytes(recorded(load_scenario(scenario), 2)));
}

TEST_CASE("A scenario's path may hold any bytes, and a source a tab", "[record]") {
  const ScratchFolder folder;
  Scenario scenario = load_scenario(folder.file("a\xff\nb.json", kBilledScenario));
  scenario.world.price_lines[0].source = "list\tof May";
  const std::string path = folder.file("runs.sqlite", record_bytes(recorded(scenario)));
  const StoredComparison read = read_record(path);
  CHECK_THAT(read.scenario_file, Catch::EndsWith("/a??b.json"));
  CHECK(read.lines[0].price.source == "list\tof May");
}

TEST_CASE("A record of prices up to the last day there is can be read", "[record]") {
  const ScratchFolder folder;
  std::string text = kBilledScenario;
  const std::string dated = R"("from": "2026-08-04")";
  text.insert(text.find(dated) + dated.size(), R"(, "until": "2199-12-31")");
  const std::string path =
      folder.file("runs.sqlite", record_bytes(recorded(load_scenario(folder.file("far.json", text)))));
  CHECK(to_text(*read_record(path).overlays[0].until) == "2199-12-31");
}

TEST_CASE("A record that could not be read back is not written", "[record]") {
  StoredComparison record = billed_record();
  BilledUse& use = record.strategies[0].runs[0].use;
  const UsageHour most{.hour = 0, .used = {}, .billed = MachineTime{std::int64_t{1} << 61}};
  use.add(PriceLineId{0}, std::span{&most, 1});
  use.close();
  CHECK_THROWS_WITH(record_bytes(record),
                    Contains("--record") && Contains("more machine-time than a record"));
}

TEST_CASE("A record opens as it is: units in the names, views with names in them", "[record]") {
  const ScratchFolder folder;
  SQLite::Database database{folder.file("runs.sqlite", billed_bytes()), SQLite::OPEN_READONLY};
  const StoredComparison& record = billed_record();
  CHECK(database.execAndGet("SELECT count(*) FROM costs").getInt() == 12);
  CHECK(database.execAndGet("SELECT cost_usd FROM costs WHERE strategy = 'shared' AND replication = 1")
            .getDouble() == record.strategies[3].runs[1].total[Measure::cost].value);
  CHECK(database.execAndGet("SELECT sum(used_machine_ms) FROM run_usage WHERE strategy = 3").getInt64() > 0);
  CHECK(database.execAndGet("SELECT count(*) FROM usage WHERE charge = 'held' AND pool = 'list'").getInt() >
        0);
  CHECK(database.execAndGet("PRAGMA integrity_check").getString() == "ok");
}

TEST_CASE("A record that was changed is not believed", "[record]") {
  const auto [sql, message] = GENERATE(table<std::string, std::string>({
      {"UPDATE run_measures SET value = value + 1 WHERE measure = 'wait_mean_h'", "run_measures"},
      {"DELETE FROM run_measures", "its table run_measures is not what was written"},
      {"DELETE FROM run_measures WHERE measure = 'goal_met_share' AND strategy = 1", "run_measures"},
      {"DELETE FROM run_measures WHERE measure = 'cost_usd'; UPDATE run_usage SET used_machine_ms = "
       "used_machine_ms * 2, billed_machine_ms = billed_machine_ms * 2",
       "run_measures"},
      {"UPDATE record SET goal_share = 0.51", "its table record is not what was written"},
      {"UPDATE strategies SET name = 'on-demand' WHERE strategy = 0", "its table strategies is not"},
      {"UPDATE runs SET fingerprint = '0000000000000000' WHERE strategy = 0", "its table runs is not"},
      {"DELETE FROM scenario_sets; INSERT INTO scenario_sets VALUES (0, '/seed=7')", "scenario_sets"},
      {"DELETE FROM check_sums", "is damaged"},
      {"DELETE FROM check_sums WHERE table_name = 'runs'", "its table runs is not what was written"},
      {"UPDATE check_sums SET fnv1a = '0000000000000000' WHERE table_name = 'runs'", "its table runs"},
      {"DROP TABLE check_sums", "its table check_sums is not that"},
      {"DROP TABLE run_held", "its table run_held is not that"},
      {"DROP TABLE run_usage; CREATE VIEW run_usage AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + "
       "1 FROM n) SELECT i AS strategy FROM n",
       "its table run_usage is not that"},
      {"PRAGMA user_version = 2",
       "is a record of a comparison of layout 2, and this program reads layout 10: make it again"},
      {"PRAGMA application_id = 77", "is a database, but no record of a comparison"},
  }));
  CAPTURE(sql);
  CHECK_THAT(after(sql), Catch::Contains(message));
}

TEST_CASE("A record that was changed by somebody who knows check sums is not believed", "[record]") {
  const auto [sql, message] = GENERATE(table<std::string, std::string>({
      {"UPDATE run_usage SET billed_machine_ms = billed_machine_ms + 1 WHERE line = 0",
       "does not cost at its prices"},
      {"UPDATE price_steps SET contracted_nanousd_per_machine_hour = 1", "does not cost at its prices"},
      {"UPDATE run_measures SET value = 1 WHERE measure = 'cost_usd'", "does not cost at its prices"},
      {"UPDATE run_usage SET billed_machine_ms = 9223372036854775807", "run_usage"},
      {"UPDATE run_usage SET used_machine_ms = -1", "used_machine_ms must be 0 to"},
      {"UPDATE run_usage SET used_machine_ms = 1e300", "must be a whole number"},
      {"UPDATE run_usage SET used_machine_ms = 'many'", "must be a whole number"},
      {"UPDATE run_usage SET hour = 999999999 WHERE hour = 3 AND line = 0", "hour must be"},
      {"UPDATE run_usage SET billed_machine_ms = 2305843009213693951", "more machine-time than any run has"},
      {"DELETE FROM run_usage WHERE strategy = 0", "does not cost at its prices"},
      {"DELETE FROM runs WHERE strategy = 0 AND replication = 1", "there is no such run"},
      {"DELETE FROM run_measures WHERE replication = 1; DELETE FROM run_usage WHERE replication = 1; DELETE "
       "FROM run_held WHERE replication = 1; DELETE FROM run_other_costs WHERE replication = 1 AND cost > 0; "
       "DELETE FROM runs WHERE replication = 1 AND strategy > 0",
       "there is no such run"},
      {"DELETE FROM price_lines WHERE line = 0", "a row before it is missing"},
      {"UPDATE price_lines SET model = 'lease'", "but is \"lease\""},
      {"UPDATE clock SET offset_ms = 99999999", "offset_ms must be"},
      {"INSERT INTO clock VALUES (99, 0, 0)", "a row before it is missing"},
      {"INSERT INTO clock SELECT count(*), min(at_ms) - 1, 0 FROM clock", "the times of a clock must rise"},
      {"INSERT INTO price_steps VALUES (0, 1800000, 1, 1)", "whole hours"},
      {"DELETE FROM price_steps", "has no price"},
      {"UPDATE price_steps SET list_nanousd_per_machine_hour = 9223372036854775807", "must be 0 to"},
      {"UPDATE own_prices SET factor_millionths = -3", "factor_millionths"},
      {"UPDATE own_prices SET from_day = '2026-02-30'", "from_day must be a day"},
      {"UPDATE commitments SET machines = 9223372036854775807", "machines must be"},
      {"UPDATE commitments SET end_ms = start_ms - 1", "end_ms must be"},
      {"WITH RECURSIVE n(i) AS (SELECT 9 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) INSERT INTO run_held "
       "SELECT 0, 0, i, 0, 1000000, 0 FROM n",
       "more than any scenario has"},
      {"WITH RECURSIVE n(i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) INSERT INTO "
       "other_costs SELECT i, '', 1000000000000000 FROM n",
       "more than any scenario has"},
      {"UPDATE coverage_lines SET line = 4000", "line must be"},
      {"UPDATE run_measures SET measure = 'cost_eur' WHERE measure = 'cost_usd'",
       "there is no measure \"cost_eur\""},
      {"UPDATE run_measures SET value = 9e999", "must be a number"},
      {"UPDATE strategies SET name = 'a' || char(27) || '[2Jb'", "without control characters"},
      {"UPDATE record SET start = 'soon'", "start must be a day"},
      {"UPDATE record SET seed = '-1'", "seed must be a whole number"},
      {"UPDATE record SET fingerprint = '12'", "fingerprint must be a fingerprint of 16"},
      {"UPDATE record SET goal_share = NULL", "goal_share must be there if the others are"},
      {"UPDATE record SET goal = NULL", "goal must be there if the others are"},
      {"INSERT INTO record SELECT * FROM record", "there is more than one"},
      {"UPDATE price_lines SET line = 4294967296 WHERE line = 3", "price_lines"},
      {"UPDATE run_held SET line = 4294967296", "line must be"},
      {"DELETE FROM record", "is empty"},
      {"DELETE FROM strategies", "holds no strategy"},
      {"DELETE FROM run_measures WHERE measure = 'cost_usd'", "measures of a run of it are missing"},
      {"DELETE FROM run_measures", "measures of a run of it are missing"},
      {"UPDATE run_measures SET value = 7 WHERE measure = 'goal_met_share' AND strategy = 0",
       "goal_met_share must be from 0 to 1"},
      {"UPDATE run_measures SET value = -1 WHERE measure = 'goal_met_share' AND strategy = 4",
       "goal_met_share must be from 0 to 1"},
      {"UPDATE record SET goal_share = 5", "goal_share must be"},
      {"UPDATE record SET goal_same_work_share = -1", "goal_same_work_share must be"},
      {"UPDATE goals SET text = ''", "text must not be empty"},
      {"UPDATE goals SET kind = 'dreams'", "kind must be"},
      {"UPDATE goals SET budget_usd = 0", "budget_usd must be above 0"},
      {"UPDATE goals SET least_share = 0", "least_share must be above 0"},
      {"DELETE FROM goals WHERE goal = 0", "a row before it is missing"},
      {"DELETE FROM goals", "there is no such goal"},
      {"UPDATE run_goals SET goal = 1", "a budget is met by no job"},
      {"UPDATE run_goals SET met_share = 2", "met_share must be"},
      {"UPDATE run_goals SET jobs = 0", "jobs must be"},
      {"UPDATE runs SET reference_gpu_h = -1", "reference_gpu_h must be"},
      {"UPDATE strategies SET name = 'shared'", "name must not be that of another strategy"},
      {"UPDATE strategies SET name = ''", "name must not be empty"},
  }));
  CAPTURE(sql);
  CHECK_THAT(after(sql, Sums::made_anew), Catch::Contains(message));
}

TEST_CASE("A record with tables of somebody else beside its own is read", "[record]") {
  CHECK(after("CREATE TABLE notes (text TEXT); CREATE INDEX by_hour ON run_usage (hour)").empty());
}

// The tables of the record itself are as they were.
TEST_CASE("A record with a broken page is refused, whatever stands in it", "[record]") {
  const ScratchFolder folder;
  const std::string path = folder.file("runs.sqlite", billed_bytes());
  SQLite::Database{path, SQLite::OPEN_READWRITE}.exec(
      "CREATE TABLE notes (text TEXT); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i "
      "< 900) INSERT INTO notes SELECT 'a note of some length, ' || i FROM n");
  CHECK(why_unreadable(path).empty());
  constexpr std::streamoff kPage = 4096;
  std::fstream file{path, std::ios::in | std::ios::out | std::ios::binary};
  file.seekp(-kPage, std::ios::end);
  file << std::string(kPage, '\xff') << std::flush;
  CHECK_THAT(why_unreadable(path), Contains("is damaged: ") && Contains(". Make the record again"));
}

TEST_CASE("Files that are no records are refused, and damaged ones never believed", "[record]") {
  const ScratchFolder folder;
  CHECK_THAT(why_unreadable(folder.path("none.sqlite")), Catch::Contains("there is no such file"));
  CHECK_THAT(why_unreadable(folder.path()), Catch::Contains("is a folder"));
  for (const std::string& text : {std::string{}, std::string{"SQLite format 3"}, std::string(5'000, '\0')})
    CHECK_THAT(why_unreadable(folder.file("x.sqlite", text)), Catch::Contains("is no record"));

  const std::string& bytes = billed_bytes();
  for (std::size_t size = 100; size < bytes.size(); size += bytes.size() / 17)
    CHECK_FALSE(why_unreadable(folder.file("cut.sqlite", bytes.substr(0, size))).empty());
}

TEST_CASE("A record of which one bit is flipped is refused, or says what it said", "[record]") {
  const ScratchFolder folder;
  const std::string& bytes = billed_bytes();
  for (std::size_t at = 100, bit = 0; at < bytes.size(); at += bytes.size() / 397, ++bit) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << bit % 8));
    const std::string path = folder.file("damaged.sqlite", damaged);
    CAPTURE(at, bit % 8);
    if (why_unreadable(path).empty()) CHECK(record_bytes(read_record(path)) == bytes);
  }
}
