// Cases of one or a few scheduling cycles, and of what a flush brings back.

#include <algorithm>

#include "tools/kueue/case_workloads.h"
#include "tools/kueue/cluster_outcome.h"
#include "tools/kueue/kueue_case.h"

namespace stockout::kueue {
namespace {

constexpr std::int64_t kMostCycles = 1'000;

using NamesByQueue = std::map<std::string, std::set<std::string>>;

// What happened in some cycles.
struct Outcome {
  std::map<std::string, std::string> admitted;
  std::set<std::string> preempted;
  std::map<std::string, std::int64_t> skipped_preemptions;
  std::map<std::string, std::map<std::string, std::int64_t>> recomputations;
};

void read_state(const KueueCase& one, NamedCluster& cluster) {
  const std::vector<CaseValue> admitted = one.value.list("admitted");
  const std::vector<Workload> holders = read_admitted(admitted);
  for (std::size_t i = 0; i < holders.size(); ++i) cluster.submit(holders[i], admitted[i]);
  const std::vector<CaseValue> pending = one.value.list("pending");
  const std::vector<Workload> others = read_workloads(pending);
  for (std::size_t i = 0; i < others.size(); ++i) {
    if (others[i].has_quota()) throw NotModelled{"a pending workload that holds quota (a second pass)"};
    cluster.submit(others[i], pending[i]);
  }
}

// The short name is used where the local queue has no namespace before it.
KueueCase with_local_queue_usage(KueueCase one) {
  const auto usage = one.value.at("settings").find("localQueueUsage");
  if (!usage) return one;
  for (const auto& [name, amounts] : usage->members()) {
    std::map<std::string, double> consumed;
    for (const auto& [resource, amount] : amounts.members()) consumed[resource] = amount.number(0, 1e18);
    for (auto& [full, queue] : one.configuration.local_queues) {
      const bool is_meant = full == name || full.substr(full.find('/') + 1) == name;
      if (is_meant) queue.consumed = consumed;
    }
  }
  return one;
}

const char* name_of(Recomputed recomputed) {
  switch (recomputed) {
    case Recomputed::deferred_fit:
      return "deferred_fit";
    case Recomputed::new_targets:
      return "new_targets";
    case Recomputed::skipped:
      return "skipped";
    case Recomputed::no:
      break;
  }
  return "";
}

void run_cycle_of(NamedCluster& cluster, Outcome& outcome) {
  const std::size_t before = cluster.kueue.events().size();
  for (const Entry& entry : cluster.kueue.cycle().entries) {
    const std::string& queue = entry.head.workload->cluster_queue;
    if (entry.skipped_preemption) ++outcome.skipped_preemptions[queue];
    if (entry.recomputed != Recomputed::no) ++outcome.recomputations[queue][name_of(entry.recomputed)];
  }
  const std::vector<Event>& events = cluster.kueue.events();
  for (std::size_t i = before; i < events.size(); ++i) {
    const Workload& workload = cluster.kueue.workload(events[i].workload);
    if (events[i].kind == Event::Kind::reserved)
      outcome.admitted[workload.name] = admission_text(workload.status.admission);
    if (events[i].kind == Event::Kind::evicted) {
      outcome.preempted.insert(workload.name + ' ' + events[i].preemption_reason);
    }
  }
}

std::map<std::string, std::string> read_assignments(const std::vector<CaseValue>& list) {
  std::map<std::string, std::string> admitted;
  for (const CaseValue& row : list) {
    row.knows_only({"name", "clusterQueue", "podsets"});
    Admission admission{.cluster_queue = row.at("clusterQueue").text()};
    for (const CaseValue& item : row.list("podsets")) {
      admission.pod_sets.push_back(read_pod_set_admission(item));
    }
    admitted[row.at("name").text()] = admission_text(admission);
  }
  return admitted;
}

std::set<std::string> read_preempted(const std::vector<CaseValue>& list) {
  std::set<std::string> preempted;
  for (const CaseValue& row : list) {
    preempted.insert(row.at("name").text() + ' ' + row.at("reason").text());
  }
  return preempted;
}

NamesByQueue read_names(const CaseValue& value) {
  NamesByQueue names;
  for (const auto& [queue, list] : value.members()) {
    const std::vector<std::string> texts = list.texts();
    if (!texts.empty()) names[queue] = {texts.begin(), texts.end()};
  }
  return names;
}

NamesByQueue waiting(const KueueCase& one, const NamedCluster& cluster, bool parked) {
  NamesByQueue names;
  for (const auto& [queue, described] : one.configuration.cluster_queues) {
    const PendingQueue* pending = cluster.kueue.pending(queue);
    for (const Workload* workload : parked ? pending->parked() : pending->active()) {
      names[queue].insert(workload->name);
    }
  }
  return names;
}

void compare_reasons(const CaseValue& expected, const NamedCluster& cluster, Differences& differences) {
  for (const auto& [name, reason] : expected.members()) {
    const auto id = cluster.ids().find(name);
    const bool is_there = id != cluster.ids().end();
    differences.expect<std::string>(
        "reason of " + name, reason.text(),
        is_there ? cluster.kueue.workload(id->second).status.pending_reason : "no such workload");
  }
}

template <typename Counts>
void compare_counts(const std::string& what, const CaseValue& expected, const Counts& got,
                    Differences& differences) {
  for (const auto& [key, count] : expected.members()) {
    const auto entry = got.find(key);
    differences.expect<std::int64_t>(what + key, count.integer(0, 1LL << 31),
                                     entry == got.end() ? 0 : entry->second);
  }
}

void compare(const KueueCase& one, const CaseValue& expected, const NamedCluster& cluster, const Outcome& got,
             Differences& differences) {
  expected.knows_only({"admitted", "preempted", "left", "inadmissible", "pendingReason", "skippedPreemptions",
                       "recomputations"});
  differences.expect("admitted", read_assignments(expected.list("admitted")), got.admitted);
  differences.expect("preempted", read_preempted(expected.list("preempted")), got.preempted);
  if (const auto left = expected.find("left")) {
    differences.expect("left", read_names(*left), waiting(one, cluster, false));
  }
  if (const auto parked = expected.find("inadmissible")) {
    differences.expect("inadmissible", read_names(*parked), waiting(one, cluster, true));
  }
  if (const auto reasons = expected.find("pendingReason")) compare_reasons(*reasons, cluster, differences);
  if (const auto skipped = expected.find("skippedPreemptions")) {
    compare_counts("skipped preemptions of ", *skipped, got.skipped_preemptions, differences);
  }
  if (const auto again = expected.find("recomputations")) {
    for (const auto& [queue, counts] : again->members()) {
      const auto own = got.recomputations.find(queue);
      compare_counts("recomputations of " + queue + ", ", counts,
                     own == got.recomputations.end() ? std::map<std::string, std::int64_t>{} : own->second,
                     differences);
    }
  }
}

}  // namespace

void run_cycle_case(const KueueCase& one, Differences& differences) {
  NamedCluster cluster{with_local_queue_usage(one)};
  read_state(one, cluster);
  const auto cycles = one.value.at("settings").find("cycles");
  Outcome outcome;
  for (std::int64_t left = cycles ? cycles->integer(1, kMostCycles) : 1; left > 0; --left) {
    run_cycle_of(cluster, outcome);
  }
  compare(one, one.expected(), cluster, outcome, differences);
}

void run_two_cycles(const KueueCase& one, Differences& differences) {
  NamedCluster cluster{one};
  read_state(one, cluster);
  Outcome outcome;
  run_cycle_of(cluster, outcome);
  const auto assignments = [&] {
    std::map<std::string, std::string> all;
    for (const auto& [name, id] : cluster.ids()) {
      const Workload& workload = cluster.kueue.workload(id);
      if (workload.has_quota()) all[name] = admission_text(workload.status.admission);
    }
    return all;
  };
  const CaseValue expected = one.expected();
  expected.knows_only({"afterFirstCycle", "finalAssignments"});
  const CaseValue first = expected.at("afterFirstCycle");
  first.knows_only({"admitted", "preempted", "pendingReason"});
  differences.expect("admitted after the first cycle", read_assignments(first.list("admitted")),
                     assignments());
  if (first.has("preempted")) {
    differences.expect("preempted in the first cycle", read_preempted(first.list("preempted")),
                       outcome.preempted);
  }
  if (const auto reasons = first.find("pendingReason")) compare_reasons(*reasons, cluster, differences);
  if (const auto between = one.value.find("between")) {
    between->knows_only({"delete", "then"});
    for (const CaseValue& name : between->list("delete")) cluster.finish(name);
  }
  cluster.kueue.flush();
  const auto cycles = one.value.at("settings").find("cycles");
  for (std::int64_t left = cycles ? cycles->integer(1, kMostCycles) : 2; left > 1; --left) {
    run_cycle_of(cluster, outcome);
  }
  differences.expect("assignments at the end", read_assignments(expected.list("finalAssignments")),
                     assignments());
}

// `moved` counts trees that were gone through, as Kueue's own test does (wantMoveWorkloadsLogCount).
void run_flush(const KueueCase& one, Differences& differences) {
  QuotaTree tree;
  tree.rebuild(one.configuration);
  const std::vector<Workload> pending = read_workloads(one.value.list("pending"));
  std::map<std::string, PendingQueue> queues;
  for (const auto& [name, queue] : one.configuration.cluster_queues) {
    queues.try_emplace(name, one.settings, queue.strategy);
  }
  for (const Workload& workload : pending) {
    const auto queue = queues.find(workload.cluster_queue);
    if (queue != queues.end()) queue->second.requeue(workload, RequeueReason::generic, kStart);
  }
  std::set<std::string> trees;
  NamesByQueue active;
  NamesByQueue parked;
  for (auto& [name, queue] : queues) {
    if (!tree.is_in_cycle(*tree.queue(name))) {
      queue.flush(kStart);
      trees.insert(tree.root_name(name));
    }
    for (const Workload* workload : queue.active()) active[name].insert(workload->name);
    for (const Workload* workload : queue.parked()) parked[name].insert(workload->name);
  }
  const CaseValue expected = one.expected();
  expected.knows_only({"active", "inadmissible", "moved"});
  if (const auto names = expected.find("active")) {
    differences.expect("active", read_names(*names), active);
  }
  if (const auto names = expected.find("inadmissible")) {
    differences.expect("inadmissible", read_names(*names), parked);
  }
  if (const auto count = expected.find("moved")) {
    differences.expect("moved", count->integer(0, 1LL << 31), static_cast<std::int64_t>(trees.size()));
  }
}

}  // namespace stockout::kueue
