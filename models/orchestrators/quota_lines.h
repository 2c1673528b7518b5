#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/consumption/strategy.h"
#include "models/orchestrators/clerk.h"

namespace stockout {

/// Request of a job that waits for quota, in any of these places.
struct QuotaWish {
  std::uint64_t job = 0;    // JobView::number
  std::uint64_t order = 0;  // of coming; never the same for two
  std::span<const Candidate* const> places;
  LeaseClass lease_class{};
};

/// Jobs that wait for quota, in order of coming: in a line for each set of quotas, so that nobody passes
/// another who wants the same.
class QuotaLines {
 public:
  /// Numbers of quotas, in ascending order.
  using Quotas = std::vector<std::size_t>;

  /// In the line for these quotas.
  [[nodiscard]] bool stands_anybody_before(std::uint64_t order, const Quotas& quotas) const;
  [[nodiscard]] bool stands_anybody_but(Ticket job, const Quotas& quotas) const;
  /// The job stands nowhere.
  void join(Ticket job, const Quotas& quotas, QuotaWish wish);
  /// False: it does not stand here.
  bool leave(Ticket job);
  /// Of the first in each line whose wish `fits`, the one that has come first leaves its line and goes to
  /// `go`. False: there is none.
  template <typename Fits, typename Go>
  bool let_one_go(Fits fits, Go go) {
    const Standing* first = nullptr;
    for (const auto& [_, line] : lines_) {
      if (line.empty() || !fits(line.begin()->second.wish)) continue;
      if (first == nullptr || line.begin()->first < first->wish.order) first = &line.begin()->second;
    }
    if (first == nullptr) return false;
    const Standing gone = *first;
    leave(gone.job);
    go(gone.job, gone.wish);
    return true;
  }

 private:
  struct Standing {
    Ticket job;
    QuotaWish wish;
  };
  using Lined = std::map<std::uint64_t, Standing>;  // by order of coming
  struct Place {
    Lined* line;
    std::uint64_t order;
  };

  std::map<Quotas, Lined> lines_;
  std::unordered_map<std::uint32_t, Place> places_;  // by Ticket::slot
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
    SimDuration pause{};  // before the next try
    SimTime next{};
  };

  SimTime set_next(std::uint32_t slot, Standing& standing, SimTime now);

  QuotaRule rule_;
  std::map<std::uint32_t, Standing> standing_;                      // by Ticket::slot
  std::map<std::pair<SimTime, std::uint64_t>, std::uint32_t> due_;  // slots by (next try, order of coming)
};

}  // namespace stockout
