#include "tests/support/worlds/random_world.h"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "tests/support/random_choice.h"
#include "tests/support/worlds/random_rules.h"
#include "tests/support/worlds/random_strategy.h"

namespace stockout::test {
namespace {

using namespace std::chrono_literals;

class RandomWorld {
 public:
  explicit RandomWorld(std::uint64_t seed) : choice_{seed}, rules_{drawn_rules(seed)} { world_.seed = seed; }

  World make() {
    unit_ = choice_.one_of<SimDuration>({1ms, 1s, 10s, 10s, 10s, 10min});
    theme_ = choice_.one_of<Theme>({Theme::any, Theme::any, Theme::any, Theme::any, Theme::any, Theme::held,
                                    Theme::held, Theme::held, Theme::deadline, Theme::keep});
    world_.name = fmt::format("random {}", world_.seed);
    make_calendar();
    make_people();
    make_machines();
    make_zone_pools();
    make_held_pools();
    make_sources();
    make_strategies();
    make_chains();
    make_spot_customers();
    add_rules(world_, rules_, unit_);
    return world_;
  }

 private:
  SimDuration units(std::int64_t least, std::int64_t most) { return unit_ * choice_.number(least, most); }
  SimTime from(std::int64_t least, std::int64_t most) { return kStart + units(least, most); }

  void make_calendar() {
    world_.window_end = from(5, 25);
    world_.begin = choice_.chance(30) ? from(-10, 0) : kStart;
    world_.end = choice_.chance(25) ? RunEnd::time : RunEnd::drain;
    world_.drain_limit = unit_ * choice_.one_of<std::int64_t>({0, 5, 20, 60, 300, 300});
    world_.hold_end = choice_.chance(25) ? HoldEnd::last_start : HoldEnd::run_end;
    if (choice_.chance(20)) world_.grid = unit_ * choice_.number(1, 3);
    world_.ties = choice_.chance(25) ? Ties::starts_first : Ties::releases_first;
    const auto monday = std::chrono::sys_days{std::chrono::year{2026} / 8 / 3};
    world_.start_date = monday + std::chrono::days{choice_.number(0, 6)} + units(0, 20) + 9h;
    world_.utc_offsets = {{.at = world_.begin - 1h, .offset = choice_.one_of<SimDuration>({0h, 2h, -5h})}};
    if (choice_.chance(20)) world_.utc_offsets.push_back({.at = from(1, 40), .offset = 1h});
    if (choice_.chance(50)) world_.billing = {.step = units(1, 2), .least = units(0, 6)};
  }

  void make_people() {
    const std::int64_t users = choice_.number(1, 2);
    for (std::int64_t i = 0; i < users; ++i) world_.users.push_back(fmt::format("user {}", i));
    const std::int64_t classes = choice_.number(1, 3);
    for (std::int64_t i = 0; i < classes; ++i) {
      JobClass job_class{.name = fmt::format("class {}", i)};
      if (choice_.chance(theme_ == Theme::deadline ? 90 : 60)) job_class.checkpoint_every = units(1, 4);
      if (choice_.chance(50))
        job_class.checkpoint_cost = choice_.one_of<SimDuration>({unit_ / 2, unit_, 2 * unit_});
      job_class.checkpoint_in_notice = choice_.chance(60);
      if (choice_.chance(50)) job_class.reload = units(0, 2);
      if (choice_.chance(40)) job_class.parallel = static_cast<std::int32_t>(choice_.number(1, 2));
      world_.classes.push_back(job_class);
    }
  }

