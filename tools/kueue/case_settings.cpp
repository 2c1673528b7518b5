#include "tools/kueue/case_settings.h"

namespace stockout::kueue {
namespace {

FairStrategy read_strategy(const CaseValue& value) {
  return value.word<FairStrategy>(
      {{"LessThanOrEqualToFinalShare", FairStrategy::less_than_or_equal_to_final_share},
       {"LessThanInitialShare", FairStrategy::less_than_initial_share}});
}

RequeueTimestamp read_timestamp(const CaseValue& value) {
  return value.word<RequeueTimestamp>(
      {{"Eviction", RequeueTimestamp::eviction}, {"Creation", RequeueTimestamp::creation}});
}

void read_pods_ready(const CaseValue& value, Settings& settings) {
  value.knows_only({"timeoutSeconds", "recoveryTimeoutSeconds", "blockAdmission", "requeuingTimestamp",
                    "backoffLimitCount", "backoffBaseSeconds", "backoffMaxSeconds"});
  WaitForPodsReady rule;
  if (const auto timeout = value.find("timeoutSeconds")) rule.timeout = timeout->length();
  if (const auto timeout = value.find("recoveryTimeoutSeconds")) rule.recovery_timeout = timeout->length();
  if (const auto block = value.find("blockAdmission")) rule.block_admission = block->flag();
  if (const auto stamp = value.find("requeuingTimestamp"))
    settings.requeue_timestamp = read_timestamp(*stamp);
  if (const auto limit = value.find("backoffLimitCount")) rule.backoff_limit = limit->times();
  if (const auto base = value.find("backoffBaseSeconds")) rule.backoff_base = base->length();
  if (const auto most = value.find("backoffMaxSeconds")) rule.backoff_max = most->length();
  settings.pods_ready = rule;
}

// Either an object of its own, or a flag with the numbers beside it.
void read_admission_fair_sharing(const CaseValue& settings_value, const CaseValue& value,
                                 Settings& settings) {
  if (!value.is_object() && !value.flag()) return;
  const CaseValue& from = value.is_object() ? value : settings_value;
  AdmissionFairSharing rule;
  if (const auto half_life = from.find("usageHalfLifeSeconds")) rule.half_life = half_life->seconds();
  if (const auto sampling = from.find("usageSamplingSeconds")) rule.sampling = sampling->length();
  if (rule.sampling == SimDuration{}) from.at("usageSamplingSeconds").odd("must be longer than 0 s");
  if (rule.half_life < SimDuration{}) from.at("usageHalfLifeSeconds").odd("must not be negative");
  settings.admission_fair_sharing = rule;
}

}  // namespace

Gates read_gates(const CaseValue& value, Gates gates, bool must_know) {
  for (const auto& [name, given] : value.members()) {
    const auto gate = gate_named(name);
    if (gate) gates.set(*gate, given.flag());
    if (!gate && must_know) throw NotModelled{"the feature gate " + name};
  }
  return gates;
}

Settings read_settings(const CaseValue& value, const Gates& defaults) {
  value.knows_only({"fairSharing",
                    "cycles",
                    "featureGates",
                    "preemptionStrategies",
                    "requeuingTimestamp",
                    "admissionFairSharing",
                    "usageHalfLifeSeconds",
                    "usageSamplingSeconds",
                    "localQueueUsage",
                    "waitForPodsReady",
                    "mode",
                    "borrowing",
                    "preference",
                    "queueingStrategy",
                    "now",
                    "note",
                    "preemptorQueue",
                    "inactiveQueues",
                    "retry",
                    "managedResources",
                    "configPresent"});
  Settings settings{.gates = defaults};
  if (const auto gates = value.find("featureGates")) settings.gates = read_gates(*gates, defaults, true);
  if (const auto fair = value.find("fairSharing")) settings.fair_sharing = fair->flag();
  if (const auto strategies = value.find("preemptionStrategies")) {
    const std::vector<CaseValue> items = strategies->items();
    if (!items.empty()) settings.strategies.clear();  // none are all, in their usual order
    for (const CaseValue& item : items) settings.strategies.push_back(read_strategy(item));
  }
  if (const auto stamp = value.find("requeuingTimestamp"))
    settings.requeue_timestamp = read_timestamp(*stamp);
  if (const auto rule = value.find("waitForPodsReady")) read_pods_ready(*rule, settings);
  const auto usage_based = value.find("admissionFairSharing");
  if (usage_based && settings.gates.has(Gate::admission_fair_sharing)) {
    read_admission_fair_sharing(value, *usage_based, settings);
  }
  return settings;
}

}  // namespace stockout::kueue
