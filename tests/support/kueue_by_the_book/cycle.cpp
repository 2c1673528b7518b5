#include "tests/support/kueue_by_the_book/cycle.h"

#include <algorithm>
#include <tuple>

#include "tests/support/kueue_by_the_book/shares.h"

namespace stockout::test::by_the_book {
namespace {

using kueue::Gate;
using kueue::Workload;

// Priority counts with a gate only.
auto urgency_of(const Handled& one, const kueue::Settings& settings) {
  const Workload& workload = *one.head.workload;
  const bool counts = settings.gates.has(Gate::priority_sorting_within_cohort);
  return std::tuple{counts ? -priority_of(workload, settings) : 0, queued_at(workload, settings)};
}

bool waits_first(const Handled& one, const kueue::Settings& settings) {
  return settings.gates.has(Gate::prioritize_preemptors) && one.head.is_preemptor;
}

// Rule 25. Of equals the first in `left`, which is in the order of queues: Kueue leaves that open.
std::size_t first_without_shares(const std::vector<Handled>& left, const kueue::Settings& settings) {
  const auto place = [&](const Handled& one) {
    return std::tuple{!waits_first(one, settings), one.nomination.plan.level, urgency_of(one, settings)};
  };
  const auto first = std::min_element(
      left.begin(), left.end(), [&](const Handled& a, const Handled& b) { return place(a) < place(b); });
  return static_cast<std::size_t>(first - left.begin());
}

// Rule 26: in each cohort the winners of its children compete. Of equals the first child wins.
class Tournament {
 public:
  Tournament(const Book& book, const std::vector<Handled>& left) : book_{book}, left_{left} {}

  [[nodiscard]] std::size_t winner() const {
    const Node root = book_.root(queue_node(left_.front().head.workload->cluster_queue));
    if (root.is_queue) return 0;
    return static_cast<std::size_t>(winner_of(root) - left_.data());
  }

 private:
  [[nodiscard]] const Handled* winner_of(const Node& node) const {
    if (node.is_queue) {
      const auto own = std::find_if(left_.begin(), left_.end(), [&](const Handled& one) {
        return one.head.workload->cluster_queue == node.name;
      });
      return own == left_.end() ? nullptr : &*own;
    }
    const Handled* best = nullptr;
    Node best_child;
    std::vector<Node> children = book_.child_cohorts(node);
    for (const Node& queue : book_.child_queues(node)) children.push_back(queue);
    for (const Node& child : children) {
      const Handled* one = winner_of(child);
      if (one == nullptr || (best != nullptr && !beats(*one, child, *best, best_child))) continue;
      best = one;
      best_child = child;
    }
    return best;
  }

  // Of the child that it stands for, as if it were admitted.
  [[nodiscard]] Share share_with(const Handled& one, const Node& child) const {
    const Amounts& amounts = one.nomination.plan.amounts;
    return share_of(book_.with(one.head.workload->cluster_queue, amounts), child);
  }

  [[nodiscard]] bool borrows_what_it_asks(const Handled& one, const Share& share) const {
    const Amounts& amounts = one.nomination.plan.amounts;
    return std::any_of(amounts.begin(), amounts.end(), [&](const auto& asked) {
      return asked.second > 0 && share.borrowed.contains(asked.first);
    });
  }

  [[nodiscard]] bool beats(const Handled& a, const Node& child_a, const Handled& b,
                           const Node& child_b) const {
    const kueue::Settings& settings = *book_.settings;
    if (waits_first(a, settings) != waits_first(b, settings)) return waits_first(a, settings);
    const Share share_a = share_with(a, child_a);
    const Share share_b = share_with(b, child_b);
    const bool a_borrows = borrows_what_it_asks(a, share_a);
    if (settings.gates.has(Gate::prioritize_non_borrowing) && a_borrows != borrows_what_it_asks(b, share_b))
      return !a_borrows;
    const int order = compare_shares(share_a, share_b);
    if (order != 0) return order < 0;
    return urgency_of(a, settings) < urgency_of(b, settings);
  }

  const Book& book_;
  const std::vector<Handled>& left_;
};

class Cycle {
 public:
  explicit Cycle(Book book) : book_{std::move(book)} {}

