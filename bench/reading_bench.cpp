// Reading traces, in bytes per second. A CSV of 1,000,000 rows against a bare scan of the same bytes with
// std::from_chars into three columns; sacct's records; JSON against nlohmann's parser alone over the same
// bytes. The files lie in the page cache.

#include <benchmark/benchmark.h>

#include <charconv>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bench/fleet.h"
#include "models/workload/trace.h"

namespace stockout::bench {
namespace {

constexpr std::size_t kRows = 1'000'000;

/// A file there while the object lives.
class TraceFile {
 public:
  TraceFile(const std::string& name, std::string_view text)
      : path_{(std::filesystem::temp_directory_path() / name).string()}, bytes_{text.size()} {
    std::ofstream{path_, std::ios::binary} << text;
  }
  ~TraceFile() { std::filesystem::remove(path_); }
  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  std::string path_;
  std::size_t bytes_ = 0;
};

/// Whole seconds under the header of GAIA.
std::string gaia_text() {
  const auto jobs = make_jobs({.jobs = kRows});
  std::string text = "arrival_time,length,cpus\n";
  for (std::size_t i = 0; i < kRows; ++i) {
    const auto submit_s = jobs->submit[i].time_since_epoch().count() / 1000;
    const auto length_s = 1 + jobs->work[i].count() / 1000;
    fmt::format_to(std::back_inserter(text), "{},{},{}\n", submit_s, length_s, 1 + i % 8);
  }
  return text;
}

/// Of a second of January 2026: "2026-01-02T03:04:05".
std::string stamp_text(std::size_t second) {
  return fmt::format("2026-01-{:02}T{:02}:{:02}:{:02}", 1 + second / 86'400, second / 3600 % 24,
                     second / 60 % 60, second % 60);
}

/// Jobs of sacct, each with two steps.
std::string sacct_text(std::size_t jobs) {
  std::string text =
      "JobIDRaw|User|Account|Partition|QOS|State|Submit|Eligible|Start|End|ElapsedRaw|TimelimitRaw|Restarts|"
      "NNodes|ReqTRES|AllocTRES|JobName\n";
  for (std::size_t i = 0; i < jobs; ++i) {
    const std::string submit = stamp_text(2 * i);
    const std::string start = stamp_text(2 * i + 600);
    const std::string end = stamp_text(2 * i + 8000);
    fmt::format_to(std::back_inserter(text),
                   "{0}|user{1}|account{2}|h100|normal|COMPLETED|{3}|{3}|{4}|{5}|7400|1440|0|1|"
                   "billing=64,cpu=64,gres/gpu=8,mem=512G,node=1|"
                   "billing=64,cpu=64,gres/gpu:h100=8,gres/gpu=8,mem=512G,node=1|train-{1}\n",
                   1000 + i, i % 97, i % 7, submit, start, end);
    for (const char* step : {"batch", "0"}) {
      fmt::format_to(
          std::back_inserter(text),
          "{}.{}||account{}|||COMPLETED|{}|{}|{}|{}|7400||0|1||cpu=64,gres/gpu=8,mem=512G,node=1|{}\n",
          1000 + i, step, i % 7, start, start, start, end, step);
    }
  }
  return text;
}

/// Custom jobs of Vertex AI.
std::string vertex_text(std::size_t jobs) {
  std::string text = "[\n";
  for (std::size_t i = 0; i < jobs; ++i) {
    fmt::format_to(std::back_inserter(text), R"(  {{
    "createTime": "{}.123456Z",
    "displayName": "train-{}",
    "endTime": "{}Z",
    "jobSpec": {{
      "scheduling": {{"strategy": "FLEX_START", "timeout": "604800s"}},
      "workerPoolSpecs": [
        {{
          "containerSpec": {{"imageUri": "us-docker.pkg.dev/p/trainer:latest"}},
          "machineSpec": {{
            "acceleratorCount": 8,
            "acceleratorType": "NVIDIA_H100_80GB",
            "machineType": "a3-highgpu-8g"
          }},
          "replicaCount": "2"
        }}
      ]
    }},
    "name": "projects/1/locations/us-central1/customJobs/{}",
    "startTime": "{}Z",
    "state": "JOB_STATE_SUCCEEDED"
  }}{}
)",
                   stamp_text(10 * i), i % 97, stamp_text(10 * i + 9000), 1000 + i, stamp_text(10 * i + 600),
                   i + 1 < jobs ? "," : "");
  }
  return text + "]\n";
}

