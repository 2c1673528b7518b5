#pragma once

#include <string>
#include <vector>

#include "models/orchestrators/kueue/configuration.h"
#include "models/scenario/draft/draft.h"
#include "models/scenario/format/node.h"
#include "models/world/kueue_cluster.h"

namespace stockout {

/// Adds to `quotas` those that `resources` of `node` has of other resources than GPUs: vCPUs in thousandths,
/// GiB of memory in bytes, others in thousandths. A cohort may lend what those below it lend to it, and so
/// more than its own.
void read_other_quotas(const Node& node, bool is_of_cohort, kueue::FlavorQuotas& quotas);

/// Refuses a cluster queue that lends more than it has.
void check_lending(const kueue::Quota& quota, const Node& node);

/// Refuses flavors of one owner that do not have quotas of the same resources, as Kueue does.
void check_same_resources(const std::vector<Node>& flavors, const std::vector<kueue::FlavorQuotas>& quotas);

/// Adds `other_groups` of a cluster queue or cohort, whose flavors are among those. InputError for a flavor
/// or a resource that is in two groups, as Kueue has it.
void add_other_groups(const Node& owner, const std::vector<std::string>& flavors,
                      std::vector<kueue::ResourceGroup>& groups);

/// `pod_requests` of `kueue`. InputError where a resource has a request and no quota. A quota without a
/// request is warned of: it holds back nobody.
[[nodiscard]] std::vector<PodRequest> read_pod_requests(Draft& draft, const Node& kueue,
                                                        const kueue::Configuration& objects);

/// Warns of jobs for which some flavor has GPUs enough, but no such flavor, or none of another group, ever
/// has enough of the rest.
void warn_of_other_resources(Draft& draft, const Strategy& strategy);

}  // namespace stockout
