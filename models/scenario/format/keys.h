#pragma once

#include <vector>

#include "models/scenario/format/spec.h"

namespace stockout {

/// A whole scenario file.
[[nodiscard]] const ObjectSpec& scenario_keys();

// The objects in it.
[[nodiscard]] const ObjectSpec& alternative_keys();
[[nodiscard]] const ObjectSpec& alternative_rule_keys();
[[nodiscard]] const ObjectSpec& decision_keys();
[[nodiscard]] const ObjectSpec& choice_keys();
[[nodiscard]] const ObjectSpec& unknown_keys();
[[nodiscard]] const ObjectSpec& unknown_choice_keys();
[[nodiscard]] const ObjectSpec& goal_keys();
[[nodiscard]] const ObjectSpec& asked_goal_keys();
[[nodiscard]] const ObjectSpec& precision_keys();
[[nodiscard]] const ObjectSpec& warm_up_keys();
[[nodiscard]] const ObjectSpec& billing_keys();
[[nodiscard]] const ObjectSpec& price_keys();
[[nodiscard]] const ObjectSpec& commitment_keys();
[[nodiscard]] const ObjectSpec& other_cost_keys();
[[nodiscard]] const ObjectSpec& class_keys();
[[nodiscard]] const ObjectSpec& checkpoint_keys();
[[nodiscard]] const ObjectSpec& exits_keys();
[[nodiscard]] KeySpec exits_key();

[[nodiscard]] const ObjectSpec& source_keys();
[[nodiscard]] const ObjectSpec& step_retry_keys();
[[nodiscard]] const ObjectSpec& job_set_keys();
[[nodiscard]] const ObjectSpec& speed_keys();
[[nodiscard]] const ObjectSpec& scaling_keys();
[[nodiscard]] const ObjectSpec& trace_keys();
[[nodiscard]] const ObjectSpec& length_class_keys();
[[nodiscard]] const ObjectSpec& join_attempts_keys();
[[nodiscard]] const ObjectSpec& resample_keys();
[[nodiscard]] const ObjectSpec& poisson_keys();
[[nodiscard]] const ObjectSpec& batch_size_keys();
[[nodiscard]] const ObjectSpec& schedule_keys();
[[nodiscard]] const ObjectSpec& demand_keys();
[[nodiscard]] const ObjectSpec& peak_keys();
[[nodiscard]] const ObjectSpec& growth_keys();
[[nodiscard]] const ObjectSpec& job_size_keys();
[[nodiscard]] const ObjectSpec& deadline_keys();
[[nodiscard]] const ObjectSpec& law_keys();
[[nodiscard]] const ObjectSpec& mixture_part_keys();
[[nodiscard]] const ObjectSpec& pareto_keys();
[[nodiscard]] const ObjectSpec& empirical_keys();
[[nodiscard]] const ObjectSpec& lognormal_keys();
[[nodiscard]] const ObjectSpec& weibull_keys();
[[nodiscard]] const ObjectSpec& bathtub_keys();
[[nodiscard]] const ObjectSpec& from_file_keys();

[[nodiscard]] const ObjectSpec& pool_keys();
[[nodiscard]] const ObjectSpec& placement_keys();
[[nodiscard]] const ObjectSpec& capacity_keys();
[[nodiscard]] const ObjectSpec& step_keys();
[[nodiscard]] const ObjectSpec& capacity_growth_keys();
[[nodiscard]] const ObjectSpec& availability_keys();
[[nodiscard]] const ObjectSpec& markov_keys();
[[nodiscard]] const ObjectSpec& profile_keys();
[[nodiscard]] const ObjectSpec& tenants_keys();
[[nodiscard]] const ObjectSpec& mix_keys();
[[nodiscard]] const ObjectSpec& size_keys();
[[nodiscard]] const ObjectSpec& reservation_keys();
[[nodiscard]] const ObjectSpec& raised_least_keys();

[[nodiscard]] const ObjectSpec& quota_keys();
[[nodiscard]] const ObjectSpec& quota_limit_keys();
[[nodiscard]] const ObjectSpec& quota_increase_keys();
[[nodiscard]] const ObjectSpec& quota_rule_keys();
[[nodiscard]] const ObjectSpec& node_group_keys();
[[nodiscard]] const ObjectSpec& provisioning_request_keys();

[[nodiscard]] const ObjectSpec& kueue_keys();
[[nodiscard]] const ObjectSpec& kueue_queue_keys();
[[nodiscard]] const ObjectSpec& kueue_quota_keys();
[[nodiscard]] const ObjectSpec& kueue_preemption_keys();
[[nodiscard]] const ObjectSpec& kueue_fungibility_keys();
[[nodiscard]] const ObjectSpec& kueue_required_check_keys();
[[nodiscard]] const ObjectSpec& kueue_cohort_keys();
[[nodiscard]] const ObjectSpec& kueue_local_queue_keys();
[[nodiscard]] const ObjectSpec& kueue_partial_keys();
[[nodiscard]] const ObjectSpec& kueue_group_keys();
[[nodiscard]] const ObjectSpec& kueue_other_flavor_keys();
[[nodiscard]] const ObjectSpec& kueue_resource_keys();
[[nodiscard]] const ObjectSpec& kueue_request_keys();
[[nodiscard]] const ObjectSpec& kueue_check_keys();
[[nodiscard]] const ObjectSpec& kueue_fair_sharing_keys();
[[nodiscard]] const ObjectSpec& kueue_usage_keys();
[[nodiscard]] const ObjectSpec& kueue_pods_keys();
[[nodiscard]] const ObjectSpec& slurm_keys();
[[nodiscard]] const ObjectSpec& slurm_node_set_keys();
[[nodiscard]] const ObjectSpec& slurm_partition_keys();
[[nodiscard]] const ObjectSpec& slurm_qos_keys();
[[nodiscard]] const ObjectSpec& slurm_account_keys();
[[nodiscard]] const ObjectSpec& slurm_job_keys();
[[nodiscard]] const ObjectSpec& slurm_scheduler_keys();
[[nodiscard]] const ObjectSpec& slurm_priority_keys();
[[nodiscard]] const ObjectSpec& slurm_preemption_keys();

[[nodiscard]] const ObjectSpec& fault_keys();
[[nodiscard]] const ObjectSpec& mass_reclaim_keys();
[[nodiscard]] const ObjectSpec& health_keys();
[[nodiscard]] const ObjectSpec& deadline_rule_keys();
[[nodiscard]] const ObjectSpec& model_keys();
[[nodiscard]] const ObjectSpec& strategy_keys();
[[nodiscard]] const ObjectSpec& leg_keys();
[[nodiscard]] const ObjectSpec& partial_keys();
[[nodiscard]] const ObjectSpec& resubmit_keys();

/// All of them, the scenario first: the order of the reference.
[[nodiscard]] const std::vector<const ObjectSpec*>& all_keys();

/// A multiplier of demand, or what it is over time.
[[nodiscard]] ValueSpec demand_value();

/// Days of the week.
[[nodiscard]] ValueSpec days_value();

/// A length of time: fixed, or drawn from a law.
[[nodiscard]] ValueSpec length_value();

/// Of pools and reservations: what belongs to the discipline shortest_ageing.
[[nodiscard]] KeySpec ageing_key();
[[nodiscard]] std::vector<KeyRelation> ageing_relations();

/// Keys of a row of policy that a scenario's models and its legs may override.
[[nodiscard]] std::vector<KeySpec> policy_keys();

// Bounds, so that no number a file can hold breaks what is computed from it.
inline constexpr double kMostGpus = 4e6;        // of a pool
inline constexpr double kMostMachines = 1e6;    // of a pool or a reservation
inline constexpr double kMostNodes = 100'000;   // of a job
inline constexpr double kMostNodeGpus = 1'024;  // of a node
inline constexpr double kMostBatch = 1e6;       // jobs at one instant
inline constexpr double kMostPerHour = 1e6;     // jobs
inline constexpr double kMostTimes = 100;       // demand against what is written
inline constexpr double kMostWeight = 1e9;      // of one among several
inline constexpr double kMostUsers = 1e5;       // of a source
inline constexpr double kMostGpuMemory = 1e6;   // GB of one GPU
inline constexpr double kMostUsd = 1e6;         // per machine-hour
inline constexpr double kMostAgeing = 1'000;    // hours of estimate for each hour of waiting
inline constexpr SimDuration kShortestTick = std::chrono::minutes{1};   // between two decisions of a job
inline constexpr SimDuration kShortestPause = std::chrono::seconds{1};  // between two tries of one thing
inline constexpr double kMostPools = 10'000;
inline constexpr double kMostReplications = 10'000;
inline constexpr double kMostLegsWritten =
    15;  // kMostLegs of models/simulation: the run record has four bits for it

}  // namespace stockout
