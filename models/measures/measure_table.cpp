#include "models/measures/measure_table.h"

namespace stockout {
namespace {

using M = Measure;
constexpr auto kSum = MeasureKind::sum;
constexpr auto kAverage = MeasureKind::average;

constexpr std::array<MeasureInfo, kMeasures> kTable{{
    {M::jobs, "jobs", "jobs", kSum, "submitted in the window"},
    {M::completed, "completed", "jobs", kSum, "all work done"},
    {M::expired, "expired", "jobs", kSum, "a maximum wait ran out"},
    {M::refused, "refused", "jobs", kSum,
     "stock-out with no retry allowed, or no pool can ever hold the request"},
    {M::failed, "failed", "jobs", kSum, "retries or restarts ran out"},
    {M::cut_off, "cut_off", "jobs", kSum, "a lease reached the model's maximum run"},
    {M::unfinished, "unfinished", "jobs", kSum, "still open when the run ended"},
    {M::skipped, "skipped", "jobs", kSum,
     "never began, since a step before it in its pipeline did not complete; where there are pipelines"},
    {M::with_deadline, "with_deadline", "jobs", kSum, "that have a deadline"},
    {M::deadline_missed, "deadline_missed", "jobs", kSum,
     "not completed by a deadline that could have been met on arrival"},
    {M::deadline_impossible, "deadline_impossible", "jobs", kSum,
     "more work than time to the deadline on arrival, wherever it runs"},
    {M::never_started_share, "never_started_share", "share", kAverage,
     "jobs that were never granted, of all jobs"},
    {M::within_goal_share, "within_goal_share", "share", kAverage,
     "jobs that started within the wait goal, of the jobs it is about"},
    {M::goal_met_share, "goal_met_share", "share", kAverage,
     "jobs that started within the wait goal and were completed, of the jobs it is about"},
    {M::work_done_share, "work_done_share", "share", kAverage,
     "work of completed jobs, of the work of all jobs in GPU-hours; the least of any GPU type asked for"},
    {M::wait_mean, "wait_mean_h", "h", kAverage,
     "release to first grant; a bound from below if a job never started"},
    {M::wait_p50, "wait_p50_h", "h", kAverage, "median wait"},
    {M::wait_p95, "wait_p95_h", "h", kAverage, "wait that 95 % of jobs do not exceed"},
    {M::wait_max, "wait_max_h", "h", kAverage, "longest wait"},
    {M::quota_wait_mean, "quota_wait_mean_h", "h", kAverage,
     "of the wait, for quota: held, or refused and not asked anew yet, mean; where there are quotas"},
    {M::kueue_wait_mean, "kueue_wait_mean_h", "h", kAverage,
     "of the wait, for quota of Kueue's, mean; where there is Kueue"},
    {M::capacity_wait_mean, "capacity_wait_mean_h", "h", kAverage,
     "the rest of the wait, mean; where there are quotas or Kueue"},
    {M::makespan_mean, "makespan_mean_h", "h", kAverage,
     "submission of a pipeline to the end of its last job, mean; a bound from below if one was not "
     "completed"},
    {M::makespan_p95, "makespan_p95_h", "h", kAverage, "makespan that 95 % of pipelines do not exceed"},
    {M::start_delay_mean, "start_delay_mean_h", "h", kAverage,
     "first grant to first running, mean over started jobs"},
    {M::queued_mean, "queued_mean_h", "h", kAverage,
     "time without a lease from release to the final state, mean"},
    {M::held_back_mean, "held_back_mean_h", "h", kAverage,
     "submission to release by its pipeline or group, mean"},
    {M::consecutive, "consecutive_jobs", "jobs", kSum,
     "submitted soon after the end of another job of the same user and class"},
    {M::lost_between, "lost_between_share", "share", kAverage,
     "capacity lost between jobs: consecutive jobs that were not granted at once, of all of them"},
    {M::lost_between_wait, "lost_between_wait_mean_h", "h", kAverage,
     "wait of the consecutive jobs that were not granted at once, mean; a bound from below if one never "
     "started"},
    {M::preemptions_per_job, "preemptions_per_job", "per job", kAverage, "leases preempted, over all jobs"},
    {M::quota_refusals, "quota_refusals", "places", kSum,
     "in which jobs were refused for want of quota, each time; where there are quotas"},
    {M::kueue_evictions, "kueue_evictions", "evictions", kSum,
     "of jobs that had quota of Kueue's, by Kueue; where there is Kueue"},
    {M::pipelines, "pipelines", "pipelines", kSum, "submitted in the window; where there are pipelines"},
    {M::pipelines_completed, "pipelines_completed_share", "share", kAverage,
     "pipelines of which every job was completed, of all pipelines"},
    {M::useful, "useful_gpu_h", "GPU-h", kSum, "work of completed jobs times the GPUs they asked for"},
    {M::kept, "kept_gpu_h", "GPU-h", kSum, "work done and not lost, of completed and other jobs"},
    {M::redone, "lost_gpu_h", "GPU-h", kSum, "work lost in interruptions"},
    {M::overhead, "overhead_gpu_h", "GPU-h", kSum, "provisioning, start-up, reload, checkpoint writes"},
    {M::unused, "unused_gpu_h", "GPU-h", kSum, "GPUs of leased machines that the job did not ask for"},
    {M::leased, "leased_gpu_h", "GPU-h", kSum, "leased by jobs: kept, lost, overhead and unused"},
    {M::held, "held_gpu_h", "GPU-h", kSum, "held capacity, while it is paid for"},
    {M::idle, "idle_gpu_h", "GPU-h", kSum, "held capacity that no job leased"},
    {M::phantom_waiting, "phantom_waiting_gpu_h", "GPU-h", kSum,
     "requests withdrawn because another of the same job won: GPUs times the time they stood in a queue"},
    {M::phantom_leased, "phantom_leased_gpu_h", "GPU-h", kSum,
     "leases that lost a race to the first boot; part of leased_gpu_h"},
    {M::goodput, "goodput_share", "share", kAverage, "kept / (kept + lost + overhead)", M::leased},
    {M::held_use, "held_use_share", "share", kAverage, "(held - idle) / held", M::held},
    {M::busy_share, "busy_share", "share", kAverage, "(kept + lost) / leased", M::leased},
    {M::useful_share, "useful_share", "share", kAverage, "useful / (leased + idle)", M::useful},
    {M::cost, "cost_usd", "USD", kSum,
     "direct, held, sunk and other, less what is covered; at contracted prices"},
    {M::cost_list, "cost_list_usd", "USD", kSum, "the same at list prices"},
    {M::cost_direct, "cost_direct_usd", "USD", kSum, "machines leased from the provider job by job"},
    {M::cost_held, "cost_held_usd", "USD", kSum, "held capacity, used or not"},
    {M::cost_sublet, "cost_sublet_usd", "USD", kSum, "the part of held cost that jobs used"},
    {M::cost_idle, "cost_idle_usd", "USD", kSum, "the part of held cost that nobody used"},
    {M::cost_sunk, "cost_sunk_usd", "USD", kSum, "commitments that exist already, over the window"},
    {M::cost_other, "cost_other_usd", "USD", kSum,
     "disks, controllers, fees and other lines of the scenario"},
    {M::covered, "covered_usd", "USD", kSum,
     "what existing commitments pay for, at its on-demand price; taken off the cost"},
    {M::cost_open, "cost_open_usd", "USD", kSum, "cost_usd less what is sunk: what a decision can change"},
    {M::sunk_left, "sunk_left_usd", "USD", kSum,
     "what existing commitments cost after the window, to the end of their terms; not in the cost"},
    {M::cost_phantom, "cost_phantom_usd", "USD", kSum, "part of cost_direct_usd for leases that lost a race"},
    {M::cost_on_demand, "cost_on_demand_usd", "USD", kSum, "part of cost_usd under the on-demand price"},
    {M::cost_spot, "cost_spot_usd", "USD", kSum, "part of cost_usd under the Spot price"},
    {M::cost_flex_start, "cost_flex_start_usd", "USD", kSum, "part of cost_usd under the flex-start price"},
    {M::cost_calendar, "cost_calendar_usd", "USD", kSum, "part of cost_usd under the calendar price"},
    {M::cost_cud_1y, "cost_cud_1y_usd", "USD", kSum, "part of cost_usd under the 1-year commitment"},
    {M::cost_cud_3y, "cost_cud_3y_usd", "USD", kSum, "part of cost_usd under the 3-year commitment"},
    {M::cost_management_fee, "cost_management_fee_usd", "USD", kSum,
     "part of cost_usd that is Vertex AI's management fee"},
    {M::commitment, "commitment_usd", "USD", kSum,
     "obligation of commitments and bookings over their whole term"},
    {M::held_late, "held_late_h", "h", kAverage,
     "how long held capacity was missing after it was due; a bound from below if it never came"},
    {M::cost_per_useful, "cost_per_useful_gpu_h_usd", "USD per GPU-h", kAverage, "cost_usd / useful_gpu_h",
     M::useful},
    {M::cost_per_reference, "cost_per_reference_gpu_h_usd", "USD per GPU-h", kAverage,
     "cost_usd / work of completed jobs as on their reference GPU; where jobs give speeds against one type"},
    {M::pool_capacity, "pool_capacity_gpu_h", "GPU-h", kSum, "the pool's capacity, tenants' share included"},
    {M::pool_leased, "pool_leased_gpu_h", "GPU-h", kSum, "leased from the pool, tenants included"},
    {M::pool_tenants, "pool_tenants_gpu_h", "GPU-h", kSum, "leased from the pool by tenants"},
    {M::pool_requests, "pool_requests", "requests", kSum, "made to the pool, tenants included"},
    {M::pool_refusals, "pool_refusals", "requests", kSum, "refused by the pool, tenants included"},
    {M::pool_preemptions, "pool_preemptions", "leases", kSum, "preempted in the pool, tenants included"},
    {M::pool_peak_waiting, "pool_peak_waiting", "requests", kSum,
     "most that waited at one time, tenants included"},
    {M::pool_shortage, "pool_shortage_gpu_h", "GPU-h", kSum,
     "what leases other than Spot held beyond the pool's capacity, since it fell"},
    {M::pool_free, "pool_free_gpu_h", "GPU-h", kSum, "free on the hosts of the pool"},
    {M::pool_stranded, "pool_stranded_gpu_h", "GPU-h", kSum, "of it on hosts that are used in part"},
    {M::pool_fragmented, "pool_fragmented_share", "share", kAverage, "pool_stranded / pool_free"},
    {M::pool_misfits, "pool_misfits", "requests", kSum,
     "refused though enough GPUs were free, because machines found no hosts"},
    {M::censored_decisions, "censored_decisions", "decisions", kSum,
     "grants and refusals while a measured capacity was at its cap"},
}};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kTable.size(); ++i) {
    if (static_cast<std::size_t>(kTable[i].measure) != i) return false;
  }
  return true;
}
static_assert(in_order());

}  // namespace

bool MeasureInfo::may_be_bound() const {
  return (measure >= M::wait_mean && measure <= M::makespan_p95) || measure == M::held_late ||
         measure == M::lost_between_wait;
}

std::span<const MeasureInfo, kMeasures> measure_table() { return kTable; }

}  // namespace stockout
