#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/orchestrators/kueue_books.h"
#include "models/record/wait_cause.h"

namespace stockout {

/// Why jobs are pending in Kueue, as models/simulation/README.md, R17.12 has it. Those that ask for the same
/// wait for the same, and share a clock for each cause. Time that passes costs as much for one as for many.
/// Jobs go by JobView::number.
class KueueWaits {
 public:
  /// The job waits from now on, put off until `until` if that is later. `again`: it was granted machines
  /// before.
  struct Arrival {
    std::uint64_t job = 0;
    KueueWish wish;
    SimTime until{};
    bool again = false;
  };
  void begin(const Arrival& arrival, SimTime now);
  /// It waits no more, if it did.
  void end(std::uint64_t job);
  /// All was as it is since the last call. `books`: what was held; `is_blocked`: Kueue let nobody in until
  /// pods are ready.
  void pass(const KueueBooks& books, bool is_blocked, SimTime now);

  /// How long jobs waited, those that still do included, as of the last pass().
  [[nodiscard]] std::unordered_map<std::uint64_t, PendingTimes> waited() const;

 private:
  struct Alike {
    KueueWish wish;
    std::size_t waiting = 0;  // that are not put off
    WaitTimes clock{};
  };
  struct Waiter {
    std::size_t alike = 0;  // its place in alike_
    bool again = false;
    SimTime since{};
    SimTime until{};
    WaitTimes clock{};  // of those alike, when it joined them
  };

  [[nodiscard]] std::size_t place_of(const KueueWish& wish);
  [[nodiscard]] bool is_put_off(std::uint64_t job, const Waiter& waiter) const {
    return put_off_.contains({waiter.until, job});
  }
  [[nodiscard]] WaitTimes times_of(std::uint64_t job, const Waiter& waiter) const;
  void join(std::uint64_t job, SimTime now);
  [[nodiscard]] WaitCause cause_of(const Alike& alike, const KueueBooks& books, bool is_blocked) const;
  [[nodiscard]] bool is_behind_higher(const KueueWish& wish) const;

  std::vector<Alike> alike_;
  std::map<KueueWish, std::size_t> places_;
  std::unordered_map<std::uint64_t, Waiter> waiters_;
  std::set<std::pair<SimTime, std::uint64_t>> put_off_;
  std::unordered_map<std::uint64_t, PendingTimes> waited_;  // by those who wait no more, or did so before
  SimTime now_ = kStart;
};

}  // namespace stockout
