// Strategies that look at prices (models/simulation/README.md, section 3). Times in seconds.

#include <catch2/catch.hpp>

#include "tests/support/runs/played.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

namespace {

MachineHourPrice dollars(std::int64_t usd) { return MachineHourPrice{usd * 1'000'000'000}; }

/// Zone pools of one GPU, each with a price of its own, and a strategy that looks at prices.
struct Priced {
  Priced() {
    make.world.strategies[0].cheapest_first = true;
    make.world.window_end = kStart + 2h;
    make.world.classes.resize(4);
  }

  /// Free from `until` on; a machine costs `usd` an hour, from `changes` on `then`.
  PoolId pool(std::int64_t usd, SimDuration until = 0s) {
    const PoolId pool = make.pool(1);
    price(pool).steps.front().contracted = dollars(usd);
    if (until == 0s) return pool;
    std::vector<bool> classes(4, false);
    classes[index(pool)] = true;
    make.tenant_leg({.policy = on_demand(), .places = {pool}, .classes = classes});
    make.tenant({.at = 0s, .work = until, .job_class = index(pool)});
    return pool;
  }

  void change(PoolId pool, SimDuration at, std::int64_t usd) {
    price(pool).steps.push_back({.from = kStart + at, .list = dollars(1), .contracted = dollars(usd)});
  }

  PriceLine& price(PoolId pool) { return make.world.price_lines[index(pool)]; }

  WorldBuilder make;
};

}  // namespace

TEST_CASE("A job tries the cheapest leg first, at the price of its instant", "[rules]") {
  Priced priced;
  const PoolId dear = priced.pool(10);
  const PoolId cheap = priced.pool(5);
  priced.change(cheap, 3'600s, 20);
  priced.make.leg({.policy = on_demand(), .places = {dear}});
  priced.make.leg({.policy = on_demand(), .places = {cheap}});
  priced.make.job({.at = 0s, .work = 10s});
  priced.make.job({.at = 5s, .work = 10s});  // the cheap one is taken: on to the other
  priced.make.job({.at = 3'599s, .work = 1s});
  priced.make.job({.at = 3'600s, .work = 10s});
  const Played play{priced.make};
  CHECK(play.job(0) == "leg 1 pool 1: 0 to 10 | completed at 10");
  CHECK(play.job(1) == "leg 0 pool 0: 5 to 15 | completed at 15");
  CHECK(play.job(2) == "leg 1 pool 1: 3599 to 3600 | completed at 3600");
  CHECK(play.job(3) == "leg 0 pool 0: 3600 to 3610 | completed at 3610");
}

// $5 and a fee of $6 are more than $10.
TEST_CASE("A management fee is a part of the price by which a job goes", "[rules]") {
  Priced priced;
  const PoolId plain = priced.pool(10);
  const PoolId with_fee = priced.pool(5);
  PriceLine fee = priced.price(with_fee);
  fee.model = PriceModel::management_fee;
  fee.steps.front().contracted = dollars(6);
  fee.steps.push_back({.from = kStart + 60s, .list = dollars(1), .contracted = dollars(4)});
  priced.make.world.price_lines.push_back(fee);
  priced.price(with_fee).fee = PriceLineId{2};
  priced.make.leg({.policy = on_demand(), .places = {with_fee}});
  priced.make.leg({.policy = on_demand(), .places = {plain}});
  priced.make.job({.at = 0s, .work = 10s});
  priced.make.job({.at = 60s, .work = 10s});
  const Played play{priced.make};
  CHECK(play.job(0) == "leg 1 pool 0: 0 to 10 | completed at 10");
  CHECK(play.job(1) == "leg 0 pool 1: 60 to 70 | completed at 70");
}

TEST_CASE("Without it the order of legs is the listed one", "[rules]") {
  Priced priced;
  priced.make.world.strategies[0].cheapest_first = false;
  priced.make.leg({.policy = on_demand(), .places = {priced.pool(10)}});
  priced.make.leg({.policy = on_demand(), .places = {priced.pool(5)}});
  priced.make.job({.at = 0s, .work = 10s});
  CHECK(Played{priced.make}.job(0) == "leg 0 pool 0: 0 to 10 | completed at 10");
}

TEST_CASE("The order stands until the next attempt at the first leg", "[rules]") {
  Priced priced;
  const PoolId dear = priced.pool(10, 7'000s);
  const PoolId middle = priced.pool(5, 3'620s);
  const PoolId cheap = priced.pool(1, 7'000s);
  priced.change(dear, 3'600s, 2);
  Policy again = on_demand();
  again.retries = 1;
  again.retry_interval = 5s;
  priced.make.leg({.policy = on_demand(), .places = {dear}});
  priced.make.leg({.policy = again, .places = {middle}});
  priced.make.leg({.policy = flex(), .places = {cheap}, .limit = 20s});
  priced.make.job({.at = 3'590s, .work = 10s});
  // 3590: leg 2; 3610: leg 1, though leg 0 costs less by now, refused; 3615: leg 2 again, which is still the
  // cheapest; 3635: now leg 0 is next, refused, and then leg 1.
  CHECK(Played{priced.make}.job(0) == "leg 1 pool 1: 3635 to 3645 | completed at 3645");
}

TEST_CASE("Equal prices go as listed, what is held is free, and legs without a place come last", "[rules]") {
  SECTION("as listed") {
    Priced priced;
    priced.make.leg({.policy = on_demand(), .places = {priced.pool(5)}});
    priced.make.leg({.policy = on_demand(), .places = {priced.pool(5)}});
    priced.make.job({.at = 0s, .work = 10s});
    CHECK(Played{priced.make}.job(0) == "leg 0 pool 0: 0 to 10 | completed at 10");
  }
  SECTION("held") {
    Priced priced;
    const PoolId zone = priced.pool(1);
    const PoolId landlord = priced.pool(1);
    priced.make.leg({.policy = on_demand(), .places = {zone}});
    priced.make.leg({.policy = reservation(), .places = {priced.make.held(landlord, 1)}});
    priced.make.job({.at = 5s, .work = 10s});
    CHECK(Played{priced.make}.job(0) == "leg 1 pool 2: 5 to 15 | completed at 15");
  }
  SECTION("without a place") {
    Priced priced;
    priced.make.leg({.policy = on_demand(), .places = {}});
    priced.make.leg({.policy = flex(), .places = {priced.pool(5, 100s)}, .limit = 10s});
    priced.make.job({.at = 5s, .work = 10s});
    CHECK(Played{priced.make}.job(0) == "refused at 15");  // as the last leg says
  }
}

TEST_CASE("An at-once leg asks its cheapest place first", "[rules]") {
  Priced priced;
  const PoolId dear = priced.pool(10);
  const PoolId taken = priced.pool(5, 100s);
  const PoolId equal = priced.pool(5);
  priced.make.leg({.policy = on_demand(), .places = {dear, taken, equal}});
  priced.make.job({.at = 1s, .work = 10s});
  priced.make.job({.at = 2s, .work = 10s});
  priced.make.job({.at = 3s, .work = 10s});
  const Played play{priced.make};
  CHECK(play.job(0) == "leg 0 pool 2: 1 to 11 | completed at 11");
  CHECK(play.job(1) == "leg 0 pool 0: 2 to 12 | completed at 12");
  CHECK(play.job(2) == "refused at 3");
}

TEST_CASE("The order of places follows their prices", "[rules]") {
  Priced priced;
  const PoolId first = priced.pool(10);
  const PoolId second = priced.pool(5);
  const PoolId third = priced.pool(7);
  priced.change(second, 1'000s, 20);
  priced.change(third, 2'000s, 30);
  priced.make.leg({.policy = on_demand(), .places = {first, second, third}});
  for (const SimDuration at : {999s, 1'000s, 1'999s, 2'000s, 2'001s})
    priced.make.job({.at = at, .work = 500ms});
  priced.make.job({.at = 2'001s, .work = 500ms});
  const Played play{priced.make};
  CHECK(play.job(0) == "leg 0 pool 1: 999 to 999.500 | completed at 999.500");
  CHECK(play.job(1) == "leg 0 pool 2: 1000 to 1000.500 | completed at 1000.500");
  CHECK(play.job(2) == "leg 0 pool 2: 1999 to 1999.500 | completed at 1999.500");
  CHECK(play.job(3) == "leg 0 pool 0: 2000 to 2000.500 | completed at 2000.500");
  CHECK(play.job(4) == "leg 0 pool 0: 2001 to 2001.500 | completed at 2001.500");
  CHECK(play.job(5) == "leg 0 pool 1: 2001 to 2001.500 | completed at 2001.500");
}

TEST_CASE("A price counts for the work that is done for it", "[rules]") {
  Priced priced;
  priced.make.leg({.policy = on_demand(), .places = {priced.pool(10)}});
  priced.make.leg({.policy = on_demand(), .places = {priced.pool(15)}});
  priced.make.job({.at = 0s, .work = 10s});
  World world = priced.make.build();
  world.strategies[0].legs[1].candidates[0][0].rate_ppm = 2 * kReferenceRate;  // 7.50 for the work of an hour
  CHECK(Played{world}.job(0) == "leg 1 pool 1: 0 to 5 | completed at 5");
}

TEST_CASE("Places are asked in the order of prices when the leg was entered", "[rules]") {
  Priced priced;
  const PoolId cheap = priced.make.pool(2);
  const PoolId dear = priced.make.pool(2);
  priced.price(cheap).steps.front().contracted = dollars(5);
  priced.change(cheap, 50s, 20);  // while the job gathers machines there
  priced.price(dear).steps.front().contracted = dollars(10);
  priced.make.leg({.policy = on_demand(),
                   .places = {cheap, dear},
                   .partial = Partial{.gather = 100s, .interval = 10s},
                   .least = 2});
  priced.make.tenant_leg({.policy = on_demand(), .places = {cheap}});
  priced.make.tenant({.at = 0s, .work = 1h});
  priced.make.job({.at = 1s, .work = 10s, .gpus = 2});
  const Played play{priced.make};
  CHECK(play.job(0) == "leg 0 pool 0: 1 works 101 to 101 | leg 0 pool 1: 101 to 111 | completed at 111");
}
