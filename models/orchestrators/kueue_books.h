#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/orchestrators/kueue/quota_tree.h"
#include "models/orchestrators/kueue/workload.h"
#include "models/record/run_record.h"
#include "models/world/world.h"

namespace stockout {

/// So much of each resource, on nodes of one of these flavors.
struct KueuePods {
  kueue::Requests requests;
  std::vector<std::string> flavors;
  friend auto operator<=>(const KueuePods&, const KueuePods&) = default;
};

/// The least that a workload asks Kueue for.
struct KueueWish {
  std::string queue;  // its cluster queue
  std::int32_t priority = 0;
  std::vector<KueuePods> pod_sets;  // not empty
  friend auto operator<=>(const KueueWish&, const KueueWish&) = default;
};

/// Quota that a job holds.
struct KueueHold {
  std::string queue;  // the cluster queue that gave it
  std::int32_t priority = 0;
  std::map<std::string, std::string> flavors;  // by resource
  kueue::Requests requests;                    // by resource
};

/// Who holds how much of Kueue's quota, to say what a job lacks and what a queue has borrowed. Kueue's own
/// books are its library's; these know priorities.
class KueueBooks {
 public:
  KueueBooks(const KueueCluster& cluster, const std::vector<JobClass>& classes);

  void hold(const KueueHold& hold, SimTime now);
  void give_back(const KueueHold& hold, SimTime now);

  /// Whether flavors have room for it: for its pod sets one after the other, each in the first flavor of each
  /// resource group of its queue that has room beside those before it.
  [[nodiscard]] bool has_room(const KueueWish& wish) const { return has_room(wish, trees_.back()); }
  /// The same if jobs of higher priority held nothing.
  [[nodiscard]] bool has_room_below(const KueueWish& wish) const {
    return has_room(wish, trees_[level(wish.priority)]);
  }
  /// Whether in such flavors it would use no more than its queue's own quota.
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
  using FlavorAndResource = std::pair<std::string, std::string>;

  void add_cells(const kueue::FlavorQuotas& flavor, kueue::QuotaTree& tree);
  /// Whether the queue has a quota of all that is asked for.
  [[nodiscard]] bool covers(const std::string& queue, const kueue::Requests& requests) const;
  /// That of the resources which the flavor has a quota of.
  [[nodiscard]] kueue::Usage usage_in(const kueue::FlavorQuotas& flavor, const KueuePods& pods) const;
  /// Whether nodes of the flavor are among those that the pods demand, or are nobody's: of another group.
  [[nodiscard]] bool may_have(const KueuePods& pods, const std::string& flavor) const;
  /// The usage of the first flavor of the group that does; nothing if none does.
  template <typename Does>
  [[nodiscard]] std::optional<kueue::Usage> find_in(const kueue::ResourceGroup& group, const KueuePods& pods,
                                                    Does does) const;
  /// Whether flavors are found for all its pod sets in which they `will_do`.
  template <typename WillDo>
  [[nodiscard]] bool find_flavors(const KueueWish& wish, const kueue::QuotaTree& tree, WillDo will_do) const;
  void change(const KueueHold& hold, bool more, SimTime now);
  static void count_until(Use& use, SimTime now);

  std::vector<std::int32_t> priorities_;              // of the classes, in order
  std::vector<kueue::QuotaTree> trees_;               // by priority: used by jobs of at most that priority
  std::map<FlavorAndResource, kueue::CellId> cells_;  // the same in all trees
  std::map<std::string, std::vector<kueue::ResourceGroup>> groups_;  // of cluster queues
  std::set<std::string> others_;                                     // flavors of no leg
  std::map<std::string, Use> uses_;                                  // by cluster queue
};

}  // namespace stockout
