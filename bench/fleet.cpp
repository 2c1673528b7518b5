#include "bench/fleet.h"

#include <algorithm>
#include <utility>

#include <boost/random/exponential_distribution.hpp>
#include <boost/random/uniform_int_distribution.hpp>

#include "bench/four_ary_heap.h"
#include "sim/random/draw.h"

namespace stockout::bench {

namespace {

MachineType generic_machine() {
  MachineType machine;
  machine.name = machine.family = "generic";
  machine.gpus = machine.host_gpus = GpuCount{1};
  return machine;
}

Pool make_pool(std::int32_t gpus, Discipline discipline) {
  CapacitySource source;
  source.classes[static_cast<std::size_t>(LeaseClass::flex)] = true;
  source.steps = {{.at = kStart, .gpus = GpuCount{gpus}}};
  return {
      .name = "pool", .family = "generic", .place = "zone", .capacity = {source}, .discipline = discipline};
}

Leg make_leg(const std::vector<Shape>& shapes) {
  Leg leg;
  leg.policy = {.name = "queue", .admission = Admission::queue, .lease_class = LeaseClass::flex};
  for (const Shape& shape : shapes) {
    Candidate candidate{.gpus = shape.gpus()};
    candidate.parts[0] = {.line = PriceLineId{0}, .machines = shape.nodes, .gpus = 1, .machine = {}};
    leg.candidates.push_back({candidate});
  }
  return leg;
}

}  // namespace

std::shared_ptr<const JobColumns> make_jobs(const QueueInput& input) {
  constexpr double kHourMs = 3'600'000;
  Draw draw = RandomStreams{input.seed, 0}.draw(Purpose::arrival, 0);
  const boost::random::exponential_distribution<double> gap_ms{input.load_per_server * input.servers /
                                                               kHourMs};
  const boost::random::exponential_distribution<double> length_ms{1 / kHourMs};
  JobColumns jobs;
  double clock_ms = 0;
  for (std::size_t i = 0; i < input.jobs; ++i) {
    clock_ms += gap_ms(draw);
    jobs.submit.push_back(kStart + SimDuration{static_cast<std::int64_t>(clock_ms)});
    jobs.work.push_back(SimDuration{1 + static_cast<std::int64_t>(length_ms(draw))});
  }
  jobs.shape.assign(input.jobs, ShapeId{0});
  jobs.job_class.assign(input.jobs, ClassId{0});
  boost::random::uniform_int_distribution<std::uint32_t> anybody{0, input.users - 1};
  for (std::size_t i = 0; i < input.jobs; ++i) jobs.user.push_back(UserId{anybody(draw)});
  return std::make_shared<const JobColumns>(std::move(jobs));
}

World queue_world(std::shared_ptr<const JobColumns> jobs, std::int32_t gpus, Discipline discipline,
                  std::int32_t shapes) {
  World world;
  world.window_end = kStart + kLongestRun / 2;
  world.drain_limit = kLongestRun / 2;
  world.utc_offsets = {{.at = kStart, .offset = {}}};
  world.machines = {generic_machine()};
  world.gpu_types = {"generic"};
  world.classes = {{.name = "all"}};
  const auto last_user = std::ranges::max_element(jobs->user, {}, [](UserId user) { return index(user); });
  world.users.assign(last_user == jobs->user.end() ? 1 : index(*last_user) + 1, "user");
  world.price_lines.emplace_back().steps = {{.from = kStart}};
  world.pools = {make_pool(gpus, discipline)};
  for (std::int32_t nodes = 1; nodes <= shapes; ++nodes) world.shapes.emplace_back().nodes = nodes;
  Strategy& strategy = world.strategies.emplace_back();
  strategy.name = "queue";
  strategy.legs = {make_leg(world.shapes)};
  Source& source = world.sources.emplace_back();
  source.name = "jobs";
  source.demand = TraceDemand{.jobs = std::move(jobs)};
  return world;
}

std::int64_t bare_fcfs_wait_ms(const JobColumns& jobs, std::int32_t servers) {
  FourAryHeap departures;
  std::int64_t sum_ms = 0;
  std::size_t waiting = 0;  // jobs [waiting, i) wait: they start in order, so no list is needed
  std::int32_t free = servers;
  const auto start = [&](std::size_t job, std::int64_t now) {
    sum_ms += now - jobs.submit[job].time_since_epoch().count();
    departures.push({.time = now + jobs.work[job].count(), .number = job});
  };
  const auto depart_until = [&](std::int64_t time, std::size_t arrived) {
    while (!departures.empty() && departures.top().time <= time) {
      const std::int64_t now = departures.top().time;
      departures.pop();
      if (waiting < arrived)
        start(waiting++, now);
      else
        ++free;
    }
  };
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const std::int64_t now = jobs.submit[i].time_since_epoch().count();
    depart_until(now, i);
    if (free == 0) continue;
    --free;
    start(waiting++, now);
  }
  depart_until(kNever.time_since_epoch().count(), jobs.size());
  return sum_ms;
}

}  // namespace stockout::bench
