#include "models/history/waits_against.h"

#include <utility>

#include "models/measures/goal_rule.h"
#include "models/workload/length_summary.h"
#include "sim/core/check.h"
#include "sim/core/hours.h"

namespace stockout {
namespace {

// Why a job never started.
enum class Unstarted : std::uint8_t { refused, expired, otherwise };

Unstarted unstarted_of(RecordedOutcome outcome) {
  if (outcome == RecordedOutcome::refused) return Unstarted::refused;
  return outcome == RecordedOutcome::expired ? Unstarted::expired : Unstarted::otherwise;
}

Unstarted unstarted_of(FinalState state) {
  if (state == FinalState::refused) return Unstarted::refused;
  return state == FinalState::expired ? Unstarted::expired : Unstarted::otherwise;
}

// What is known so far of some jobs.
struct WaitList {
  std::vector<SimDuration> waits;  // of those that started
  std::uint64_t never_started = 0;
  std::uint64_t refused = 0;
  std::uint64_t expired = 0;

  void add_unstarted(Unstarted why) {
    ++never_started;
    refused += why == Unstarted::refused ? 1U : 0U;
    expired += why == Unstarted::expired ? 1U : 0U;
  }
};

// The same by class, and of all.
struct WaitLists {
  std::map<std::string, WaitList> by_class;
  WaitList all;

  void add_wait(const std::string& name, SimDuration wait) {
    by_class[name].waits.push_back(wait);
    all.waits.push_back(wait);
  }
  void add_unstarted(const std::string& name, Unstarted why) {
    by_class[name].add_unstarted(why);
    all.add_unstarted(why);
  }
};

WaitFigures figures_of(WaitList&& list) {
  WaitFigures figures;
  const auto put = [&](WaitFigure figure, double value) {
    figures[static_cast<std::size_t>(figure)] = value;
  };
  put(WaitFigure::started, static_cast<double>(list.waits.size()));
  put(WaitFigure::never_started, static_cast<double>(list.never_started));
  put(WaitFigure::refused, static_cast<double>(list.refused));
  put(WaitFigure::expired, static_cast<double>(list.expired));
  if (list.waits.empty()) return figures;
  const LengthSummary waits = summarize_lengths(std::move(list.waits));
  put(WaitFigure::mean_h, waits.mean_ms / kMsPerHour);
  put(WaitFigure::p50_h, to_hours(waits.p50));
  put(WaitFigure::p90_h, to_hours(waits.p90));
  put(WaitFigure::p95_h, to_hours(waits.p95));
  return figures;
}

GroupedWaits figures_of(WaitLists&& lists) {
  GroupedWaits grouped{.by_class = {}, .all = figures_of(std::move(lists.all))};
  for (auto& [name, list] : lists.by_class) grouped.by_class[name] = figures_of(std::move(list));
  return grouped;
}

const std::string& class_name(const World& world, const Job& job) {
  return world.classes[index(job.job_class)].name;
}

std::string class_name(const Trace& trace, std::size_t place) {
  return trace.job_class.empty() ? std::string{} : trace.job_class.at(place);
}

// One class, of every replication.
class RunningFigures {
 public:
  void add(const WaitFigures& figures) {
    for (std::size_t i = 0; i < kWaitFigures; ++i) {
      if (figures[i]) running_[i].add(*figures[i]);
    }
  }

  [[nodiscard]] WaitEstimates result() const {
    WaitEstimates estimates;
    for (std::size_t i = 0; i < kWaitFigures; ++i) {
      if (running_[i].count() > 0) estimates[i] = running_[i].result();
    }
    return estimates;
  }