  void make_machines() {
    for (const std::int64_t gpus : kMachineGpus) {
      MachineType machine;
      machine.name = fmt::format("of {}", gpus);
      machine.family = "any";
      machine.gpus = GpuCount{gpus};
      machine.host_gpus = GpuCount{8};
      world_.machines.push_back(machine);
    }
    const std::int64_t shapes = choice_.number(1, 4);
    for (std::int64_t i = 0; i < shapes; ++i) {
      Shape shape;
      shape.nodes = static_cast<std::int32_t>(choice_.chance(50) ? 1 : choice_.number(1, 3));
      shape.gpus_per_node = choice_.one_of<std::int32_t>({1, 1, 2, 4});
      if (theme_ != Theme::any) shape.gpus_per_node = std::min(shape.gpus_per_node, 2);
      if (choice_.chance(15)) shape.tail_gpus = 1;
      if ((rules_.partial || rules_.spread) && shape.tail_gpus == 0) make_gang(shape, i);
      world_.shapes.push_back(shape);
    }
  }

  /// Of several small machines, which it may get one by one.
  void make_gang(Shape& shape, std::int64_t i) const {
    shape.nodes = static_cast<std::int32_t>(2 + (static_cast<std::int64_t>(world_.seed) + i) % 4);
    shape.gpus_per_node = std::min(shape.gpus_per_node, i % 3 == 2 ? 2 : 1);
  }

  PriceLineId price_line(PoolId pool, Charge charge, MachineId machine) {
    PriceLine line;
    line.machine = machine;
    line.pool = pool;
    line.charge = charge;
    line.steps = {{.from = world_.begin}};
    world_.price_lines.push_back(line);
    return PriceLineId{static_cast<std::uint32_t>(world_.price_lines.size() - 1)};
  }

  /// For which classes a source is; several of a pool name no class twice.
  std::vector<std::vector<LeaseClass>> class_sets() {
    using enum LeaseClass;
    const bool spot_apart = theme_ == Theme::deadline && choice_.chance(60);
    if (spot_apart) return {{reserved, on_demand, flex}, {spot}};
    switch (choice_.number(0, theme_ == Theme::any ? 9 : 29)) {
      case 0:
        return {};  // unlimited for everybody
      case 1:
        return {{reserved, on_demand, flex}, {spot}};
      case 2:
        return {{on_demand, spot}};
      case 3:
        return {{reserved, on_demand, spot}, {flex}};
      case 4:
        return {{on_demand, flex, spot}, {reserved}};
      default:
        return {{reserved, on_demand, flex, spot}};
    }
  }

  CapacitySource capacity(const std::vector<LeaseClass>& classes) {
    CapacitySource source;
    for (const LeaseClass lease_class : classes) source.classes[static_cast<std::size_t>(lease_class)] = true;
    source.steps = {
        {.at = world_.begin,
         .gpus = GpuCount{choice_.number(theme_ == Theme::deadline || theme_ == Theme::held ? 3 : 1, 8)}}};
    const bool by_deadline = theme_ == Theme::deadline;
    if (choice_.chance(by_deadline ? 80 : 45)) {
      const std::int64_t steps = choice_.number(1, by_deadline ? 6 : 4);
      for (std::int64_t i = 0; i < steps; ++i) {
        const SimTime at = source.steps.back().at + units(1, 8);
        source.steps.push_back({.at = at, .gpus = GpuCount{choice_.number(0, 8)}});
      }
    }
    if (choice_.chance(20)) source.censored.assign(source.steps.size(), 1);
    return source;
  }

  Pool empty_pool(std::string name) {
    using enum Discipline;
    Pool pool;
    pool.name = std::move(name);
    pool.discipline = choice_.one_of<Discipline>({fifo, first_fit, shortest, shortest_first_fit, smallest,
                                                  smallest, shortest_ageing, shortest_ageing});
    pool.reclaim = choice_.one_of<ReclaimRule>(
        {ReclaimRule::newest, ReclaimRule::oldest, ReclaimRule::random, ReclaimRule::smallest_loss});
    pool.ageing_ppm = choice_.one_of<std::int64_t>({0, 333'333, 500'000, 1'000'000, 2'500'000});
    const std::int64_t rules = choice_.chance(25) ? choice_.number(1, 2) : 0;
    for (std::int64_t i = 0; i < rules; ++i) pool.faults.push_back(fault_rule());
    return pool;
  }

