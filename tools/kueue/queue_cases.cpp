// Cases of queues: order, heads, what goes back and what is parked.

#include <algorithm>
#include <memory>

#include "models/orchestrators/kueue/cycle.h"
#include "models/orchestrators/kueue/ordering.h"
#include "models/orchestrators/kueue/pending_queue.h"
#include "models/orchestrators/kueue/quota_tree.h"
#include "tools/kueue/case_objects.h"
#include "tools/kueue/case_workloads.h"
#include "tools/kueue/kueue_case.h"

namespace stockout::kueue {
namespace {

RequeueReason read_reason(const CaseValue& value) {
  return value.word<RequeueReason>({{"Generic", RequeueReason::generic},
                                    {"", RequeueReason::generic},
                                    {"FailedAfterNomination", RequeueReason::failed_after_nomination},
                                    {"NamespaceMismatch", RequeueReason::namespace_mismatch},
                                    {"PendingPreemption", RequeueReason::pending_preemption},
                                    {"PendingMigration", RequeueReason::pending_migration},
                                    {"PreemptionFailed", RequeueReason::preemption_failed},
                                    {"SnapshotFailed", RequeueReason::failed_after_nomination},
                                    {"NoFit", RequeueReason::no_fit},
                                    {"PreemptionNoCandidates", RequeueReason::preemption_no_candidates}});
}

TriedFlavors read_tried(const CaseValue& list) {
  TriedFlavors tried;
  for (const CaseValue& item : list.items()) {
    auto& pod_set = tried.emplace_back();
    for (const auto& [resource, place] : item.members()) {
      pod_set[resource] = static_cast<int>(place.integer(-1, 1'000'000));
    }
  }
  return tried;
}

std::set<std::string> names_of(const std::vector<const Workload*>& workloads) {
  std::set<std::string> names;
  for (const Workload* workload : workloads) names.insert(workload->name);
  return names;
}

std::set<std::string> set_of(const std::vector<std::string>& texts) { return {texts.begin(), texts.end()}; }

// Which of both settings a key is of: "Eviction" or "creationOrdering".
std::optional<RequeueTimestamp> setting_of(const std::string& key) {
  const auto starts = [&](const char* word, const char* other) {
    return key.starts_with(word) || key.starts_with(other);
  };
  if (starts("Eviction", "eviction")) return RequeueTimestamp::eviction;
  if (starts("Creation", "creation")) return RequeueTimestamp::creation;
  return std::nullopt;
}

// One time, or one for each setting; either may stand below a key of its own.
void compare_times(const CaseValue& expected, Settings settings, const Workload& workload,
                   Differences& differences) {
  if (!expected.is_object()) {
    const bool by_eviction = settings.requeue_timestamp == RequeueTimestamp::eviction;
    differences.expect(fmt::format("time in the queue by {}, in ms", by_eviction ? "eviction" : "creation"),
                       expected.seconds().count(), (queue_order_time(workload, settings) - kStart).count());
    return;
  }
  for (const auto& [key, value] : expected.members()) {
    const auto setting = setting_of(key);
    if (!setting && key != "timestamp" && key != "timestamps") {
      throw NotModelled{"the key \"" + key + "\" of an expected time in the queue"};
    }
    if (setting) settings.requeue_timestamp = *setting;
    compare_times(value, settings, workload, differences);
  }
}

// One queue, and operations on it. An updated workload is another one of the same name.
class QueueOperations {
 public:
  explicit QueueOperations(const KueueCase& one)
      : queue_{one.settings, read_queueing_strategy(one.value.at("settings"))} {
    for (const CaseValue& item : one.value.list("input")) {
      const auto updated = item.find("updated");
      auto& by_name = updated && updated->flag() ? updated_ : workloads_;
      const std::string name = item.at("name").text();
      const auto [entry, is_new] =
          by_name.emplace(name, std::make_unique<Workload>(read_workload(item, number_of(name))));
      if (!is_new) item.odd(kTwoOfAName);
    }
  }

  void run(const CaseValue& operation) {
    operation.knows_only({"op", "workloads"});
    enum class Verb { push, generic, immediate, update, remove, flush };
    const auto verb = operation.at("op").word<Verb>({{"push", Verb::push},
                                                     {"requeue-generic", Verb::generic},
                                                     {"requeue-immediate", Verb::immediate},
                                                     {"update", Verb::update},
                                                     {"delete", Verb::remove},
                                                     {"flush-inadmissible", Verb::flush}});
    if (verb == Verb::flush) {
      moved = queue_.flush(kStart);
      return;
    }
    for (const CaseValue& name : operation.list("workloads")) {
      if (verb == Verb::update) {
        update(name);
        continue;
      }
      const Workload& workload = found(workloads_, name);
      if (verb == Verb::push) queue_.push(workload, kStart);
      if (verb == Verb::generic) queue_.requeue(workload, RequeueReason::generic, kStart);
      if (verb == Verb::immediate) {
        queue_.requeue(workload, RequeueReason::failed_after_nomination, kStart);
      }
      if (verb == Verb::remove) queue_.remove(workload.id);
    }
  }

  [[nodiscard]] const PendingQueue& queue() const { return queue_; }
  int moved = 0;

 private:
  using ByName = std::map<std::string, std::unique_ptr<Workload>>;

