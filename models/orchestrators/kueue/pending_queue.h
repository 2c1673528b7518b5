#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "models/orchestrators/kueue/configuration.h"
#include "models/orchestrators/kueue/settings.h"
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

/// Whether the time until which it was put off is over.
[[nodiscard]] bool is_backoff_over(const Workload& workload, SimTime now);

/// Workloads that wait in one cluster queue: active ones, in order, and parked ones, which only a flush
/// brings back. A workload must not move in memory while it is here, and what orders it must not change
/// without update().
class PendingQueue {
 public:
  /// `usage` of local queues puts those with less first; without it there is one order for all.
  using UsageOf = std::function<double(const std::string& local_queue)>;

  PendingQueue(const Settings& settings, QueueingStrategy strategy, UsageOf usage = nullptr);
  void set_rules(QueueingStrategy strategy, UsageOf usage);

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

  [[nodiscard]] bool has_active() const { return active_count_ > 0; }
  [[nodiscard]] std::size_t active_count() const { return active_count_; }
  [[nodiscard]] std::size_t parked_count() const { return parked_.size(); }
  [[nodiscard]] bool is_active(WorkloadId id) const;
  [[nodiscard]] bool is_parked(WorkloadId id) const { return parked_.contains(id); }
  /// In the order of their numbers.
  [[nodiscard]] std::vector<const Workload*> active() const;
  [[nodiscard]] std::vector<const Workload*> parked() const;
  /// The one that waits for its victims.
  [[nodiscard]] std::optional<WorkloadId> preemptor() const { return preemptor_; }
  [[nodiscard]] bool is_sticky(WorkloadId id) const {
    return preemptor_ == id && strategy_ == QueueingStrategy::best_effort_fifo;
  }
  /// When the first of the parked ones is no longer put off, if that is after `now`.
  [[nodiscard]] std::optional<SimTime> next_wake(SimTime now) const;

 private:
  /// Higher priority first, then who was queued earlier, then by uid and number.
  struct Place {
    std::int64_t priority = 0;
    SimTime queued;
    std::string uid;
    WorkloadId id{};

    bool operator<(const Place& other) const;
  };
  struct Waiting {
    const Workload* workload = nullptr;
    Place place;
    std::string lane;  // the local queue, where their usage counts
    std::string shape;
  };
  using Lane = std::map<Place, const Workload*>;

  [[nodiscard]] Waiting waiting(const Workload& workload) const;
  void activate(const Workload& workload);
  void deactivate(WorkloadId id);
  void park(const Workload& workload);
  int park_like(const std::string& shape);
  [[nodiscard]] const Workload* head_of(const Lane& lane) const;
  [[nodiscard]] const Workload* head() const;

  const Settings& settings_;
  QueueingStrategy strategy_;
  UsageOf usage_;
  std::map<std::string, Lane> lanes_;  // active ones
  std::unordered_map<WorkloadId, Waiting> active_;
  std::size_t active_count_ = 0;
  std::map<std::string, std::set<WorkloadId>> by_shape_;  // active ones
  std::map<WorkloadId, const Workload*> parked_;
  std::set<std::string> parked_shapes_;  // since the last flush
  std::optional<WorkloadId> preemptor_;
  bool flushed_since_pop_ = false;
};

}  // namespace stockout::kueue
