#include "models/scenario/format/fill.h"
#include "models/scenario/format/keys.h"
#include "models/world/kueue_cluster.h"

// Quotas of Kueue's queues and cohorts, and what pods ask for.
namespace stockout {
namespace {

constexpr double kMostQuotas = 1'000;
constexpr double kMostOfResource = 1e9;

}  // namespace

const ObjectSpec& kueue_quota_keys() {
  static const ObjectSpec kKeys{
      .name = "kueue_quota",
      .doc = "Quota of a queue or a cohort in one flavor.",
      .keys = {
          required_key("flavor", text_value(), "one of `flavors`"),
          filling(&kueue::Quota::nominal,
                  required_key("nominal_quota", integer_value(0, kMostGpus, "GPUs"), "its own")),
          filling(&kueue::Quota::borrowing_limit,
                  optional_key("borrowing_limit", integer_value(0, kMostGpus, "GPUs"),
                               "most that it may use above it; default: all that others leave")),
          filling(&kueue::Quota::lending_limit,
                  optional_key("lending_limit", integer_value(0, kMostGpus, "GPUs"),
                               "most of it that others may use, of a queue at most `nominal_quota`; default: "
                               "all")),
          optional_key(
              "resources", list_value(object_value(kueue_resource_keys()), 0, kMostQuotas),
              "quotas of other resources in this flavor, such as cpu and memory: the same resources in "
              "all flavors of a queue"),
      }};
  return kKeys;
}

const ObjectSpec& kueue_group_keys() {
  static const ObjectSpec kKeys{
      .name = "kueue_resource_group",
      .doc =
          "A resource group without GPUs. A job gets one of its flavors for the resources that it covers, "
          "besides the flavor of its GPUs.",
      .keys = {required_key("flavors", list_value(object_value(kueue_other_flavor_keys()), 1, kMostQuotas),
                            "in the order in which they are tried")}};
  return kKeys;
}

const ObjectSpec& kueue_other_flavor_keys() {
  static const ObjectSpec kKeys{
      .name = "kueue_other_flavor",
      .doc = "Quota of a queue or a cohort in one flavor without GPUs.",
      .keys = {required_key("flavor", text_value(), "one of `other_flavors`"),
               required_key("resources", list_value(object_value(kueue_resource_keys()), 1, kMostQuotas),
                            "the same resources in all flavors of the group, and in no other group")}};
  return kKeys;
}

const ObjectSpec& kueue_resource_keys() {
  static const ObjectSpec kKeys{
      .name = "kueue_resource",
      .doc = "Quota of another resource than GPUs in a flavor: vCPUs of cpu, GiB of memory.",
      .keys = {
          required_key("resource", text_value(), "cpu, memory, pods (Kueue counts them), or as pods call it"),
          required_key("nominal_quota", number_value(0, kMostOfResource), "its own"),
          optional_key("borrowing_limit", number_value(0, kMostOfResource),
                       "most that it may use above it; default: all that others leave"),
          optional_key("lending_limit", number_value(0, kMostOfResource),
                       "most of it that others may use, of a queue at most `nominal_quota`; default: all"),
      }};
  return kKeys;
}

const ObjectSpec& kueue_request_keys() {
  static const ObjectSpec kKeys{
      .name = "kueue_pod_request",
      .doc =
          "Requests of pods for a resource: of each resource the first entry that takes a job counts. A "
          "job whose queue has no quota of what it asks for waits for ever, as in Kueue.",
      .keys = {
          required_key("resource", text_value(), "cpu (in vCPUs), memory (in GiB), or as pods call it"),
          required_key("per_gpu", number_value(0, kMostOfResource),
                       "for each GPU of a pod: of a machine type, its vCPUs or GiB over its GPUs, or what "
                       "your pods ask for"),
          optional_key("classes", list_value(text_value(), 1, 10'000), "only jobs of these classes"),
          optional_key("users", list_value(text_value(), 1, kMostUsers), "only jobs of these users")}};
  return kKeys;
}

}  // namespace stockout
