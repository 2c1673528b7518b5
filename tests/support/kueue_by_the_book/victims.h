#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "tests/support/kueue_by_the_book/book.h"

namespace stockout::test::by_the_book {

/// What a workload wants in all, and where it may take it from others. No amount is zero.
struct Wish {
  const kueue::Workload* who = nullptr;
  std::string queue;
  Amounts amounts = {};
  std::set<Cell> contested = {};
};

/// A workload that has to go, and by which right.
struct Leaver {
  const kueue::Workload* workload = nullptr;
  std::string reason;
};

/// Everybody who has to go so that the wish fits; nobody if it cannot be had. Rules 33 to 42.
[[nodiscard]] std::vector<Leaver> leavers(const Book& book, const Wish& wish);
[[nodiscard]] std::vector<Leaver> leavers_without_shares(const Book& book, const Wish& wish);
[[nodiscard]] std::vector<Leaver> leavers_by_share(const Book& book, const Wish& wish);

// --- what both ways have in common ---
/// Rules 7 and 8.
[[nodiscard]] SimTime queued_at(const kueue::Workload& workload, const kueue::Settings& settings);
/// With what an annotation adds to it, where that counts.
[[nodiscard]] std::int64_t priority_of(const kueue::Workload& workload, const kueue::Settings& settings);
/// Rule 34.
[[nodiscard]] bool is_allowed(const Wish& wish, const kueue::Workload& candidate,
                              kueue::PreemptionPolicy policy, const kueue::Settings& settings);
/// Whether it has one of these cells, be it for nothing.
[[nodiscard]] bool uses(const kueue::Workload& workload, const std::set<Cell>& cells);
/// Rule 36, inside a list.
void sort_by_order_of_eviction(std::vector<const kueue::Workload*>& workloads, const std::string& queue,
                               const kueue::Settings& settings);
/// Rule 38: all of `leaving` are gone; those that may stay are put back, the last first.
[[nodiscard]] std::vector<Leaver> only_needed(const Book& book, const Wish& wish, bool may_borrow,
                                              std::vector<Leaver> leaving);
[[nodiscard]] bool fits(const Book& book, const Wish& wish, bool may_borrow);
[[nodiscard]] std::set<kueue::WorkloadId> ids_of(const std::vector<Leaver>& leaving);

}  // namespace stockout::test::by_the_book
