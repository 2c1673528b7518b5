#pragma once

#include <string>

#include <fmt/format.h>

#include "models/world/world.h"

namespace stockout::test {

/// So many nodes of one size.
struct NodesSpec {
  int count = 1;
  int gpus = 1;
  bool is_elastic = false;
  SimDuration resume_timeout = std::chrono::minutes{5};
};

/// The cluster of the world. Its schedulers work at each event, as papers have EASY, unless a test says
/// otherwise.
inline SlurmCluster& slurm_of(World& world) {
  if (!world.slurm) {
    world.slurm.emplace();
    world.slurm->configuration.settings.backfill_type = slurm::Backfill::easy;
    world.slurm->configuration.settings.requeue_delay = std::chrono::seconds{10};
    world.slurm->configuration.settings.priority.type = slurm::PriorityType::basic;
  }
  return *world.slurm;
}

/// A partition of nodes of its own.
inline slurm::Partition& add_partition(World& world, const std::string& name, const NodesSpec& spec) {
  slurm::Configuration& cluster = slurm_of(world).configuration;
  slurm::Partition partition{
      .name = name, .nodes = {}, .exclusive = spec.is_elastic, .power_down_on_idle = spec.is_elastic};
  for (int i = 0; i < spec.count; ++i) {
    partition.nodes.push_back(static_cast<slurm::NodeIndex>(cluster.nodes.size()));
    cluster.nodes.push_back({.name = fmt::format("{}-{}", name, i),
                             .cpus = spec.gpus,
                             .gpus = spec.gpus,
                             .cloud = spec.is_elastic});
  }
  if (spec.is_elastic)
    partition.power = slurm::PowerSave{.suspend_timeout = {}, .resume_timeout = spec.resume_timeout};
  return cluster.partitions.emplace_back(std::move(partition));
}

}  // namespace stockout::test