constexpr std::size_t kSacctJobs = 200'000;
constexpr std::size_t kVertexJobs = 50'000;

const TraceFile& gaia_file() {
  static const TraceFile file{"stockout_reading_bench.csv", gaia_text()};
  return file;
}

const TraceFile& sacct_file() {
  static const TraceFile file{"stockout_reading_bench.txt", sacct_text(kSacctJobs)};
  return file;
}

const TraceFile& vertex_file() {
  static const TraceFile file{"stockout_reading_bench.json", vertex_text(kVertexJobs)};
  return file;
}

struct Columns {
  std::vector<std::int64_t> submit;
  std::vector<std::int64_t> length;
  std::vector<std::int32_t> gpus;
};

/// No check of anything: what reading the bytes and turning digits into numbers costs at least.
Columns bare_scan(const std::string& path, std::size_t bytes) {
  std::string text(bytes, '\0');
  std::ifstream{path, std::ios::binary}.read(text.data(), static_cast<std::streamsize>(bytes));
  Columns columns;
  const char* const end = text.data() + text.size();
  const char* at = text.data() + text.find('\n') + 1;
  while (at < end) {
    std::int64_t submit = 0;
    std::int64_t length = 0;
    std::int32_t gpus = 0;
    at = std::from_chars(at, end, submit).ptr + 1;
    at = std::from_chars(at, end, length).ptr + 1;
    at = std::from_chars(at, end, gpus).ptr + 1;
    columns.submit.push_back(submit);
    columns.length.push_back(length);
    columns.gpus.push_back(gpus);
  }
  return columns;
}

std::string whole_text(const TraceFile& file) {
  std::string text(file.bytes(), '\0');
  std::ifstream{file.path(), std::ios::binary}.read(text.data(), static_cast<std::streamsize>(file.bytes()));
  return text;
}

/// Is told all that the parser finds, and keeps nothing.
struct NoJson : nlohmann::json_sax<nlohmann::json> {
  bool null() override { return true; }
  bool boolean(bool /*value*/) override { return true; }
  bool number_integer(std::int64_t /*value*/) override { return true; }
  bool number_unsigned(std::uint64_t /*value*/) override { return true; }
  bool number_float(double /*value*/, const std::string& /*text*/) override { return true; }
  bool string(std::string& /*value*/) override { return true; }
  bool binary(binary_t& /*value*/) override { return true; }
  bool start_object(std::size_t /*size*/) override { return true; }
  bool key(std::string& /*name*/) override { return true; }
  bool end_object() override { return true; }
  bool start_array(std::size_t /*size*/) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t /*at*/, const std::string& /*token*/,
                   const nlohmann::json::exception& /*error*/) override {
    return false;
  }
};

template <typename Run>
void measure(benchmark::State& state, const TraceFile& file, const Run& run) {
  for (auto _ : state) benchmark::DoNotOptimize(run());
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(file.bytes()));
}

void BM_BareScan(benchmark::State& state) {
  measure(state, gaia_file(), [] { return bare_scan(gaia_file().path(), gaia_file().bytes()); });
}

void BM_BareJson(benchmark::State& state) {
  measure(state, vertex_file(), [] {
    NoJson nothing;
    const std::string text = whole_text(vertex_file());
    return nlohmann::json::sax_parse(text, &nothing);
  });
}

void read_file(benchmark::State& state, const TraceFile& file, TraceFormat format) {
  measure(state, file, [&] { return read_trace(file.path(), format); });
}

void BM_ReadTrace(benchmark::State& state) { read_file(state, gaia_file(), TraceFormat::gaia_seconds); }
void BM_ReadSacct(benchmark::State& state) { read_file(state, sacct_file(), TraceFormat::sacct); }
void BM_ReadVertex(benchmark::State& state) { read_file(state, vertex_file(), TraceFormat::vertex); }

BENCHMARK(BM_BareScan)->Name("reading/bare_scan")->Unit(benchmark::kMillisecond);
BENCHMARK(BM_ReadTrace)->Name("reading/read_trace")->Unit(benchmark::kMillisecond);
BENCHMARK(BM_ReadSacct)->Name("reading/sacct")->Unit(benchmark::kMillisecond);
BENCHMARK(BM_BareJson)->Name("reading/bare_json")->Unit(benchmark::kMillisecond);
BENCHMARK(BM_ReadVertex)->Name("reading/vertex")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace stockout::bench
