// Reading a trace of 1,000,000 rows, in bytes per second, against a bare scan of the same bytes with
// std::from_chars into three columns. The file lies in the page cache.

#include <benchmark/benchmark.h>

#include <charconv>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bench/fleet.h"
#include "models/workload/trace.h"

namespace stockout::bench {
namespace {

constexpr std::size_t kRows = 1'000'000;

/// A file of whole seconds under the header of GAIA, there while the object lives.
class TraceFile {
 public:
  TraceFile() : path_{(std::filesystem::temp_directory_path() / "stockout_reading_bench.csv").string()} {
    const auto jobs = make_jobs({.jobs = kRows});
    std::string text = "arrival_time,length,cpus\n";
    for (std::size_t i = 0; i < kRows; ++i) {
      const auto submit_s = jobs->submit[i].time_since_epoch().count() / 1000;
      const auto length_s = 1 + jobs->work[i].count() / 1000;
      fmt::format_to(std::back_inserter(text), "{},{},{}\n", submit_s, length_s, 1 + i % 8);
    }
    std::ofstream{path_, std::ios::binary} << text;
    bytes_ = text.size();
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

const TraceFile& trace_file() {
  static const TraceFile file;
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

void BM_BareScan(benchmark::State& state) {
  const TraceFile& file = trace_file();
  for (auto _ : state) benchmark::DoNotOptimize(bare_scan(file.path(), file.bytes()));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(file.bytes()));
}

void BM_ReadTrace(benchmark::State& state) {
  const TraceFile& file = trace_file();
  for (auto _ : state) benchmark::DoNotOptimize(read_trace(file.path(), TraceFormat::gaia_seconds));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(file.bytes()));
}

BENCHMARK(BM_BareScan)->Name("reading/bare_scan")->Unit(benchmark::kMillisecond);
BENCHMARK(BM_ReadTrace)->Name("reading/read_trace")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace stockout::bench
