// An audit says of a trace what is wrong with it, and only that.

#include <sstream>
#include <string>

#include <catch2/catch.hpp>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "models/workload/audit/trace_audit.h"
#include "tests/support/answer.h"
#include "tests/support/scratch_folder.h"
#include "tools/stockout/commands.h"

using namespace stockout;
using Catch::Matchers::Contains;

namespace {

// Jobs of 8 GPUs for a week, one every ten minutes, each of 30 minutes after a wait of one: 24 in use.
// `minute` is that of the job; `change` may make another row of it, or none ("").
template <typename Change>
std::string week(const Change& change) {
  std::string csv = "submit,start,end,outcome,gpus,user,id\n0,0,1800,done,24,old,x\n";
  for (int minute = 0; minute < 7 * 24 * 60; minute += 10) {
    const int at = minute * 60;
    csv += change(minute, fmt::format("{},{},{},done,8,ann,{}\n", at, at + 60, at + 1860, minute));
  }
  return csv;
}

TraceAudit audit(const std::string& csv, std::optional<std::int64_t> capacity = 48) {
  const test::ScratchFolder folder;
  TraceOptions options;
  options.keep_rows = true;
  return audit_trace(read_trace(folder.file("t", csv), TraceFormat::csv, options), capacity);
}

const AuditFinding& finding_of(const TraceAudit& audit, std::string_view check) {
  for (const AuditFinding& finding : audit.findings) {
    if (finding.check == check) return finding;
  }
  FAIL("no check " << check);
  return audit.findings.front();
}

std::string unchanged(int /*minute*/, const std::string& row) { return row; }

// The only check that found something: others are fine, or the file does not have what they go by.
void check_only(const TraceAudit& audit, std::string_view check, AuditGrade grade, std::uint64_t count) {
  for (const AuditFinding& finding : audit.findings) {
    CAPTURE(finding.check, finding.text, finding.first_line);
    if (finding.check == check) {
      CHECK(finding.grade == grade);
    } else {
      CHECK(finding.grade <= AuditGrade::unknown);
      CHECK((finding.grade == AuditGrade::unknown) == finding.text.starts_with("not known"));
    }
  }
  CHECK(finding_of(audit, check).count == count);
  CHECK(audit.verdict == grade);
}

}  // namespace

TEST_CASE("A sound trace passes every check", "[audit]") {
  const TraceAudit sound = audit(week(unchanged));
  for (const AuditFinding& finding : sound.findings) {
    CAPTURE(finding.check, finding.text, finding.first_line);
    CHECK(finding.grade == AuditGrade::fine);
  }
  CHECK(sound.verdict == AuditGrade::fine);
  CHECK_THAT(finding_of(sound, "more in use than there is").text, Contains("at most"));
}

TEST_CASE("Two days without a submission are a hole, and much of it makes a trace unfit", "[audit]") {
  const auto without = [](int from_day, int to_day) {
    return audit(week([&](int minute, const std::string& row) {
      const int day = minute / (24 * 60);
      return day >= from_day && day < to_day ? std::string{} : row;
    }));
  };
  check_only(without(2, 3), "coverage", AuditGrade::look, 1);
  CHECK_THAT(finding_of(without(2, 3), "coverage").text, Contains("the longest of 1d 10min from"));
  check_only(without(2, 5), "coverage", AuditGrade::unfit, 1);
}

TEST_CASE("Rows without a submission, and times that cannot be, are counted", "[audit]") {
  const auto without_submit = [](int every) {
    return audit(week([&](int minute, const std::string& row) {
      return minute % every == 100 ? row.substr(row.find(',')) : row;
    }));
  };
  check_only(without_submit(2000), "missing submissions", AuditGrade::look, 5);
  check_only(without_submit(110), "missing submissions", AuditGrade::unfit, 91);
  const TraceAudit early = audit(week([](int minute, const std::string& row) {
    return minute % 5000 == 100 ? std::to_string(minute * 60 + 90) + row.substr(row.find(',')) : row;
  }));
  check_only(early, "impossible times", AuditGrade::look, 2);  // submitted when they ran
  CHECK(finding_of(early, "impossible times").first_line == 13);
}