  FaultRule fault_rule() {
    FaultRule rule{.name = "a fault"};
    if (choice_.chance(50)) {
      rule.life = {.kind = Law::Kind::exponential, .a = 8 * unit_};
    } else {
      rule.life = {.a = units(1, 6)};
    }
    rule.notice = choice_.one_of<SimDuration>({0ms, 0ms, unit_, 3 * unit_, 100 * unit_});
    if (choice_.chance(80)) rule.repair = {.a = units(0, 8)};
    if (choice_.chance(30)) rule.repair = {.kind = Law::Kind::uniform, .a = unit_, .b = 9 * unit_};
    return rule;
  }

  void make_zone_pools() {
    std::int64_t pools = choice_.one_of<std::int64_t>({1, 1, 2, 2, 3});
    if (rules_.spread) pools = std::max<std::int64_t>(pools, 2);
    for (std::int64_t i = 0; i < pools; ++i) {
      Pool pool = empty_pool(fmt::format("zone {}", i));
      for (const auto& classes : class_sets()) pool.capacity.push_back(capacity(classes));
      world_.pools.push_back(pool);
      const PoolId id{static_cast<std::uint16_t>(i)};
      lines_.emplace_back();
      for (std::uint16_t m = 0; m < kMachineGpus.size(); ++m) {
        lines_.back().push_back(price_line(id, Charge::direct, MachineId{m}));
      }
    }
  }

  void make_held_pools() {
    const std::int64_t pools = theme_ == Theme::held || choice_.chance(40) ? choice_.number(1, 3) : 0;
    for (std::int64_t i = 0; i < pools && world_.pool_count() < 4; ++i) make_held_pool();
  }

  void make_held_pool() {
    const PoolId id{static_cast<std::uint16_t>(world_.pool_count())};
    HeldPool held;
    held.pool = empty_pool(fmt::format("held {}", index(id)));
    held.landlord = PoolId{
        static_cast<std::uint16_t>(choice_.number(0, static_cast<std::int64_t>(world_.pools.size()) - 1))};
    held.from = choice_.chance(50) ? world_.begin : from(-3, 12);
    held.retry_every = units(1, 5);
    held.machine = MachineId{static_cast<std::uint16_t>(choice_.number(0, theme_ == Theme::held ? 1 : 2))};
    held.machines = MachineCount{choice_.number(1, 3)};
    held.gpus = GpuCount{held.machines.count() * kMachineGpus[index(held.machine)]};
    held.share = choice_.chance(50);
    const std::int64_t kind = choice_.number(1, 10);
    held.added_supply = kind <= 2;
    if (choice_.chance(50)) held.until = std::max(held.from, world_.begin) + units(1, 15);
    if (kind == 2 || (kind >= 5 && kind <= 7)) held.booking = booking(held);
    if (kind >= 8) held.scaling = scaling(held);
    held.line = price_line(id, Charge::held, held.machine);
    held.sublet = price_line(id, Charge::sublet, held.share ? MachineId{0} : held.machine);
    world_.held.push_back(held);
    lines_.push_back({held.sublet});
  }

