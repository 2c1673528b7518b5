#include "tests/support/slurm_by_the_book/random_case.h"

#include <fmt/format.h>

#include <algorithm>

#include "tests/support/random_choice.h"

namespace stockout::test {
namespace {

using namespace std::chrono_literals;
using slurm::Backfill;

class CaseMaker {
 public:
  CaseMaker(CaseKind kind, std::uint64_t seed)
      : kind_{kind}, pick_{seed * 8 + static_cast<std::uint64_t>(kind)} {}

  SlurmCase make() {
    grain_ = pick_.one_of<int>({1, 1, 5, 10, 30});
    make_scheduler();
    if (kind_ == CaseKind::textbook) make_textbook();
    make_nodes();
    make_partitions();
    if (is(CaseKind::priorities) || (kind_ != CaseKind::textbook && pick_.chance(15))) make_priorities();
    if (is(CaseKind::preemption)) make_preemption();
    if (is(CaseKind::power)) make_power();
    make_jobs();
    return made_;
  }

 private:
  [[nodiscard]] bool is(CaseKind kind) const { return kind_ == kind; }
  [[nodiscard]] SimDuration secs(std::int64_t least, std::int64_t most) {
    return std::chrono::seconds{pick_.number(least, most) / grain_ * grain_ + (least > 0 ? grain_ : 0)};
  }
  [[nodiscard]] slurm::Configuration& cluster() { return made_.cluster; }

  void make_nodes() {
    const auto count = pick_.number(4, 12);
    const bool are_equal = pick_.chance(40);
    const int cpus = static_cast<int>(pick_.number(1, 4));
    const int gpus = static_cast<int>(pick_.number(0, 4));
    for (std::int64_t i = 0; i < count; ++i) {
      slurm::Node node{.name = fmt::format("n{}", i), .cpus = cpus, .gpus = gpus};
      if (!are_equal) {
        node.cpus = static_cast<int>(pick_.number(1, 6));
        node.gpus = static_cast<int>(pick_.number(0, 4));
        node.weight = pick_.number(1, 3);
      }
      cluster().nodes.push_back(node);
    }
  }

  void make_partitions() {
    const auto nodes = static_cast<slurm::NodeIndex>(cluster().nodes.size());
    const auto count = pick_.number(1, 3);
    for (std::int64_t i = 0; i < count; ++i) {
      slurm::Partition made{.name = fmt::format("p{}", i), .nodes = {}};
      const bool has_all = pick_.chance(40);
      for (slurm::NodeIndex node = 0; node < nodes; ++node) {
        if (has_all || pick_.chance(60)) made.nodes.push_back(node);
      }
      if (made.nodes.empty()) made.nodes.push_back(0);
      if (pick_.chance(30)) made.max_time = std::chrono::minutes{pick_.number(5, 20)};
      if (pick_.chance(30)) made.default_time = std::chrono::minutes{pick_.number(1, 5)};
      if (pick_.chance(20)) made.max_nodes = static_cast<int>(pick_.number(1, 6));
      if (pick_.chance(50)) made.priority_tier = static_cast<int>(pick_.number(1, 3));
      made.priority_job_factor = static_cast<int>(pick_.number(0, 4));
      made.exclusive = pick_.chance(15);
      cluster().partitions.push_back(std::move(made));
    }
  }

  void make_textbook() {
    cluster().settings.backfill_type =
        pick_.one_of<Backfill>({Backfill::easy, Backfill::easy_by_number, Backfill::conservative});
    if (pick_.chance(50)) {
      cluster().settings.priority.type = slurm::PriorityType::basic;
    } else if (pick_.chance(50)) {
      make_priorities();
    }
    made_.step = 1s;
    made_.end = kStart + 6h;
  }

