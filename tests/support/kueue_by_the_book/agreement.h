#pragma once

#include <string>

#include "tests/support/kueue_by_the_book/random_cluster.h"

namespace stockout::test::by_the_book {

// Where the library and the second implementation differ about a cluster: both answers; empty where they
// agree.

/// Rules 10 to 13, 19 and 27: quota, its use by the holders and shares of each node.
[[nodiscard]] std::string differences_in_quota(const RandomCluster& cluster);
/// Rules 33 to 42: who has to go for each incoming workload, with any flavors.
[[nodiscard]] std::string differences_in_victims(const RandomCluster& cluster);
/// Rules 15 to 24: flavors of each incoming workload, and who has to go for them.
[[nodiscard]] std::string differences_in_nominations(const RandomCluster& cluster);
/// Rules 25 to 32 and 43 to 49: all that happens, cycle by cycle.
[[nodiscard]] std::string differences_in_life(const RandomCluster& cluster);

}  // namespace stockout::test::by_the_book
