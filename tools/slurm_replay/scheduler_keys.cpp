#include "tools/slurm_replay/scheduler_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace stockout::slurm {
namespace {

constexpr std::int64_t kMostOfKey = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kMostPriority = std::numeric_limits<std::uint32_t>::max();
constexpr SimDuration kLongestInterval = std::chrono::hours{24 * 365};

void report_key(const ConfField& field, std::string_view word, std::vector<std::string>& not_modelled) {
  not_modelled.push_back(at_line(field.where, word));
}

int count_of(const ConfField& field, std::int64_t least) {
  return static_cast<int>(field.whole_number(least, kMostOfKey));
}

SimDuration interval_of(const ConfField& field, SimDuration least) {
  const SimDuration length = field.seconds();
  if (length < least || length > kLongestInterval) {
    field.fail(fmt::format("from {} to {} seconds", in_seconds(least), in_seconds(kLongestInterval)));
  }
  return length;
}

// bf_window and the like are minutes.
SimDuration minutes_of(const ConfField& field) {
  return std::chrono::minutes{
      field.whole_number(1, std::chrono::duration_cast<std::chrono::minutes>(kLongestInterval).count())};
}

bool read_backfill_parameter(const ConfField& word, BackfillParameters& parameters) {
  using std::chrono::seconds;
  if (word.is("bf_interval")) {
    parameters.interval = interval_of(word, seconds{1});
  } else if (word.is("bf_window")) {
    parameters.window = minutes_of(word);
  } else if (word.is("bf_resolution")) {
    parameters.resolution = interval_of(word, seconds{1});
  } else if (word.is("bf_max_job_test")) {
    parameters.max_job_test = count_of(word, 1);
  } else if (word.is("bf_max_job_start")) {
    parameters.max_job_start = count_of(word, 0);
  } else if (word.is("bf_max_job_array_resv")) {
    parameters.max_job_array_resv = count_of(word, 0);
  } else if (word.is("bf_job_part_count_reserve")) {
    parameters.job_part_count_reserve = count_of(word, 0);
  } else if (word.is("bf_node_space_size")) {
    parameters.node_space_size = count_of(word, 2);
  } else if (word.is("bf_min_prio_reserve")) {
    parameters.min_prio_reserve = static_cast<std::uint32_t>(word.whole_number(0, kMostPriority));
  } else if (word.is("bf_min_age_reserve")) {
    parameters.min_age_reserve = interval_of(word, seconds{0});
  } else if (word.is("bf_window_linear")) {
    parameters.window_linear = interval_of(word, seconds{1});
  } else {
    return false;
  }
  return true;
}

bool read_main_parameter(const ConfField& word, Settings& settings) {
  using std::chrono::seconds;
  if (word.is("default_queue_depth")) {
    settings.main.default_queue_depth = count_of(word, 1);
  } else if (word.is("sched_interval")) {
    settings.main.sched_interval = interval_of(word, seconds{1});
  } else if (word.is("batch_sched_delay")) {
    settings.main.batch_sched_delay = interval_of(word, seconds{0});
  } else if (word.is("preempt_reorder_count")) {
    settings.preemption.reorder_count = count_of(word, 0);
  } else if (word.is("preempt_youngest_first")) {
    settings.preemption.youngest_first = true;
  } else {
    return word.is("bf_continue");  // nothing interrupts a cycle here
  }
  return true;
}

void read_parameters(const ConfField& field, Settings& settings, std::vector<std::string>& not_modelled) {
  for (const std::string& text : split_words(field.value, ',')) {
    const std::size_t equals = text.find('=');
    ConfField word{.key = text.substr(0, equals),
                   .value = equals == std::string::npos ? "" : text.substr(equals + 1),
                   .where = field.where};
    word.where.pointer = word.key;
    if (!read_backfill_parameter(word, settings.backfill) && !read_main_parameter(word, settings)) {
      report_key(field, word.key, not_modelled);
    }
  }
}

bool read_priority_weight(const ConfField& field, PriorityWeights& weights) {
  const auto read = [&](std::uint32_t& weight) {
    weight = static_cast<std::uint32_t>(field.whole_number(0, kMostPriority));
    return true;
  };
  if (field.is("PriorityWeightAge")) return read(weights.age);
  if (field.is("PriorityWeightFairshare")) return read(weights.fair_share);
  if (field.is("PriorityWeightJobSize")) return read(weights.job_size);
  if (field.is("PriorityWeightPartition")) return read(weights.partition);
  if (field.is("PriorityWeightQOS")) return read(weights.qos);
  return false;
}

PriorityType priority_type_of(const ConfField& field) {
  if (field.value == "priority/basic") return PriorityType::basic;
  if (field.value == "priority/multifactor") return PriorityType::multifactor;
  field.fail("priority/basic or priority/multifactor");
}

bool read_priority_key(const ConfField& field, PriorityParameters& priority,
                       std::vector<std::string>& not_modelled) {
  if (field.is("PriorityType")) {
    priority.type = priority_type_of(field);
  } else if (field.is("PriorityMaxAge")) {
    priority.max_age = field.time();
  } else if (field.is("PriorityCalcPeriod")) {
    priority.calculation_period = field.time();
    if (priority.calculation_period <= SimDuration{}) field.fail("more than 0");
  } else if (field.is("PriorityDecayHalfLife")) {
    priority.half_life = field.time();
  } else if (field.is("PriorityFavorSmall")) {
    priority.favor_small = field.yes();
  } else if (field.is("PriorityFlags")) {
    for (const std::string& flag : split_words(field.value, ',')) {
      if (is_same_word(flag, "SMALL_RELATIVE_TO_TIME")) {
        priority.size_relative_to_time = true;
      } else if (!is_same_word(flag, "FAIR_TREE")) {
        report_key(field, flag, not_modelled);
      }
    }
  } else {
    return read_priority_weight(field, priority.weights);
  }
  return true;
}

PreemptType preempt_type_of(const ConfField& field) {
  if (field.value == "preempt/none") return PreemptType::none;
  if (field.value == "preempt/partition_prio") return PreemptType::partition_priority;
  if (field.value == "preempt/qos") return PreemptType::qos;
  field.fail("preempt/none, preempt/partition_prio or preempt/qos");
}

bool read_power_key(const ConfField& field, PowerSave& power) {
  if (field.is("SuspendTime")) {
    power.suspend_time = field.seconds();
  } else if (field.is("SuspendTimeout")) {
    power.suspend_timeout = interval_of(field, SimDuration{});
  } else if (field.is("ResumeTimeout")) {
    power.resume_timeout = interval_of(field, SimDuration{});
  } else {
    return false;
  }
  return true;
}

// A requeued job is eligible a second after its credential has expired.
bool read_credential_key(const ConfField& field, Settings& settings) {
  if (!field.is("AuthInfo") && !field.is("CredExpire")) return false;
  for (const std::string& text : split_words(field.value, ',')) {
    constexpr std::string_view kExpire = "cred_expire=";
    if (!text.starts_with(kExpire)) continue;
    ConfField word = field;
    word.value = text.substr(kExpire.size());
    settings.requeue_delay = interval_of(word, std::chrono::seconds{5}) + std::chrono::seconds{1};
  }
  return true;
}

bool enforces_limits(const ConfField& field) {
  const auto words = split_words(in_lower_case(field.value), ',');
  return std::ranges::any_of(
      words, [](const std::string& word) { return word == "limits" || word == "safe" || word == "all"; });
}

}  // namespace