  void make_scheduler() {
    slurm::Settings& settings = cluster().settings;
    settings.backfill_type = pick_.chance(15) ? Backfill::none : Backfill::slurm;
    settings.requeue_delay = secs(1, 130);
    settings.main.cycle_at_end = pick_.chance(60);
    settings.main.batch_sched_delay = std::chrono::seconds{pick_.number(1, 6)};
    if (pick_.chance(30)) settings.main.sched_interval = std::chrono::seconds{pick_.number(10, 90)};
    if (pick_.chance(20)) settings.main.default_queue_depth = static_cast<int>(pick_.number(1, 6));
    slurm::BackfillParameters& bf = settings.backfill;
    if (pick_.chance(50)) bf.interval = std::chrono::seconds{pick_.number(1, 60)};
    if (pick_.chance(40))
      bf.resolution = std::chrono::seconds{pick_.one_of<std::int64_t>({1, 7, 10, 30, 120, 300})};
    if (pick_.chance(40)) bf.window = bf.resolution + std::chrono::seconds{pick_.number(60, 3000)};
    if (pick_.chance(20)) bf.max_job_test = static_cast<int>(pick_.number(1, 8));
    if (pick_.chance(20)) bf.max_job_start = static_cast<int>(pick_.number(1, 3));
    if (pick_.chance(20)) bf.max_job_array_resv = static_cast<int>(pick_.number(1, 3));
    if (pick_.chance(20)) bf.job_part_count_reserve = static_cast<int>(pick_.number(1, 3));
    if (pick_.chance(20)) bf.node_space_size = static_cast<int>(pick_.number(2, 8));
    if (pick_.chance(20)) bf.min_age_reserve = secs(1, 100);
    if (pick_.chance(20)) bf.window_linear = std::chrono::seconds{pick_.number(1, 100)};
    if (pick_.chance(30)) settings.epoch = std::chrono::seconds{pick_.number(1, 1000)};
    made_.step = pick_.chance(50) ? 1s : SimDuration{250};
    made_.end = kStart + 3h;
  }

  void make_priorities() {
    slurm::PriorityParameters& priority = cluster().settings.priority;
    made_.compares_priorities = true;
    const auto weight = [&] {
      return static_cast<std::uint32_t>(pick_.chance(40) ? 0 : pick_.number(1, 2000));
    };
    priority.weights = {.age = weight(),
                        .fair_share = weight(),
                        .job_size = weight(),
                        .partition = weight(),
                        .qos = weight()};
    priority.max_age = std::chrono::seconds{pick_.number(60, 4000)};
    priority.calculation_period = std::chrono::seconds{pick_.number(2, 40) * 5};
    priority.half_life = pick_.chance(20) ? SimDuration{} : std::chrono::seconds{pick_.number(200, 5000)};
    priority.favor_small = pick_.chance(30);
    priority.size_relative_to_time = pick_.chance(30);
    if (pick_.chance(20)) cluster().settings.backfill.min_prio_reserve = weight();
    make_qos();
    make_shares();
  }

  void make_qos() {
    if (!cluster().qos.empty()) return;
    const auto count = static_cast<slurm::QosIndex>(pick_.number(1, 3));
    for (slurm::QosIndex i = 0; i < count; ++i) {
      slurm::Qos made{.name = fmt::format("q{}", i),
                      .priority = static_cast<std::uint32_t>(pick_.number(0, 5))};
      for (slurm::QosIndex below = 0; below < i; ++below) {
        if (pick_.chance(50)) made.preempts.push_back(below);
      }
      made.usage_factor = static_cast<double>(pick_.number(0, 4)) / 2;
      cluster().qos.push_back(std::move(made));
    }
  }

  void make_shares() {
    std::vector<std::optional<std::uint32_t>> accounts{std::nullopt};
    const auto count = static_cast<std::uint32_t>(pick_.number(3, 9));
    for (std::uint32_t i = 0; i < count; ++i) {
      slurm::Association made{.name = fmt::format("a{}", i),
                              .parent = pick_.one_of(accounts),
                              .shares = static_cast<std::uint32_t>(pick_.number(1, 3))};
      made.is_user = i > 0 && (i + 1 == count || pick_.chance(55));
      if (!made.is_user) accounts.emplace_back(i);
      cluster().associations.push_back(std::move(made));
    }
  }