  Booking booking(HeldPool& held) {
    if (held.until == kNever || choice_.chance(30)) held.from = from(0, 10);
    held.until = std::max(held.from, world_.begin) + units(1, 12);
    Booking booking;
    booking.decided = held.from - units(0, 10);
    booking.gather = units(0, 8);
    booking.accept_ppm = choice_.one_of<std::int32_t>({1'000'000, 1'000'000, 1'000'000, 500'000});
    booking.bookable_ppm = choice_.one_of<std::int32_t>({1'000'000, 1'000'000, 750'000, 500'000});
    return booking;
  }

  Scaling scaling(const HeldPool& held) {
    Scaling scaling;
    scaling.least = MachineCount{choice_.one_of<std::int64_t>({0, 0, 1, held.machines.count()})};
    scaling.idle_after = choice_.one_of<SimDuration>({0ms, unit_, 2 * unit_, 4 * unit_, kForever});
    if (choice_.chance(60)) scaling.cold_start = {.a = units(1, 2)};
    if (choice_.chance(20)) scaling.cold_start = {.kind = Law::Kind::uniform, .a = 0ms, .b = 3 * unit_};
    scaling.lease_class = choice_.one_of<LeaseClass>(
        {LeaseClass::on_demand, LeaseClass::on_demand, LeaseClass::reserved, LeaseClass::flex});
    return scaling;
  }

  void add_job(JobColumns& jobs, SimTime submit, bool tenant) {
    jobs.submit.push_back(submit);
    jobs.work.push_back(choice_.chance(5) ? SimDuration::zero() : units(1, 12));
    if (theme_ == Theme::held && tenant && choice_.chance(50)) jobs.work.back() = units(6, 20);
    if (theme_ == Theme::deadline && choice_.chance(60)) jobs.work.back() = units(4, 14);
    if (choice_.chance(10)) jobs.work.back() += unit_ / 2;
    jobs.shape.push_back(ShapeId{
        static_cast<std::uint32_t>(choice_.number(0, static_cast<std::int64_t>(world_.shapes.size()) - 1))});
    jobs.job_class.push_back(ClassId{
        static_cast<std::uint16_t>(choice_.number(0, static_cast<std::int64_t>(world_.classes.size()) - 1))});
    jobs.user.push_back(UserId{
        static_cast<std::uint32_t>(choice_.number(0, static_cast<std::int64_t>(world_.users.size()) - 1))});
    jobs.max_wait.push_back(choice_.chance(25) ? units(0, 10) : kForever);
    const bool by_deadline = theme_ == Theme::deadline;
    jobs.deadline.push_back(choice_.chance(by_deadline ? 85 : 40) ? units(by_deadline ? 6 : 0, 40)
                                                                  : kForever);
    jobs.estimate.push_back(choice_.chance(50) ? units(0, 5) : kForever);
    // A group's jobs are of one class, so that it has one limit.
    const bool grouped = !tenant && choice_.chance(40);
    jobs.group.push_back(grouped ? 1 + static_cast<std::uint32_t>(index(jobs.job_class.back())) : 0);
  }

  std::shared_ptr<const JobColumns> make_jobs(std::int64_t count, std::int64_t first_unit, bool tenant) {
    auto jobs = std::make_shared<JobColumns>();
    SimTime submit = from(first_unit, choice_.chance(50) ? first_unit : 3);
    for (std::int64_t i = 0; i < count; ++i) {
      add_job(*jobs, submit, tenant);
      if (!choice_.chance(45)) submit += units(0, 4);
      if (choice_.chance(10)) submit += unit_ / 3;
    }
    if (choice_.chance(30)) {  // rows of a file of which some were dropped
      std::uint64_t row = 0;
      for (std::int64_t i = 0; i < count; ++i) {
        row += static_cast<std::uint64_t>(choice_.number(1, 3));
        jobs->row.push_back(row);
      }
      if (choice_.chance(30) &&
          std::is_sorted(jobs->submit.begin(), jobs->submit.end(), std::less_equal<>{})) {
        std::reverse(jobs->row.begin(), jobs->row.end());  // and that was not in order of time
      }
    }
    if (choice_.chance(40)) jobs->estimate.clear();
    if (choice_.chance(30)) jobs->max_wait.clear();
    if (choice_.chance(50)) jobs->group.clear();
    return jobs;
  }

  void make_sources() {
    const std::int64_t jobs = choice_.number(1, 8);
    const std::int64_t second = choice_.chance(25) ? choice_.number(0, jobs - 1) : 0;
    add_source(jobs - second, choice_.chance(10) ? -2 : 0, false);
    if (choice_.chance(theme_ == Theme::held ? 80 : 55))
      add_source(choice_.number(1, 5), (world_.begin - kStart) / unit_ - 1, true);
    if (second > 0) add_source(second, 0, false);
  }

  void add_source(std::int64_t jobs, std::int64_t first_unit, bool tenant) {
    Source source;
    source.name = fmt::format("source {}", world_.sources.size());
    source.demand = TraceDemand{.jobs = make_jobs(jobs, first_unit, tenant)};
    source.background = tenant;
    world_.sources.push_back(source);
  }

  void make_strategies() {
    StrategyMaker maker{choice_, world_, unit_, lines_};
    for (Source& source : world_.sources) {
      if (!source.background) continue;
      const std::int64_t strategies = choice_.number(1, 2);
      for (std::int64_t i = 0; i < strategies; ++i) {
        source.tenants.push_back(maker.make(/*tenant=*/true, Theme::any));
        source.tenant_weights.push_back(static_cast<double>(choice_.number(1, 3)));
      }
    }
    if (choice_.chance(10))
      world_.strategies.push_back(maker.make(/*tenant=*/false, theme_));  // not the one to run
    world_.strategies.push_back(maker.make(/*tenant=*/false, theme_));
  }

  /// Some capacity moves by chance. Last, and with random numbers of its own, so that seeds keep what they
  /// meant before.
  void make_chains() {
    Choice choice{world_.seed + 1'000'003};
    for (Pool& pool : world_.pools) {
      for (CapacitySource& source : pool.capacity) {
        if (choice.chance(12)) source = chain(choice, source.classes, pool.name);
      }
    }
  }

  /// In some worlds all who ask at once take Spot and capacity falls under them: several leases to choose
  /// from. Seeds that were kept are none of these.
  void make_spot_customers() {
    if (world_.seed % 20 != 13 && world_.seed % 20 != 16) return;
    Choice choice{world_.seed + 2'000'003};
    for (Pool& pool : world_.pools) {
      pool.reclaim = choice.one_of<ReclaimRule>({ReclaimRule::smallest_loss, ReclaimRule::oldest});
      pool.capacity = {falling(choice)};
    }
    for (Source& source : world_.sources) {
      for (Strategy& tenant : source.tenants) take_spot(tenant);
    }
    take_spot(world_.strategies.back());
  }

  CapacitySource falling(Choice& choice) const {
    CapacitySource source;
    source.classes.fill(true);
    source.steps = {{.at = world_.begin, .gpus = GpuCount{8}}};
    for (int i = 0; i < 3; ++i) {
      source.steps.push_back({.at = source.steps.back().at + unit_ * choice.number(2, 6),
                              .gpus = GpuCount{choice.number(2, 7)}});
    }
    return source;
  }

  static void take_spot(Strategy& strategy) {
    if (strategy.deadline_rule) return;
    for (Leg& leg : strategy.legs) {
      const bool at_once = leg.policy.admission == Admission::at_once && !leg.policy.held;
      if (at_once) leg.policy.lease_class = LeaseClass::spot;
    }
  }

  CapacitySource chain(Choice& choice, const std::array<bool, kLeaseClasses>& classes,
                       const std::string& name) {
    auto levels = std::make_shared<MarkovCapacity>();
    levels->tick = unit_ * choice.number(1, 4);
    const auto n = static_cast<std::size_t>(choice.number(1, 4));
    for (std::size_t i = 0; i < n; ++i) {
      levels->levels.push_back({.gpus = GpuCount{static_cast<std::int64_t>(2 * i)}, .censored = i == 3});
      levels->start.push_back(static_cast<double>(i + 1) / static_cast<double>(n));
    }
    for (std::size_t i = 0; i < n; ++i) {  // stays with one half, or goes anywhere
      for (std::size_t j = 0; j < n; ++j)
        levels->rows.push_back(0.5 * levels->start[j] + (j >= i ? 0.5 : 0.0));
    }
    levels->entity = entity_of(name);
    levels->rho = choice.chance(30) ? 0.5 : 0.0;
    CapacitySource source;
    source.classes = classes;
    source.chain = std::move(levels);
    return source;
  }

  Choice choice_;
  Rules rules_;
  World world_;
  SimDuration unit_{};
  Theme theme_ = Theme::any;
  std::vector<std::vector<PriceLineId>> lines_;  // by pool, by machine: what a lease there is booked under
};

}  // namespace

World random_world(std::uint64_t seed) { return RandomWorld{seed}.make(); }

}  // namespace stockout::test
