#include "models/consumption/deadline_rule.h"
#include "models/consumption/strategy.h"
#include "models/scenario/format/fill.h"
#include "models/scenario/format/keys.h"

namespace stockout {

const ObjectSpec& deadline_rule_keys() {
  static const ObjectSpec kKeys{
      .name = "deadline_rule",
      .doc =
          "Instead of walking through the legs: two legs that are granted or refused at once, the first "
          "cheap and apt to be lost, the second safe. At every tick a job moves to where its progress "
          "against its deadline says (Uniform Progress, NSDI '24).",
      .keys = {
          filling(&DeadlineRule::tick, default_key("tick", duration_at_least(kShortestTick), "10min",
                                                   "between two decisions of a job")),
          filling(&DeadlineRule::overhead,
                  default_key("overhead", duration_value(), "12min",
                              "time that a change of leg is taken to cost: start-up and reload")),
      }};
  return kKeys;
}

const ObjectSpec& node_group_keys() {
  static const ObjectSpec kKeys{
      .name = "node_groups",
      .doc =
          "A node group is a model's machines of one type in one pool. One that found no machines backs off, "
          "for all jobs together: first for the leg's `retry_interval`, then for twice as long after each "
          "further failure. A job waits until a group of its legs may be tried again.",
      .keys = {
          filling(&NodeGroupRule::most, default_key("back_off_most", duration_at_least(kShortestPause),
                                                    "30min", "the longest back-off")),
          filling(&NodeGroupRule::forget_after,
                  default_key("forget_after", duration_value(), "3h",
                              "so long after its last failure a group begins with the first back-off again; "
                              "a success does not change that")),
      }};
  return kKeys;
}

const ObjectSpec& provisioning_request_keys() {
  static const ObjectSpec kKeys{
      .name = "provisioning_request",
      .doc =
          "A booking of GKE's queued provisioning expires if its pods do not come in time: the machines, "
          "which were paid, are given back, and the job asks again if `restarts` of its leg allow it. It "
          "holds for legs that no job of a set may use.",
      .keys = {
          required_key("pods_after", length_value(),
                       "from machines that are up to the pods that use them; start-up follows"),
          filling(&PodRule::hold, default_key("hold", duration_at_least(kShortestPause), "10min",
                                              "machines without pods are given back after that")),
          filling(&PodRule::again,
                  default_key("again", duration_value(), "0s", "from then to the job's next request")),
      }};
  return kKeys;
}

const ObjectSpec& resubmit_keys() {
  static const ObjectSpec kKeys{
      .name = "resubmit",
      .doc = "A user notices that a job failed, was refused or expired, and submits it again.",
      .keys = {
          filling(&Resubmission::after, required_key("after", duration_at_least(kShortestPause),
                                                     "from the failure to noticing it")),
          optional_key("office_hours", clock_span_value(), "Monday to Friday, local time; default: any time"),
          filling(&Resubmission::give_up_after,
                  default_key("give_up_after", duration_or_forever(), "forever",
                              "nothing is submitted later than this after the first time")),
      }};
  return kKeys;
}

}  // namespace stockout