  void make_preemption() {
    slurm::PreemptionParameters& rules = cluster().settings.preemption;
    using slurm::PreemptMode;
    rules.type = pick_.chance(50) ? slurm::PreemptType::qos : slurm::PreemptType::partition_priority;
    rules.mode = pick_.one_of<PreemptMode>({PreemptMode::requeue, PreemptMode::requeue, PreemptMode::cancel});
    rules.reorder_count = static_cast<int>(pick_.number(0, 2));
    rules.youngest_first = pick_.chance(30);
    if (pick_.chance(50)) rules.kill_wait = std::chrono::seconds{pick_.number(1, 60)};
    if (rules.type == slurm::PreemptType::qos) make_qos();
    const auto mode = [&] {
      return pick_.one_of<PreemptMode>({PreemptMode::off, PreemptMode::requeue, PreemptMode::cancel});
    };
    for (slurm::Partition& one : cluster().partitions) {
      one.priority_tier = static_cast<int>(pick_.number(1, 3));
      if (pick_.chance(15)) one.preempt_mode = mode();
    }
    for (slurm::Qos& one : cluster().qos) {
      if (pick_.chance(15)) one.preempt_mode = mode();
    }
    if (pick_.chance(60)) made_.stop_delay = made_.step * pick_.number(1, 80);
  }

  slurm::PowerSave power_rules() {
    return {
        .suspend_time = pick_.chance(20) ? kForever : SimDuration{std::chrono::seconds{pick_.number(0, 200)}},
        .suspend_timeout = std::chrono::seconds{pick_.number(1, 60)},
        .resume_timeout = std::chrono::seconds{pick_.number(20, 200)}};
  }

