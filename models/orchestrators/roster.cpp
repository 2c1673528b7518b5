#include "models/orchestrators/roster.h"

#include "models/orchestrators/group_limit.h"
#include "models/orchestrators/job_sets.h"
#include "models/orchestrators/kueue_orchestrator.h"
#include "models/orchestrators/node_groups.h"
#include "models/orchestrators/open_limit.h"
#include "models/orchestrators/pipelines.h"
#include "models/orchestrators/quota.h"
#include "models/orchestrators/slurm_orchestrator.h"

namespace stockout {

Orchestrators roster(const World& world, const Strategy& strategy) {
  Orchestrators all;
  if (world.has_pipelines()) all.push_back(std::make_unique<Pipelines>(world.sources));
  if (GroupLimit::is_asked_for(world.classes)) all.push_back(std::make_unique<GroupLimit>(world.classes));
  if (world.has_sets()) all.push_back(std::make_unique<JobSets>(world.sources));
  if (NodeGroups::is_asked_for(strategy)) all.push_back(std::make_unique<NodeGroups>(strategy));
  if (Quota::is_asked_for(world)) all.push_back(std::make_unique<Quota>(world, strategy));
  if (KueueOrchestrator::is_asked_for(world, strategy))
    all.push_back(std::make_unique<KueueOrchestrator>(world, strategy));
  if (SlurmOrchestrator::is_asked_for(world, strategy))
    all.push_back(std::make_unique<SlurmOrchestrator>(world, strategy));
  if (OpenLimit::is_asked_for(strategy)) all.push_back(std::make_unique<OpenLimit>(strategy));
  return all;
}

}  // namespace stockout