 private:
  std::array<RunningEstimate, kWaitFigures> running_;
};

WaitEstimates estimates_of(const WaitFigures& figures) {
  RunningFigures one;
  one.add(figures);
  return one.result();
}

}  // namespace

std::optional<SimDuration> wait_to_work(const JobOutcome& outcome) {
  const SimDuration granted = wait_of(outcome);
  if (granted == kForever) return std::nullopt;
  const bool ended_in_start_up = outcome.first_grant + outcome.start_delay == outcome.finished;
  if (ended_in_start_up && outcome.state != FinalState::completed) return std::nullopt;
  return granted + outcome.start_delay;
}

WaitsAgainstBook::WaitsAgainstBook(const World& world, const Trace& recorded,
                                   const std::optional<SameJobs>& same)
    : world_{world}, trace_{recorded}, same_{same} {
  if (same_) {
    for (std::size_t place = 0; place < trace_.size(); ++place) places_.emplace(trace_.row[place], place);
  }
  recorded_ = same_ ? recorded_of_matched() : recorded_by_name();
}

const std::size_t* WaitsAgainstBook::place_of(const Job& job) const {
  if (job.source != same_->source) return nullptr;
  const auto found = places_.find(job.row);
  return found == places_.end() ? nullptr : &found->second;
}

std::optional<SimDuration> WaitsAgainstBook::recorded_wait(std::size_t place) const {
  if (trace_.recorded_wait.empty() || trace_.recorded_wait[place] < SimDuration::zero()) return std::nullopt;
  return trace_.recorded_wait[place];
}

GroupedWaits WaitsAgainstBook::recorded_by_name() const {
  WaitLists lists;
  for (std::size_t place = 0; place < trace_.size(); ++place) {
    if (const auto wait = recorded_wait(place)) lists.add_wait(class_name(trace_, place), *wait);
  }
  for (const UnservedJob& job : trace_.unserved.jobs) {
    lists.add_unstarted(trace_.unserved.classes[job.job_class], unstarted_of(job.outcome));
  }
  return figures_of(std::move(lists));
}

// A job that never started when it was recorded is simulated nowhere. It belongs to its class where the
// scenario has that.
GroupedWaits WaitsAgainstBook::recorded_of_matched() {
  WaitLists lists;
  std::uint64_t known = 0;
  for (std::size_t place = 0; place < trace_.size(); ++place) known += recorded_wait(place) ? 1U : 0U;
  for_each_recorded_job(world_, 0, [&](std::uint64_t, const Job& job) {
    const std::size_t* place = place_of(job);
    const auto wait = place == nullptr ? std::nullopt : recorded_wait(*place);
    if (place == nullptr) {
      ++match_.others;
    } else if (!wait) {
      ++match_.wait_unknown;
    } else {
      ++match_.matched;
      lists.add_wait(class_name(world_, job), *wait);
    }
  });
  match_.not_simulated = known - match_.matched;
  const std::string only_class = lists.by_class.size() == 1 ? lists.by_class.begin()->first : std::string{};
  for (const UnservedJob& job : trace_.unserved.jobs) {
    const SimTime submit{SimDuration{job.submit_ms + same_->shift_ms}};
    if (submit < kStart || submit >= world_.window_end) continue;
    const Unstarted why = unstarted_of(job.outcome);
    const std::string& named = trace_.unserved.classes[job.job_class];
    const auto known_class = lists.by_class.find(named.empty() ? only_class : named);
    if (known_class != lists.by_class.end()) known_class->second.add_unstarted(why);
    lists.all.add_unstarted(why);
  }
  return figures_of(std::move(lists));
}

void WaitsAgainstBook::add(std::uint64_t replication, const RunRecord& record) {
  WaitLists simulated;
  WaitLists difference;
  for_each_recorded_job(world_, replication, [&](std::uint64_t number, const Job& job) {
    std::optional<SimDuration> recorded;
    if (same_) {
      const std::size_t* place = place_of(job);
      if (place != nullptr) recorded = recorded_wait(*place);
      if (!recorded) return;
    }
    const std::string& name = class_name(world_, job);
    const JobOutcome outcome = record.jobs.at(number);
    const auto wait = wait_to_work(outcome);
    if (!wait) {
      simulated.add_unstarted(name, unstarted_of(outcome.state));
    } else {
      simulated.add_wait(name, *wait);
      if (recorded) difference.add_wait(name, *wait - *recorded);
    }
  });
  Run run{.simulated = figures_of(std::move(simulated)), .difference = figures_of(std::move(difference))};
  const std::lock_guard lock{mutex_};
  STOCKOUT_CHECK(runs_.emplace(replication, std::move(run)).second);
}

WaitsAgainst WaitsAgainstBook::result() const {
  const std::lock_guard lock{mutex_};
  STOCKOUT_CHECK(!runs_.empty());
  struct Sides {
    RunningFigures simulated;
    RunningFigures difference;
  };
  std::map<std::string, Sides> by_class;
  Sides all;
  for (const auto& [name, figures] : recorded_.by_class) by_class[name];
  for (const auto& [replication, run] : runs_) {
    all.simulated.add(run.simulated.all);
    for (const auto& [name, figures] : run.simulated.by_class) by_class[name].simulated.add(figures);
    if (!same_) continue;
    all.difference.add(run.difference.all);
    for (const auto& [name, figures] : run.difference.by_class) by_class[name].difference.add(figures);
  }
  const auto side_by_side = [](const std::string& name, const WaitFigures& recorded, const Sides& sides) {
    return WaitsSideBySide{.job_class = name,
                           .recorded = estimates_of(recorded),
                           .simulated = sides.simulated.result(),
                           .difference = sides.difference.result()};
  };
  WaitsAgainst against;
  against.all = side_by_side({}, recorded_.all, all);
  against.replications = runs_.size();
  if (same_) against.match = match_;
  if (by_class.size() < 2) return against;
  for (const auto& [name, sides] : by_class) {
    const auto recorded = recorded_.by_class.find(name);
    const bool is_recorded = recorded != recorded_.by_class.end();
    against.classes.push_back(side_by_side(name, is_recorded ? recorded->second : WaitFigures{}, sides));
  }
  return against;
}

}  // namespace stockout