  void make_power() {
    cluster().settings.power = power_rules();
    for (slurm::Node& node : cluster().nodes) node.cloud = pick_.chance(70);
    for (slurm::Partition& one : cluster().partitions) {
      if (pick_.chance(30)) one.power = power_rules();
      one.power_down_on_idle = pick_.chance(20);
      if (pick_.chance(10)) one.power = slurm::PowerSave{.suspend_time = 0s, .resume_timeout = 65'535s};
    }
    const auto boots = pick_.number(3, 17);
    for (std::int64_t i = 0; i < boots; ++i)
      made_.boots.push_back(pick_.chance(10) ? kForever : made_.step * pick_.number(0, 400));
    const auto faults = pick_.chance(50) ? 0 : pick_.number(1, 6);
    SimTime at = kStart;
    for (std::int64_t i = 0; i < faults; ++i) {
      at += made_.step * pick_.number(1, 1000);
      CaseFault fault{.at = at};
      fault.node = static_cast<slurm::NodeIndex>(
          pick_.number(0, static_cast<std::int64_t>(cluster().nodes.size()) - 1));
      if (pick_.chance(75)) fault.back = pick_.chance(20) ? kNever : at + made_.step * pick_.number(1, 1200);
      made_.faults.push_back(fault);
    }
  }

  void make_jobs() {
    const auto count = pick_.number(5, 40);
    const auto gap = pick_.number(0, 40);
    SimTime at = kStart + (pick_.chance(50) ? 0s : std::chrono::seconds{grain_});
    for (std::int64_t i = 0; i < count; ++i) {
      at += made_.step * (made_.step == 1s ? 1 : 4) * (pick_.number(0, gap) / grain_ * grain_);
      if (made_.step < 1s && pick_.chance(50)) at += made_.step * pick_.number(0, 3);
      made_.jobs.push_back(make_job(at));
    }
  }

  CaseJob make_job(SimTime at) {
    CaseJob job{.submit = at};
    slurm::JobRequest& request = job.request;
    request.size.nodes = static_cast<int>(
        pick_.chance(50) ? 1 : pick_.number(1, static_cast<std::int64_t>(cluster().nodes.size())));
    request.size.cpus_per_node = static_cast<int>(pick_.chance(40) ? 0 : pick_.number(1, 3));
    if (pick_.chance(30)) request.size.gpus_per_node = static_cast<int>(pick_.number(1, 3));
    request.size.exclusive = pick_.chance(15);
    request.time_limit = std::chrono::seconds{pick_.number(1, 15) * 60};
    if (pick_.chance(10)) request.time_limit = kForever;
    job.run_time = secs(1, 600);
    const SimDuration shortest = request.time_limit == kForever ? 1min : request.time_limit;
    if (kind_ == CaseKind::textbook || !pick_.chance(10)) job.run_time = std::min(job.run_time, shortest);
    choose_partitions(request);
    if (!cluster().qos.empty() && pick_.chance(80))
      request.qos =
          static_cast<slurm::QosIndex>(pick_.number(0, static_cast<std::int64_t>(cluster().qos.size()) - 1));
    choose_user(request);
    if (made_.compares_priorities && pick_.chance(20)) request.nice = pick_.number(-500, 500);
    if (made_.compares_priorities && pick_.chance(5))
      request.priority = static_cast<std::uint32_t>(pick_.number(0, 2000));
    if (kind_ != CaseKind::textbook) request.batch = !pick_.chance(20);
    request.requeue = !pick_.chance(15);
    if (is(CaseKind::waiting) || pick_.chance(5)) make_waiting(job);
    return job;
  }

  void choose_partitions(slurm::JobRequest& request) {
    const auto count = static_cast<std::int64_t>(cluster().partitions.size());
    const auto first = static_cast<slurm::PartitionIndex>(pick_.number(0, count - 1));
    request.partitions = {first};
    if (count > 1 && pick_.chance(20))
      request.partitions.push_back(static_cast<slurm::PartitionIndex>((first + 1) % count));
  }

  void choose_user(slurm::JobRequest& request) {
    std::vector<std::uint32_t> users;
    for (std::uint32_t i = 0; i < cluster().associations.size(); ++i) {
      if (cluster().associations[i].is_user) users.push_back(i);
    }
    if (!users.empty() && pick_.chance(90)) request.user = pick_.one_of(users);
  }

  void make_waiting(CaseJob& job) {
    using slurm::DependencyKind;
    const auto before = static_cast<std::int64_t>(made_.jobs.size());
    if (before > 0 && pick_.chance(30)) {
      const auto count = pick_.number(1, 2);
      for (std::int64_t i = 0; i < count; ++i)
        job.request.dependencies.push_back(
            {.kind = pick_.one_of<DependencyKind>({DependencyKind::after, DependencyKind::after_any,
                                                   DependencyKind::after_ok, DependencyKind::after_not}),
             .job = static_cast<slurm::JobId>(pick_.number(0, before - 1))});
    }
    if (job.request.batch && pick_.chance(25)) {
      job.tasks = static_cast<std::uint32_t>(pick_.number(1, 6));
      if (pick_.chance(60)) job.request.tasks_at_once = static_cast<std::uint32_t>(pick_.number(1, 4));
    }
    job.ends_well = !pick_.chance(30);
    if (pick_.chance(12)) job.cancel = job.submit + made_.step * pick_.number(0, 800);
    if (pick_.chance(12)) job.requeue = job.submit + made_.step * pick_.number(1, 800);
  }

  CaseKind kind_;
  Choice pick_;
  int grain_ = 1;  // seconds to which lengths are rounded
  SlurmCase made_;
};

}  // namespace

SlurmCase random_case(CaseKind kind, std::uint64_t seed) { return CaseMaker{kind, seed}.make(); }

}  // namespace stockout::test
