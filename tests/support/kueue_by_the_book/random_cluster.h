#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "models/orchestrators/kueue/configuration.h"
#include "models/orchestrators/kueue/settings.h"
#include "models/orchestrators/kueue/workload.h"

namespace stockout::test::by_the_book {

/// Something that happens to a cluster. `which` picks among those to whom it can happen.
struct Happening {
  enum class Kind : std::uint8_t {
    submit,
    finish,
    finish_eviction,
    new_priority,
    fewer_pods,
    new_queue,
    new_cohort,
    cycle,
    flush
  };
  Kind kind = Kind::cycle;
  kueue::Workload workload = {};   // that is submitted
  kueue::ClusterQueue queue = {};  // as it is from now on
  kueue::Cohort cohort = {};       // as it is from now on
  std::size_t which = 0;
};

/// A small cluster with a past and a future.
struct RandomCluster {
  kueue::Configuration objects = {};
  kueue::Settings settings = {};
  std::vector<kueue::Workload> holders = {};   // of quota, however much; numbers from 0 on
  std::vector<kueue::Workload> incoming = {};  // at most one for each queue; numbers after those of holders
  std::vector<Happening> happenings = {};
};

[[nodiscard]] RandomCluster random_cluster(std::uint64_t seed);

/// In words.
[[nodiscard]] std::string describe(const RandomCluster& cluster);

/// A cluster with less in it for which `fails` still holds.
[[nodiscard]] RandomCluster shrink(RandomCluster cluster,
                                   const std::function<bool(const RandomCluster&)>& fails);

}  // namespace stockout::test::by_the_book
