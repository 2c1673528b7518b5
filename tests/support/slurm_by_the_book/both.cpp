#include "tests/support/slurm_by_the_book/both.h"

#include <fmt/format.h>

#include "models/orchestrators/slurm/slurm.h"
#include "tests/support/slurm_by_the_book/plain_slurm.h"

namespace stockout::test {
namespace {

// Both describe their jobs, in their own words.
struct JobView {
  bool is_waiting = false;
  bool comes_again = false;
  const std::vector<slurm::NodeIndex>* nodes = nullptr;
  slurm::PartitionIndex partition = 0;
  const std::vector<std::uint32_t>* priorities = nullptr;

  [[nodiscard]] bool is_pending() const { return is_waiting; }
  [[nodiscard]] bool will_requeue_now() const { return comes_again; }
  [[nodiscard]] const std::vector<slurm::NodeIndex>& held_nodes() const { return *nodes; }
  [[nodiscard]] slurm::PartitionIndex in_partition() const { return partition; }
  [[nodiscard]] const std::vector<std::uint32_t>& all_priorities() const { return *priorities; }
};

class Library {
 public:
  explicit Library(const slurm::Configuration& cluster) : slurm_{cluster} {}

  slurm::JobId submit(const slurm::JobRequest& request) { return slurm_.submit(request); }
  slurm::JobId submit_array(const slurm::JobRequest& request, std::uint32_t tasks) {
    return slurm_.submit_array(request, tasks);
  }
  void finish(slurm::JobId id, bool well) { slurm_.finish(id, well); }
  void stopped(slurm::JobId id) { slurm_.stopped(id); }
  void requeue(slurm::JobId id) { slurm_.requeue(id); }
  void cancel(slurm::JobId id) { slurm_.cancel(id); }
  void node_is_up(slurm::NodeIndex node) { slurm_.node_is_up(node); }
  void node_is_down(slurm::NodeIndex node, SimTime back) { slurm_.node_is_down(node, back); }
  void restore_node(slurm::NodeIndex node) { slurm_.restore_node(node); }
  void advance(SimTime at) { slurm_.advance(at); }
  void settle() { slurm_.settle(); }
  [[nodiscard]] std::vector<slurm::Event> take_events() { return slurm_.take_events(); }
  [[nodiscard]] bool is_due(SimTime at) const { return slurm_.next_due().value_or(kNever) <= at; }
  [[nodiscard]] bool is_due_again(SimTime at) const { return is_due(at); }
  [[nodiscard]] JobView job(slurm::JobId id) const {
    const slurm::Job& job = slurm_.job(id);
    return {.is_waiting = job.state == slurm::JobState::pending && slurm_.could_ever_run(id),
            .comes_again = job.run.will_requeue,
            .nodes = &job.run.nodes,
            .partition = job.run.partition,
            .priorities = &job.priorities};
  }

