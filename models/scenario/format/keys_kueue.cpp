#include "models/scenario/format/fill.h"
#include "models/scenario/format/keys.h"
#include "models/world/kueue_cluster.h"

namespace stockout {
namespace {

constexpr double kMostObjects = 1'000;
constexpr double kMostKueuePriority = 2e9;
constexpr double kMostTries = 1'000;

template <typename Make>
ValueSpec some(Make keys, double least) {
  return list_value(object_value(keys()), least, kMostObjects);
}

ValueSpec preemption_value() {
  return choice_value({"never", "lower_priority", "lower_or_newer_equal_priority", "any"});
}

template <typename Owner>
KeySpec fair_weight_key() {
  return filling(&Owner::fair_weight, default_key("fair_weight", number_value(0, kMostWeight), "1",
                                                  "its share against that of others"));
}

// Of those who belong to a group, for quota that it may share.
KeyRelation sharing_relation(const char* group) {
  return only_with({{group}},
                   {"flavors/borrowing_limit", "flavors/lending_limit", "flavors/resources/borrowing_limit",
                    "flavors/resources/lending_limit", "other_groups/flavors/resources/borrowing_limit",
                    "other_groups/flavors/resources/lending_limit"},
                   "else there is nobody to share with");
}

KeySpec other_groups_key() {
  return optional_key("other_groups", some(kueue_group_keys, 0),
                      "resource groups without GPUs: quota of other resources in flavors of their own");
}

std::vector<KeyRelation> kueue_relations() {
  return {
      excludes_value({"fair_sharing"}, {"cluster_queues/preemption/borrow_within_cohort", {"lower_priority"}},
                     "it has rules of its own"),
      value_only_with({{"admission_fair_sharing"}}, {"cluster_queues/usage_based_admission", {"true"}}),
      only_with({{"other_flavors"}}, {"cluster_queues/other_groups", "cohorts/other_groups"},
                "it has the names of their flavors"),
      only_with({{"fair_sharing"}}, {"cluster_queues/fair_weight", "cohorts/fair_weight"},
                "else queues have no weights"),
      only_with({{"admission_fair_sharing"}}, {"local_queues/fair_weight"},
                "else local queues have no weights"),
  };
}

KeySpec backoff_base_key(const char* fallback) {
  return default_key("backoff_base", duration_at_least(kShortestPause), fallback,
                     "the first delay; twice as long after each further time");
}

KeySpec backoff_max_key(const char* fallback) {
  return default_key("backoff_max", duration_at_least(kShortestPause), fallback, "the longest delay");
}

}  // namespace

const ObjectSpec& kueue_keys() {
  static const ObjectSpec kKeys{
      .name = "kueue",
      .doc =
          "Kueue in the planner's Kubernetes cluster. A job waits until Kueue gives it quota in a flavor; "
          "then it asks in the legs that name that `flavor`. Quotas are in GPUs, but for `resources`. "
          "`stockout kueue import` "
          "writes this object from a cluster's own. Words and defaults are those of Kueue, but for "
          "`wait_for_pods_ready`.",
      .keys =
          {
              required_key("flavors", list_value(text_value(), 1, kMostObjects),
                           "their names: a reservation's node pool, Flex Start, Spot"),
              optional_key("other_flavors", list_value(text_value(), 1, kMostObjects),
                           "names of flavors without GPUs, for `other_groups`: no leg names them"),
              required_key("cluster_queues", some(kueue_queue_keys, 1),
                           "where jobs wait, and for how much quota"),
              optional_key(
                  "cohorts", some(kueue_cohort_keys, 0),
                  "groups of queues that share what they do not use; those without quota or a parent of "
                  "their own need no entry"),
              required_key("local_queues", some(kueue_local_queue_keys, 1),
                           "which jobs go to which cluster queue: a job goes to the first that takes it"),
              optional_key(
                  "pod_requests", some(kueue_request_keys, 0),
                  "requests of pods beside GPUs. A quota (`resources` of a queue) of a resource that is not "
                  "here holds back nobody"),
              optional_key(
                  "partial_admission", some(kueue_partial_keys, 0),
                  "which jobs may be admitted with fewer pods than they ask for: the first entry that "
                  "takes a job counts; default: none"),
              optional_key("admission_checks", some(kueue_check_keys, 0),
                           "requests for capacity (ProvisioningRequest) that queues may ask for"),
              optional_key("fair_sharing", object_value(kueue_fair_sharing_keys()),
                           "queues of a cohort share by their weights; default: no"),
              optional_key("admission_fair_sharing", object_value(kueue_usage_keys()),
                           "local queues that used less lately go first"),
              optional_key(
                  "wait_for_pods_ready", object_value(kueue_pods_keys()),
                  "jobs that do not start in time are evicted; default: no (in Kueue it depends on the "
                  "release)"),
          },
      .relations = kueue_relations()};
  return kKeys;
}

const ObjectSpec& kueue_queue_keys() {
  static const ObjectSpec kKeys{
      .name = "kueue_cluster_queue",
      .doc = "A ClusterQueue.",
      .keys =
          {
              filling(&kueue::ClusterQueue::name, required_key("name", text_value(), "unique")),
              filling(
                  &kueue::ClusterQueue::cohort,
                  optional_key("cohort", text_value(), "with whose queues it shares; default: with none")),
              filling(
                  &kueue::ClusterQueue::strategy,
                  default_key("queueing_strategy", choice_value({"best_effort_fifo", "strict_fifo"}),
                              "best_effort_fifo", "whether jobs behind one that has to wait may pass it")),
              required_key("flavors", some(kueue_quota_keys, 1), "in the order in which they are tried"),
              other_groups_key(),
              optional_key("preemption", object_value(kueue_preemption_keys()),
                           "whom its jobs may evict; default: nobody"),
              optional_key("flavor_fungibility", object_value(kueue_fungibility_keys()),
                           "when the next flavor is tried although one would do"),
              optional_key("admission_checks", some(kueue_required_check_keys, 0),
                           "which its jobs need besides quota"),
              fair_weight_key<kueue::ClusterQueue>(),
              filling(&kueue::ClusterQueue::usage_based_admission,
                      default_key("usage_based_admission", flag_value(), "false",
                                  "with admission_fair_sharing: among its local queues")),
          },
      .relations = {
          sharing_relation("cohort"),
          value_only_with({{"cohort"}},
                          {"preemption/reclaim_within_cohort",
                           {"lower_priority", "lower_or_newer_equal_priority", "any"}},
                          "the queue is in no cohort"),
      }};
  return kKeys;
}

const ObjectSpec& kueue_preemption_keys() {
  static const ObjectSpec kKeys{
      .name = "kueue_preemption",
      .doc = "Whom the jobs of a queue may evict. Evicted jobs stop with their notice and wait again.",
      .keys =
          {
              filling(&kueue::Preemption::within_queue,
                      default_key("within_cluster_queue",
                                  choice_value({"never", "lower_priority", "lower_or_newer_equal_priority"}),
                                  "never", "of its own queue")),
              filling(&kueue::Preemption::reclaim_within_cohort,
                      default_key("reclaim_within_cohort", preemption_value(), "never",
                                  "of queues that use more than their own quota")),
              filling(&kueue::BorrowWithinCohort::lower_priority,
                      default_key("borrow_within_cohort", choice_value({"never", "lower_priority"}), "never",
                                  "of other queues, while it would use more than its own quota itself")),
              filling(&kueue::BorrowWithinCohort::max_priority,
                      optional_key("max_priority_threshold",
                                   integer_value(-kMostKueuePriority, kMostKueuePriority),
                                   "with borrow_within_cohort: only jobs of at most this priority")),
          },
      .relations = {
          only_with({{"borrow_within_cohort", {"lower_priority"}}}, {"max_priority_threshold"}),
          only_with({{"reclaim_within_cohort", {"lower_priority", "lower_or_newer_equal_priority", "any"}}},
                    {"borrow_within_cohort"})}};
  return kKeys;
}

const ObjectSpec& kueue_fungibility_keys() {
  static const ObjectSpec kKeys{
      .name = "kueue_flavor_fungibility",
      .doc = "When a job goes on to the next flavor although this one would do.",
      .keys = {
          filling(&kueue::FlavorFungibility::next_when_borrowing,
                  default_key("when_can_borrow", choice_value({"may_stop_search", "try_next_flavor"}),
                              "may_stop_search", "where it has to borrow")),
          filling(&kueue::FlavorFungibility::next_when_preempting,
                  default_key("when_can_preempt", choice_value({"may_stop_search", "try_next_flavor"}),
                              "try_next_flavor", "where it has to evict")),
          filling(&kueue::FlavorFungibility::preference,
                  default_key(
                      "preference", choice_value({"borrowing_over_preemption", "preemption_over_borrowing"}),
                      "borrowing_over_preemption", "which of the flavors that were tried is taken then")),
      }};
  return kKeys;
}

const ObjectSpec& kueue_required_check_keys() {
  static const ObjectSpec kKeys{.name = "kueue_required_check",
                                .doc = "An admission check of a queue.",
                                .keys = {
                                    required_key("name", text_value(), "one of `admission_checks` of kueue"),
                                    optional_key("on_flavors", list_value(text_value(), 1, kMostObjects),
                                                 "only for jobs on these; default: on all"),
                                }};
  return kKeys;
}

const ObjectSpec& kueue_cohort_keys() {
  static const ObjectSpec kKeys{
      .name = "kueue_cohort",
      .doc = "A Cohort.",
      .keys =
          {
              filling(&kueue::Cohort::name, required_key("name", text_value(), "unique")),
              filling(&kueue::Cohort::parent,
                      optional_key("parent", text_value(), "another cohort; default: none")),
              optional_key("flavors", some(kueue_quota_keys, 0), "quota for all its queues"),
              other_groups_key(),
              fair_weight_key<kueue::Cohort>(),
          },
      .relations = {sharing_relation("parent")}};
  return kKeys;
}

const ObjectSpec& kueue_local_queue_keys() {
  static const ObjectSpec kKeys{
      .name = "kueue_local_queue",
      .doc = "A LocalQueue. Without `classes` and `users` it takes all jobs.",
      .keys = {
          filling(&kueue::LocalQueue::name, required_key("name", text_value(), "unique")),
          filling(&kueue::LocalQueue::cluster_queue,
                  required_key("cluster_queue", text_value(), "where its jobs wait")),
          optional_key("classes", list_value(text_value(), 1, 10'000), "only jobs of these classes"),
          optional_key("users", list_value(text_value(), 1, kMostUsers), "only jobs of these users"),
          fair_weight_key<kueue::LocalQueue>(),
      }};
  return kKeys;
}

const ObjectSpec& kueue_partial_keys() {
  static const ObjectSpec kKeys{
      .name = "kueue_partial_admission",
      .doc =
          "Jobs that Kueue may admit with fewer pods if all do not fit: with as many as do, by its binary "
          "search, over all flavors and with whom it may evict. With c of n pods a job holds c nodes and works "
          "at c/n of its speed, until it is admitted anew. Jobs of unequal nodes are one pod. Jobs of sets "
          "(`with`) get all their pods.",
      .keys = {filling(&PartialAdmission::min_count,
                       optional_key("min_count", integer_value(1, kMostGpus, "pods"),
                                    "the fewest that will do: minCount of a pod set, "
                                    "`kueue.x-k8s.io/job-min-parallelism` of a Job")),
               optional_key("min_share", number_above(0, 1, "share"),
                            "the same as a share of the pods that a job asks for, rounded up"),
               optional_key("classes", list_value(text_value(), 1, 10'000), "only jobs of these classes"),
               optional_key("users", list_value(text_value(), 1, kMostUsers), "only jobs of these users")},
      .exactly_one = {KeyGroup{{"min_count", "min_share"}}}};
  return kKeys;
}

const ObjectSpec& kueue_check_keys() {
  static const ObjectSpec kKeys{
      .name = "kueue_admission_check",
      .doc =
          "A request for capacity (ProvisioningRequest). A job holds its quota while it asks "
          "in its legs. If none has machines, it gives the quota back, and waits for it anew "
          "after a delay.",
      .keys = {
          required_key("name", text_value(), "unique"),
          filling(&kueue::ProvisioningRetry::limit,
                  default_key("backoff_limit", integer_value(0, kMostTries), "3",
                              "so often the request is made again; then the job has failed")),
          filling(&kueue::ProvisioningRetry::base, backoff_base_key("1min")),
          filling(&kueue::ProvisioningRetry::most, backoff_max_key("30min")),
      }};
  return kKeys;
}

const ObjectSpec& kueue_fair_sharing_keys() {
  static const ObjectSpec kKeys{
      .name = "kueue_fair_sharing",
      .doc = "Fair sharing among the queues of a cohort.",
      .keys = {filling(
          &kueue::Settings::strategies,
          default_key(
              "preemption_strategies",
              list_value(choice_value({"less_than_or_equal_to_final_share", "less_than_initial_share"}), 1,
                         2),
              R"(["less_than_or_equal_to_final_share", "less_than_initial_share"])",
              "when a job may evict one of a queue with a larger share: tried in this order"))}};
  return kKeys;
}

const ObjectSpec& kueue_usage_keys() {
  static const ObjectSpec kKeys{
      .name = "kueue_admission_fair_sharing",
      .doc = "Usage of local queues, which decays.",
      .keys = {
          filling(&kueue::AdmissionFairSharing::half_life,
                  required_key("usage_half_life_time", duration_at_least(kShortestPause),
                               "half of it counts no more")),
          filling(&kueue::AdmissionFairSharing::sampling,
                  default_key("usage_sampling_interval", duration_at_least(kShortestTick), "5min",
                              "between two looks at it")),
      }};
  return kKeys;
}

const ObjectSpec& kueue_pods_keys() {
  static const ObjectSpec kKeys{
      .name = "kueue_wait_for_pods_ready",
      .doc =
          "A job that has quota must have begun to work in time. Else it is evicted, and waits "
          "for quota again after a delay.",
      .keys = {
          filling(&kueue::WaitForPodsReady::timeout,
                  default_key("timeout", duration_at_least(kShortestPause), "30min",
                              "from its quota, and all checks, to work")),
          filling(&kueue::WaitForPodsReady::recovery_timeout,
                  optional_key("recovery_timeout", duration_at_least(kShortestPause),
                               "from the loss of its machines to work; default: the timeout")),
          filling(&kueue::WaitForPodsReady::block_admission,
                  default_key("block_admission", flag_value(), "false",
                              "nobody is given quota until all that have some have begun to work")),
          filling(&kueue::Settings::requeue_timestamp,
                  default_key("requeuing_timestamp", choice_value({"eviction", "creation"}), "eviction",
                              "from when on such a job counts as waiting")),
          filling(&kueue::WaitForPodsReady::backoff_limit,
                  optional_key("backoff_limit", integer_value(0, kMostTries),
                               "so often it is tried again; then it has failed; default: for ever")),
          filling(&kueue::WaitForPodsReady::backoff_base, backoff_base_key("1min")),
          filling(&kueue::WaitForPodsReady::backoff_max, backoff_max_key("1h")),
      }};
  return kKeys;
}

}  // namespace stockout
