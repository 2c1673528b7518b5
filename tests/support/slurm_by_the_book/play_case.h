#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/slurm_by_the_book/slurm_case.h"

namespace stockout::test {

/// What a controller says at one time.
struct Said {
  SimTime at{};
  slurm::Event::Kind kind{};
  std::uint32_t subject = 0;  // the job or node
  slurm::JobId by = 0;
  std::vector<slurm::NodeIndex> nodes = {};  // of a job that starts
  slurm::PartitionIndex partition = 0;       // where it does
  friend auto operator<=>(const Said&, const Said&) = default;
};

/// Priorities of a job that waits, when they are others than before.
struct Ranked {
  SimTime at{};
  slurm::JobId job = 0;
  std::vector<std::uint32_t> priorities;
  friend bool operator==(const Ranked&, const Ranked&) = default;
};

/// All that a controller said of a case. At one time in the order of Said.
struct Account {
  std::vector<Said> said;
  std::vector<Ranked> ranked;
  friend bool operator==(const Account&, const Account&) = default;
};

[[nodiscard]] constexpr bool is_about_node(slurm::Event::Kind kind) {
  return kind >= slurm::Event::Kind::power_up;
}

/// Plays a case to a controller, and does what it orders: jobs that start end in time, nodes boot, jobs that
/// must stop do. `Due` says whether the controller has to be asked at an instant.
template <typename Controller, typename Due>
class CasePlayer {
 public:
  CasePlayer(const SlurmCase& made, Controller& controller, Due due)
      : made_{made}, controller_{controller}, due_{due} {}

  [[nodiscard]] Account play() {
    for (SimTime at = kStart; at <= made_.end && !is_over(); at += made_.step) {
      now_ = at;
      if (!is_something_due() && !due_(at)) continue;
      controller_.advance(at);
      follow();
      inputs();
      controller_.settle();
      while (follow() || controller_.is_due_again(at)) {
        controller_.advance(at);
        controller_.settle();
      }
      rank();
    }
    std::sort(account_.said.begin(), account_.said.end());
    return std::move(account_);
  }

 private:
  // What is to come for a job or node, if nothing comes between.
  using Times = std::map<std::uint32_t, SimTime>;

  [[nodiscard]] bool is_over() const {
    return next_job_ == made_.jobs.size() && next_fault_ == made_.faults.size() && now_ > last_submission() &&
           std::all_of(is_done_.begin(), is_done_.end(), [](bool done) { return done; });
  }
  [[nodiscard]] SimTime last_submission() const {
    return made_.jobs.empty() ? kStart : made_.jobs.back().submit + std::chrono::minutes{1};
  }

  [[nodiscard]] bool is_something_due() const {
    const auto has_due = [&](const Times& times) {
      return std::any_of(times.begin(), times.end(), [&](const auto& one) { return one.second <= now_; });
    };
    if (next_job_ < made_.jobs.size() && made_.jobs[next_job_].submit <= now_) return true;
    if (next_fault_ < made_.faults.size() && made_.faults[next_fault_].at <= now_) return true;
    return has_due(ends_) || has_due(stops_) || has_due(boots_) || has_due(cancels_) || has_due(requeues_);
  }

  static std::vector<std::uint32_t> take_due(Times& times, SimTime now) {
    std::vector<std::uint32_t> due;
    for (auto one = times.begin(); one != times.end();) {
      if (one->second > now) {
        ++one;
        continue;
      }
      due.push_back(one->first);
      one = times.erase(one);
    }
    return due;
  }

  void inputs() {
    for (; next_fault_ < made_.faults.size() && made_.faults[next_fault_].at <= now_; ++next_fault_) {
      const CaseFault& fault = made_.faults[next_fault_];
      boots_.erase(fault.node);
      if (fault.back) {
        controller_.node_is_down(fault.node, *fault.back);
      } else {
        controller_.restore_node(fault.node);
      }
      follow();
    }
    for (const std::uint32_t node : take_due(boots_, now_)) controller_.node_is_up(node);
    follow();
    for (const std::uint32_t job : take_due(stops_, now_)) stop(job);
    for (const std::uint32_t job : take_due(ends_, now_)) {
      is_done_[job] = true;
      controller_.finish(job, case_job(job).ends_well);
    }
    for (const std::uint32_t job : take_due(requeues_, now_)) {
      if (ends_.erase(job) > 0) controller_.requeue(job);
    }
    for (const std::uint32_t job : take_due(cancels_, now_)) {
      if (is_done_[job] || stops_.contains(job)) continue;
      ends_.erase(job);
      is_done_[job] = true;
      controller_.cancel(job);
    }
    for (; next_job_ < made_.jobs.size() && made_.jobs[next_job_].submit <= now_; ++next_job_) submit();
  }

