// One replay, for tools that count what it does:
//   replay plain | users | rooms     100,000 jobs of the mm64 benchmark; of 1,000 users; step by step through
//   the rooms

#include <cstdio>
#include <string_view>

#include "bench/fleet.h"
#include "models/simulation/simulate.h"

int main(int argc, char** argv) {
  using namespace stockout;
  const std::string_view what = argc == 2 ? argv[1] : "";
  if (what != "plain" && what != "users" && what != "rooms") {
    std::fputs("usage: replay plain|users|rooms\n", stderr);
    return 2;
  }
  const bench::QueueInput input{.jobs = 100'000, .users = what == "users" ? 1'000U : 1U};
  const World world = bench::queue_world(bench::make_jobs(input), input.servers, Discipline::fifo);
  Logs logs;
  if (what == "rooms") logs.on_lease = [](const LeaseRow&) {};
  const RunRecord record = simulate(world, 0, 0, logs);
  std::printf("%llu\n", static_cast<unsigned long long>(record.jobs.size()));
}
