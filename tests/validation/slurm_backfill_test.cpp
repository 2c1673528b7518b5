// Backfill of the model of Slurm against published and independent figures: figures.md F7 (Batsim's own
// output, job by job) and F9 (an independent EASY on real traces). Ties: at one instant jobs end, then others
// come, in the order of submission and of the file; then jobs are tried in that order.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "models/workload/trace.h"
#include "sim/io/csv_reader.h"
#include "tests/support/shared_data.h"
#include "tools/slurm_replay/replay.h"

using namespace stockout;

namespace {

slurm::Configuration pool_of(int nodes, slurm::Backfill backfill) {
  slurm::Configuration pool;
  pool.partitions.push_back({.name = "all", .nodes = {}});
  for (int i = 0; i < nodes; ++i) {
    pool.nodes.push_back({.name = "n" + std::to_string(i)});
    pool.partitions.front().nodes.push_back(static_cast<slurm::NodeIndex>(i));
  }
  pool.settings.backfill_type = backfill;
  return pool;
}

struct Waits {
  double mean_s = 0;
  double max_s = 0;
};

Waits waits_of(const std::vector<slurm::PlayedJob>& played) {
  Waits waits;
  for (const slurm::PlayedJob& job : played) {
    REQUIRE(job.start.has_value());
    const double wait = static_cast<double>(job.wait().count()) / 1000;
    waits.mean_s += wait / static_cast<double>(played.size());
    waits.max_s = std::max(waits.max_s, wait);
  }
  return waits;
}

struct PhillyRow {
  std::string cluster;
  int gpus;
  std::size_t jobs;
  double mean_s;
  double max_s;
};

const std::vector<PhillyRow> kPhilly{{"11cb48", 64, 16'091, 1'055.52, 230'314},
                                     {"103959", 32, 1'934, 37'072.24, 252'225},
                                     {"b436b2", 128, 7'423, 8'159.34, 1'067'744},
                                     {"0e4a51", 64, 1'435, 392'969.01, 1'475'476},
                                     {"6214e9", 64, 41'226, 116'925.74, 363'214}};

// Batsim's table of jobs, in the order of submission.
struct BatsimJobs {
  std::vector<slurm::ListedJob> jobs;
  std::vector<double> starts_s;
};

BatsimJobs read_batsim(const std::string& path) {
  struct Row {
    double submit_s, start_s, limit_s, run_s;
    int nodes;
  };
  std::vector<Row> rows;
  CsvReader csv{path};
  REQUIRE(csv.next());
  while (csv.next()) {
    const auto number = [&](std::size_t column) { return std::stod(std::string{csv.fields()[column]}); };
    rows.push_back({number(3), number(7), number(5), number(8), static_cast<int>(number(4))});
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row& a, const Row& b) { return a.submit_s < b.submit_s; });
  BatsimJobs all;
  const auto ms = [](double seconds) { return SimDuration{std::llround(seconds * 1000)}; };
  for (const Row& row : rows) {
    slurm::ListedJob job;
    job.submit = kStart + ms(row.submit_s);
    job.run_time = ms(row.run_s);
    job.request.size.nodes = row.nodes;
    job.request.time_limit = ms(row.limit_s);
    all.jobs.push_back(job);
    all.starts_s.push_back(row.start_s);
  }
  return all;
}

// Each for as long as its user asked, or else as it ran.
std::vector<slurm::ListedJob> jobs_of(const Trace& trace) {
  std::vector<slurm::ListedJob> jobs;
  for (std::size_t i = 0; i < trace.submit_ms.size(); ++i) {
    slurm::ListedJob job;
    job.submit = kStart + SimDuration{trace.submit_ms[i] - trace.submit_ms.front()};
    job.run_time = trace.work[i];
    job.request.size.nodes = trace.gpus[i];
    job.request.time_limit = trace.estimate.empty() ? job.run_time : trace.estimate[i];
    jobs.push_back(job);
  }
  return jobs;
}

std::vector<slurm::ListedJob> philly_jobs(const std::string& path, const std::string& cluster) {
  TraceOptions options;
  options.users = {cluster};
  return jobs_of(read_trace(path, TraceFormat::philly, options));
}

}  // namespace

TEST_CASE("EASY on the jobs of Philly waits as an independent program says", "[slurm][validation][F9]") {
  const auto path = test::shared_path("traces/workloads/philly/philly_dev_vcs.csv.gz");
  if (!path) return;
  for (const PhillyRow& row : kPhilly) {
    CAPTURE(row.cluster);
    const std::vector<slurm::ListedJob> jobs = philly_jobs(*path, row.cluster);
    REQUIRE(jobs.size() == row.jobs);
    const Waits waits = waits_of(slurm::replay(pool_of(row.gpus, slurm::Backfill::easy), jobs));
    CHECK(std::abs(waits.mean_s - row.mean_s) <= 0.0051);
    CHECK(waits.max_s == row.max_s);
  }
}

// HPC2N differs by 6e-5 of its mean, from ties.
TEST_CASE("EASY on logs of the Parallel Workloads Archive waits as an independent program says",
          "[slurm][validation][F9]") {
  struct Row {
    std::string file;
    int machines;
    std::size_t jobs;
    double mean_s, max_s, most_apart_s;
  };
  const std::vector<Row> rows{{"hpc2n.swf", 240, 3'145, 3'557.30, 81'059, 0.21},
                              {"NASA-iPSC-1993-3.1-cln.swf.gz", 128, 18'066, 4.07, 23'753, 0.0051},
                              {"lublin_256.swf", 256, 10'000, 97'155.99, 1'029'731, 0.0051}};
  for (const Row& row : rows) {
    CAPTURE(row.file);
    const auto path = test::shared_path("traces/workloads/swf/" + row.file);
    if (!path) return;
    const std::vector<slurm::ListedJob> jobs = jobs_of(read_trace(*path, TraceFormat::swf));
    REQUIRE(jobs.size() == row.jobs);
    const Waits waits = waits_of(slurm::replay(pool_of(row.machines, slurm::Backfill::easy), jobs));
    CHECK(std::abs(waits.mean_s - row.mean_s) <= row.most_apart_s);
    CHECK(waits.max_s == row.max_s);
  }
}

// The figures are those of cycles that planned for every job they may test, whoever could start.
TEST_CASE("Cycles that end once nobody could start begin the same jobs", "[slurm][validation]") {
  const auto path = test::shared_path("traces/workloads/philly/philly_dev_vcs.csv.gz");
  if (!path) return;
  std::vector<slurm::ListedJob> jobs = philly_jobs(*path, "6214e9");
  const Waits pool = waits_of(slurm::replay(pool_of(64, slurm::Backfill::slurm), jobs));
  CHECK(pool.mean_s == Approx(118421.691142).epsilon(1e-9));
  CHECK(pool.max_s == 363839);
  // Eight nodes of eight GPUs, where one job in fifty may preempt the others.
  slurm::Configuration nodes = pool_of(8, slurm::Backfill::slurm);
  for (slurm::Node& node : nodes.nodes) node.cpus = node.gpus = 8;
  nodes.partitions.push_back(nodes.partitions.front());
  nodes.partitions.back().priority_tier = 2;
  nodes.settings.preemption = {.type = slurm::PreemptType::partition_priority,
                               .mode = slurm::PreemptMode::requeue};
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    slurm::Size& size = jobs[i].request.size;
    size.gpus_per_node = size.cpus_per_node = std::min(size.nodes, 8);
    size.nodes = (size.nodes + 7) / 8;
    if (i % 50 == 49) jobs[i].request.partitions = {1};
  }
  const Waits shared = waits_of(slurm::replay(nodes, jobs));
  CHECK(shared.mean_s == Approx(105886.062267).epsilon(1e-9));
  CHECK(shared.max_s == 9146611);
}

TEST_CASE("EASY by number and conservative backfill start each of 801 jobs when Batsim does",
          "[slurm][validation][F7]") {
  struct Row {
    std::string name;
    slurm::Backfill backfill;
    double mean_s, max_s;
  };
  const std::vector<Row> rows{{"easy", slurm::Backfill::easy_by_number, 9.516326, 316.742718},
                              {"conservative", slurm::Backfill::conservative, 9.852251, 319.138649}};
  for (const Row& row : rows) {
    CAPTURE(row.name);
    const auto path = test::shared_path("traces/workloads/batsim/medium_late-" + row.name + "-out_jobs.csv");
    if (!path) return;
    const BatsimJobs batsim = read_batsim(*path);
    REQUIRE(batsim.jobs.size() == 801);
    const auto played = slurm::replay(pool_of(32, row.backfill), batsim.jobs);
    for (std::size_t i = 0; i < played.size(); ++i) {
      CAPTURE(i);
      const double start = static_cast<double>((*played[i].start - kStart).count()) / 1000;
      CHECK(std::abs(start - batsim.starts_s[i]) < 0.02);  // sums of rounded milliseconds
    }
    const Waits waits = waits_of(played);
    CHECK(std::abs(waits.mean_s - row.mean_s) < 0.001);
    CHECK(std::abs(waits.max_s - row.max_s) < 0.002);
  }
}
