#pragma once

#include <cstddef>
#include <list>
#include <utility>
#include <vector>

#include "models/orchestrators/clerk.h"

namespace stockout {

/// Jobs in order of coming, each with what it stands for. It may leave from anywhere.
template <typename Wish>
class WaitingLine {
 public:
  struct Standing {
    Ticket job;
    Wish wish;
  };

  [[nodiscard]] bool empty() const { return standing_.empty(); }
  [[nodiscard]] const Standing& first() const { return standing_.front(); }
  /// The job stands here no more than once.
  void join(Ticket job, Wish wish) {
    if (place_of_.size() <= job.slot) place_of_.resize(job.slot + std::size_t{1}, standing_.end());
    place_of_[job.slot] = standing_.insert(standing_.end(), {.job = job, .wish = std::move(wish)});
  }
  /// False: it did not stand here.
  bool leave(Ticket job) {
    if (place_of_.size() <= job.slot || place_of_[job.slot] == standing_.end()) return false;
    standing_.erase(std::exchange(place_of_[job.slot], standing_.end()));
    return true;
  }
  /// Takes the first out of the line.
  Ticket take() {
    const Ticket job = first().job;
    leave(job);
    return job;
  }

 private:
  std::list<Standing> standing_;
  std::vector<typename std::list<Standing>::iterator> place_of_;  // by Ticket::slot
};

}  // namespace stockout
