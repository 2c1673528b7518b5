#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "models/orchestrators/kueue/quota_tree.h"
#include "models/record/run_record.h"
#include "models/world/world.h"

namespace stockout {

/// The least that a job asks Kueue for: so many GPUs of one of these flavors.
struct KueueWish {
  std::string queue;  // its cluster queue
  std::int32_t priority = 0;
  std::int64_t gpus = 0;
  std::vector<std::string> flavors;
  friend auto operator<=>(const KueueWish&, const KueueWish&) = default;
};

/// Quota that a job holds.
struct KueueHold {
  std::string queue;  // the cluster queue that gave it
  std::int32_t priority = 0;
  std::string flavor;
  std::int64_t gpus = 0;
};

/// Who holds how much of Kueue's quota, to say what a job lacks and what a queue has borrowed. Kueue's own
/// books are its library's; these know priorities.
class KueueBooks {
 public:
  KueueBooks(const KueueCluster& cluster, const std::vector<JobClass>& classes);

  void hold(const KueueHold& hold, SimTime now);
  void give_back(const KueueHold& hold, SimTime now);

  /// Whether any flavor has room for it.
  [[nodiscard]] bool has_room(const KueueWish& wish) const { return has_room(wish, trees_.back()); }
  /// The same if jobs of higher priority held nothing.
  [[nodiscard]] bool has_room_below(const KueueWish& wish) const {
    return has_room(wish, trees_[level(wish.priority)]);
  }
  /// Whether in any flavor it would use no more than its queue's own quota.
  [[nodiscard]] bool is_within_own(const KueueWish& wish) const;

  /// Of each cluster queue, up to `end`: what it used, and what of that it had borrowed.
  [[nodiscard]] std::map<std::string, KueueQueueTotals> totals(SimTime end) const;

 private:
  /// Use of a queue since it last changed.
  struct Use {
    std::int64_t held = 0;
    std::int64_t borrowed = 0;
    SimTime since = kStart;
    KueueQueueTotals totals{};
  };

  [[nodiscard]] std::size_t level(std::int32_t priority) const;
  [[nodiscard]] bool has_room(const KueueWish& wish, const kueue::QuotaTree& tree) const;
  [[nodiscard]] std::vector<kueue::CellId> cells_of(const KueueWish& wish) const;
  void change(const KueueHold& hold, bool more, SimTime now);
  static void count_until(Use& use, SimTime now);

  std::vector<std::int32_t> priorities_;        // of the classes, in order
  std::vector<kueue::QuotaTree> trees_;         // by priority: used by jobs of at most that priority
  std::map<std::string, kueue::CellId> cells_;  // by flavor, the same in all trees
  std::map<std::string, Use> uses_;             // by cluster queue
};

}  // namespace stockout
