#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "tests/support/kueue_by_the_book/cycle.h"

namespace stockout::test::by_the_book {

/// Kueue of one cluster, cycle by cycle: who holds quota, who waits where, who remembers which flavors.
/// It has what `models/orchestrators/kueue/kueue.h` has, as far as admission asks for it. Rules 4, 5, 22 and
/// 43 to 47.
class Life {
 public:
  Life(kueue::Configuration objects, kueue::Settings settings);
  Life(const Life&) = delete;
  Life& operator=(const Life&) = delete;

  /// It waits, or holds quota if it has an admission.
  void submit(kueue::Workload workload);
  /// It has ended, wherever it was.
  void finish(kueue::WorkloadId id);
  /// Its job has stopped: it waits again.
  void finish_eviction(kueue::WorkloadId id);
  void change_priority(kueue::WorkloadId id, std::int32_t priority);
  /// So many pods of each pod set are done.
  void end_pods(kueue::WorkloadId id, const std::map<std::string, std::int64_t>& pods);
  void change(const kueue::ClusterQueue& queue);
  void change(const kueue::Cohort& cohort);
  void cycle();
  void flush();
  void pass_time(SimDuration time) { now_ += time; }

  [[nodiscard]] const kueue::Workload& workload(kueue::WorkloadId id) const { return *all_.at(id); }
  [[nodiscard]] bool waits(kueue::WorkloadId id) const { return is_active(id) || is_parked(id); }
  [[nodiscard]] bool is_active(kueue::WorkloadId id) const {
    return lines_.at(queue_of(id)).active.contains(id);
  }
  [[nodiscard]] bool is_parked(kueue::WorkloadId id) const {
    return lines_.at(queue_of(id)).parked.contains(id);
  }
  [[nodiscard]] Book book() const;

 private:
  struct Line {
    std::set<kueue::WorkloadId> active = {};
    std::set<kueue::WorkloadId> parked = {};
    std::set<std::string> parked_shapes = {};  // since the last flush
    std::optional<kueue::WorkloadId> preemptor = std::nullopt;
  };
  struct Memory {
    kueue::TriedFlavors tried;
    std::int64_t generation = 0;
    std::int64_t cycle = 0;
  };

  [[nodiscard]] const std::string& queue_of(kueue::WorkloadId id) const { return all_.at(id)->cluster_queue; }
  [[nodiscard]] bool is_best_effort(const std::string& queue) const;
  [[nodiscard]] std::string root_of(kueue::WorkloadId id) const { return root_of(queue_of(id)); }
  [[nodiscard]] std::string root_of(const std::string& queue) const;
  void change_all();
  void scale_down(kueue::Workload& workload) const;
  [[nodiscard]] bool goes_first(kueue::WorkloadId a, kueue::WorkloadId b) const;
  [[nodiscard]] const kueue::TriedFlavors* remembered(kueue::WorkloadId id) const;
  [[nodiscard]] std::vector<Contender> take_heads();
  void wait(kueue::WorkloadId id);
  void leave(kueue::WorkloadId id);
  void carry_out(const Handled& handled, const std::map<std::string, std::int64_t>& generations);
  void admit(const Handled& handled);
  void evict(const Handled& handled);
  void requeue(kueue::WorkloadId id, Fate fate);
  void park(kueue::WorkloadId id, bool with_its_like);
  void give_back(kueue::WorkloadId id);

  kueue::Configuration objects_;
  kueue::Settings settings_;
  std::map<kueue::WorkloadId, std::unique_ptr<kueue::Workload>> all_;
  std::map<std::string, Line> lines_;                // by queue
  std::map<kueue::WorkloadId, Memory> memories_;     // of those that wait
  std::int64_t changes_ = 0;                         // of quota and of who holds it
  std::map<std::string, std::int64_t> generations_;  // by root: the last change
  std::set<std::string> to_flush_;                   // roots
  std::int64_t cycles_ = 0;
  SimTime now_ = kStart;
};

}  // namespace stockout::test::by_the_book
