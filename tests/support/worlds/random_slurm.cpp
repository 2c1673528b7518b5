#include "tests/support/worlds/random_slurm.h"

#include <algorithm>

#include <fmt/format.h>

#include "tests/support/random_choice.h"

namespace stockout::test {
namespace {

using Backfills = std::vector<slurm::Backfill>;
using Modes = std::vector<slurm::PreemptMode>;

/// A partition for each leg of a strategy; some share their nodes.
class SlurmMaker {
 public:
  SlurmMaker(Choice& choice, const World& world, SimDuration unit)
      : choice_{choice}, world_{world}, unit_{unit} {}

  SlurmCluster make(Strategy& strategy) {
    for (std::size_t i = 0; i < strategy.legs.size(); ++i) {
      Leg& leg = strategy.legs[i];
      leg.partition = fmt::format("partition {}", i);
      add_partition(leg.partition, leg.policy.held ? 15 : 60);
    }
    cluster_.sync = units(0, 2);
    add_settings();
    for (std::int64_t i = choice_.number(1, 3); i > 0; --i) add_options();
    cluster_.options.push_back({.qos = choice_.one_of(std::vector<slurm::QosIndex>{0, 0, 1})});
    return std::move(cluster_);
  }

 private:
  SimDuration units(std::int64_t least, std::int64_t most) { return unit_ * choice_.number(least, most); }

  void add_partition(const std::string& name, int percent_elastic) {
    std::vector<slurm::Partition>& all = cluster_.configuration.partitions;
    slurm::Partition partition{.name = name, .nodes = {}};
    if (!all.empty() && choice_.chance(60)) {
      const slurm::Partition& other = choice_.one_of(all);
      partition = {.name = name,
                   .nodes = other.nodes,
                   .exclusive = other.exclusive,
                   .power = other.power,
                   .power_down_on_idle = other.power_down_on_idle};
    } else {
      const bool is_elastic = choice_.chance(percent_elastic);
      std::vector<slurm::Node>& nodes = cluster_.configuration.nodes;
      const auto gpus = static_cast<int>(choice_.number(2, 8));
      for (std::int64_t i = choice_.number(2, 4); i > 0; --i) {
        partition.nodes.push_back(static_cast<slurm::NodeIndex>(nodes.size()));
        nodes.push_back(
            {.name = fmt::format("node {}", nodes.size()), .cpus = gpus, .gpus = gpus, .cloud = is_elastic});
      }
      partition.exclusive = is_elastic || choice_.chance(60);
      partition.power_down_on_idle = is_elastic;
      if (is_elastic)
        partition.power = slurm::PowerSave{.suspend_timeout = units(0, 2), .resume_timeout = units(1, 8)};
    }
    partition.priority_tier = static_cast<int>(choice_.number(1, 3));
    partition.priority_job_factor = static_cast<int>(choice_.number(1, 3));
    if (choice_.chance(25)) partition.max_time = units(4, 20);
    if (choice_.chance(25)) partition.default_time = units(2, 12);
    if (choice_.chance(15)) partition.max_nodes = static_cast<int>(choice_.number(1, 3));
    all.push_back(partition);
  }

