// When Spot machines are reclaimed together.

#include <map>

#include <catch2/catch.hpp>

#include "models/simulation/lives/mass_reclaims.h"
#include "tests/models/simulation/rooms/floors.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

const PoolId kPool{0};
constexpr std::uint64_t kMachines = 4'000;

WorldBuilder taken_together(const MassReclaim& rule) {
  WorldBuilder make;
  make.pool(8);
  make.shape(1);
  make.world.pools[0].mass_reclaim = rule;
  make.leg({.policy = spot(), .places = {kPool}});
  return make;
}

struct Spot : UpToLives {
  explicit Spot(const World& made)
      : UpToLives{made}, rooms{world, known.draws}, slot{enter_lease(add_job({.work = 1h}))} {}
  [[nodiscard]] SimDuration life(std::uint64_t machine, SimTime up = kStart) {
    return rooms.life(lease(slot), job(lease(slot).job).job, machine, up);
  }
  MassReclaims rooms;
  LeaseSlot slot;
};

}  // namespace

TEST_CASE("Each machine goes with a share of the times, which all have in common", "[rooms]") {
  Spot floors{
      taken_together({.every = {.kind = Law::Kind::exponential, .a = 1h}, .share_ppm = 500'000}).build()};
  std::map<SimDuration, double> taken;  // by the time at which
  for (std::uint64_t machine = 0; machine < kMachines; ++machine) ++taken[floors.life(machine)];
  double left = kMachines;
  for (const auto& [at, count] : taken) {
    if (left < 500) break;
    CHECK(std::abs(count / left - 0.5) < 4 * std::sqrt(0.25 / left));
    left -= count;
  }
  const SimDuration first = taken.begin()->first;
  CHECK(floors.life(0, kStart + first) > 0ms);  // up at that very time: it stays for the next
  for (std::uint64_t machine = 0; machine < 20; ++machine)
    CHECK(floors.life(machine, kStart + first - 1ms) >= 1s);
}

TEST_CASE("Who is taken goes within the spread", "[rooms]") {
  Spot floors{
      taken_together({.every = {.a = 1h}, .spread = {.kind = Law::Kind::uniform, .a = 0min, .b = 3min}})
          .build()};
  SimDuration sum{};
  for (std::uint64_t machine = 0; machine < kMachines; ++machine) {
    const SimDuration life = floors.life(machine);
    REQUIRE((life >= 1h && life <= 63min));
    sum += life - 1h;
  }
  CHECK(std::abs(static_cast<double>(sum / kMachines / 1ms) - 90'000) < 4 * 52'000 / std::sqrt(kMachines));
}

TEST_CASE("Nobody is taken after the run, and no lease but Spot", "[rooms]") {
  Spot late{taken_together({.every = {.a = 5'000h}}).build()};
  CHECK(late.life(0) == kForever);
  WorldBuilder make = taken_together({.every = {.a = 1h}});
  make.leg({.policy = on_demand(), .places = {kPool}});
  Spot other{make.build()};
  Lease lease = other.lease(other.slot);
  lease.lease_class = LeaseClass::on_demand;
  CHECK_FALSE(other.rooms.concern(lease));
}
