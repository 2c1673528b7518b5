// Rules 33 to 39, without fair sharing.

#include <algorithm>
#include <array>

#include "tests/support/kueue_by_the_book/victims.h"

namespace stockout::test::by_the_book {
namespace {

using kueue::PreemptionPolicy;
using kueue::Workload;

// By which right a workload may be evicted.
enum class Right : std::uint8_t { own_queue, hierarchy, while_borrowing, not_borrowing };

struct Candidate {
  const Workload* workload = nullptr;
  Right right{};
  std::optional<Node> common;  // the lowest cohort that it has in common with whoever evicts
};

struct Candidates {
  std::vector<Candidate> hierarchy;
  std::vector<Candidate> others;
  std::vector<Candidate> own;
};

const char* reason_of(Right right) {
  switch (right) {
    case Right::own_queue:
      return "InClusterQueue";
    case Right::while_borrowing:
      return "InCohortReclaimWhileBorrowing";
    default:
      return "InCohortReclamation";
  }
}

class PlainSearch {
 public:
  PlainSearch(const Book& book, const Wish& wish) : book_{book}, wish_{wish}, own_{queue_node(wish.queue)} {}

  std::vector<Leaver> run() {
    collect();
    const bool is_forbidden = !rules().borrow_within_cohort.lower_priority;
    std::vector<bool> attempts{true, false};  // whether to borrow
    if ((all_.hierarchy.empty() && all_.others.empty()) || (is_forbidden && !is_under_nominal())) {
      attempts = {true};
    } else if (is_forbidden && all_.hierarchy.empty()) {
      attempts = {false, true};
    }
    for (const bool may_borrow : attempts) {
      std::vector<Leaver> leaving = attempt(may_borrow);
      if (!leaving.empty()) return leaving;
    }
    return {};
  }

 private:
  [[nodiscard]] const kueue::Preemption& rules() const { return book_.rules(wish_.queue).preemption; }

  // Rule 37: strictly, in all that is contested.
  [[nodiscard]] bool is_under_nominal() const {
    return std::all_of(wish_.contested.begin(), wish_.contested.end(), [&](const Cell& cell) {
      return book_.usage(own_, cell) < book_.subtree_quota(own_, cell);
    });
  }

  void collect() {
    take_from(wish_.queue, rules().within_queue, Right::own_queue, std::nullopt, all_.own);
    if (rules().reclaim_within_cohort == PreemptionPolicy::never) return;
    // Rule 35: what of the wish is left to the subtrees above.
    Amounts rest = wish_.amounts;
    bool has_advantage = covers(own_, rest);
    std::optional<Node> seen;
    for (const Node& above : book_.ancestors(own_)) {
      collect_below(above, above, seen, has_advantage);
      has_advantage = covers(above, rest) || has_advantage;
      seen = above;
    }
  }

  // Whether the node's quota covers it; `rest` is then what its parent has to give.
  bool covers(const Node& node, Amounts& rest) const {
    bool does = true;
    for (auto& [cell, amount] : rest) {
      if (book_.borrows(node, cell, amount)) does = false;
      amount = std::max<std::int64_t>(0, amount - book_.local_available(node, cell));
    }
    return does;
  }

  // Rule 33: subtrees and queues that use more than their quota.
  void collect_below(const Node& cohort, const Node& common, const std::optional<Node>& seen,
                     bool has_advantage) {
    for (const Node& child : book_.child_cohorts(cohort)) {
      if (child == seen || !book_.borrows_any(child, wish_.contested)) continue;
      collect_below(child, common, seen, has_advantage);
    }
    for (const Node& child : book_.child_queues(cohort)) {
      if (child == own_ || !book_.is_open(child.name) || !book_.borrows_any(child, wish_.contested)) continue;
      take_from(child.name, rules().reclaim_within_cohort,
                has_advantage ? Right::hierarchy : Right::not_borrowing, common,
                has_advantage ? all_.hierarchy : all_.others);
    }
  }

  void take_from(const std::string& queue, PreemptionPolicy policy, Right right,
                 const std::optional<Node>& common, std::vector<Candidate>& list) const {
    for (const Workload* holder : book_.holders) {
      if (holder->status.admission->cluster_queue != queue || !uses(*holder, wish_.contested)) continue;
      if (!is_allowed(wish_, *holder, policy, *book_.settings)) continue;
      const bool may_both = right == Right::not_borrowing && may_evict_while_borrowing(*holder);
      list.push_back({holder, may_both ? Right::while_borrowing : right, common});
    }
  }

  [[nodiscard]] bool may_evict_while_borrowing(const Workload& candidate) const {
    const kueue::BorrowWithinCohort& borrow = rules().borrow_within_cohort;
    const std::int64_t priority = priority_of(candidate, *book_.settings);
    return borrow.lower_priority && priority < priority_of(*wish_.who, *book_.settings) &&
           (!borrow.max_priority || priority <= *borrow.max_priority);
  }

  // Rule 36.
  [[nodiscard]] std::vector<Candidate> in_order() const {
    std::vector<Candidate> ordered;
    for (const bool evicted : {true, false}) {
      for (const auto* list : std::array{&all_.hierarchy, &all_.others, &all_.own}) {
        std::vector<const Workload*> some;
        for (const Candidate& one : *list) {
          if (one.workload->status.evicted.status == evicted) some.push_back(one.workload);
        }
        sort_by_order_of_eviction(some, wish_.queue, *book_.settings);
        for (const Workload* next : some) {
          ordered.push_back(*std::find_if(list->begin(), list->end(),
                                          [&](const Candidate& one) { return one.workload == next; }));
        }
      }
    }
    return ordered;
  }

  // Rule 38.
  [[nodiscard]] std::vector<Leaver> attempt(bool may_borrow) const {
    std::vector<Leaver> leaving;
    for (const Candidate& one : in_order()) {
      if (!is_valid(book_.without(ids_of(leaving)), one, may_borrow)) continue;
      leaving.push_back({one.workload, reason_of(one.right)});
      if (fits(book_.without(ids_of(leaving)), wish_, may_borrow)) {
        return only_needed(book_, wish_, may_borrow, leaving);
      }
    }
    return {};
  }

  [[nodiscard]] bool is_valid(const Book& now, const Candidate& one, bool may_borrow) const {
    if (one.right == Right::own_queue) return true;
    if (may_borrow && one.right == Right::not_borrowing) return false;
    const Node queue = queue_node(one.workload->status.admission->cluster_queue);
    if (!now.borrows_any(queue, wish_.contested)) return false;
    for (const Node& above : now.ancestors(queue)) {
      if (above == one.common) break;
      if (!now.borrows_any(above, wish_.contested)) return false;
    }
    return true;
  }

  const Book& book_;
  const Wish& wish_;
  Node own_;
  Candidates all_;
};

}  // namespace

std::vector<Leaver> leavers_without_shares(const Book& book, const Wish& wish) {
  return PlainSearch{book, wish}.run();
}

}  // namespace stockout::test::by_the_book
