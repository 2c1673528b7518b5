#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "models/consumption/strategy.h"
#include "models/orchestrators/line.h"

namespace stockout {

/// What a job that waits for quota would ask for, in any of these places.
struct QuotaWish {
  std::uint64_t job = 0;  // JobView::number
  std::span<const Candidate* const> places;
  LeaseClass lease_class{};
};

/// Jobs that wait for quota: in a line for each set of quotas, so that nobody passes another who wants the
/// same.
class QuotaLines {
 public:
  /// Numbers of quotas, in ascending order.
  using Quotas = std::vector<std::size_t>;

  [[nodiscard]] bool stands_anybody_for(const Quotas& quotas) const;
  void join(Ticket job, const Quotas& quotas, QuotaWish wish);
  /// False: it does not stand here.
  bool leave(Ticket job);
  /// Of the first in each line whose wish `fits`, the one that has come first leaves its line and goes to
  /// `go`. False: there is none.
  template <typename Fits, typename Go>
  bool let_one_go(Fits fits, Go go) {
    Lined* first = nullptr;
    for (auto& [_, line] : lines_) {
      if (line.empty() || !fits(line.first().wish.wish)) continue;
      if (first == nullptr || line.first().wish.order < first->first().wish.order) first = &line;
    }
    if (first == nullptr) return false;
    const QuotaWish wish = first->first().wish.wish;
    go(first->take(), wish);
    return true;
  }

 private:
  struct Entry {
    std::uint64_t order;  // of coming
    QuotaWish wish;
  };
  using Lined = Line<Entry>;

  std::map<Quotas, Lined> lines_;
  std::uint64_t came_ = 0;
};

/// Jobs that were refused for want of quota and ask again, each time after twice the time, up to a bound.
class QuotaBackOffs {
 public:
  explicit QuotaBackOffs(QuotaRule rule) : rule_{rule} {}

  /// The job has been refused at `now`: when it asks again.
  SimTime join(Ticket job, QuotaWish wish, SimTime now);
  /// False: it does not stand here.
  bool leave(Ticket job);
  /// Of the jobs that ask again by `now`, in order of coming, the first whose wish `fits` leaves and goes to
  /// `go`; those before it go to `refused` with the time at which they ask again. False: none fits.
  template <typename Fits, typename Go, typename Refused>
  bool let_one_go(SimTime now, Fits fits, Go go, Refused refused) {
    while (!due_.empty() && due_.begin()->first.first <= now) {
      const std::uint32_t slot = due_.begin()->second;
      Standing& standing = standing_.at(slot);
      due_.erase(due_.begin());
      if (fits(standing.wish)) {
        const Standing gone = standing;
        standing_.erase(slot);
        go(gone.job, gone.wish);
        return true;
      }
      refused(standing.wish, set_next(slot, standing, now));
    }
    return false;
  }

 private:
  struct Standing {
    Ticket job;
    QuotaWish wish;
    std::uint64_t order = 0;  // of coming
    SimDuration pause{};      // before the next try
    SimTime next{};
  };

  SimTime set_next(std::uint32_t slot, Standing& standing, SimTime now);

  QuotaRule rule_;
  std::map<std::uint32_t, Standing> standing_;                      // by Ticket::slot
  std::map<std::pair<SimTime, std::uint64_t>, std::uint32_t> due_;  // slots by (next try, order of coming)
  std::uint64_t came_ = 0;
};

}  // namespace stockout
