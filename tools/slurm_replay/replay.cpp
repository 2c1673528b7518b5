#include "tools/slurm_replay/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

#include "models/orchestrators/slurm/slurm.h"
#include "tools/slurm_replay/node_power.h"

namespace stockout::slurm {
namespace {

class Replay {
 public:
  Replay(const Configuration& configuration, const std::vector<ListedJob>& jobs, const PowerPlan& plan)
      : slurm_{configuration}, jobs_{jobs}, power_{slurm_, plan} {}

  std::vector<PlayedJob> play() {
    while (const auto at = next()) {
      slurm_.advance(*at);
      power_.act();
      follow();
      end_jobs();
      submit_jobs();
      slurm_.settle();
      follow();
    }
    return std::move(played_);
  }

 private:
  // Void if the job has been started anew since.
  struct End {
    SimTime at{};
    JobId job = 0;
    int start = 0;
    friend bool operator>(const End& a, const End& b) {
      return std::pair{a.at, a.job} > std::pair{b.at, b.job};
    }
  };

  [[nodiscard]] std::optional<SimTime> next() const {
    std::optional<SimTime> at = slurm_.next_due();
    const auto take = [&](SimTime other) { at = at ? std::min(*at, other) : other; };
    if (!ends_.empty()) take(ends_.top().at);
    if (const auto node = power_.next()) take(*node);
    if (next_job_ < jobs_.size()) take(jobs_[next_job_].submit);
    return at;
  }

  void end_jobs() {
    while (!ends_.empty() && ends_.top().at <= slurm_.now()) {
      const End end = ends_.top();
      ends_.pop();
      if (end.start != starts_[end.job] || played_[end.job].end) continue;
      played_[end.job].end = slurm_.now();
      slurm_.finish(end.job);
    }
  }

  void submit_jobs() {
    for (; next_job_ < jobs_.size() && jobs_[next_job_].submit <= slurm_.now(); ++next_job_) {
      const ListedJob& job = jobs_[next_job_];
      JobRequest request = job.request;
      request.dependencies = on_numbers(job.request.dependencies);
      const std::uint32_t tasks = std::max<std::uint32_t>(job.tasks, 1);
      first_.push_back(job.tasks > 0 ? slurm_.submit_array(request, tasks) : slurm_.submit(request));
      for (std::uint32_t task = 0; task < tasks; ++task) {
        played_.push_back(
            {.id = job.tasks > 0 ? fmt::format("{}_{}", job.id, task + 1) : job.id, .submit = job.submit});
        run_times_.push_back(job.run_time);
        starts_.push_back(0);
      }
    }
  }

  // On an array: on each of its tasks.
  [[nodiscard]] std::vector<Dependency> on_numbers(const std::vector<Dependency>& on_places) const {
    std::vector<Dependency> found;
    for (const Dependency& dependency : on_places) {
      const std::uint32_t tasks = std::max<std::uint32_t>(jobs_[dependency.job].tasks, 1);
      for (std::uint32_t task = 0; task < tasks; ++task) {
        found.push_back({.kind = dependency.kind, .job = first_[dependency.job] + task});
      }
    }
    return found;
  }

  void follow() {
    for (const Event& event : slurm_.take_events()) {
      PlayedJob& job = played_[std::min<std::size_t>(event.job, played_.size() - 1)];
      if (event.kind == Event::Kind::started) {
        start(event.job, job);
      } else if (event.kind == Event::Kind::preempted || event.kind == Event::Kind::timed_out) {
        ++starts_[event.job];
        job.timed_out = event.kind == Event::Kind::timed_out;
        const bool is_over = job.timed_out || !slurm_.job(event.job).run.will_requeue;
        if (is_over) job.end = slurm_.now();
        slurm_.stopped(event.job);
      } else if (event.kind == Event::Kind::requeued || event.kind == Event::Kind::failed) {
        ++starts_[event.job];
        if (event.kind == Event::Kind::failed) job.end = slurm_.now();
      } else {
        power_.follow(event);
      }
    }
  }

  void start(JobId id, PlayedJob& job) {
    const Job& now = slurm_.job(id);
    job.restarts += job.start ? 1 : 0;
    job.start = slurm_.now();
    job.nodes = now.run.nodes;
    ends_.push({.at = slurm_.now() + run_times_[id], .job = id, .start = starts_[id]});
  }

  Slurm slurm_;
  const std::vector<ListedJob>& jobs_;
  NodePower power_;
  std::size_t next_job_ = 0;
  std::vector<JobId> first_;       // by place in the list
  std::vector<PlayedJob> played_;  // by number of the job, as are those below
  std::vector<SimDuration> run_times_;
  std::vector<int> starts_;  // how often it was stopped
  std::priority_queue<End, std::vector<End>, std::greater<>> ends_;
};

}  // namespace

std::vector<PlayedJob> replay(const Configuration& configuration, const std::vector<ListedJob>& jobs,
                              const PowerPlan& plan) {
  return Replay{configuration, jobs, plan}.play();
}

}  // namespace stockout::slurm
