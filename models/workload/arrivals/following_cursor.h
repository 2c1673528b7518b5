#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "models/workload/arrivals/arrivals.h"

namespace stockout {

/// One job for each job, or each group, of another cursor.
class FollowingCursor final : public JobCursor {
 public:
  FollowingCursor(const SyntheticDemand& demand, SourceId source, std::unique_ptr<JobCursor> first,
                  bool by_group, RandomStreams random)
      : demand_{demand}, source_{source}, first_{std::move(first)}, by_group_{by_group}, random_{random} {}
  std::size_t next(std::span<Job> batch) override;

 private:
  [[nodiscard]] bool take();
  [[nodiscard]] Job follow(const Job& first) const;

  const SyntheticDemand& demand_;
  SourceId source_;
  std::unique_ptr<JobCursor> first_;
  bool by_group_;
  RandomStreams random_;
  std::vector<Job> firsts_;
  std::size_t at_ = 0;
  std::uint32_t last_group_ = 0;
};

}  // namespace stockout
