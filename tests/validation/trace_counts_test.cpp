// The traces beside the checkout hold what their index says: rows, jobs with a run time, users, waits.
// Sources of the figures: traces/INDEX.md and traces/figures.md (F8, F9), counted there by other programs.

#include <chrono>

#include <catch2/catch.hpp>

#include "models/workload/readers/fitting_formats.h"
#include "models/workload/trace.h"
#include "models/workload/trace_summary.h"
#include "tests/support/shared_data.h"

using namespace stockout;

namespace {

struct Row {
  const char* file;
  TraceFormat format;
  std::uint64_t rows;
  std::uint64_t jobs;
};

constexpr Row kRows[] = {
    {"philly/philly_dev_vcs.csv.gz", TraceFormat::philly, 69'264, 69'264},
    {"gaia/pai_1k.csv", TraceFormat::gaia_seconds, 1'000, 1'000},
    {"gaia/pai-100k.csv.gz", TraceFormat::gaia_hours, 99'998, 99'998},
    {"swf/hpc2n.swf", TraceFormat::swf, 3'170, 3'145},
    {"swf/NASA-iPSC-1993-3.1-cln.swf.gz", TraceFormat::swf, 18'239, 18'066},
    {"swf/lublin_256.swf", TraceFormat::swf, 10'000, 10'000},
    {"alibaba-openb-2023/openb_pod_list_default.csv", TraceFormat::openb, 8'152, 6'203},
    {"alibaba-openb-2023/openb_pod_list_gpuspec33.csv", TraceFormat::openb, 8'152, 6'203},
    {"nrel-eagle/sample_eagle_data.csv", TraceFormat::eagle, 1'000, 4},
};

std::optional<Trace> read_shared(const std::string& file, TraceFormat format) {
  const auto path = test::shared_path("traces/workloads/" + file);
  if (!path) return std::nullopt;
  TraceOptions options;
  options.keep_rows = true;
  return read_trace(*path, format, options);
}

// Of all rows that have a start, those that ask for no GPU too, as the index counts them.
LengthSummary waits_of_rows(const Trace& trace) {
  std::vector<SimDuration> waits;
  for (const AuditRow& row : trace.audit_rows) {
    if (row.start_ms != kUnknownMs) waits.emplace_back(row.start_ms - row.submit_ms);
  }
  return summarize_lengths(std::move(waits));
}

}  // namespace

TEST_CASE("Every shared trace has the rows and jobs that its index counts", "[validation][trace]") {
  for (const Row& row : kRows) {
    CAPTURE(row.file);
    const auto trace = read_shared(row.file, row.format);
    if (!trace) return;
    CHECK(trace->rows_read == row.rows);
    CHECK(trace->size() == row.jobs);
    CHECK(fitting_formats(trace->file).front() ==
          (row.format == TraceFormat::gaia_hours ? TraceFormat::gaia_seconds : row.format));
  }
}

TEST_CASE("The jobs of each Philly virtual cluster are those that the index counts", "[validation][trace]") {
  const auto trace = read_shared("philly/philly_dev_vcs.csv.gz", TraceFormat::philly);
  if (!trace) return;
  CHECK(trace->unsorted_rows > 0);
  const TraceSummary summary = summarize(*trace);
  CHECK(summary.users.size() == 10);
  const auto jobs_of = [&](std::string_view name) {
    for (const UserShare& user : summary.users) {
      if (user.name == name) return user.jobs;
    }
    return std::uint64_t{0};
  };
  CHECK(jobs_of("6214e9") == 41'226);
  CHECK(jobs_of("11cb48") == 16'091);
  CHECK(jobs_of("b436b2") == 7'423);
  CHECK(jobs_of("103959") == 1'934);
  CHECK(jobs_of("0e4a51") == 1'435);
  CHECK(jobs_of("795a4c") == 3);
}

TEST_CASE("GAIA in hours is a year of 1,011,246 unit-hours", "[validation][trace]") {
  const auto trace = read_shared("gaia/pai-100k.csv.gz", TraceFormat::gaia_hours);
  if (!trace) return;
  const TraceSummary summary = summarize(*trace);
  CHECK(summary.gpu_hours == Approx(1'011'246).margin(0.5));
  CHECK(summary.sizes.back().most == 512);  // the largest job asks 400
}

TEST_CASE("HPC2N waits are those that the archive recorded", "[validation][trace]") {
  // F8 counts all 3,170 jobs; the 25 without a run time are no jobs here, so the figures are those of the
  // other 3,145.
  const auto trace = read_shared("swf/hpc2n.swf", TraceFormat::swf);
  if (!trace) return;
  const TraceSummary summary = summarize(*trace);
  CHECK(summary.recorded.known == 3'145);
  CHECK(summary.recorded.wait.most == std::chrono::seconds{710'289});
  CHECK(trace->zero_ms == 1'027'839'845'000);
}

TEST_CASE("openb's waits are those of F8, and the pods that were never placed are told",
          "[validation][trace]") {
  const auto trace = read_shared("alibaba-openb-2023/openb_pod_list_default.csv", TraceFormat::openb);
  if (!trace) return;
  const LengthSummary all = waits_of_rows(*trace);
  CHECK(all.mean_ms == Approx(61'300).margin(5));
  CHECK(all.p50 == std::chrono::seconds{2});
  CHECK(all.p90 == std::chrono::seconds{106});
  CHECK(all.p95 == std::chrono::seconds{241});
  CHECK(all.most == std::chrono::seconds{14'330});
  const TraceSummary summary = summarize(*trace);
  CHECK(summary.recorded.known == 6'203);  // with a GPU, counted by another program
  CHECK(summary.recorded.wait.mean_ms == Approx(69'951.2).margin(0.1));
  CHECK(summary.recorded.cancelled == 861);
  CHECK(summary.by_class.size() == 4);
}

TEST_CASE("Eagle's waits are those of F8", "[validation][trace]") {
  const auto trace = read_shared("nrel-eagle/sample_eagle_data.csv", TraceFormat::eagle);
  if (!trace) return;
  const LengthSummary all = waits_of_rows(*trace);
  CHECK(all.mean_ms == Approx(345'419));
  CHECK(all.p50 == std::chrono::seconds{4});
  CHECK(all.p90 == std::chrono::seconds{16});
  CHECK(all.most == std::chrono::seconds{164'804});
  CHECK(trace->gpus == std::vector<std::int32_t>{2, 2, 2, 16});
  CHECK(trace->team.names.size() == 1);
}

TEST_CASE("Helios' series by the minute are refused as such", "[validation][trace]") {
  const auto path = test::shared_path("traces/clusters/helios-earth/vc6YE-cluster_sequence_vc.csv.gz");
  if (!path) return;
  CHECK_THROWS_WITH(fitting_formats(*path), Catch::Matchers::Contains("series of counts by the minute"));
}
