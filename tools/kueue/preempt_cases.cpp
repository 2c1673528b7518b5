// Cases of who is evicted.

#include <algorithm>

#include "models/orchestrators/kueue/ordering.h"
#include "models/orchestrators/kueue/preemption.h"
#include "models/orchestrators/kueue/target_queues.h"
#include "tools/kueue/case_workloads.h"
#include "tools/kueue/kueue_case.h"

namespace stockout::kueue {
namespace {

// The queue is the case's target; the assignment's rows say which flavor each resource of a pod set would
// get.
Claim read_claim(const KueueCase& one, const Workload& incoming, QuotaTree& tree) {
  const CaseValue target = one.value.at("targetQueue");
  const auto queue = tree.queue(target.text());
  if (!queue) target.odd("there is no such cluster queue");
  Claim claim{.preemptor = &incoming, .queue = *queue};
  for (const CaseValue& row : one.value.list("assignment")) {
    row.knows_only({"podset", "resource", "flavor", "mode"});
    const std::string name = row.at("podset").text();
    const std::string resource = row.at("resource").text();
    const auto pod_set = std::find_if(incoming.spec.pod_sets.begin(), incoming.spec.pod_sets.end(),
                                      [&](const PodSet& each) { return each.name == name; });
    if (pod_set == incoming.spec.pod_sets.end()) row.at("podset").odd("the workload has no such pod set");
    const auto request = pod_set->requests.find(resource);
    const CellId cell = tree.cell(row.at("flavor").text(), resource);
    if (request != pod_set->requests.end()) claim.want(cell, request->second * pod_set->count);
    if (row.at("mode").word<bool>({{"Preempt", true}, {"Fit", false}})) claim.contested.push_back(cell);
  }
  return claim;
}

std::set<std::string> read_victims(const std::vector<CaseValue>& list) {
  std::set<std::string> victims;
  for (const CaseValue& row : list) {
    victims.insert(fmt::format("{} {}", row.at("name").text(), row.at("reason").text()));
  }
  return victims;
}

}  // namespace

void run_preempt(const KueueCase& one, Differences& differences) {
  Ledger ledger;
  ledger.rebuild(one.configuration);
  std::vector<Workload> admitted = read_admitted(one.value.list("admitted"));
  std::vector<Workload> pending = read_workloads(one.value.list("pending"));
  if (pending.empty()) one.value.odd("must have one pending workload");
  if (pending.size() > 1) throw NotModelled{"the victims of several workloads"};
  pending.front().id = WorkloadId{static_cast<std::uint32_t>(admitted.size())};
  for (const Workload& workload : admitted) ledger.hold(workload);
  const Scene scene{ledger, one.configuration, one.settings};
  const std::vector<Victim> victims = find_victims(scene, read_claim(one, pending.front(), ledger.tree()));
  std::set<std::string> fresh;
  std::set<std::string> evicted;
  for (const Victim& victim : victims) {
    const Workload& workload = ledger.workload(victim.workload);
    if (workload.status.evicted.status) {
      evicted.insert(workload.name);
    } else {
      fresh.insert(fmt::format("{} {}", workload.name, victim.reason));
    }
  }
  const CaseValue expected = one.expected();
  expected.knows_only({"preempted", "count", "alreadyEvicted", "note"});
  differences.expect("preempted", read_victims(expected.list("preempted")), fresh);
  if (const auto names = expected.find("alreadyEvicted")) {
    const std::vector<std::string> wanted = names->texts();
    differences.expect("already evicted", std::set<std::string>{wanted.begin(), wanted.end()}, evicted);
  }
  if (const auto count = expected.find("count")) {
    differences.expect<std::int64_t>("count", count->integer(0, 1LL << 31),
                                     static_cast<std::int64_t>(victims.size()));
  }
}

void run_preempt_policy(const KueueCase& one, Differences& differences) {
  const Workload preemptor = read_workload(one.value.at("preemptor"), WorkloadId{0});
  const Workload candidate = read_workload(one.value.at("candidate"), WorkloadId{1});
  const auto policy = one.value.at("policy").word<PreemptionPolicy>(
      {{"Never", PreemptionPolicy::never},
       {"LowerPriority", PreemptionPolicy::lower_priority},
       {"LowerOrNewerEqualPriority", PreemptionPolicy::lower_or_newer_equal_priority},
       {"Any", PreemptionPolicy::any}});
  one.expected().knows_only({"satisfied"});
  differences.expect("satisfied", one.expected().at("satisfied").flag(),
                     may_preempt(preemptor, candidate, policy, one.settings));
}

void run_order_candidates(const KueueCase& one, Differences& differences) {
  const CaseValue input = one.value.at("input");
  const std::vector<Workload> workloads = read_workloads(input.items());
  std::vector<Candidate> candidates;
  for (const Workload& workload : workloads) {
    Candidate& candidate = candidates.emplace_back(Candidate{&workload});
    const auto usage = input.items()[candidates.size() - 1].find("localQueueUsage");
    if (usage && one.settings.admission_fair_sharing) candidate.local_queue_usage = usage->number(0, 1e300);
  }
  const std::string queue = one.value.at("settings").at("preemptorQueue").text();
  std::sort(candidates.begin(), candidates.end(), [&](const Candidate& a, const Candidate& b) {
    return is_evicted_first(a, b, queue, one.settings.gates);
  });
  std::vector<std::string> order;
  for (const Candidate& candidate : candidates) order.push_back(candidate.workload->name);
  one.expected().knows_only({"order"});
  differences.expect("order", one.expected().at("order").texts(), order);
}

void run_order_target_queues(const KueueCase& one, Differences& differences) {
  Ledger ledger;
  ledger.rebuild(one.configuration);
  const std::vector<Workload> admitted = read_admitted(one.value.list("admitted"));
  for (const Workload& workload : admitted) ledger.hold(workload);
  const Scene scene{ledger, one.configuration, one.settings};
  std::vector<WorkloadId> candidates;
  for (const CaseValue& name : one.value.at("candidateQueues").items()) {
    if (!ledger.tree().queue(name.text())) name.odd("there is no such cluster queue");
    const std::set<WorkloadId>& held = ledger.held_in(name.text());
    candidates.insert(candidates.end(), held.begin(), held.end());
  }
  const CaseValue preemptor = one.value.at("preemptorQueue");
  const auto queue = ledger.tree().queue(preemptor.text());
  if (!queue) preemptor.odd("there is no such cluster queue");
  std::vector<bool> drops;
  for (const CaseValue& action : one.value.list("actions")) {
    drops.push_back(action.word<bool>({{"drop", true}, {"pop", false}}));
  }
  TargetQueues targets{scene, *queue, candidates};
  std::vector<std::string> order;
  while (const auto target = targets.next()) {
    const bool drop = order.size() < drops.size() && drops[order.size()];
    order.push_back(ledger.tree().name(*target));
    if (drop) {
      targets.drop(*target);
    } else {
      targets.pop(*target);
    }
  }
  one.expected().knows_only({"order"});
  differences.expect("order", one.expected().at("order").texts(), order);
}

}  // namespace stockout::kueue
