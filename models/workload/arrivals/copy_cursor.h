#pragma once

#include <memory>
#include <vector>

#include "models/workload/arrivals/arrivals.h"

namespace stockout {

/// The jobs of another cursor, each as often as the demand factor at its submission says: a factor of 0.7
/// keeps 70 % of them, one of 2.4 gives each twice and 40 % of them a third time, at the same
/// instant. Whether copy k is there is drawn for (row, k) alone and compared with factor - k: with a
/// greater factor all that were there stay. A further copy of a made-up job has work, shape and user
/// of its own; one of a trace's is the same job again, under its own row (copy_row).
class CopyCursor final : public JobCursor {
 public:
  /// `synthetic` is the demand that `inner` makes up, or nullptr for a trace.
  CopyCursor(std::unique_ptr<JobCursor> inner, const DemandFactor& factor, const SyntheticDemand* synthetic,
             RandomStreams random)
      : inner_{std::move(inner)}, factor_{factor}, synthetic_{synthetic}, random_{random} {}
  std::size_t next(std::span<Job> batch) override;

 private:
  [[nodiscard]] bool take();
  [[nodiscard]] bool is_kept(double share) const;
  [[nodiscard]] Job copy() const;

  std::unique_ptr<JobCursor> inner_;
  const DemandFactor& factor_;
  const SyntheticDemand* synthetic_;
  RandomStreams random_;
  std::vector<Job> jobs_;
  std::size_t at_ = 0;      // of jobs_: the original
  double times_ = 0;        // the factor at its submission
  std::uint64_t copy_ = 0;  // the next one of it
};

}  // namespace stockout
