#include "models/scenario/workload/job_speed.h"

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

// Bandwidths were measured on two hosts. A ring of more GPUs sends smaller pieces, as fast as two hosts send
// a message in pieces of that size.
double measured_size_gb(const Exchange& exchange, const MachineType& machine, double gpus) {
  return exchange.message_gb * std::min(1.0, 2 * static_cast<double>(machine.host_gpus.count()) / gpus);
}

// A bandwidth of 0: not known.
Bandwidth bandwidth_of(const Catalog& catalog, const Exchange& exchange, std::span<const MachineId> machines,
                       double gpus) {
  const std::string& family = catalog.machine(machines.front()).family;
  if (const auto own = exchange.busbw.find(family); own != exchange.busbw.end())
    return {.gb_s = own->second * exchange.busbw_times, .from = Bandwidth::From::given};
  const auto points = catalog.collectives(family);
  const double size_gb = measured_size_gb(exchange, catalog.machine(machines.front()), gpus);
  if (const auto measured = bus_bandwidth(points, size_gb))
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

double exchange_ms(const Exchange& exchange, double gpus, double gb_s) {
  return (1 - exchange.overlap) * all_reduce_s(exchange.message_gb, gpus, gb_s) * 1'000;
}

// What nodes exchange in a step.
struct Ring {
  std::optional<Bandwidth> bandwidth;  // none: a single node
  double takes_ms = 0;
  std::string why_not;  // not empty: nobody knows
};

Ring ring_of(const Catalog& catalog, const Exchange& exchange, std::span<const MachineId> machines,
             std::int32_t nodes, double gpus) {
  if (nodes == 1) return {};
  const Bandwidth bandwidth = bandwidth_of(catalog, exchange, machines, gpus);
  if (bandwidth.gb_s == 0)
    return {.bandwidth = {}, .why_not = why_unknown(catalog.machine(machines.front()).family)};
  return {.bandwidth = bandwidth, .takes_ms = exchange_ms(exchange, gpus, bandwidth.gb_s), .why_not = {}};
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
  const std::int32_t nodes = shape.nodes + (shape.tail_gpus > 0 ? 1 : 0);
  if (!profile.exchange) return {.times = found->speed, .bandwidth = {}, .why_not = {}};
  const Exchange& exchange = *profile.exchange;
  const std::int32_t nodes_there = exchange.measured_nodes > 0 ? exchange.measured_nodes : nodes;
  const auto gpus = static_cast<double>(shape.gpus().count());
  const double gpus_there = nodes_there == nodes ? gpus : 1.0 * nodes_there * shape.gpus_per_node;
  const MachineId reference[]{reference_machine(catalog, exchange.reference_family, shape)};
  const Ring there = ring_of(catalog, exchange, reference, nodes_there, gpus_there);
  const Ring here = ring_of(catalog, exchange, machines, nodes, gpus);
  for (const Ring& ring : {there, here}) {
    if (!ring.why_not.empty()) return {.times = 0, .bandwidth = {}, .why_not = ring.why_not};
  }
  // The reference's steps take so long in all, for the work of one of them.
  const double share = gpus_there / gpus;
  const double step_ms = exchange.step_ms / found->speed * (exchange.batch_grows ? 1 : share);
  const double takes = (step_ms + here.takes_ms) * (exchange.batch_grows ? share : 1);
  return {.times = (exchange.step_ms + there.takes_ms) / takes, .bandwidth = here.bandwidth, .why_not = {}};
}

}  // namespace stockout