 private:
  slurm::Slurm slurm_;
};

class Book : public by_the_book::PlainSlurm {
 public:
  using PlainSlurm::PlainSlurm;
  [[nodiscard]] bool is_due_again(SimTime) const { return is_any_node_due(); }
  [[nodiscard]] JobView job(slurm::JobId id) const {
    const by_the_book::BookJob& job = PlainSlurm::job(id);
    return {.is_waiting = job.state == slurm::JobState::pending && could_ever_run(id),
            .comes_again = job.will_requeue,
            .nodes = &job.nodes,
            .partition = job.partition,
            .priorities = &job.priorities};
  }
};

std::string seconds(SimTime at) {
  return at == kNever ? "never" : fmt::format("{}", static_cast<double>((at - kStart).count()) / 1000);
}

std::string seconds(SimDuration length) {
  return length == kForever ? "for ever" : fmt::format("{}", static_cast<double>(length.count()) / 1000);
}

std::string word(slurm::Event::Kind kind) {
  using Kind = slurm::Event::Kind;
  switch (kind) {
    case Kind::started:
      return "starts";
    case Kind::configuring:
      return "configures";
    case Kind::preempted:
      return "is preempted";
    case Kind::requeued:
      return "is requeued";
    case Kind::failed:
      return "fails";
    case Kind::timed_out:
      return "is over its limit";
    case Kind::power_up:
      return "powers up";
    case Kind::power_down:
      return "powers down";
    case Kind::node_down:
      return "is DOWN";
  }
  return "?";
}

std::string line(const Said& said) {
  std::string text = fmt::format("{:>8} {} {} {}", seconds(said.at),
                                 is_about_node(said.kind) ? "node" : "job", said.subject, word(said.kind));
  if (said.kind == slurm::Event::Kind::preempted) text += fmt::format(" for {}", said.by);
  if (said.nodes.empty()) return text;
  text += fmt::format(" in p{} on", said.partition);
  for (const slurm::NodeIndex node : said.nodes) text += fmt::format(" n{}", node);
  return text;
}

std::string line(const Ranked& ranked) {
  std::string text = fmt::format("{:>8} job {} has priority", seconds(ranked.at), ranked.job);
  for (const std::uint32_t priority : ranked.priorities) text += fmt::format(" {}", priority);
  return text;
}

template <typename Line>
std::string first_difference(const std::vector<Line>& library, const std::vector<Line>& book) {
  for (std::size_t i = 0; i < std::max(library.size(), book.size()); ++i) {
    if (i < library.size() && i < book.size() && library[i] == book[i]) continue;
    return fmt::format("library: {}\nbook:    {}\n", i < library.size() ? line(library[i]) : "nothing more",
                       i < book.size() ? line(book[i]) : "nothing more");
  }
  return {};
}

std::string describe_power(const slurm::PowerSave& power) {
  return fmt::format("suspend {} s, suspend timeout {} s, resume timeout {} s", seconds(power.suspend_time),
                     seconds(power.suspend_timeout), seconds(power.resume_timeout));
}

std::string describe_cluster(const slurm::Configuration& cluster) {
  std::string text;
  for (std::size_t i = 0; i < cluster.nodes.size(); ++i) {
    const slurm::Node& node = cluster.nodes[i];
    text += fmt::format("n{}: {} CPUs, {} GPUs, weight {}{}\n", i, node.cpus, node.gpus, node.weight,
                        node.cloud ? ", cloud" : "");
  }
  for (std::size_t i = 0; i < cluster.partitions.size(); ++i) {
    const slurm::Partition& one = cluster.partitions[i];
    text += fmt::format("p{}: nodes", i);
    for (const slurm::NodeIndex node : one.nodes) text += fmt::format(" {}", node);
    text += fmt::format(", max {} s, default {} s, tier {}, factor {}{}{}{}{}\n", seconds(one.max_time),
                        seconds(one.default_time), one.priority_tier, one.priority_job_factor,
                        one.exclusive ? ", exclusive" : "", one.power_down_on_idle ? ", down on idle" : "",
                        one.max_nodes ? fmt::format(", max nodes {}", *one.max_nodes) : "",
                        one.power ? fmt::format(", {}", describe_power(*one.power)) : "");
    if (one.preempt_mode) text += fmt::format("  preempt mode {}\n", static_cast<int>(*one.preempt_mode));
  }
  for (std::size_t i = 0; i < cluster.qos.size(); ++i) {
    const slurm::Qos& one = cluster.qos[i];
    text += fmt::format("q{}: priority {}, usage factor {}, preempts", i, one.priority, one.usage_factor);
    for (const slurm::QosIndex other : one.preempts) text += fmt::format(" {}", other);
    text += one.preempt_mode ? fmt::format(", mode {}\n", static_cast<int>(*one.preempt_mode)) : "\n";
  }
  for (std::size_t i = 0; i < cluster.associations.size(); ++i) {
    const slurm::Association& one = cluster.associations[i];
    text += fmt::format("{} {}: {} shares, below {}\n", one.is_user ? "user" : "account", i, one.shares,
                        one.parent ? fmt::format("{}", *one.parent) : "the root");
  }
  return text;
}

std::string describe_settings(const slurm::Settings& settings) {
  const slurm::MainParameters& main = settings.main;
  const slurm::BackfillParameters& bf = settings.backfill;
  const slurm::PriorityParameters& priority = settings.priority;
  const slurm::PreemptionParameters& preemption = settings.preemption;
  std::string text =
      fmt::format("scheduler {}, depth {}, sched_interval {}, batch_sched_delay {}, cycle at end {}\n",
                  static_cast<int>(settings.backfill_type), main.default_queue_depth,
                  seconds(main.sched_interval), seconds(main.batch_sched_delay), main.cycle_at_end);
  text += fmt::format(
      "bf: interval {}, window {}, resolution {}, max_job_test {}, max_job_start {}, array_resv {}, "
      "part_count_reserve {}, node_space {}, min_prio {}, min_age {}, window_linear {}\n",
      seconds(bf.interval), seconds(bf.window), seconds(bf.resolution), bf.max_job_test, bf.max_job_start,
      bf.max_job_array_resv, bf.job_part_count_reserve, bf.node_space_size, bf.min_prio_reserve,
      seconds(bf.min_age_reserve), seconds(bf.window_linear));
  text += fmt::format(
      "priority {}: age {}, share {}, size {}, partition {}, qos {}; max age {}, period {}, half-life {}, "
      "small {}, relative {}\n",
      static_cast<int>(priority.type), priority.weights.age, priority.weights.fair_share,
      priority.weights.job_size, priority.weights.partition, priority.weights.qos, seconds(priority.max_age),
      seconds(priority.calculation_period), seconds(priority.half_life), priority.favor_small,
      priority.size_relative_to_time);
  text += fmt::format("preempt type {}, mode {}, reorder {}, youngest {}, kill wait {}; requeue delay {}\n",
                      static_cast<int>(preemption.type), static_cast<int>(preemption.mode),
                      preemption.reorder_count, preemption.youngest_first, seconds(preemption.kill_wait),
                      seconds(settings.requeue_delay));
  return text + describe_power(settings.power) + "\n";
}

std::string describe_job(std::size_t place, const CaseJob& job) {
  const slurm::JobRequest& request = job.request;
  std::string text = fmt::format("#{} at {}: {} nodes of {} CPUs {} GPUs{}, limit {}, runs {}, in", place,
                                 seconds(job.submit), request.size.nodes, request.size.cpus_per_node,
                                 request.size.gpus_per_node, request.size.exclusive ? " exclusive" : "",
                                 seconds(request.time_limit), seconds(job.run_time));
  for (const slurm::PartitionIndex partition : request.partitions) text += fmt::format(" p{}", partition);
  if (request.qos) text += fmt::format(", q{}", *request.qos);
  if (request.user) text += fmt::format(", user {}", *request.user);
  if (request.nice != 0) text += fmt::format(", nice {}", request.nice);
  if (request.priority) text += fmt::format(", priority {}", *request.priority);
  for (const slurm::Dependency& on : request.dependencies)
    text += fmt::format(", depends({}) on #{}", static_cast<int>(on.kind), on.job);
  if (job.tasks > 0) text += fmt::format(", {} tasks %{}", job.tasks, request.tasks_at_once);
  if (!request.requeue) text += ", no requeue";
  if (!request.batch) text += ", salloc";
  if (!job.ends_well) text += ", fails";
  if (job.cancel != kNever) text += fmt::format(", cancelled at {}", seconds(job.cancel));
  if (job.requeue != kNever) text += fmt::format(", requeued at {}", seconds(job.requeue));
  return text + "\n";
}

}  // namespace

Account library_account(const SlurmCase& made) {
  Library library{made.cluster};
  const auto due = [&](SimTime at) { return library.is_due(at); };
  return CasePlayer<Library, decltype(due)>{made, library, due}.play();
}

Account book_account(const SlurmCase& made) {
  Book book{made.cluster};
  const auto always = [](SimTime) { return true; };
  return CasePlayer<Book, decltype(always)>{made, book, always}.play();
}

std::string difference_between(const Account& library, const Account& book) {
  return first_difference(library.said, book.said) + first_difference(library.ranked, book.ranked);
}

std::string describe(const SlurmCase& made) {
  std::string text = describe_cluster(made.cluster) + describe_settings(made.cluster.settings);
  for (std::size_t i = 0; i < made.jobs.size(); ++i) text += describe_job(i, made.jobs[i]);
  for (const CaseFault& fault : made.faults)
    text += fmt::format("n{} at {}: {}\n", fault.node, seconds(fault.at),
                        fault.back ? fmt::format("DOWN, back {}", seconds(*fault.back)) : "restored");
  if (!made.boots.empty()) text += "boots:";
  for (const SimDuration boot : made.boots) text += fmt::format(" {}", seconds(boot));
  return text + fmt::format("\nstops after {}, step {}\n", seconds(made.stop_delay), seconds(made.step));
}

std::string describe(const Account& account) {
  std::string text;
  for (const Said& said : account.said) text += line(said) + "\n";
  for (const Ranked& ranked : account.ranked) text += line(ranked) + "\n";
  return text;
}

}  // namespace stockout::test