TEST_CASE("A clock that was set back for an hour is found, and where", "[audit]") {
  const TraceAudit back = audit(week([](int minute, const std::string&) {
    const int at = (minute < 3000 ? minute : minute - 60) * 60;
    return fmt::format("{},{},{},done,8,ann,\n", at, at + 60, at + 1860);
  }));
  check_only(back, "jumps of the clock", AuditGrade::look, 1);
  CHECK(finding_of(back, "jumps of the clock").first_line == 3 + 300);
  CHECK_THAT(finding_of(back, "jumps of the clock").text, Contains("back by about 1h"));
}

TEST_CASE("Later attempts of jobs do not hide a jump of the clock, and rows in no order tell of none",
          "[audit]") {
  const auto clock = [](int again_every, bool sorted, const char* zone) {
    std::string text = "JobIDRaw|User|State|Submit|Start|End|AllocTRES\n";
    for (int job = 0; job < 400; ++job) {
      const int at = 4 * 60 + job * 5 - (job < 200 ? 0 : 60);
      const int minute = sorted || job % 2 == 0 ? at : at - 120;
      const auto row = [&](int submit, const char* state) {
        const auto stamp = [](int m) {
          return fmt::format("2026-07-{:02}T{:02}:{:02}:00", 1 + m / 1440, m / 60 % 24, m % 60);
        };
        text += fmt::format("{}|ann|{}|{}|{}|{}|gres/gpu=8\n", job, state, stamp(submit), stamp(submit + 1),
                            stamp(submit + 30));
      };
      row(minute, job % again_every == 0 ? "PREEMPTED" : "COMPLETED");
      if (job % again_every == 0) row(minute + 40, "COMPLETED");
    }
    const test::ScratchFolder folder;
    TraceOptions options;
    options.keep_rows = true;
    options.zone = zone;
    return finding_of(audit_trace(read_trace(folder.file("t", text), TraceFormat::sacct, options)),
                      "jumps of the clock");
  };
  const AuditFinding found = clock(20, true, "UTC");
  CHECK(found.grade == AuditGrade::look);
  CHECK(found.count == 1);
  CHECK_THAT(found.text, Contains("back by about 1h") && Contains("--zone"));
  // Whoever has named a zone is not told to name it.
  CHECK_THAT(clock(20, true, "Europe/Berlin").text,
             Contains("read as of Europe/Berlin") && !Contains("--zone"));
  CHECK(clock(20, false, "UTC").grade == AuditGrade::unknown);
}

TEST_CASE("Broken rows and GPUs that no column counts are graded", "[audit]") {
  const auto broken = [](int every) {
    return audit(week([&](int minute, const std::string& row) {
      return minute % every == 100 ? "soon" + row.substr(row.find(',')) : row;
    }));
  };
  check_only(broken(2000), "broken rows", AuditGrade::look, 5);
  check_only(broken(110), "broken rows", AuditGrade::unfit, 91);
  std::string csv = "submit,start,end,outcome\n0,0,900000,done\n";
  for (int job = 0; job < 100; ++job) csv += fmt::format("{0},{0},{1},done\n", job * 600, job * 600 + 60);
  CHECK(finding_of(audit(csv), "GPUs of a job").grade == AuditGrade::look);
  CHECK_THAT(finding_of(audit(csv), "GPUs of a job").text, Contains("one GPU a job is assumed"));
}

TEST_CASE("Runs of no length and of years are odd", "[audit]") {
  const TraceAudit zero = audit(week([](int minute, const std::string& row) {
    return minute == 500 ? "30000,30060,30060,done,8,ann,\n" : row;
  }));
  check_only(zero, "odd run times", AuditGrade::look, 1);
  CHECK_THAT(finding_of(zero, "odd run times").text, Contains("1 of zero length"));
}

