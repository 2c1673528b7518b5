// Random small clusters: the library decides as the second implementation (tests/support/kueue_by_the_book).
// A cluster on which they differ is shrunk and printed.

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>

#include <catch2/catch.hpp>

#include "tests/support/fewer.h"
#include "tests/support/kueue_by_the_book/agreement.h"

using namespace stockout;
using namespace stockout::test;
using namespace stockout::test::by_the_book;

namespace {

using Differences = std::function<std::string(const RandomCluster&)>;

// False if they differ.
bool agree(std::uint64_t seed, const Differences& differences) {
  const RandomCluster cluster = random_cluster(seed);
  if (differences(cluster).empty()) return true;
  const RandomCluster smallest =
      shrink(cluster, [&](const RandomCluster& less) { return !differences(less).empty(); });
  INFO("seed " << seed << '\n' << describe(smallest) << differences(smallest));
  FAIL_CHECK("the library and the second implementation differ");
  return false;
}

void compare(std::uint64_t first, std::uint64_t last, const Differences& differences) {
  int failures = 0;
  for (std::uint64_t seed = first; seed <= last && failures < 3; ++seed) {
    if (!agree(seed, differences)) ++failures;
  }
}

}  // namespace

TEST_CASE("Quota, its use and shares of random forests are those of the second implementation",
          "[kueue][by_the_book]") {
  compare(1, fewer(800), differences_in_quota);
}

TEST_CASE("Random workloads evict whom the second implementation evicts", "[kueue][by_the_book]") {
  compare(1, fewer(800), differences_in_victims);
}

TEST_CASE("Random workloads get the flavors that the second implementation gives them",
          "[kueue][by_the_book]") {
  compare(1, fewer(800), differences_in_nominations);
}

TEST_CASE("Random clusters live as the second implementation has it, cycle by cycle",
          "[kueue][by_the_book]") {
  compare(1, fewer(400), differences_in_life);
}

// As many as one wants: STOCKOUT_FIRST_SEED and STOCKOUT_LAST_SEED (tests/README.md).
TEST_CASE("Clusters of other seeds", "[.kueue_seeds]") {
  const char* first = std::getenv("STOCKOUT_FIRST_SEED");
  const char* last = std::getenv("STOCKOUT_LAST_SEED");
  REQUIRE(first != nullptr);
  REQUIRE(last != nullptr);
  for (const Differences& differences :
       {Differences{differences_in_quota}, Differences{differences_in_victims},
        Differences{differences_in_nominations}, Differences{differences_in_life}}) {
    compare(std::stoull(first), std::stoull(last), differences);
  }
}
