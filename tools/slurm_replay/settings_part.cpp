#include "tools/slurm_replay/settings_part.h"

#include <array>
#include <utility>

namespace stockout::slurm {
namespace {

PartJson scheduler_part(const Settings& settings, LeftOut& left_out) {
  PartJson json = PartJson::object();
  ScenarioValues values{json, left_out};
  const MainParameters& main = settings.main;
  const MainParameters main_of_slurm;
  const BackfillParameters& own = settings.backfill;
  const BackfillParameters of_slurm;
  values.put_number("default_queue_depth", main.default_queue_depth, main_of_slurm.default_queue_depth);
  values.put_length("sched_interval", main.sched_interval, main_of_slurm.sched_interval);
  values.put_length("batch_sched_delay", main.batch_sched_delay, main_of_slurm.batch_sched_delay);
  if (!main.cycle_at_end)
    left_out.emplace_back(
        "Epilog: there is none; in a scenario the end of a job starts a cycle, as with one");
  if (settings.backfill_type == Backfill::none) {
    json["type"] = "builtin";
    return json;
  }
  values.put_length("bf_interval", own.interval, of_slurm.interval);
  values.put_length("bf_window", own.window, of_slurm.window);
  values.put_length("bf_resolution", own.resolution, of_slurm.resolution);
  values.put_number("bf_max_job_test", own.max_job_test, of_slurm.max_job_test);
  values.put_number("bf_max_job_start", own.max_job_start, of_slurm.max_job_start);
  values.put_number("bf_job_part_count_reserve", own.job_part_count_reserve, of_slurm.job_part_count_reserve);
  values.put_number("bf_min_prio_reserve", own.min_prio_reserve, of_slurm.min_prio_reserve);
  values.put_length("bf_min_age_reserve", own.min_age_reserve, of_slurm.min_age_reserve);
  values.has_not("bf_max_job_array_resv", own.max_job_array_resv, of_slurm.max_job_array_resv);
  values.has_not("bf_node_space_size", own.node_space_size, of_slurm.node_space_size);
  values.has_not("bf_window_linear", own.window_linear, of_slurm.window_linear);
  return json;
}

PartJson priority_part(const PriorityParameters& own, LeftOut& left_out) {
  PartJson json = PartJson::object();
  ScenarioValues values{json, left_out};
  const PriorityParameters of_slurm;
  if (own.type == PriorityType::basic) return {{"type", "basic"}};
  values.put_number("weight_age", own.weights.age, 0);
  values.put_number("weight_job_size", own.weights.job_size, 0);
  values.put_number("weight_partition", own.weights.partition, 0);
  values.put_number("weight_qos", own.weights.qos, 0);
  values.put_length("max_age", own.max_age, of_slurm.max_age, std::chrono::seconds{1});
  values.put_length("calc_period", own.calculation_period, of_slurm.calculation_period);
  values.put_length("decay_half_life", own.half_life, of_slurm.half_life);
  values.put_flag("favor_small", own.favor_small, of_slurm.favor_small);
  values.has_not("PriorityFlags=SMALL_RELATIVE_TO_TIME", own.size_relative_to_time,
                 of_slurm.size_relative_to_time);
  if (own.weights.fair_share > 0)
    left_out.emplace_back(
        "PriorityWeightFairshare: accounts are not in slurm.conf; add "
        "\"accounts\" and \"weight_fair_share\"");
  if (own.weights.qos > 0) left_out.emplace_back("PriorityWeightQOS: QOS are not in slurm.conf; add \"qos\"");
  return json;
}

PartJson preemption_part(const PreemptionParameters& own, LeftOut& left_out) {
  PartJson json{{"type", own.type == PreemptType::qos ? "qos" : "partition_prio"},
                {"mode", word_of(own.mode)}};
  ScenarioValues values{json, left_out};
  const PreemptionParameters of_slurm;
  values.put_number("reorder_count", own.reorder_count, of_slurm.reorder_count, 1'000);
  values.put_flag("youngest_first", own.youngest_first, of_slurm.youngest_first);
  values.put_length("kill_wait", own.kill_wait, of_slurm.kill_wait);
  if (own.type == PreemptType::qos)
    left_out.emplace_back(
        "preempt/qos: QOS are not in slurm.conf; add \"qos\", each with whom it \"preempts\"");
  return json;
}

}  // namespace

const char* word_of(PreemptMode mode) {
  constexpr std::array kWords{"off", "requeue", "cancel"};
  return kWords[static_cast<std::size_t>(mode)];
}

void put_settings(const Settings& settings, PartJson& slurm, LeftOut& left_out) {
  const auto put = [&](const char* key, PartJson part) {
    if (!part.empty()) slurm[key] = std::move(part);
  };
  put("scheduler", scheduler_part(settings, left_out));
  put("priority", priority_part(settings.priority, left_out));
  if (settings.preemption.type != PreemptType::none)
    put("preemption", preemption_part(settings.preemption, left_out));
  ScenarioValues values{slurm, left_out};
  values.put_length("requeue_delay", settings.requeue_delay, Settings{}.requeue_delay);
}

}  // namespace stockout::slurm