TEST_CASE("Many runs of no length make a trace unfit: they are left out", "[audit]") {
  const auto zero_of = [](int every) {
    return audit(week([&](int minute, const std::string& row) {
      const int at = minute * 60;
      return minute % every == 500 % every ? fmt::format("{0},{1},{1},done,8,ann,\n", at, at + 60) : row;
    }));
  };
  CHECK(finding_of(zero_of(1000), "odd run times").grade == AuditGrade::look);
  check_only(zero_of(100), "odd run times", AuditGrade::unfit, 101);
  // Also where the file has no starts; a job that never ran has no length.
  std::string csv = "submit,duration,gpus,outcome\n";
  for (int job = 0; job < 100; ++job) csv += fmt::format("{},{},8,\n", job * 600, job % 2 * 3600);
  CHECK(finding_of(audit(csv), "odd run times").grade == AuditGrade::unfit);
  csv = "submit,duration,gpus,outcome\n";
  for (int job = 0; job < 100; ++job)
    csv += fmt::format("{},{},8,{}\n", job * 600, job % 2 * 3600, job % 2 == 0 ? "refused" : "done");
  CHECK(finding_of(audit(csv), "odd run times").grade == AuditGrade::fine);
}

TEST_CASE("A run that is years shorter than from start to end has an impossible time", "[audit]") {
  const auto ending = [](const char* end) {
    const test::ScratchFolder folder;
    TraceOptions options;
    options.keep_rows = true;
    const std::string text =
        "JobID|State|Submit|Start|End|ElapsedRaw|AllocTRES\n"
        "1|COMPLETED|2026-07-06T09:00:00|2026-07-06T10:00:00|" +
        std::string{end} + "|10800|gres/gpu=8\n";
    return audit_trace(read_trace(folder.file("t", text), TraceFormat::sacct, options));
  };
  CHECK(finding_of(ending("9999-12-31T23:59:59"), "impossible times").count == 1);
  CHECK(finding_of(ending("2026-07-20T13:00:00"), "impossible times").count == 0);  // suspended for two weeks
}

TEST_CASE("A record of jobs that never started has a verdict, and what was recorded", "[audit][command]") {
  const test::ScratchFolder folder;
  const std::string head = "JobID|State|Submit|Start|End|ReqTRES|User|QOS\n";
  const std::string refused = folder.file(
      "refused.txt", head +
                         "2|CANCELLED by 5|2026-07-06T10:10:00|None|2026-07-06T11:00:00|gres/gpu=8|b|high\n"
                         "3|CANCELLED by 5|2026-07-06T10:10:00|None|2026-07-06T11:00:00|gres/gpu=8|c|low\n");
  const auto run = [](const std::string& command, const std::string& file, ExitCode exit) {
    const test::Answer answer = test::stockout_says({"trace", command, file});
    CHECK(answer.code == exit);
    return answer.out + answer.err;
  };
  const std::string audited = run("audit", refused, ExitCode::not_as_asked);
  CHECK_THAT(audited, Contains("must not be used as it is: 1 of 12 checks say unfit"));
  CHECK_THAT(audited, Contains("2 jobs never started, so how long they run is not known"));
  const std::string info = run("info", refused, ExitCode::done);
  CHECK_THAT(info, Contains("none ran: 2 jobs never started"));
  CHECK_THAT(info, Contains("Recorded wait by class") && Contains("high") && Contains("low"));
  // Rows that no one can say anything of are no record.
  const std::string broken = folder.file("broken.txt", head + "2|x\n");
  CHECK_THAT(run("audit", broken, ExitCode::bad_input),
             Contains("broken.txt:2: has fewer fields than the header"));
  CHECK_THAT(run("fit", refused, ExitCode::bad_input), Contains("holds no job; all rows were dropped"));
  // Nor has an audit of rows without any submission anything to divide by.
  const std::string lost = folder.file(
      "lost.txt", head + "2|COMPLETED|Unknown|2026-07-06T10:10:00|2026-07-06T11:00:00|gres/gpu=8|b|high\n");
  CHECK_THAT(run("audit", lost, ExitCode::not_as_asked), Contains("no row has a submission"));
}

