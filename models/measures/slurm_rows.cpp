#include "models/measures/slurm_rows.h"

#include <algorithm>

namespace stockout {

std::vector<std::string> partition_rows(const World& world) {
  std::vector<std::string> names;
  if (world.slurm) {
    for (const slurm::Partition& partition : world.slurm->configuration.partitions)
      names.push_back(partition.name);
  }
  names.emplace_back("none or several");
  return names;
}

std::vector<std::string> account_rows(const World& world) {
  std::vector<std::string> names;
  if (world.slurm) {
    for (const slurm::Association& each : world.slurm->configuration.associations) {
      if (!each.is_user) names.push_back(each.name);
    }
  }
  names.emplace_back("no account");
  return names;
}

const Leg* leg_counted(const Strategy& strategy, const Job& job, std::uint8_t leg) {
  if (strategy.legs[leg].open_to(job.job_class)) return &strategy.legs[leg];
  const auto open =
      std::ranges::find_if(strategy.legs, [&](const Leg& each) { return each.open_to(job.job_class); });
  return open == strategy.legs.end() ? nullptr : &*open;
}

PartitionRows::PartitionRows(const World& world, const Strategy& strategy)
    : world_{world}, strategy_{strategy}, other_{partition_rows(world).size() - 1} {
  for (const Leg& leg : strategy.legs) {
    std::set<PriceLineId>& lines = lines_.emplace_back();
    if (row_of(leg) == other_) continue;
    for (const auto& places : leg.candidates) {
      for (const Candidate& candidate : places) {
        for (const Part& part : candidate.parts) {
          if (part.machines > 0 && !part.line.is_none()) lines.insert(part.line.value());
        }
      }
    }
  }
}

std::size_t PartitionRows::row_of(const Leg& leg) const {
  return world_.slurm && !leg.partition.empty() ? world_.slurm->partition_of(leg.partition) : other_;
}

std::size_t PartitionRows::of_job(const Job& job, std::uint8_t leg) const {
  const Leg* own = leg_counted(strategy_, job, leg);
  return own == nullptr ? other_ : row_of(*own);
}

std::size_t PartitionRows::of_usage(const UsageKey& key) const {
  std::optional<std::size_t> only;
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    if (!strategy_.legs[i].open_to(key.job_class) || !lines_[i].contains(key.line)) continue;
    if (only) return other_;
    only = row_of(strategy_.legs[i]);
  }
  return only.value_or(other_);
}

AccountRows::AccountRows(const World& world) : world_{world} {
  if (!world.slurm) return;
  for (const slurm::Association& each : world.slurm->configuration.associations)
    rows_.push_back(each.is_user ? rows_[*each.parent] : none_++);
}

std::size_t AccountRows::of(ClassId job_class, UserId user) const {
  if (!world_.slurm) return none_;
  const SlurmOptions* own = world_.slurm->options_of(job_class, user);
  if (own == nullptr || own->associations.empty()) return none_;
  return rows_[own->associations[index(user)]];
}

}  // namespace stockout
