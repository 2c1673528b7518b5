#include "tools/slurm_replay/node_machine.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "models/starter/type_guess.h"
#include "sim/core/error.h"
#include "sim/core/unknown_name.h"
#include "tools/slurm_replay/conf_line.h"

namespace stockout::slurm {
namespace {

// Machines without GPUs have vCPUs in their place.
bool has_as_many(const MachineType& machine, const Node& node) {
  return machine.has_gpus ? machine.gpus.count() == node.gpus : node.gpus == 0;
}

bool has_cpus(const MachineType& machine, const Node& node) {
  return machine.vcpus == node.cpus || machine.vcpus == 2 * node.cpus;
}

// In small letters, with "-" between words.
std::string plain_type(std::string_view name) {
  std::string plain = in_lower_case(name);
  for (char& c : plain) c = c == '_' || c == ' ' ? '-' : c;
  return plain;
}

// Whether a name has a word in it that begins anew and no digit follows: "t4" is none of "t400".
bool has_word(std::string_view name, std::string_view word) {
  const auto is_alnum = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  for (std::size_t at = name.find(word); at != std::string_view::npos; at = name.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool begins = at == 0 || !is_alnum(name[at - 1]);
    const bool ends = end == name.size() || std::isdigit(static_cast<unsigned char>(name[end])) == 0;
    if (begins && ends) return true;
  }
  return false;
}

// Whether it names such a GPU, and none that only sounds like it. "rtx-pro-6000" is RTXPRO6000.
bool names_gpu(std::string_view plain, std::string_view gpu) {
  const std::string whole = in_lower_case(gpu);
  const std::string word = whole.substr(0, whole.find('-'));
  if (has_word(plain, word)) return true;
  std::string joined{plain};
  std::erase(joined, '-');
  return word.starts_with("rtx") && (joined.find(word) != std::string::npos || joined.ends_with("rtxpro"));
}

// "80gb" of "nvidia-a100-sxm4-80gb"; empty if no memory is named.
std::string memory_in(std::string_view plain) {
  for (std::size_t at = plain.find("gb"); at != std::string_view::npos; at = plain.find("gb", at + 1)) {
    std::size_t begin = at;
    while (begin > 0 && std::isdigit(static_cast<unsigned char>(plain[begin - 1])) != 0) --begin;
    if (begin < at) return std::string{plain.substr(begin, at + 2 - begin)};
  }
  return {};
}

// The one of that word in the catalogue which has the memory that the name says, if the catalogue tells them
// apart by it.
std::string with_memory(const Catalog& catalog, const std::string& gpu, std::string_view plain) {
  const std::string memory = memory_in(plain);
  const std::string of_gpu = memory_in(in_lower_case(gpu));
  if (memory.empty() || of_gpu.empty() || memory == of_gpu) return gpu;
  const std::string other = in_lower_case(gpu.substr(0, gpu.find('-'))) + "-" + memory;
  for (const std::string& known : catalog.gpu_types())
    if (in_lower_case(known) == other) return known;
  return {};
}

// The GPU of the catalogue that a site's name means; empty if it means none, several, or a slice of one.
std::string gpu_named(const Catalog& catalog, std::string_view name) {
  const std::string plain = plain_type(name);
  const bool is_slice = plain.find("g.") != std::string::npos;  // of MIG, as in "a100_3g.20gb"
  if (is_slice || plain.find(',') != std::string::npos) return "";
  const TypeGuess guess = guess_type(catalog, name);
  if (guess.likeness == Likeness::same) return guess.gpu;
  if (guess.likeness == Likeness::spelled && names_gpu(plain, guess.gpu))
    return with_memory(catalog, guess.gpu, plain);
  for (const std::string& gpu : catalog.gpu_types()) {
    if (has_word(plain, in_lower_case(gpu))) return with_memory(catalog, gpu, plain);
  }
  return "";
}

std::vector<std::string> narrowed_by_cpus(std::vector<const MachineType*> machines, const Node& node) {
  if (std::ranges::any_of(machines, [&](const MachineType* each) { return has_cpus(*each, node); }))
    std::erase_if(machines, [&](const MachineType* each) { return !has_cpus(*each, node); });
  std::vector<std::string> names;
  for (const MachineType* machine : machines) names.push_back(machine->name);
  return names;
}

[[noreturn]] void fail_given(std::string_view set, std::string_view problem) {
  throw InputError{{.file = "command line", .pointer = "--machine"},
                   fmt::format("of \"{}\": {}", set, problem)};
}

}  // namespace

std::vector<std::string> machines_with_as_many(const KindOfNodes& set, const ClusterFile& cluster,
                                               const Catalog& catalog) {
  const Node& node = cluster.configuration.nodes[set.front()];
  std::vector<const MachineType*> like;
  for (const MachineType& machine : catalog.machines()) {
    if (machine.name != kGeneric && has_as_many(machine, node)) like.push_back(&machine);
  }
  return narrowed_by_cpus(std::move(like), node);
}

std::vector<std::string> machines_like(const KindOfNodes& set, const ClusterFile& cluster,
                                       const Catalog& catalog) {
  const std::string& type = cluster.node_lines[set.front()].gpu_type;
  if (type.empty()) return machines_with_as_many(set, cluster, catalog);
  const Node& node = cluster.configuration.nodes[set.front()];
  const std::string gpu = gpu_named(catalog, type);
  std::vector<const MachineType*> like;
  for (const MachineType& machine : catalog.machines()) {
    if (machine.name == kGeneric || !has_as_many(machine, node)) continue;
    if (catalog.gpu_name(machine.gpu) == gpu) like.push_back(&machine);
  }
  return narrowed_by_cpus(std::move(like), node);
}

std::string doubt_of_gpu(const KindOfNodes& set, const ClusterFile& cluster, const Catalog& catalog) {
  const std::string& type = cluster.node_lines[set.front()].gpu_type;
  const std::string gpu = type.empty() ? "" : gpu_named(catalog, type);
  if (gpu.empty() || plain_type(type).find(in_lower_case(gpu)) != std::string::npos) return "";
  const std::string_view word = std::string_view{gpu}.substr(0, gpu.find('-'));
  const std::string memory = memory_in(plain_type(type));
  const auto alike = std::ranges::count_if(catalog.gpu_types(), [&](const std::string& other) {
    return std::string_view{other}.substr(0, other.find('-')) == word &&
           (memory.empty() || in_lower_case(other).ends_with(memory));
  });
  return alike > 1 ? fmt::format("GPUs \"{}\" are taken for {}", type, gpu) : "";
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