TEST_CASE("More in use than there is counts by how long it was so", "[audit]") {
  const std::string csv = week(unchanged);
  CHECK(finding_of(audit(csv, 56), "more in use than there is").grade == AuditGrade::fine);
  CHECK(finding_of(audit(csv, 40), "more in use than there is").grade == AuditGrade::look);  // at its begin
  CHECK(finding_of(audit(csv, 16), "more in use than there is").grade == AuditGrade::unfit);
  CHECK(finding_of(audit(csv, 16), "more in use than there is").first_line == 2);
}

TEST_CASE("A trace that lacks the jobs that ran at its ends is cut", "[audit]") {
  // Only jobs that began and ended in the week: eight hours each.
  std::string csv = "submit,start,end,outcome,gpus\n";
  for (int hour = 0; hour < 160; ++hour) {
    csv += fmt::format("{},{},{},done,8\n", hour * 3600, hour * 3600, (hour + 8) * 3600);
  }
  check_only(audit(csv, {}), "cut at its ends", AuditGrade::look, 0);
  csv += "572400,572400,,running,8\n576000,,,pending,8\n";
  const TraceAudit running = audit(csv, {});
  check_only(running, "cut at its ends", AuditGrade::look, 2);
  CHECK(finding_of(running, "cut at its ends").first_line == 162);
  CHECK_THAT(finding_of(running, "cut at its ends").text, Contains("leave out 8h at that end"));
}

TEST_CASE("Ids that come twice are copies, or attempts that follow one another", "[audit]") {
  const TraceAudit twice =
      audit(week([](int minute, const std::string& row) { return minute == 500 ? row + row : row; }));
  check_only(twice, "repeated ids", AuditGrade::look, 1);
  CHECK(finding_of(twice, "repeated ids").first_line == 54);
  const TraceAudit attempts = audit(week([](int minute, const std::string& row) {
    return minute == 500 ? row + "31900,31900,32000,done,8,ann,500\n" : row;
  }));
  check_only(attempts, "repeated ids", AuditGrade::look, 0);
  CHECK_THAT(finding_of(attempts, "repeated ids").text,
             Contains("rows that are further attempts of a job, and count as jobs of their own: 1"));
}

TEST_CASE("Rows that ask again after a refusal look like tries of one job", "[audit]") {
  const TraceAudit tries = audit(week([](int minute, const std::string& row) {
    const int at = minute * 60;
    const std::string refused = fmt::format("{},,{},refused,8,ann,\n", at, at);
    return minute % 100 == 0 ? refused + row : row;
  }));
  check_only(tries, "tries of one job", AuditGrade::look, 101);
}

TEST_CASE("trace audit has one line of verdict, a table, and exit code 1 for what must not be used",
          "[audit][command]") {
  const test::ScratchFolder folder;
  const std::string path = folder.file("week.csv", week(unchanged));
  const auto run = [&](const std::string& more, ExitCode exit) {
    std::ostringstream out;
    std::ostringstream err;
    Console console{.out = out, .err = err};
    CLI::App app;
    add_trace_command(app, console);
    app.parse("trace audit " + path + more);
    CHECK(console.exit == exit);
    return out.str();
  };
  CHECK_THAT(run(" --capacity 56", ExitCode::done), Contains("verdict             can be used: 12 checks"));
  const std::string unfit = run(" --capacity 8", ExitCode::not_as_asked);
  CHECK_THAT(unfit, Contains("verdict             must not be used as it is: 1 of 12 checks say unfit"));
  CHECK_THAT(unfit, Contains("repeated ids"));
}