  WorkloadId number_of(const std::string& name) {
    return numbers_.try_emplace(name, WorkloadId{static_cast<std::uint32_t>(numbers_.size())}).first->second;
  }

  static const Workload& found(const ByName& workloads, const CaseValue& name) {
    const auto workload = workloads.find(name.text());
    if (workload == workloads.end()) name.odd("there is no such workload");
    return *workload->second;
  }

  void update(const CaseValue& name) {
    const Workload& after = found(updated_, name);
    queue_.update(found(workloads_, name), after, kStart);
  }

  PendingQueue queue_;
  std::map<std::string, WorkloadId> numbers_;
  ByName workloads_;
  ByName updated_;
};

}  // namespace

void run_order_heads(const KueueCase& one, Differences& differences) {
  const CaseValue input = one.value.at("input");
  const std::vector<Workload> workloads = read_workloads(input.items());
  const std::vector<CaseValue> rows = input.items();
  std::vector<Entry> entries;
  for (std::size_t i = 0; i < workloads.size(); ++i) {
    Entry& entry = entries.emplace_back(Entry{.head = {.workload = &workloads[i]}});
    const auto borrowing = rows[i].find("borrowing");
    const auto preemptor = rows[i].find("isPreemptor");
    entry.assignment.borrow = borrowing ? static_cast<int>(borrowing->integer(0, 100)) : 0;
    entry.head.is_preemptor = preemptor && preemptor->flag();
  }
  std::stable_sort(entries.begin(), entries.end(),
                   [&](const Entry& a, const Entry& b) { return is_handled_first(a, b, one.settings); });
  std::vector<std::string> order;
  for (const Entry& entry : entries) order.push_back(entry.head.workload->name);
  one.expected().knows_only({"order"});
  differences.expect("order", one.expected().at("order").texts(), order);
}

void run_order_queue(const KueueCase& one, Differences& differences) {
  const std::vector<Workload> workloads = read_workloads(one.value.list("input"));
  PendingQueue queue{one.settings, QueueingStrategy::best_effort_fifo};
  for (const Workload& workload : workloads) queue.push(workload, kStart);
  const Workload* first = queue.pop();
  one.expected().knows_only({"first"});
  differences.expect<std::string>("first", one.expected().text_or("first", {}),
                                  first == nullptr ? "" : first->name);
}

// No file at hand has such a case: this reads what its description and its siblings suggest.
void run_order_timestamp(const KueueCase& one, Differences& differences) {
  const auto input = one.value.find("input");
  if (!input) throw NotModelled{"a time in the queue without \"input\""};
  const std::vector<CaseValue> rows = input->is_list() ? input->items() : std::vector{*input};
  if (rows.size() != 1) throw NotModelled{"the times of other than one workload"};
  compare_times(one.expected(), one.settings, read_workload(rows.front(), WorkloadId{0}), differences);
}

void run_heads(const KueueCase& one, Differences& differences) {
  const std::set<std::string> inactive = set_of(one.value.at("settings").texts_of("inactiveQueues"));
  std::map<std::string, PendingQueue> queues;
  const std::vector<Workload> workloads = read_workloads(one.value.list("input"));
  for (const Workload& workload : workloads) {
    if (inactive.contains(workload.cluster_queue)) continue;
    queues.try_emplace(workload.cluster_queue, one.settings, QueueingStrategy::best_effort_fifo)
        .first->second.push(workload, kStart);
  }
  std::set<std::string> heads;
  for (auto& [name, queue] : queues) {
    if (const Workload* head = queue.pop()) heads.insert(head->name);
  }
  one.expected().knows_only({"heads"});
  differences.expect("heads", set_of(one.expected().texts_of("heads")), heads);
}

void run_requeue(const KueueCase& one, Differences& differences) {
  Workload workload{.name = "workload"};
  for (const std::string_view key : {"lastTriedFlavorIdx", "lastAssignment"}) {
    const auto tried = one.value.find(key);
    if (tried && !tried->is_list()) throw NotModelled{"a \"" + std::string{key} + "\" that is no list"};
    if (tried) workload.search = FlavorSearch{.tried = read_tried(*tried)};
  }
  PendingQueue queue{one.settings, read_queueing_strategy(one.value.at("settings"))};
  queue.requeue(workload, read_reason(one.value.at("reason")), kStart);
  const CaseValue expected = one.expected();
  expected.knows_only({"inadmissible", "sticky"});
  differences.expect("inadmissible", expected.at("inadmissible").flag(), queue.is_parked(workload.id));
  if (const auto sticky = expected.find("sticky")) {
    differences.expect("sticky", sticky->flag(), queue.is_sticky(workload.id));
  }
}

void run_queue_ops(const KueueCase& one, Differences& differences) {
  QueueOperations operations{one};
  for (const CaseValue& operation : one.value.list("ops")) operations.run(operation);
  const CaseValue expected = one.expected();
  expected.knows_only({"active", "pending", "moved"});
  const PendingQueue& queue = operations.queue();
  differences.expect("active", set_of(expected.texts_of("active")), names_of(queue.active()));
  differences.expect<std::int64_t>("pending", expected.at("pending").integer(0, 1LL << 31),
                                   static_cast<std::int64_t>(queue.active_count() + queue.parked_count()));
  if (const auto moved = expected.find("moved")) {
    differences.expect<std::int64_t>("moved", moved->integer(0, 1LL << 31), operations.moved);
  }
}

}  // namespace stockout::kueue