PreemptMode read_preempt_mode(const ConfField& field) {
  if (is_same_word(field.value, "off")) return PreemptMode::off;
  if (is_same_word(field.value, "requeue")) return PreemptMode::requeue;
  if (is_same_word(field.value, "cancel")) return PreemptMode::cancel;
  field.fail("OFF, REQUEUE or CANCEL: other modes are not modelled");
}

bool read_scheduler_key(const ConfField& field, Settings& settings, std::vector<std::string>& not_modelled) {
  if (field.is("SchedulerParameters")) {
    read_parameters(field, settings, not_modelled);
    return true;
  }
  if (field.is("SchedulerType")) {
    if (field.value == "sched/builtin")
      settings.backfill_type = Backfill::none;
    else if (field.value != "sched/backfill")
      field.fail("sched/backfill or sched/builtin");
    return true;
  }
  if (field.is("PreemptType")) {
    settings.preemption.type = preempt_type_of(field);
    return true;
  }
  if (field.is("PreemptMode")) {
    settings.preemption.mode = read_preempt_mode(field);
    return true;
  }
  if (field.is("Epilog")) {
    settings.main.cycle_at_end = true;
    return true;
  }
  if (field.is("KillWait")) {
    settings.preemption.kill_wait = interval_of(field, SimDuration{});
    return true;
  }
  if (field.is("AccountingStorageEnforce")) {
    settings.priority.charges_at_end = enforces_limits(field);
    return true;
  }
  return read_credential_key(field, settings) || read_priority_key(field, settings.priority, not_modelled) ||
         read_power_key(field, settings.power);
}

bool read_partition_key(const ConfField& field, Partition& partition, const Settings& settings) {
  if (field.is("MaxTime")) {
    partition.max_time = field.time();
  } else if (field.is("DefaultTime")) {
    partition.default_time = field.time();
  } else if (field.is("MaxNodes")) {
    partition.max_nodes =
        is_same_word(field.value, "UNLIMITED") ? std::nullopt : std::optional{count_of(field, 0)};
  } else if (field.is("PriorityTier")) {
    partition.priority_tier = static_cast<int>(field.whole_number(0, 65'533));
  } else if (field.is("PriorityJobFactor")) {
    partition.priority_job_factor = static_cast<int>(field.whole_number(0, 65'533));
  } else if (field.is("PreemptMode")) {
    partition.preempt_mode = read_preempt_mode(field);
  } else if (field.is("PowerDownOnIdle")) {
    partition.power_down_on_idle = field.yes();
  } else {
    PowerSave power = partition.power.value_or(settings.power);
    if (!read_power_key(field, power)) return false;
    partition.power = power;
  }
  return true;
}

}  // namespace stockout::slurm