  void submit() {
    const CaseJob& job = made_.jobs[next_job_];
    slurm::JobRequest request = job.request;
    request.dependencies.clear();
    for (const slurm::Dependency& on : job.request.dependencies) {
      const std::uint32_t tasks = std::max<std::uint32_t>(made_.jobs[on.job].tasks, 1);
      for (std::uint32_t i = 0; i < tasks; ++i)
        request.dependencies.push_back({.kind = on.kind, .job = first_[on.job] + i});
    }
    const std::uint32_t tasks = std::max<std::uint32_t>(job.tasks, 1);
    const slurm::JobId first =
        job.tasks > 0 ? controller_.submit_array(request, job.tasks) : controller_.submit(request);
    first_.push_back(first);
    for (std::uint32_t i = 0; i < tasks; ++i) {
      is_done_.push_back(false);
      place_.push_back(next_job_);
      if (job.cancel != kNever) cancels_[first + i] = job.cancel;
      if (job.requeue != kNever) requeues_[first + i] = job.requeue;
    }
  }

  void stop(slurm::JobId job) {
    if (!controller_.job(job).will_requeue_now()) is_done_[job] = true;
    controller_.stopped(job);
  }

  // Whether the controller has been told something in return.
  bool follow() {
    bool has_told = false;
    for (const slurm::Event& event : controller_.take_events()) {
      Said one{.at = event.at,
               .kind = event.kind,
               .subject = is_about_node(event.kind) ? event.node : event.job,
               .by = event.kind == slurm::Event::Kind::preempted ? event.by : 0};
      if (event.kind == slurm::Event::Kind::started || event.kind == slurm::Event::Kind::configuring) {
        one.nodes = controller_.job(event.job).held_nodes();
        std::sort(one.nodes.begin(), one.nodes.end());
        one.partition = controller_.job(event.job).in_partition();
      }
      account_.said.push_back(one);
      has_told = obey(event) || has_told;
    }
    return has_told;
  }

  bool obey(const slurm::Event& event) {
    using Kind = slurm::Event::Kind;
    switch (event.kind) {
      case Kind::started:
        ends_[event.job] = now_ + case_job(event.job).run_time;
        break;
      case Kind::configuring:
        break;
      case Kind::preempted:
      case Kind::timed_out:
        ends_.erase(event.job);
        if (made_.stop_delay == SimDuration{}) {
          stop(event.job);
          return true;
        }
        stops_[event.job] = now_ + made_.stop_delay;
        break;
      case Kind::failed:
        is_done_[event.job] = true;
        [[fallthrough]];
      case Kind::requeued:
        ends_.erase(event.job);
        stops_.erase(event.job);
        break;
      case Kind::power_up:
        boot(event.node);
        break;
      case Kind::power_down:
      case Kind::node_down:
        boots_.erase(event.node);
        break;
    }
    return false;
  }

  void boot(slurm::NodeIndex node) {
    if (made_.boots.empty()) return;
    const std::size_t number = node * 5 + boot_count_[node]++;
    const SimDuration length = made_.boots[number % made_.boots.size()];
    if (length != kForever) boots_[node] = now_ + length;
  }

  void rank() {
    if (!made_.compares_priorities) return;
    for (slurm::JobId job = 0; job < is_done_.size(); ++job) {
      if (!controller_.job(job).is_pending()) continue;
      auto& before = priorities_[job];
      if (before == controller_.job(job).all_priorities()) continue;
      before = controller_.job(job).all_priorities();
      account_.ranked.push_back({.at = now_, .job = job, .priorities = before});
    }
  }

  [[nodiscard]] const CaseJob& case_job(slurm::JobId job) const { return made_.jobs[place_[job]]; }

  const SlurmCase& made_;
  Controller& controller_;
  Due due_;
  SimTime now_ = kStart;
  std::size_t next_job_ = 0;
  std::size_t next_fault_ = 0;
  std::vector<slurm::JobId> first_;  // by place in the list
  std::vector<std::size_t> place_;   // in the list, by job
  std::vector<bool> is_done_;        // by job
  Times ends_;
  Times stops_;
  Times cancels_;
  Times requeues_;
  Times boots_;
  std::map<slurm::NodeIndex, std::size_t> boot_count_;
  std::map<slurm::JobId, std::vector<std::uint32_t>> priorities_;
  Account account_;
};

}  // namespace stockout::test
