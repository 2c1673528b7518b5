// Writes a trace of 1,000,000 rows and a scenario that replays it, for measuring the whole program from file
// to report:
//   make_replay FOLDER     writes FOLDER/mm64.csv and FOLDER/mm64.json

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include <fmt/format.h>

#include "bench/fleet.h"

namespace {

constexpr const char* kScenario = R"({
  "name": "M/M/64 at load 0.9, 1,000,000 jobs",
  "start": "2026-08-03",
  "prices_as_of": "2026-07-30",
  "drain_limit": "1000d",
  "replications": 1,
  "prices": [{"machine": "generic", "usd_per_hour": 1}],
  "workload": [{"name": "jobs", "machine": "generic", "trace": {"file": "mm64.csv", "format": "gaia_seconds"}}],
  "pools": [{"family": "generic", "place": "generic", "gpus": 64, "discipline": "fifo"}],
  "strategies": [{"name": "queue", "legs": [{"model": "flex_start", "max_wait": "forever", "run_max": "forever"}]}]
}
)";

std::string trace_text() {
  const auto jobs = stockout::bench::make_jobs({});
  std::string text = "arrival_time,length,cpus\n";
  for (std::size_t i = 0; i < jobs->size(); ++i) {
    const auto submit_s = jobs->submit[i].time_since_epoch().count() / 1000;
    const auto length_s = 1 + jobs->work[i].count() / 1000;
    fmt::format_to(std::back_inserter(text), "{},{},1\n", submit_s, length_s);
  }
  return text;
}

bool write(const std::string& path, const std::string& text) {
  std::ofstream file{path, std::ios::binary};
  file << text;
  return static_cast<bool>(file.flush());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: make_replay FOLDER\n", stderr);
    return 2;
  }
  const std::string folder = argv[1];
  if (write(folder + "/mm64.csv", trace_text()) && write(folder + "/mm64.json", kScenario)) return 0;
  fmt::print(stderr, "make_replay: cannot write into {}\n", folder);
  return 2;
}
