// Rules 40 to 42: fair sharing.

#include <algorithm>

#include "tests/support/kueue_by_the_book/shares.h"
#include "tests/support/kueue_by_the_book/victims.h"

namespace stockout::test::by_the_book {
namespace {

using kueue::FairStrategy;
using kueue::Gate;
using kueue::PreemptionPolicy;
using kueue::Workload;

using List = std::vector<const Workload*>;

// Whose turn it is: rule 41.
class Targets {
 public:
  Targets(const Wish& wish, const List& candidates, const kueue::Settings& settings)
      : wish_{wish}, settings_{settings} {
    for (const Workload* one : candidates) left_[one->status.admission->cluster_queue].push_back(one);
  }

  // The queue to look at; none when all is over.
  std::optional<std::string> next(const Book& now) {
    const Node own = queue_node(wish_.queue);
    if (!now.parent(own)) return left_[wish_.queue].empty() ? std::nullopt : std::optional{wish_.queue};
    const Node root = now.root(own);
    while (!dropped_.contains(root)) {
      if (const auto found = descend(now, root)) return found;
    }
    return std::nullopt;
  }
  [[nodiscard]] bool has_any(const std::string& queue) { return !left_[queue].empty(); }
  const Workload* pop(const std::string& queue) {
    const Workload* first = left_[queue].front();
    left_[queue].erase(left_[queue].begin());
    return first;
  }
  void drop(const std::string& queue) { dropped_.insert(queue_node(queue)); }

 private:
  struct Highest {
    std::optional<Node> node;
    Share share;
  };

  // Below zero if b has the larger share; whoever has none at all loses.
  static int compare(const Highest& a, const Highest& b) {
    if (!a.node || !b.node) return a.node ? 1 : (b.node ? -1 : 0);
    return compare_shares(a.share, b.share);
  }

  std::optional<std::string> descend(const Book& now, const Node& cohort) {
    const Highest queue = highest_queue(now, cohort);
    const Highest below = highest_cohort(now, cohort);
    if (!queue.node && !below.node) {
      dropped_.insert(cohort);
      return std::nullopt;
    }
    if (compare(below, queue) >= 0) return descend(now, *below.node);
    return queue.node->name;
  }

  Highest highest_queue(const Book& now, const Node& cohort) {
    Highest best;
    for (const Node& queue : now.child_queues(cohort)) {
      if (dropped_.contains(queue)) continue;
      const Highest one{queue, share_of(now, queue)};
      if ((one.share.borrowed.empty() && queue.name != wish_.queue) || left_[queue.name].empty()) {
        dropped_.insert(queue);
        continue;
      }
      const int order = compare(one, best);
      if (order > 0 || (order == 0 && goes_first(queue, *best.node))) best = one;
    }
    return best;
  }

  // Of equal queues: the one whose first candidate would be evicted first.
  bool goes_first(const Node& a, const Node& b) {
    List both{left_[a.name].front(), left_[b.name].front()};
    sort_by_order_of_eviction(both, wish_.queue, settings_);
    return both.front() == left_[a.name].front();
  }

  Highest highest_cohort(const Book& now, const Node& cohort) {
    const std::vector<Node> kept = now.ancestors(queue_node(wish_.queue));
    Highest best;
    for (const Node& child : now.child_cohorts(cohort)) {
      if (dropped_.contains(child)) continue;
      const Highest one{child, share_of(now, child)};
      if (one.share.borrowed.empty() && std::find(kept.begin(), kept.end(), child) == kept.end()) {
        dropped_.insert(child);
        continue;
      }
      if (compare(one, best) >= 0) best = one;
    }
    return best;
  }

  const Wish& wish_;
  const kueue::Settings& settings_;
  std::map<std::string, List> left_;
  std::set<Node> dropped_;
};

class ShareSearch {
 public:
  ShareSearch(const Book& book, const Wish& wish)
      : book_{book}, with_wish_{book.with(wish.queue, wish.amounts)}, wish_{wish} {}

  std::vector<Leaver> run() {
    List candidates = collect();
    if (candidates.empty()) return {};
    sort_by_order_of_eviction(candidates, wish_.queue, *book_.settings);
    const kueue::Settings& settings = *book_.settings;
    candidates = first_strategy(candidates);
    const bool took_own = std::any_of(leaving_.begin(), leaving_.end(),
                                      [](const Leaver& one) { return one.reason == "InClusterQueue"; });
    if (!is_done_ && took_own && settings.gates.has(Gate::reevaluate_fair_candidates)) {
      candidates = first_strategy(candidates);
    }
    if (!is_done_ && settings.strategies.size() > 1) second_strategy(candidates);
    return is_done_ ? only_needed(book_, wish_, true, leaving_) : std::vector<Leaver>{};
  }