  std::vector<Handled> run(const std::vector<Contender>& heads) {
    std::vector<Handled> left;
    for (const Contender& head : heads) {
      left.push_back({.head = head});
      left.back().nomination = nominate(book_, {.workload = head.workload, .tried = head.tried});
    }
    std::vector<Handled> done;
    while (!left.empty()) {
      const std::size_t next = book_.settings->fair_sharing ? Tournament{book_, left}.winner()
                                                            : first_without_shares(left, *book_.settings);
      handle(left[next]);
      done.push_back(std::move(left[next]));
      left.erase(left.begin() + static_cast<std::ptrdiff_t>(next));
    }
    return done;
  }

 private:
  [[nodiscard]] bool overlaps(const Handled& one) const {
    return std::any_of(one.nomination.leaving.begin(), one.nomination.leaving.end(),
                       [&](const Leaver& leaver) { return gone_.contains(leaver.workload->id); });
  }

  // Rules 28 to 31.
  void handle(Handled& one) {
    const bool is_second_look = overlaps(one) && book_.settings->gates.has(Gate::recompute_on_overlap);
    if (is_second_look) look_again(one);
    const Result result = one.nomination.plan.result();
    if (result == Result::no_fit) {
      one.pending_reason = one.nomination.plan.reason(book_.rules(one.head.workload->cluster_queue));
      return;
    }
    one.pending_reason = "WaitingForQuota";
    if (result == Result::preempt && one.nomination.leaving.empty()) {
      one.fate = Fate::no_candidates;
      reserve(one);
    } else if (overlaps(one) || !still_fits(one)) {
      one.fate = Fate::skipped;
    } else {
      for (const Leaver& leaver : one.nomination.leaving) gone_.insert(leaver.workload->id);
      book_ = book_.with(one.head.workload->cluster_queue, one.nomination.plan.amounts);
      const bool is_admitted = result == Result::fit && !is_second_look;
      one.fate = is_admitted ? Fate::admitted : Fate::preempting;
      one.pending_reason = is_admitted ? "" : "WaitingForPreemptedWorkloads";
    }
  }

  // Rule 28: with the same flavors, as if those who were evicted in this cycle were gone.
  void look_again(Handled& one) const {
    OnlyFlavors same;
    for (const PodSetChoice& pod_set : one.nomination.plan.pod_sets) {
      for (const auto& [resource, choice] : pod_set.flavors) same[pod_set.name][resource] = choice.flavor;
    }
    one.nomination = nominate(book_.without(gone_), {.workload = one.head.workload, .only = &same});
  }

  // Rule 30.
  [[nodiscard]] bool still_fits(const Handled& one) const {
    std::set<kueue::WorkloadId> gone = gone_;
    gone.merge(ids_of(one.nomination.leaving));
    return book_.without(gone).fits(one.head.workload->cluster_queue, one.nomination.plan.amounts);
  }

  // Rule 29.
  void reserve(const Handled& one) {
    const std::string& queue = one.head.workload->cluster_queue;
    if (book_.rules(queue).preemption.reclaim_within_cohort == kueue::PreemptionPolicy::any) return;
    Amounts reserved = one.nomination.plan.amounts;
    for (auto& [cell, amount] : reserved) {
      const auto quota = book_.quota(queue_node(queue), cell);
      const bool borrows = one.nomination.plan.level > 0;
      if (borrows && (!quota || !quota->borrowing_limit)) continue;
      std::int64_t most = quota ? quota->nominal.count() : 0;
      if (borrows) most += quota->borrowing_limit->count();
      const std::int64_t rest = most - book_.usage(queue_node(queue), cell);
      amount = std::max<std::int64_t>(0, std::min(amount, rest));
    }
    book_ = book_.with(queue, reserved);
  }

  Book book_;
  std::set<kueue::WorkloadId> gone_;  // evicted in this cycle
};

}  // namespace

std::vector<Handled> play_cycle(const Book& book, const std::vector<Contender>& heads) {
  return Cycle{book}.run(heads);
}

}  // namespace stockout::test::by_the_book
