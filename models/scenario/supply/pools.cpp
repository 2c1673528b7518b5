#include "models/scenario/supply/pools.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/catalog/explain.h"
#include "models/scenario/format/fill.h"
#include "models/scenario/format/known_names.h"
#include "models/scenario/supply/held_forms.h"
#include "sim/core/error_list.h"
#include "sim/core/unknown_name.h"

namespace stockout {
namespace {

// The family of the GPU type: it must be the only one that the place has.
std::string family_of_gpu(const Draft& draft, const Node& node, const Place& place) {
  const std::string gpu = node.as_text();
  const auto known = draft.catalog.gpu_types();
  const std::size_t type = find_name(node, "GPU type", known, known.size());
  const auto families = draft.catalog.families_of_gpu(GpuTypeId{static_cast<std::uint16_t>(type)});
  std::vector<std::string> here;
  for (const std::string& family : families) {
    if (Catalog::offers(place, family)) here.push_back(family);
  }
  if (here.empty()) node.fail(why_not(draft.catalog, place, families.front()));
  if (here.size() > 1) {
    node.fail(fmt::format("{} has {} in the families \"{}\": name one of them as \"family\" instead",
                          place.name, gpu, fmt::join(here, "\", \"")));
  }
  return here.front();
}

std::string read_family(const Draft& draft, const Node& node, const Place& place) {
  if (node.has("gpu")) return family_of_gpu(draft, node.at("gpu"), place);
  std::string family = node.text("family");
  const auto known = draft.catalog.families();
  static_cast<void>(find_name(node.at("family"), "machine family", known, known.size()));
  if (const std::string why = why_not(draft.catalog, place, family); !why.empty()) node.at("place").fail(why);
  return family;
}

}  // namespace

const Place& find_place(const Draft& draft, const Node& node) {
  const std::string name = node.as_text();
  if (const Place* place = draft.catalog.find_place(name)) return *place;
  fail_unknown(node, "zone or region", name, draft.catalog.place_names(), 0,
               "A zone is named like \"us-central1-a\", its region \"us-central1\"");
}

const std::string& region_of(const Draft& draft, const Pool& pool) {
  return draft.catalog.find_place(pool.place)->region;
}

GpuCount host_gpus(const Draft& draft, const std::string& family) {
  return std::ranges::find(draft.catalog.machines(), family, &MachineType::family)->host_gpus;
}

const std::string& gpu_of_family(const Draft& draft, const std::string& family) {
  return draft.catalog.gpu_name(
      std::ranges::find(draft.catalog.machines(), family, &MachineType::family)->gpu);
}

MachineId pool_machine(const Draft& draft, const Node& node, const Pool& pool) {
  const auto machines = draft.catalog.machines();
  if (node.has("machine")) {
    const std::string name = node.text("machine");
    const auto id = draft.catalog.find_machine(name);
    if (id && draft.catalog.machine(*id).family == pool.family) return *id;
    std::vector<std::string> known;
    for (const MachineType& machine : machines) {
      if (machine.family == pool.family) known.push_back(machine.name);
    }
    node.at("machine").fail(unknown_name(pool.family + " machine type", name, known));
  }
  std::size_t largest = machines.size();
  for (std::size_t i = 0; i < machines.size(); ++i) {
    if (machines[i].family != pool.family) continue;
    if (largest == machines.size() || machines[largest].gpus < machines[i].gpus) largest = i;
  }
  return MachineId{static_cast<std::uint16_t>(largest)};
}

void read_ageing(const Node& node, Pool& pool) {
  constexpr double kMillion = 1e6;
  const bool ages = pool.discipline == Discipline::shortest_ageing;
  if (ages) pool.ageing_ppm = std::llround(node.number("ageing") * kMillion);
}

namespace {

// Named assumptions on who goes first.
void assume_order(Draft& draft, const Pool& pool) {
  if (pool.flex_before_on_demand) {
    draft.assume(pool.name + ": waiting flex requests go before on-demand ones (flex_before_on_demand)");
  }
  if (pool.hold_for_head) {
    draft.assume(pool.name +
                 ": free room gathers for the first waiting flex request, and nobody else "
                 "takes it (hold_for_head)");
  }
}

// "H100-80GB us-central1-a"; of machines without GPUs the family stands first.
std::string usual_name(const Draft& draft, const Pool& pool) {
  const std::string& gpu = gpu_of_family(draft, pool.family);
  return fmt::format("{} {}", gpu == kNoGpu ? pool.family : gpu, pool.place);
}

}  // namespace

void build_pools(Draft& draft) {
  std::set<std::string> names;
  attempt_each(draft.root.list("pools"), [&](const Node& node) {
    const auto check_new = [&](const std::string& name) {
      if (!names.insert(name).second)
        node.fail(fmt::format("there is a pool \"{}\" already: give this one a \"name\" of its own", name));
    };
    if (node.has("name")) check_new(node.text("name"));
    const Place& place = find_place(draft, node.at("place"));
    Pool pool;
    pool.family = read_family(draft, node, place);
    pool.place = place.name;
    pool.name = node.has("name") ? node.text("name") : usual_name(draft, pool);
    fill(pool, node);
    read_ageing(node, pool);
    pool.faults = read_faults(node);
    pool.mass_reclaim = read_mass_reclaim(draft, node, pool);
    assume_order(draft, pool);
    if (!node.has("name")) check_new(pool.name);
    if (std::ranges::find(draft.pool_families, pool.family) == draft.pool_families.end()) {
      draft.pool_families.push_back(pool.family);
    }
    draft.world().pools.push_back(std::move(pool));
  });
}

}  // namespace stockout
