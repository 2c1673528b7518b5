#include "tools/slurm_replay/node_machine.h"

#include <algorithm>

#include <fmt/format.h>

#include "models/starter/type_guess.h"
#include "sim/core/error.h"

namespace stockout::slurm {
namespace {

// Machines without GPUs have vCPUs in their place.
bool has_as_many(const MachineType& machine, const Node& node) {
  return machine.has_gpus ? machine.gpus.count() == node.gpus : node.gpus == 0;
}

bool has_cpus(const MachineType& machine, const Node& node) {
  return machine.vcpus == node.cpus || machine.vcpus == 2 * node.cpus;
}

[[noreturn]] void fail_given(std::string_view set, std::string_view problem) {
  throw InputError{{.file = "command line", .pointer = "--machine"},
                   fmt::format("of \"{}\": {}", set, problem)};
}

}  // namespace

std::vector<std::string> machines_like(const KindOfNodes& set, const ClusterFile& cluster,
                                       const Catalog& catalog) {
  const Node& node = cluster.configuration.nodes[set.front()];
  const TypeGuess type = guess_type(catalog, cluster.node_lines[set.front()].gpu_type);
  const bool is_known = type.likeness == Likeness::same || type.likeness == Likeness::spelled;
  std::vector<const MachineType*> like;
  for (const MachineType& machine : catalog.machines()) {
    if (machine.name == kGeneric || !has_as_many(machine, node)) continue;
    if (is_known && catalog.gpu_name(machine.gpu) != type.gpu) continue;
    like.push_back(&machine);
  }
  if (std::ranges::any_of(like, [&](const MachineType* each) { return has_cpus(*each, node); }))
    std::erase_if(like, [&](const MachineType* each) { return !has_cpus(*each, node); });
  std::vector<std::string> names;
  for (const MachineType* machine : like) names.push_back(machine->name);
  return names;
}

std::string machine_of(const KindOfNodes& set, const ClusterFile& cluster, const Catalog& catalog,
                       const GivenMachines& given) {
  const auto found = given.find(set.name);
  if (found == given.end()) {
    const std::vector<std::string> like = machines_like(set, cluster, catalog);
    return like.size() == 1 ? like.front() : std::string{};
  }
  const std::string& name = found->second;
  const auto machine = catalog.find_machine(name);
  if (!machine)
    fail_given(set.name, fmt::format("there is no machine type \"{}\"{}", name,
                                     suggest(name, catalog.machine_names())));
  const Node& node = cluster.configuration.nodes[set.front()];
  if (!has_as_many(catalog.machine(*machine), node))
    fail_given(set.name,
               fmt::format("{} has {} GPUs, and its nodes have {}", name,
                           catalog.machine(*machine).has_gpus ? catalog.machine(*machine).gpus.count() : 0,
                           node.gpus));
  return name;
}

}  // namespace stockout::slurm
