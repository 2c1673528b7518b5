#include "models/consumption/strategy.h"
#include "models/scenario/format/catalog_names.h"
#include "models/scenario/format/keys.h"

namespace stockout {
namespace {

constexpr double kMostUnits = 1e9;
constexpr double kMostBusinessDays = 1'000;

const KnownNames& families_and_all() {
  static const KnownNames kNames{"machine_family_or_all", "machine family, or \"all\"", [] {
                                   auto names = machine_families().list();
                                   names.emplace_back("all");
                                   return names;
                                 }};
  return kNames;
}

}  // namespace

const ObjectSpec& quota_keys() {
  static const ObjectSpec kKeys{
      .name = "quota",
      .doc =
          "The provider's limits on the planner's jobs and reservations, whatever capacity there is. "
          "Tenants have quotas of their own; jobs on held capacity need none.",
      .keys =
          {
              required_key(
                  "limits", list_value(object_value(quota_limit_keys()), 1, 1'000),
                  "all that cover a machine must have room for it; a machine that none covers needs none"),
              default_key("business_days", integer_value(0, kMostBusinessDays), "3",
                          "from the day on which an increase is requested to the day on which it is granted, "
                          "where the increase does not say. Monday to Friday (assumption)"),
              optional_key("holidays", list_value(date_value(), 0, 1'000), "days that are no business days"),
              default_key("fallback", flag_value(), "true",
                          "limits on GPUs of on-demand machines count preemptible ones too, in pools that no "
                          "limit on GPUs of preemptible machines covers; the same of vCPUs"),
          },
      .relations = {
          only_with({{"limits/increases"}}, {"business_days", "holidays"}, "nothing else is granted later")}};
  return kKeys;
}

const ObjectSpec& quota_limit_keys() {
  static const ObjectSpec kKeys{
      .name = "quota_limit",
      .doc = "A limit on GPUs, or with `cpus` on vCPUs, that are requested or run at a time.",
      .keys =
          {
              optional_key("region", known_value(regions()), "default: all regions together"),
              optional_key("gpu", known_value(gpu_types()), "GPU type; default: all together"),
              optional_key("cpus", known_value(families_and_all()),
                           "vCPUs of the machines of this family, or of \"all\" families, are counted"),
              default_key("kind", choice_value({"any", "on_demand", "preemptible"}), "any",
                          "which machines: on-demand ones and reservations, or Spot and Flex Start"),
              required_key("limit", integer_value(0, kMostUnits), "GPUs or vCPUs, before any increase"),
              optional_key("increases", list_value(object_value(quota_increase_keys()), 0, 1'000),
                           "requests for more"),
          },
      .at_most_one = {KeyGroup{{"gpu", "cpus"}}}};
  return kKeys;
}

const ObjectSpec& quota_increase_keys() {
  static const ObjectSpec kKeys{
      .name = "quota_increase",
      .doc = "A request for a higher limit. It is in force from the begin of the day on which it is granted.",
      .keys = {
          required_key("requested", date_value(), "the day on which it is requested"),
          required_key("to", integer_value(0, kMostUnits), "the limit that is asked for, above `limit`"),
          optional_key("business_days", integer_value(0, kMostBusinessDays),
                       "until it is granted; default: those of the quota"),
          optional_key(
              "granted", integer_value(0, kMostUnits),
              "the limit that is granted: `to` is all of it (default), less a part; no more than the limit "
              "before, and the request is refused"),
      }};
  return kKeys;
}

const ObjectSpec& quota_rule_keys() {
  static const ObjectSpec kKeys{
      .name = "quota_rule",
      .doc = "How the provider goes about quota with the requests of a strategy.",
      .keys =
          {
              optional_key(
                  "when_short", choice_of(kWhenShortNames),
                  "for a job without quota in any place of its leg. It is refused as if no place had room, waits "
                  "in line until there is quota, or asks again after `back_off`. Default: wait for vertex, "
                  "back_off for gke, refuse for others. With back_off, GKE's node groups (on_demand, spot) fail "
                  "for want of quota as for want of machines. They back off for all jobs"),
              default_key(
                  "taken_at", choice_of(kQuotaTakenNames), "request",
                  "when a request that waits in a queue takes its quota: when it is made, or when it is "
                  "granted. An assumption; what is decided at once takes it when it asks"),
              default_key(
                  "back_off", duration_at_least(kShortestPause), "5min",
                  "with back_off (also by default), of a job in a leg without node groups: until it asks "
                  "again; twice as long after each time"),
              default_key("back_off_most", duration_at_least(kShortestPause), "30min",
                          "of these pauses: the longest"),
          },
      .relations = {excludes_keys({"when_short", {"refuse", "wait"}}, {"back_off", "back_off_most"},
                                  "the job does not ask again")}};
  return kKeys;
}

}  // namespace stockout
