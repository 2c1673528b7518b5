// Jobs that wait for quota, or ask for it again. No engine.

#include <algorithm>
#include <vector>

#include <catch2/catch.hpp>

#include "models/orchestrators/quota_lines.h"

using namespace stockout;
using namespace std::chrono_literals;

namespace {

using Slots = std::vector<std::uint32_t>;

Ticket job(std::uint32_t slot) { return {.slot = slot, .generation = slot + 1}; }
QuotaWish wish(std::uint64_t number) { return {.job = number, .order = number, .places = {}}; }

/// Who goes while those of the numbers fit, one after the other.
Slots let_go(QuotaLines& lines, const std::vector<std::uint64_t>& fit) {
  Slots gone;
  const auto fits = [&](const QuotaWish& one) { return std::ranges::count(fit, one.job) > 0; };
  while (lines.let_one_go(fits, [&](Ticket each, const QuotaWish&) { gone.push_back(each.slot); })) {
  }
  return gone;
}

}  // namespace

TEST_CASE("The first of each line goes, those who came first before others", "[orchestrators]") {
  QuotaLines lines;
  lines.join(job(0), {0}, wish(0));
  lines.join(job(1), {1}, wish(1));
  lines.join(job(2), {0}, wish(2));
  lines.join(job(3), {0, 1}, wish(3));
  CHECK(lines.stands_anybody_before(4, {0, 1}));
  CHECK_FALSE(lines.stands_anybody_before(3, {0, 1}));
  CHECK_FALSE(lines.stands_anybody_before(4, {}));
  CHECK(lines.stands_anybody_but(job(4), {0, 1}));
  CHECK_FALSE(lines.stands_anybody_but(job(3), {0, 1}));
  CHECK(lines.stands_anybody_but(job(0), {0}));
  CHECK(let_go(lines, {2}).empty());  // stands behind another
  CHECK(let_go(lines, {3, 1}) == Slots{1, 3});
  CHECK(let_go(lines, {0, 2}) == Slots{0, 2});
  CHECK_FALSE(lines.stands_anybody_but(job(4), {0}));
}

TEST_CASE("Who joins a line again stands where it came", "[orchestrators]") {
  QuotaLines lines;
  for (const std::uint32_t each : {2U, 0U, 1U}) lines.join(job(each), {0}, wish(each));
  CHECK(let_go(lines, {0}) == Slots{0});
  lines.join(job(0), {0}, wish(0));
  CHECK(let_go(lines, {0, 1, 2}) == Slots{0, 1, 2});
}

TEST_CASE("Who leaves a line stands there no more", "[orchestrators]") {
  QuotaLines lines;
  lines.join(job(0), {0}, wish(0));
  lines.join(job(1), {0}, wish(1));
  CHECK(lines.leave(job(0)));
  CHECK_FALSE(lines.leave(job(0)));
  CHECK_FALSE(lines.leave(job(7)));
  CHECK(let_go(lines, {0, 1}) == Slots{1});
}

TEST_CASE(
    "Jobs that back off ask again after 5, 10, 20, 30, 30 minutes, the pauses of the cluster autoscaler",
    "[orchestrators]") {
  QuotaBackOffs back_offs{QuotaRule{}};
  SimTime next = back_offs.join(job(0), wish(0), kStart);
  std::vector<SimDuration> tries{next - kStart};
  for (int i = 0; i < 4; ++i) {
    const SimTime now = next;
    CHECK_FALSE(back_offs.let_one_go(
        now, [](const QuotaWish&) { return false; }, [](Ticket, const QuotaWish&) { FAIL("goes"); },
        [&](const QuotaWish& one, SimTime at) {
          CHECK(one.job == 0);
          next = at;
        }));
    tries.push_back(next - now);
  }
  CHECK(tries == std::vector<SimDuration>{5min, 10min, 20min, 30min, 30min});
}

TEST_CASE("Jobs that ask again do so at their time only, and not once they have left", "[orchestrators]") {
  QuotaBackOffs back_offs{QuotaRule{}};
  CHECK(back_offs.join(job(0), wish(0), kStart) == kStart + 5min);
  CHECK(back_offs.join(job(1), wish(1), kStart) == kStart + 5min);
  CHECK(back_offs.join(job(2), wish(2), kStart + 1min) == kStart + 6min);
  CHECK(back_offs.leave(job(0)));
  CHECK_FALSE(back_offs.leave(job(0)));
  Slots gone;
  const auto all_go = [&](SimTime now) {
    const auto go = [&](Ticket each, const QuotaWish&) { gone.push_back(each.slot); };
    return back_offs.let_one_go(
        now, [](const QuotaWish&) { return true; }, go, [](const QuotaWish&, SimTime) {});
  };
  CHECK_FALSE(all_go(kStart + 4min));
  CHECK(all_go(kStart + 5min));
  CHECK_FALSE(all_go(kStart + 5min));
  CHECK(all_go(kStart + 6min));
  CHECK(gone == Slots{1, 2});
}
