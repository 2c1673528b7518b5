#pragma once

#include "models/scenario/draft/draft.h"

namespace stockout {

// The steps from a checked scenario text to a world, in the order in which load_scenario() takes them. Each
// throws InputError for what it finds wrong.

/// Zone pools, without their capacity.
void build_pools(Draft& draft);

/// Classes of the table, then all sources but tenants; also the window, if it follows from the traces.
void build_workload(Draft& draft);

/// Capacity of the zone pools over time. Needs the window.
void build_capacity(Draft& draft);

/// Held pools.
void build_reservations(Draft& draft);

/// Quotas of the planner.
void build_quotas(Draft& draft);

/// Kueue in the planner's cluster.
void build_kueue(Draft& draft);
/// Slurm in the planner's cluster, after reservations.
void build_slurm(Draft& draft);

/// The scenario's strategies.
void build_strategies(Draft& draft);

/// Commitments that exist already, and other costs. After the strategies, whose price lines they may cover.
void build_bill_terms(Draft& draft);

/// Warns of what can never happen: classes that a strategy could never serve, gangs larger than the places
/// they are sent to, pools that no job can reach, commitments without use. After the bill terms.
void warn_of_never(Draft& draft);

/// One background source for each pool with tenants. Last, so that adding tenants renumbers no source, class
/// or shape of recorded jobs.
void build_tenants(Draft& draft);

}  // namespace stockout
