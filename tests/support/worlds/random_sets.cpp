#include "tests/support/worlds/random_sets.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "tests/support/random_choice.h"

namespace stockout::test {
namespace {

/// Whether sets know how its jobs buy.
bool may_serve_sets(const Strategy& strategy) {
  return !strategy.deadline_rule && !strategy.resubmission &&
         std::ranges::none_of(strategy.legs, [](const Leg& leg) {
           return leg.partial || leg.spread != Spread::any_single_zone || leg.race == Race::first_boot;
         });
}

class SetAdder {
 public:
  SetAdder(World& world, Choice choice, SimDuration unit) : choice_{choice}, world_{world}, unit_{unit} {}

  void add() {
    for (JobClass& job_class : world_.classes) job_class.parallel = 0;
    const std::size_t sources = world_.sources.size();
    for (std::size_t i = 0; i < sources; ++i) {
      if (world_.sources[i].background || !choice_.chance(80)) continue;
      for (std::int64_t left = choice_.number(1, 2); left > 0; --left)
        add_with(SourceId{static_cast<std::uint16_t>(i)});
    }
  }

 private:
  void add_with(SourceId first) {
    if (!world_.sources[index(first)].set)
      world_.sources[index(first)].set = SetMember{.first = first, .rule = random_rule()};
    Source source;
    source.name = fmt::format("source {}", world_.sources.size());
    source.demand = TraceDemand{.jobs = members(world_.sources[index(first)])};
    source.set = SetMember{.first = first, .rule = {}};
    world_.sources.push_back(source);
  }

  JobSetRule random_rule() {
    return {.hold = choice_.chance(30) ? kForever : unit_ * choice_.number(0, 6),
            .again = unit_ * choice_.number(1, 3),
            .restarts = static_cast<std::int32_t>(choice_.one_of<std::int64_t>({0, 1, 2, 2, 50})),
            .in_place = choice_.chance(40)};
  }

  /// A job for each of the first source, most of them as long.
  std::shared_ptr<const JobColumns> members(const Source& first) {
    const JobColumns& firsts = *std::get<TraceDemand>(first.demand).jobs;
    auto jobs = std::make_shared<JobColumns>();
    for (std::size_t i = 0; i < firsts.size(); ++i) {
      jobs->submit.push_back(firsts.submit[i]);
      jobs->work.push_back(choice_.chance(80) ? firsts.work[i] : unit_ * choice_.number(0, 6));
      jobs->shape.push_back(any_of<ShapeId>(world_.shapes.size()));
      jobs->job_class.push_back(any_of<ClassId>(world_.classes.size()));
      jobs->user.push_back(firsts.user[i]);
      jobs->row.push_back(firsts.row.empty() ? i : firsts.row[i]);
      jobs->max_wait.push_back(choice_.chance(10) ? unit_ * choice_.number(0, 10) : kForever);
    }
    return jobs;
  }

  template <typename Id>
  Id any_of(std::size_t count) {
    return static_cast<Id>(choice_.number(0, static_cast<std::int64_t>(count) - 1));
  }

  Choice choice_;
  World& world_;
  SimDuration unit_;
};

}  // namespace

void add_sets(World& world, SimDuration unit) {
  Choice choice{world.seed + 6'000'023};
  if (choice.chance(15) && !world.has_pipelines() && may_serve_sets(world.strategies.back()))
    SetAdder{world, choice, unit}.add();
}

}  // namespace stockout::test
