#pragma once

#include <cstdint>

#include "models/simulation/books/run_log.h"
#include "models/simulation/ground/run_state.h"

namespace stockout {

/// Counts the requests of jobs, to compare with what others counted when the run ends, and tells the log of
/// pools of those that wait.
class RequestTally {
 public:
  /// `log` outlives it.
  explicit RequestTally(const RunLog& log) : log_{log} {}
  RequestTally(const RequestTally&) = delete;
  RequestTally& operator=(const RequestTally&) = delete;

  void opened() { ++opened_; }
  void opened(const Request& request, const JobState& job) {
    opened();
    if (request.waiting) log_.request(request, job, PoolChange::What::waiting, 1);
  }
  /// Granted, refused or withdrawn; or the run ends.
  void closed() { ++closed_; }
  void closed(const Request& request, const JobState& job) {
    closed();
    if (request.waiting) log_.request(request, job, PoolChange::What::waiting, -1);
  }
  /// Those that were opened so far.
  [[nodiscard]] std::uint64_t ever_opened() const { return opened_; }

  /// The run is over: `ended` were granted, refused, withdrawn or open at the end, as others counted. Throws
  /// InvariantError if as many were not opened and closed here.
  void check(std::uint64_t ended) const;

 private:
  const RunLog& log_;
  std::uint64_t opened_ = 0;
  std::uint64_t closed_ = 0;
};

}  // namespace stockout