  void add_settings() {
    slurm::Settings& settings = cluster_.configuration.settings;
    using enum slurm::Backfill;
    settings.backfill_type =
        choice_.one_of(Backfills{slurm, slurm, none, none, easy, easy_by_number, conservative});
    settings.main.batch_sched_delay = units(0, 1);
    settings.backfill.interval = std::max<SimDuration>(units(1, 3), std::chrono::seconds{1});
    settings.requeue_delay = std::max<SimDuration>(units(1, 3), std::chrono::seconds{1});
    settings.preemption.type = static_cast<slurm::PreemptType>(choice_.chance(15) ? 0 : choice_.number(1, 2));
    if (settings.preemption.type != slurm::PreemptType::none)
      settings.preemption.mode =
          choice_.chance(80) ? slurm::PreemptMode::requeue : slurm::PreemptMode::cancel;
    settings.preemption.kill_wait = units(0, 2);
    settings.priority.type =
        choice_.chance(30) ? slurm::PriorityType::basic : slurm::PriorityType::multifactor;
    settings.priority.weights = {
        .age = weight(), .job_size = weight(), .partition = weight(), .qos = weight()};
    settings.priority.calculation_period = std::max<SimDuration>(units(1, 4), std::chrono::seconds{1});
    settings.priority.max_age = std::max<SimDuration>(units(5, 20), std::chrono::seconds{1});
    cluster_.configuration.qos = {{.name = "normal", .priority = 1},
                                  {.name = "high", .priority = 10, .preempts = {0}}};
  }

  std::uint32_t weight() {
    return choice_.chance(50) ? 0 : static_cast<std::uint32_t>(choice_.number(1, 1000));
  }

  void add_options() {
    SlurmOptions& options = cluster_.options.emplace_back();
    for (std::size_t c = 0; c < world_.classes.size(); ++c)
      options.jobs.classes.push_back(choice_.chance(50));
    if (choice_.chance(40)) options.time_limit = units(3, 15);
    if (choice_.chance(80)) options.qos = static_cast<slurm::QosIndex>(choice_.number(0, 1));
  }

  Choice& choice_;
  const World& world_;
  SimDuration unit_;
  SlurmCluster cluster_ = {};
};

// Some jobs depend on others, before them or not, and some are tasks of arrays.
void add_links(Choice& choice, Source& source) {
  auto* trace = std::get_if<TraceDemand>(&source.demand);
  if (trace == nullptr || source.background || !choice.chance(60)) return;
  auto jobs = std::make_shared<JobColumns>(*trace->jobs);
  const auto row = [&](std::size_t i) { return jobs->row.empty() ? std::uint64_t{i} : jobs->row[i]; };
  const auto any_row = [&](std::size_t most) {
    return row(static_cast<std::size_t>(choice.number(0, static_cast<std::int64_t>(most))));
  };
  for (std::size_t i = 0; i < jobs->size(); ++i) {
    const std::size_t most = choice.chance(80) ? i : jobs->size() - 1;
    for (std::int64_t links = choice.chance(40) ? choice.number(1, 2) : 0; links > 0; --links) {
      jobs->links.push_back(
          {.row = row(i), .on = any_row(most), .kind = static_cast<JobLink::Kind>(choice.number(0, 3))});
    }
    if (!choice.chance(30)) continue;
    const std::uint64_t array = row(choice.chance(50) ? 0 : i);
    jobs->links.push_back({.row = row(i),
                           .on = array,
                           .kind = JobLink::Kind::task_of,
                           .at_once = static_cast<std::uint32_t>(array % 3)});
  }
  std::ranges::stable_sort(jobs->links, {}, &JobLink::row);
  trace->jobs = std::move(jobs);
}

}  // namespace

void add_slurm(World& world, SimDuration unit) {
  Choice choice{world.seed + 11'000'027};
  Strategy& strategy = world.strategies.back();
  const auto is_odd = [](const Leg& leg) { return leg.partial || leg.race == Race::first_boot; };
  if (strategy.deadline_rule || strategy.resubmission || std::ranges::any_of(strategy.legs, is_odd)) return;
  if (!world.quotas.empty() && strategy.quota.taken_at == QuotaTaken::start) return;
  const auto is_tried_again = [](const Source& source) {
    return source.step && source.step->retry.times > 0;
  };
  if (std::ranges::any_of(world.sources, is_tried_again)) return;
  if (!choice.chance(20) || world.has_sets() || world.kueue) return;
  world.slurm = SlurmMaker{choice, world, unit}.make(strategy);
  for (Source& source : world.sources) add_links(choice, source);
}

}  // namespace stockout::test
