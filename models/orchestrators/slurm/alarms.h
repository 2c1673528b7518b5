#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <tuple>
#include <vector>

#include "sim/core/time.h"

namespace stockout::slurm {

/// Something that happens by itself at a time, unless what it is about has changed until then.
struct Alarm {
  enum class Kind : std::uint8_t {
    eligible,        // a job's delay is over
    time_limit,      // a job's time is over
    configured,      // the nodes of a job, which it waited for, are up
    resume_timeout,  // a node should be up
    suspended,       // a node that powers down is off
    idle,            // a node has been idle for long
    restored,        // a node that was set DOWN for a while returns
    claim_over,      // a job that has preempted others may preempt more
  };
  SimTime at{};
  Kind kind{};
  std::uint32_t subject = 0;  // the job or node
  SimTime since{};            // of the state that it is about: it is void if another has begun

  friend bool operator>(const Alarm& a, const Alarm& b) {
    return std::tuple{a.at, a.kind, a.subject} > std::tuple{b.at, b.kind, b.subject};
  }
};

class Alarms {
 public:
  void set(const Alarm& alarm) { queue_.push(alarm); }
  [[nodiscard]] std::optional<SimTime> next() const {
    return queue_.empty() ? std::nullopt : std::optional{queue_.top().at};
  }
  /// The first one at `now` or before; none if there is none.
  [[nodiscard]] std::optional<Alarm> take(SimTime now) {
    if (queue_.empty() || queue_.top().at > now) return std::nullopt;
    const Alarm alarm = queue_.top();
    queue_.pop();
    return alarm;
  }

 private:
  std::priority_queue<Alarm, std::vector<Alarm>, std::greater<>> queue_;
};

}  // namespace stockout::slurm
