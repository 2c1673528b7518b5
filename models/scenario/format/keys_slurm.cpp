#include "models/scenario/format/catalog_names.h"
#include "models/scenario/format/fill.h"
#include "models/scenario/format/keys.h"
#include "models/world/world.h"

namespace stockout {
namespace {

using slurm::BackfillParameters;
using slurm::MainParameters;
using slurm::Partition;
using slurm::PreemptionParameters;
using slurm::PriorityParameters;
using slurm::PriorityWeights;
using slurm::Qos;

constexpr double kMostListed = 1'000;
constexpr double kMostNumber = 1e9;

template <typename Make>
ValueSpec some_of(Make keys, double least) {
  return list_value(object_value(keys()), least, kMostListed);
}

ValueSpec whole(double least = 0) { return integer_value(least, kMostNumber); }
ValueSpec seconds_at_least_one() { return duration_at_least(std::chrono::seconds{1}); }
ValueSpec preempt_modes() { return choice_value({"off", "requeue", "cancel"}); }

KeySpec weight_key(std::uint32_t PriorityWeights::*member, const char* name, const char* doc) {
  return filling(member, default_key(name, whole(), "0", doc));
}

}  // namespace

const ObjectSpec& slurm_keys() {
  static const ObjectSpec kKeys{
      .name = "slurm",
      .doc =
          "Slurm in the planner's cluster, as Cluster Toolkit sets it up. A job waits until Slurm gives it "
          "nodes in a partition; then it asks in the leg that names that `partition`. Words are those of "
          "slurm.conf. CPUs of nodes and jobs are counted in GPUs. A job's priority is Slurm's: `priority` "
          "of its class has no part in it.",
      .keys =
          {
              required_key("node_sets", some_of(slurm_node_set_keys, 1), "nodes of one kind"),
              required_key("partitions", some_of(slurm_partition_keys, 1),
                           "where jobs wait; several may have the same nodes"),
              optional_key("qos", some_of(slurm_qos_keys, 0), "qualities of service"),
              optional_key("accounts", some_of(slurm_account_keys, 0),
                           "the tree of shares; parents stand before their children"),
              optional_key(
                  "jobs", some_of(slurm_job_keys, 0),
                  "options of sbatch for some jobs: a job has the options of the first that takes it, "
                  "else none"),
              optional_key("scheduler", object_value(slurm_scheduler_keys()),
                           "SchedulerType and SchedulerParameters"),
              optional_key("priority", object_value(slurm_priority_keys()), "PriorityType and its weights"),
              optional_key("preemption", object_value(slurm_preemption_keys()),
                           "whose jobs preempt others; default: nobody's"),
              filling(
                  &slurm::Settings::requeue_delay,
                  default_key(
                      "requeue_delay", seconds_at_least_one(), "121s",
                      "from a requeue until the job may start: the lifetime of a credential, and a second")),
              filling(
                  &SlurmCluster::sync,
                  default_key("slurmsync", duration_value(), "30s",
                              "between two looks of slurm-gcp's slurmsync, which brings DOWN nodes back")),
          },
      .relations = {
          only_with({{"accounts"}}, {"priority/weight_fair_share"}, "they have the shares"),
          only_with({{"preemption/type", {"qos"}}}, {"qos/preempts", "qos/preempt_mode"},
                    "else QOS has no part in preemption"),
          only_with({{"preemption/type", {"partition_prio"}}}, {"partitions/preempt_mode"},
                    "else partitions have no part in preemption"),
      }};
  return kKeys;
}

const ObjectSpec& slurm_node_set_keys() {
  static const ObjectSpec kKeys{
      .name = "slurm_node_set",
      .doc =
          "Nodes of one kind. Those of a `reservation` are always there, but for those of `slurm_nodes`: they "
          "are on while a job has them, and SuspendTime longer. Nodes of a `machine` exist while a job has "
          "them, which leaves each of them whole to it: an exclusive partition that powers down when idle.",
      .keys =
          {
              required_key("name", text_value(), "unique"),
              optional_key("reservation", text_value(), "whose machines they are"),
              optional_key("machine", known_value(machine_types()),
                           "the machine type of nodes that come and go"),
              optional_key("nodes", integer_value(1, kMostNodes),
                           "how many of these (node_count_dynamic_max)"),
              filling(&slurm::PowerSave::resume_timeout,
                      optional_key(
                          "resume_timeout", seconds_at_least_one(),
                          "ResumeTimeout, in which they must be up; default: 5min, for Flex Start 65535s, of "
                          "slurm_nodes 20min as in Cluster Toolkit's blueprints for A3 Ultra and A4. Not of "
                          "other reservations, whose nodes are always on")),
              filling(&slurm::PowerSave::suspend_timeout,
                      default_key("suspend_timeout", duration_value(), "2min",
                                  "SuspendTimeout, from their end until they may be used again; not of other "
                                  "reservations either")),
          },
      .exactly_one = {KeyGroup{{"reservation", "machine"}, "whose machines the nodes are, or of which type"}},
      .relations = {excludes_keys({"reservation"}, {"nodes"}, "all its machines are nodes"),
                    requires_keys({"machine"}, {"nodes"})}};
  return kKeys;
}

const ObjectSpec& slurm_partition_keys() {
  static const ObjectSpec kKeys{
      .name = "slurm_partition",
      .doc = "A partition. All its nodes are of one set. Partitions may have nodes in common.",
      .keys = {
          filling(&Partition::name, required_key("name", text_value(), "unique")),
          required_key("node_set", text_value(), "one of `node_sets`"),
          optional_key("nodes", integer_value(1, kMostNodes),
                       "how many of the set, in a row; default: all from `first_node` on"),
          default_key("first_node", integer_value(1, kMostNodes), "1", "the first of them, counted from 1"),
          filling(&Partition::max_time, default_key("max_time", duration_or_forever(), "forever",
                                                    "MaxTime: the longest time limit of a job")),
          filling(&Partition::default_time,
                  default_key("default_time", duration_or_forever(), "forever",
                              "DefaultTime: of jobs that name none; forever is max_time")),
          filling(&Partition::max_nodes, optional_key("max_nodes", integer_value(1, kMostNodes),
                                                      "MaxNodes of a job; default: no limit")),
          filling(&Partition::priority_tier,
                  default_key("priority_tier", integer_value(0, 65'533), "1",
                              "PriorityTier: jobs of a higher one go first, and may preempt others")),
          filling(&Partition::priority_job_factor,
                  default_key("priority_job_factor", integer_value(1, 65'533), "1",
                              "PriorityJobFactor, of `weight_partition`")),
          filling(&Partition::preempt_mode,
                  optional_key("preempt_mode", preempt_modes(),
                               "of its jobs as victims; default: that of `preemption`")),
      }};
  return kKeys;
}

const ObjectSpec& slurm_qos_keys() {
  static const ObjectSpec kKeys{
      .name = "slurm_qos",
      .doc = "A quality of service.",
      .keys = {
          filling(&Qos::name, required_key("name", text_value(), "unique")),
          filling(&Qos::priority, default_key("priority", whole(), "0", "of `weight_qos`")),
          optional_key("preempts", list_value(text_value(), 1, kMostListed),
                       "with preemption by qos: whose jobs its own may preempt"),
          filling(&Qos::preempt_mode, optional_key("preempt_mode", preempt_modes(),
                                                   "of its jobs as victims; default: that of `preemption`")),
          filling(&Qos::usage_factor, default_key("usage_factor", number_value(0, kMostWeight), "1",
                                                  "of what its jobs use, for fair share")),
      }};
  return kKeys;
}

const ObjectSpec& slurm_account_keys() {
  static const ObjectSpec kKeys{
      .name = "slurm_account",
      .doc = "An account. Its users are those whose jobs name it, with equal shares.",
      .keys = {
          filling(&slurm::Association::name, required_key("name", text_value(), "unique")),
          optional_key("parent", text_value(), "an account above in the list; default: the root"),
          filling(&slurm::Association::shares, default_key("shares", integer_value(1, 1'000'000), "1",
                                                           "Fairshare, against its neighbours")),
      }};
  return kKeys;
}

const ObjectSpec& slurm_job_keys() {
  static const ObjectSpec kKeys{
      .name = "slurm_jobs",
      .doc = "Options of sbatch. Without `classes` and `users` they are those of all jobs.",
      .keys = {
          optional_key("classes", list_value(text_value(), 1, 10'000), "of jobs of these classes"),
          optional_key("users", list_value(text_value(), 1, kMostUsers), "of jobs of these users"),
          filling(
              &SlurmOptions::time_limit,
              optional_key("time_limit", seconds_at_least_one(),
                           "--time; default: the estimate of a trace that has them, else default_time of the "
                           "partition. A job that runs longer fails")),
          optional_key("qos", text_value(), "--qos, one of `qos`"),
          optional_key("account", text_value(), "--account, one of `accounts`"),
      }};
  return kKeys;
}

const ObjectSpec& slurm_scheduler_keys() {
  static const ObjectSpec kKeys{
      .name = "slurm_scheduler",
      .doc = "Who is tried when. Defaults are Slurm's.",
      .keys =
          {
              filling(
                  &slurm::Settings::backfill_type,
                  default_key("type",
                              choice_value({"backfill", "builtin", "easy", "easy_by_number", "conservative"}),
                              "backfill",
                              "sched/backfill or sched/builtin; the others are backfill as papers have it, "
                              "at each event")),
              filling(
                  &MainParameters::default_queue_depth,
                  default_key("default_queue_depth", whole(1), "100", "jobs that a short cycle looks at")),
              filling(&MainParameters::sched_interval,
                      default_key("sched_interval", seconds_at_least_one(), "60s",
                                  "between cycles over the full queue")),
              filling(&MainParameters::batch_sched_delay, default_key("batch_sched_delay", duration_value(),
                                                                      "3s", "between the others, at least")),
              filling(&BackfillParameters::interval, default_key("bf_interval", seconds_at_least_one(), "30s",
                                                                 "between cycles of backfill")),
              filling(&BackfillParameters::window,
                      default_key("bf_window", duration_at_least(std::chrono::minutes{1}), "1d",
                                  "how far ahead it plans")),
              filling(&BackfillParameters::resolution,
                      default_key("bf_resolution", seconds_at_least_one(), "60s", "to which it rounds")),
              filling(&BackfillParameters::max_job_test,
                      default_key("bf_max_job_test", whole(1), "500", "jobs that a cycle tries")),
              filling(&BackfillParameters::max_job_start,
                      default_key("bf_max_job_start", whole(), "0", "that it starts; 0 is no limit")),
              filling(&BackfillParameters::job_part_count_reserve,
                      default_key("bf_job_part_count_reserve", whole(), "0",
                                  "reservations in a partition; 0 is no limit")),
              filling(&BackfillParameters::min_prio_reserve,
                      default_key("bf_min_prio_reserve", whole(), "0", "jobs below it have no reservation")),
              filling(&BackfillParameters::min_age_reserve,
                      default_key("bf_min_age_reserve", duration_value(), "0s",
                                  "nor have jobs that waited less")),
          },
      .relations = {
          only_with({{"type", {"backfill"}}}, {"bf_interval", "bf_window", "bf_resolution", "bf_max_job_test",
                                               "bf_max_job_start", "bf_job_part_count_reserve"}),
          excludes_keys({"type", {"easy", "easy_by_number", "conservative"}},
                        {"default_queue_depth", "sched_interval", "batch_sched_delay", "bf_min_prio_reserve",
                         "bf_min_age_reserve"},
                        "it looks at all jobs at each event")}};
  return kKeys;
}

const ObjectSpec& slurm_priority_keys() {
  static const ObjectSpec kKeys{
      .name = "slurm_priority",
      .doc = "The order of jobs within a tier. With equal priority the first submitted goes first.",
      .keys =
          {
              filling(&PriorityParameters::type,
                      default_key("type", choice_value({"basic", "multifactor"}), "multifactor",
                                  "first come, first served; or the sum of factors from 0 to 1, by weights")),
              weight_key(&PriorityWeights::age, "weight_age", "of the time in the queue, against max_age"),
              weight_key(&PriorityWeights::fair_share, "weight_fair_share",
                         "of the shares of `accounts` (fair tree)"),
              weight_key(&PriorityWeights::job_size, "weight_job_size",
                         "of the size, against that of all nodes"),
              weight_key(&PriorityWeights::partition, "weight_partition", "of priority_job_factor"),
              weight_key(&PriorityWeights::qos, "weight_qos", "of the priority of the QOS"),
              filling(&PriorityParameters::max_age, default_key("max_age", seconds_at_least_one(), "7d",
                                                                "at which the factor of age is 1")),
              filling(&PriorityParameters::calculation_period,
                      default_key("calc_period", seconds_at_least_one(), "5min", "between two calculations")),
              filling(&PriorityParameters::half_life, default_key("decay_half_life", duration_value(), "7d",
                                                                  "of usage; 0s: it does not decay")),
              filling(&PriorityParameters::favor_small,
                      default_key("favor_small", flag_value(), "false",
                                  "small jobs have the larger factor of size")),
          },
      .relations = {excludes_keys({"type", {"basic"}},
                                  {"weight_age", "weight_fair_share", "weight_job_size", "weight_partition",
                                   "weight_qos", "max_age", "calc_period", "decay_half_life", "favor_small"},
                                  "first come, first served")}};
  return kKeys;
}

const ObjectSpec& slurm_preemption_keys() {
  static const ObjectSpec kKeys{
      .name = "slurm_preemption",
      .doc = "Whose jobs stop, with the notice of their leg, so that others may start.",
      .keys = {
          required_key("type", choice_value({"partition_prio", "qos"}),
                       "of partitions of a lower tier, or of a QOS that the other `preempts`"),
          filling(&PreemptionParameters::mode,
                  default_key("mode", preempt_modes(), "requeue", "treatment of victims")),
          filling(&PreemptionParameters::reorder_count,
                  default_key("reorder_count", integer_value(0, 1'000), "1",
                              "preempt_reorder_count: how often victims are sorted anew")),
          filling(&PreemptionParameters::youngest_first,
                  default_key("youngest_first", flag_value(), "false",
                              "preempt_youngest_first: the latest start is the first victim")),
          filling(&PreemptionParameters::kill_wait,
                  default_key("kill_wait", duration_value(), "30s",
                              "KillWait: so long, and 10s more, a job takes no further victims")),
      }};
  return kKeys;
}

}  // namespace stockout
