#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "models/orchestrators/kueue/configuration.h"
#include "models/orchestrators/kueue/settings.h"
#include "models/orchestrators/kueue/waiting_line.h"
#include "models/orchestrators/kueue/workload.h"

namespace stockout::kueue {

/// Why a head goes back to its queue.
enum class RequeueReason : std::uint8_t {
  generic,
  failed_after_nomination,
  namespace_mismatch,
  pending_preemption,
  pending_migration,
  preemption_failed,
  no_fit,
  preemption_no_candidates,
};

/// Workloads that wait in one cluster queue: active ones, in order, and parked ones, which only a flush
/// brings back. A workload must not move in memory while it is here, and what orders it must not change
/// without update(). A flush, and the parking of those like a head, take as long for one of a shape as for
/// many.
class PendingQueue {
 public:
  /// `usage` of local queues puts those with less first; without it there is one order for all.
  using UsageOf = std::function<double(const std::string& local_queue)>;

  PendingQueue(const Settings& settings, QueueingStrategy strategy, UsageOf usage = nullptr);
  void set_rules(QueueingStrategy strategy, UsageOf usage, SimTime now);

  /// A workload comes, or comes back. Parked if it is put off, or if its like were just parked.
  void push(const Workload& workload, SimTime now);
  /// `before` is now `after`, of the same number. Parked ones stay so if nothing changed that could help
  /// them.
  void update(const Workload& before, const Workload& after, SimTime now);
  /// The head, which is then neither active nor parked.
  [[nodiscard]] const Workload* pop();
  /// A head comes back, active or parked. True if it was not here.
  bool requeue(const Workload& workload, RequeueReason reason, SimTime now);
  /// Parked ones become active, but for those that are put off or of another namespace. How many.
  int flush(SimTime now);
  void remove(WorkloadId id);

  [[nodiscard]] bool has_active() const { return active_.size() > 0; }
  [[nodiscard]] std::size_t active_count() const { return active_.size(); }
  [[nodiscard]] std::size_t parked_count() const { return parked_.size(); }
  [[nodiscard]] bool is_active(WorkloadId id) const { return is_in(active_, id); }
  [[nodiscard]] bool is_parked(WorkloadId id) const { return is_in(parked_, id); }
  /// In the order of their numbers.
  [[nodiscard]] std::vector<const Workload*> active() const { return active_.all(); }
  [[nodiscard]] std::vector<const Workload*> parked() const { return parked_.all(); }
  /// The one that waits for its victims.
  [[nodiscard]] std::optional<WorkloadId> preemptor() const { return preemptor_; }
  [[nodiscard]] bool is_sticky(WorkloadId id) const {
    return preemptor_ == id && strategy_ == QueueingStrategy::best_effort_fifo;
  }

 private:
  [[nodiscard]] Spot spot_of(const Workload& workload, SimTime now) const;
  void activate(const Workload& workload, SimTime now);
  void park(const Workload& workload, SimTime now);
  void put_into(WaitingLine& line, const Workload& workload, SimTime now);
  void leave(WorkloadId id);
  [[nodiscard]] bool is_in(const WaitingLine& line, WorkloadId id) const;
  [[nodiscard]] const Workload* head_of(const std::string& lane, const Workload* front) const;
  [[nodiscard]] const Workload* head() const;

  const Settings& settings_;
  QueueingStrategy strategy_;
  UsageOf usage_;
  WaitingLine active_;
  WaitingLine parked_;
  std::unordered_map<WorkloadId, Spot> spots_;  // of those in either line
  std::set<std::string> parked_shapes_;         // since the last flush
  std::optional<WorkloadId> preemptor_;
  bool flushed_since_pop_ = false;
};

}  // namespace stockout::kueue