 private:
  // Rule 40.
  [[nodiscard]] List collect() const {
    const kueue::Preemption& rules = book_.rules(wish_.queue).preemption;
    const Node own = queue_node(wish_.queue);
    List candidates;
    for (const Workload* holder : book_.holders) {
      const Node queue = queue_node(holder->status.admission->cluster_queue);
      const bool is_own = queue == own;
      const bool is_near = book_.root(queue) == book_.root(own) && book_.is_open(queue.name);
      if (!is_own && (!is_near || !book_.borrows_any(queue, wish_.contested))) continue;
      const PreemptionPolicy policy = is_own ? rules.within_queue : rules.reclaim_within_cohort;
      if (is_allowed(wish_, *holder, policy, *book_.settings) && uses(*holder, wish_.contested))
        candidates.push_back(holder);
    }
    return candidates;
  }

  // The wish counts as if it had been granted.
  [[nodiscard]] Book now() const { return with_wish_.without(ids_of(leaving_)); }

  void take(const Workload* workload, const char* reason) {
    leaving_.push_back({workload, reason});
    is_done_ = fits(book_.without(ids_of(leaving_)), wish_, true);
  }

  // Those who may have to go by the other strategy.
  List first_strategy(const List& candidates) {
    const bool is_entitled = book_.settings->gates.has(Gate::preempt_within_nominal) &&
                             !now().borrows_any(queue_node(wish_.queue), wish_.contested);
    Targets targets{wish_, candidates, *book_.settings};
    List rest;
    while (!is_done_) {
      const auto queue = targets.next(now());
      if (!queue) break;
      if (*queue == wish_.queue) {
        take(targets.pop(*queue), "InClusterQueue");
      } else if (is_entitled) {
        take(targets.pop(*queue), "InCohortReclamation");
      } else {
        take_by_share(*queue, targets, rest);
      }
    }
    return rest;
  }

  // One at most, since shares change.
  void take_by_share(const std::string& queue, Targets& targets, List& rest) {
    while (targets.has_any(queue)) {
      const Workload* candidate = targets.pop(queue);
      if (is_fair(book_.settings->strategies.front(), queue, candidate)) {
        take(candidate, "InCohortFairSharing");
        return;
      }
      rest.push_back(candidate);
    }
  }

  void second_strategy(const List& candidates) {
    Targets targets{wish_, candidates, *book_.settings};
    while (!is_done_) {
      const auto queue = targets.next(now());
      if (!queue) return;
      const Workload* candidate = targets.pop(*queue);
      if (is_fair(FairStrategy::less_than_initial_share, *queue, candidate))
        take(candidate, "InCohortFairSharing");
      targets.drop(*queue);
    }
  }

  // Rule 42.
  [[nodiscard]] bool is_fair(FairStrategy strategy, const std::string& queue,
                             const Workload* candidate) const {
    const Book today = now();
    const auto [own, other] = below_common(queue_node(wish_.queue), queue_node(queue));
    const Share share = share_of(today, own);
    if (strategy == FairStrategy::less_than_initial_share)
      return compare_shares(share, share_of(today, other)) < 0;
    return compare_shares(share, share_of(today.without({candidate->id}), other)) <= 0;
  }

  // The children of the lowest common cohort.
  [[nodiscard]] std::pair<Node, Node> below_common(Node a, Node b) const {
    const std::vector<Node> above_a = book_.ancestors(a);
    for (const Node& above : book_.ancestors(b)) {
      if (std::find(above_a.begin(), above_a.end(), above) != above_a.end()) break;
      b = above;
    }
    const auto common = book_.parent(b);
    for (const Node& above : above_a) {
      if (above == common) break;
      a = above;
    }
    return {a, b};
  }

  const Book& book_;
  Book with_wish_;
  const Wish& wish_;
  std::vector<Leaver> leaving_;
  bool is_done_ = false;
};

}  // namespace

std::vector<Leaver> leavers_by_share(const Book& book, const Wish& wish) {
  return ShareSearch{book, wish}.run();
}

}  // namespace stockout::test::by_the_book
