// How fast a job runs on machines, out of what its source says and what the catalogue knows.

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "models/scenario/workload/speeds.h"

namespace stockout {
namespace {

constexpr double kBitsOfByte = 8;

double network_of(const Catalog& catalog, std::span<const MachineId> machines) {
  double least = std::numeric_limits<double>::infinity();
  for (const MachineId id : machines) least = std::min(least, catalog.machine(id).network_gbps);
  return least;
}

// The smallest machine of the family that holds a node of the job, however it is sold; else its largest.
MachineId reference_machine(const Catalog& catalog, const std::string& family, const Shape& shape) {
  std::optional<MachineId> best;
  for (std::size_t i = 0; i < catalog.machines().size(); ++i) {
    const MachineId id{static_cast<std::uint16_t>(i)};
    const auto gpus = [&](MachineId of) { return catalog.machine(of).gpus.count(); };
    if (catalog.machine(id).family != family) continue;
    const bool holds = gpus(id) >= shape.gpus_per_node;
    const bool best_holds = best && gpus(*best) >= shape.gpus_per_node;
    if (!best || (holds != best_holds ? holds : (gpus(id) < gpus(*best)) == holds)) best = id;
  }
  return best.value_or(MachineId{});
}

// A bandwidth of 0: not known.
Bandwidth bandwidth_of(const Catalog& catalog, const Exchange& exchange,
                       std::span<const MachineId> machines) {
  const std::string& family = catalog.machine(machines.front()).family;
  if (const auto own = exchange.busbw.find(family); own != exchange.busbw.end())
    return {.gb_s = own->second * exchange.busbw_times, .from = Bandwidth::From::given};
  const auto points = catalog.collectives(family);
  if (const auto measured = bus_bandwidth(points, exchange.message_gb))
    return {.gb_s = *measured * exchange.busbw_times, .from = Bandwidth::From::measured};
  return {.gb_s = network_of(catalog, machines) / kBitsOfByte * exchange.busbw_times,
          .from = Bandwidth::From::bound};
}

std::string why_unknown(const std::string& family) {
  return fmt::format(
      "how {0} machines exchange between nodes is not known: give \"busbw\" under \"scaling\", as in "
      "{{\"{0}\": 100}}, in GB/s per GPU",
      family);
}

double exchange_ms(const Exchange& exchange, const Shape& shape, double gb_s) {
  const auto gpus = static_cast<double>(shape.gpus().count());
  return (1 - exchange.overlap) * all_reduce_s(exchange.message_gb, gpus, gb_s) * 1'000;
}

}  // namespace

bool runs_on(const SpeedProfile& profile, const std::string& gpu) {
  return profile.gpus.empty() || std::ranges::find(profile.gpus, gpu, &GpuSpeed::gpu) != profile.gpus.end();
}

bool fits_memory(const SpeedProfile& profile, const MachineType& machine) {
  return machine.gpu_memory_gb == 0 || machine.gpu_memory_gb >= profile.gpu_memory_gb;
}

JobSpeed job_speed(const Catalog& catalog, const SpeedProfile& profile, const Shape& shape,
                   std::span<const MachineId> machines) {
  if (profile.gpus.empty()) return {.times = 1, .bandwidth = {}, .why_not = {}};
  const MachineType& machine = catalog.machine(machines.front());
  const auto found = std::ranges::find(profile.gpus, catalog.gpu_name(machine.gpu), &GpuSpeed::gpu);
  if (found == profile.gpus.end()) return {};
  const bool is_one_node = shape.nodes + (shape.tail_gpus > 0 ? 1 : 0) == 1;
  if (!profile.exchange || is_one_node) return {.times = found->speed, .bandwidth = {}, .why_not = {}};

  const Exchange& exchange = *profile.exchange;
  const MachineId reference[]{reference_machine(catalog, exchange.reference_family, shape)};
  const Bandwidth there = bandwidth_of(catalog, exchange, reference);
  const Bandwidth here = bandwidth_of(catalog, exchange, machines);
  if (there.gb_s == 0)
    return {.times = 0, .bandwidth = {}, .why_not = why_unknown(exchange.reference_family)};
  if (here.gb_s == 0) return {.times = 0, .bandwidth = {}, .why_not = why_unknown(machine.family)};
  const double step_there = exchange.step_ms + exchange_ms(exchange, shape, there.gb_s);
  const double step_here = exchange.step_ms / found->speed + exchange_ms(exchange, shape, here.gb_s);
  return {.times = step_there / step_here, .bandwidth = here, .why_not = {}};
}

}  // namespace stockout
