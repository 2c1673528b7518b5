#include "models/scenario/buying/candidates.h"

#include <algorithm>

#include <fmt/format.h>

#include "models/catalog/explain.h"
#include "models/scenario/buying/price_lines.h"
#include "models/scenario/supply/pools.h"
#include "models/scenario/workload/job_speed.h"
#include "models/scenario/workload/speeds.h"
#include "models/supply/availability.h"

namespace stockout {
namespace {

constexpr std::size_t kMostCandidates = 20'000'000;

}  // namespace

CandidateFinder::CandidateFinder(Draft& draft, const Node& node, const Leg& leg, std::vector<PoolId> pools,
                                 std::string machine, std::vector<std::string> gpus)
    : draft_{draft},
      node_{node},
      leg_{leg},
      pools_{std::move(pools)},
      machine_{std::move(machine)},
      gpus_{std::move(gpus)} {}

std::vector<std::vector<Candidate>> CandidateFinder::all() {
  std::vector<std::vector<Candidate>> candidates(draft_.world().shapes.size());
  for (std::size_t shape = 0; shape < candidates.size(); ++shape) {
    const auto& classes = draft_.shape_classes[shape];
    bool wanted = false;
    for (std::size_t i = 0; i < classes.size(); ++i) {
      wanted = wanted || (classes[i] && leg_.open_to(ClassId{static_cast<std::uint16_t>(i)}));
    }
    const bool is_reduced = draft_.world().shapes[shape].of_nodes > 0;
    if (wanted && (!is_reduced || node_.has("flavor")))
      candidates[shape] = of_shape(draft_.world().shapes[shape]);
    draft_.candidate_count += candidates[shape].size();
    if (draft_.candidate_count > kMostCandidates) {
      node_.fail(fmt::format("more than {} combinations of legs, job shapes and pools", kMostCandidates));
    }
  }
  return candidates;
}

std::vector<Candidate> CandidateFinder::of_shape(const Shape& shape) {
  std::vector<Candidate> found;
  for (const PoolId pool : pools_) {
    Candidate candidate{.pool = pool};
    if (!suits(shape, pool)) continue;
    if (!add_machines(candidate, shape)) continue;
    candidate.unused = candidate.gpus - shape.gpus();
    if (candidate.gpus > kUnlimitedGpus) {
      node_.fail(fmt::format("a job needs {} GPUs in {}; at most {} can be counted", candidate.gpus.count(),
                             draft_.world().pool(pool).name, kUnlimitedGpus.count()));
    }
    set_rate(candidate, shape);
    found.push_back(candidate);
  }
  return found;
}

// Vertex AI requires one machine configuration in all worker pools of a job that starts flexibly ("Schedule
// training jobs based on resource availability", 2026-08): the last machine is as large as the others.
bool CandidateFinder::add_machines(Candidate& candidate, const Shape& shape) {
  const bool has_tail = shape.tail_gpus > 0;
  const bool are_alike =
      leg_.orchestrator == OrchestratorName::vertex && leg_.policy.offer == Offer::flex_start;
  if (has_tail && are_alike) return add_part(candidate, shape, shape.nodes + 1, shape.gpus_per_node);
  return add_part(candidate, shape, shape.nodes, shape.gpus_per_node) &&
         (!has_tail || add_part(candidate, shape, 1, shape.tail_gpus));
}

bool CandidateFinder::suits(const Shape& shape, PoolId id) const {
  const World& world = draft_.world();
  const std::string& gpu = gpu_of_family(draft_, world.pool(id).family);
  if (!gpus_.empty() && std::ranges::find(gpus_, gpu) == gpus_.end()) return false;
  if (!shape.machine.empty()) {
    const MachineId wanted = *draft_.catalog.find_machine(shape.machine);
    if (world.is_held(id)) return world.held_pool(id).machine == wanted;
    return world.pool(id).family == draft_.catalog.machine(wanted).family;
  }
  if (gpu == kNoGpu) return false;  // only for who insists on such a machine
  const SpeedProfile& speeds = world.speeds[index(shape.speed)];
  if (!runs_on(speeds, gpu)) return false;
  if (speeds.gpus.empty() && !shape.gpu.empty() && gpu != shape.gpu) return false;
  if (machine_.empty()) return true;
  const MachineId wanted = *draft_.catalog.find_machine(machine_);
  if (world.is_held(id)) return world.held_pool(id).machine == wanted;
  return world.pool(id).family == draft_.catalog.machine(wanted).family;
}

CandidateFinder::NodeMachine CandidateFinder::machine_for(const Shape& shape, PoolId id, std::int32_t gpus) {
  const World& world = draft_.world();
  const Catalog& catalog = draft_.catalog;
  if (world.is_held(id)) {
    const MachineId held = world.held_pool(id).machine;
    return {.machine = held, .found = catalog.machine(held).gpus.count() >= gpus};
  }
  if (!shape.machine.empty() && !machine_.empty() && shape.machine != machine_) {
    const Node place = node_.has("machine") ? node_.at("machine") : node_.at("partition");
    place.fail(fmt::format("a job of this leg insists on {} already, not {}: leave one of the two out",
                           shape.machine, machine_));
  }
  const std::string& wanted = shape.machine.empty() ? machine_ : shape.machine;
  if (wanted.empty()) {
    const auto smallest = catalog.smallest_machine(world.pool(id).family, leg_.policy.offer, GpuCount{gpus});
    return {.machine = smallest.value_or(MachineId{}), .found = smallest.has_value()};
  }
  const MachineId machine = *catalog.find_machine(wanted);
  if (const std::string why = why_not(catalog, machine, leg_.policy.offer); !why.empty()) node_.fail(why);
  return {.machine = machine, .found = catalog.machine(machine).gpus.count() >= gpus};
}

bool CandidateFinder::has_memory(const Shape& shape, const MachineType& machine) {
  if (shape.speed == SpeedId{}) return true;
  SpeedUse& use = draft_.speed_uses[index(shape.speed) - 1];
  const bool fits = fits_memory(draft_.world().speeds[index(shape.speed)], machine);
  use.fits = use.fits || fits;
  if (!fits && machine.gpu_memory_gb > use.most_memory_gb) {
    use.most_memory_gb = machine.gpu_memory_gb;
    use.roomiest = draft_.catalog.gpu_name(machine.gpu);
  }
  return fits;
}

// With fewer nodes in proportion to them, as on a partial lease.
void CandidateFinder::set_rate(Candidate& candidate, const Shape& shape) {
  std::vector<MachineId> machines;
  for (const Part& part : candidate.parts) {
    if (part.machines > 0) machines.push_back(part.machine);
  }
  if (shape.of_nodes == 0) {
    candidate.rate_ppm = rate_on(draft_, shape, machines);
    return;
  }
  Shape asked = shape;
  asked.nodes = shape.of_nodes;
  candidate.rate_ppm = rate_on(rate_on(draft_, asked, machines), shape.nodes, asked.nodes);
}

bool CandidateFinder::add_part(Candidate& candidate, const Shape& shape, std::int32_t nodes,
                               std::int32_t gpus) {
  const auto [machine, found] = machine_for(shape, candidate.pool, gpus);
  if (!found || !has_memory(shape, draft_.catalog.machine(machine))) return false;
  const World& world = draft_.world();
  const GpuCount each = draft_.catalog.machine(machine).gpus;
  Part& part = candidate.parts[candidate.parts[0].machines == 0 ? 0 : 1];
  if (world.is_held(candidate.pool)) {
    const HeldPool& held = world.held_pool(candidate.pool);
    // Where jobs share machines they are counted by GPUs, and the sublet line is priced by GPU.
    const std::int64_t used = std::int64_t{nodes} * gpus;
    if (used > kUnlimitedGpus.count()) return false;
    part = {.line = sublet_price_line(draft_, node_, candidate.pool, with_fee()),
            .machines = held.share ? static_cast<std::int32_t>(used) : nodes,
            .gpus = held.share ? 1 : static_cast<std::int32_t>(each.count()),
            .machine = machine};
    candidate.gpus += held.share ? GpuCount{used} : each * nodes;
    return true;
  }
  part = {.line = zone_price_line(draft_, node_, candidate.pool, machine, leg_.policy.price, with_fee()),
          .machines = nodes,
          .gpus = static_cast<std::int32_t>(each.count()),
          .machine = machine};
  candidate.gpus += each * nodes;
  return true;
}

}  // namespace stockout
