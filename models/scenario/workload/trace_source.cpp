#include "models/scenario/workload/trace_source.h"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/scenario/draft/scenario_cache.h"
#include "models/scenario/format/fill.h"
#include "models/scenario/format/keys.h"
#include "models/scenario/workload/recorded_names.h"
#include "models/scenario/workload/row_speeds.h"
#include "models/workload/trace.h"
#include "sim/core/counted.h"
#include "sim/core/duration_text.h"
#include "sim/io/time_stamp.h"

namespace stockout {
namespace {

JoinAttempts join_rule(const Node& node) {
  const Node rule = node.at("join_attempts");
  JoinAttempts join{.within = rule.duration("within"), .after = {}};
  for (const Node& outcome : rule.list("after")) join.after.push_back(outcome.as_text());
  return join;
}

TraceOptions trace_options(const Node& node) {
  TraceOptions options;
  fill(options, node);
  check_time_zone(options.zone, node.at("time_zone").where());
  for (const Node& user : node.list("only_users")) options.users.push_back(user.as_text());
  if (node.has("join_attempts")) options.join = join_rule(node);
  return options;
}

// What is added to a trace's times to make them simulated ones.
std::int64_t shift_ms(const Draft& draft, const Node& node, const Trace& trace) {
  const std::int64_t origin = (draft.calendar.origin() - kStart).count();
  if (node.text("shift") == "to_start") return origin - trace.submit_ms.front();
  const std::int64_t start = draft.calendar.start().time_since_epoch().count();
  if (trace.absolute) return -start;
  return trace.zero_ms ? *trace.zero_ms - start : origin;
}

template <typename MakeId>
auto ids_of_words(const WordColumn& column, MakeId make_id) {
  std::vector<decltype(make_id(std::string{}))> ids;
  for (const std::string& word : column.names) ids.push_back(make_id(word));
  return ids;
}

// Jobs of a trace, one column after the other.
class TraceColumns {
 public:
  // `own`: the trace, if nobody else uses it, so that it can be moved from.
  TraceColumns(Draft& draft, const SourceTerms& source, const Trace& trace, Trace* own)
      : draft_{draft}, source_{source}, node_{source.node.at("trace")}, trace_{trace}, own_{own} {}

  // Once.
  JobColumns make() {
    add_submit();
    add_classes();
    add_users();
    add_shapes();
    add_waits();
    add_deadlines();
    jobs_.row = taken(&Trace::row);
    jobs_.work = taken(&Trace::work);
    jobs_.estimate = taken(&Trace::estimate);
    jobs_.group = taken(&Trace::group);
    jobs_.links = taken(&Trace::links);
    jobs_.held = taken(&Trace::held);
    jobs_.team = trace_.team.codes;
    jobs_.teams = trace_.team.names;
    return std::move(jobs_);
  }

 private:
  // What the trace holds already in the form of jobs.
  template <typename T>
  std::vector<T> taken(std::vector<T> Trace::*column) const {
    return own_ != nullptr ? std::move(own_->*column) : trace_.*column;
  }

  void add_submit() {
    const std::int64_t shift = shift_ms(draft_, node_, trace_);
    const SimTime first{SimDuration{trace_.submit_ms.front() + shift}};
    if (trace_.absolute && first == draft_.calendar.origin()) {
      const bool was_held = !trace_.held.empty() && trace_.held.front() > SimDuration::zero();
      draft_.scenario.assumptions.push_back(fmt::format(
          "{}: {}, {}, is moved to the start of the window (\"shift\")", source_.name,
          was_held ? "the moment from which the first job asks, held back before" : "the first submission",
          format_unix_ms(trace_.submit_ms.front())));
    }
    jobs_.submit.reserve(trace_.size());
    for (const std::int64_t at : trace_.submit_ms) jobs_.submit.emplace_back(SimDuration{at + shift});
  }

  void add_classes() {
    jobs_.job_class.reserve(trace_.size());
    if (node_.has("class_by_length")) {
      add_classes_by_length();
    } else if (!trace_.job_class.empty()) {
      const auto ids = ids_of_words(trace_.job_class, [&](const std::string& word) {
        return word.empty() ? draft_.class_id(node_, class_name()) : class_of_file(word);
      });
      for (const std::uint32_t code : trace_.job_class.codes) jobs_.job_class.push_back(ids[code]);
    } else {
      jobs_.job_class.assign(trace_.size(), draft_.class_id(node_, class_name()));
    }
  }

  ClassId class_of_file(const std::string& name) {
    const ClassId of_source = draft_.class_id(node_, class_name());
    const ClassId id = draft_.class_id(node_, name);
    if (id != of_source) draft_.classes_of_files.push_back({.trace = node_, .id = id, .like = of_source});
    return id;
  }

  std::string class_name() const {
    return source_.node.has("class") ? source_.node.text("class") : source_.name;
  }

  void add_classes_by_length() {
    const bool is_described = describes_jobs(source_.node);
    std::vector<std::pair<SimDuration, ClassId>> bounds;
    for (const Node& part : node_.list("class_by_length")) {
      const SimDuration bound = part.has("up_to") ? part.duration("up_to") : kForever;
      const std::string name = part.text("name");
      bounds.emplace_back(bound, is_described ? class_of_file(name) : draft_.class_id(part, name));
    }
    for (const SimDuration work : trace_.work) {
      const auto fits = std::ranges::find_if(bounds, [&](const auto& bound) { return work <= bound.first; });
      if (fits == bounds.end()) {
        node_.at("class_by_length")
            .fail(fmt::format("a job of {} fits no class: leave out \"up_to\" in the last one",
                              format_duration(work)));
      }
      jobs_.job_class.push_back(fits->second);
    }
  }

  void add_users() {
    if (trace_.user.empty()) {
      jobs_.user.assign(trace_.size(), UserId{0});
      return;
    }
    const auto ids = ids_of_words(trace_.user, [&](const std::string& word) {
      return draft_.user_id(node_, word.empty() ? "-" : word);
    });
    jobs_.user.reserve(trace_.size());
    for (const std::uint32_t code : trace_.user.codes) jobs_.user.push_back(ids[code]);
  }

  void add_shapes() {
    const RecordedNames names{draft_, source_, node_, trace_};
    // Jobs of one shape are many: a shape is worked out once for each combination of what decides it.
    std::map<std::array<std::int64_t, 7>, ShapeId> known;
    jobs_.shape.reserve(trace_.size());
    for (std::size_t i = 0; i < trace_.size(); ++i) {
      const std::int32_t nodes = trace_.nodes.empty() ? 0 : trace_.nodes[i];
      const std::array<std::int64_t, 7> key{trace_.gpus[i],
                                            nodes,
                                            code(trace_.gpu, i),
                                            code(trace_.machine, i),
                                            code(trace_.speed, i),
                                            code(trace_.gpu_memory, i),
                                            static_cast<std::int64_t>(jobs_.job_class[i])};
      auto found = known.find(key);
      if (found == known.end()) {
        const RecordedPlace place = names.at(i);
        const Shape shape = shape_of(trace_.gpus[i], nodes,
                                     {.gpu = place.gpu,
                                      .machine = place.machine,
                                      .speed = word(trace_.speed, i),
                                      .gpu_memory = word(trace_.gpu_memory, i)});
        found = known.emplace(key, draft_.shape_id(node_, shape, jobs_.job_class[i])).first;
      }
      jobs_.shape.push_back(found->second);
    }
  }

  static std::uint32_t code(const WordColumn& column, std::size_t job) {
    return column.empty() ? 0 : column.codes[job];
  }

  static std::string word(const WordColumn& column, std::size_t job) {
    return column.empty() ? "" : column.at(job);
  }

  Shape shape_of(std::int32_t gpus, std::int32_t nodes, const RowSpeed& row) {
    Shape shape{.gpu = row.gpu.substr(0, row.gpu.find('|')), .machine = row.machine};
    if (shape.machine.empty() && shape.gpu.empty()) {
      shape.machine = source_.machine;
      shape.gpu = source_.gpu;
    }
    if (!row.machine.empty()) {
      const MachineId machine = *draft_.catalog.find_machine(row.machine);
      shape.gpu = draft_.catalog.gpu_name(draft_.catalog.machine(machine).gpu);
      if (row.gpu.find('|') != std::string::npos && !row.gpu.starts_with(shape.gpu + '|')) {
        node_.fail(fmt::format("a row of the file names {}, but the first of its GPU types \"{}\" is not {}",
                               row.machine, row.gpu, shape.gpu));
      }
    }
    shape.speed = row_speed(draft_, source_.node, source_.speed, row, shape.gpu);
    const bool is_listed = !draft_.world().speeds[index(shape.speed)].gpus.empty();
    if (node_.has("clip_gpus") && gpus > node_.integer("clip_gpus")) {
      gpus = static_cast<std::int32_t>(node_.integer("clip_gpus"));
      nodes = 0;
    }
    const std::int32_t per_node = nodes > 0 ? gpus / nodes : gpus_per_node(shape);
    if (is_listed) shape.machine.clear();
    shape.nodes = std::max(1, gpus / per_node);
    shape.gpus_per_node = std::min(gpus, per_node);
    shape.tail_gpus = gpus > per_node ? gpus % per_node : 0;
    return shape;
  }

  std::int32_t gpus_per_node(const Shape& shape) {
    if (!shape.machine.empty()) {
      const auto machine = draft_.catalog.machine(*draft_.catalog.find_machine(shape.machine));
      return static_cast<std::int32_t>(machine.gpus.count());
    }
    if (node_.has("gpus_per_node")) return static_cast<std::int32_t>(node_.integer("gpus_per_node"));
    std::int64_t host = 0;
    for (const std::string& family : draft_.pool_families) {
      for (const MachineType& machine : draft_.catalog.machines()) {
        if (machine.family != family ||
            !(shape.gpu.empty() || draft_.catalog.gpu_name(machine.gpu) == shape.gpu))
          continue;
        if (host != 0 && host != machine.host_gpus.count()) {
          node_.fail("\"gpus_per_node\" is missing: the pools' hosts differ in size");
        }
        host = machine.host_gpus.count();
      }
    }
    if (host == 0) node_.fail(fmt::format("no pool has {}, which jobs of the trace ask for", shape.gpu));
    return static_cast<std::int32_t>(host);
  }

  void add_waits() {
    const Node wait = source_.node.at("max_wait");
    if (!trace_.max_wait.empty()) {
      jobs_.max_wait = taken(&Trace::max_wait);
    } else if (wait.as_duration() != kForever) {
      jobs_.max_wait.assign(trace_.size(), wait.as_duration());
    }
  }

  void add_deadlines() {
    jobs_.deadline = taken(&Trace::deadline);
    if (!jobs_.deadline.empty() || !source_.node.has("deadline")) return;
    const Node deadline = source_.node.at("deadline");
    for (std::size_t i = 0; i < trace_.size(); ++i) jobs_.deadline.push_back(deadline_of(deadline, i));
  }

  SimDuration deadline_of(const Node& deadline, std::size_t i) const {
    if (deadline.kind() == ValueKind::duration) return deadline.as_duration();
    if (deadline.has("work_plus")) return trace_.work[i] + deadline.duration("work_plus");
    return draft_.calendar.next_clock(jobs_.submit[i], deadline.at("at").as_clock()) - jobs_.submit[i];
  }

  Draft& draft_;
  const SourceTerms& source_;
  Node node_;
  const Trace& trace_;
  Trace* own_;
  JobColumns jobs_;
};

// Adds a note of the rows that were dropped because they are broken, or because they are no jobs. All reasons
// are in one: they must not crowd out other warnings.
void add_dropped(const Trace& trace, bool is_broken, std::vector<std::string>& notes) {
  std::uint64_t rows = 0;
  std::vector<std::string> reasons;
  for (const DroppedRows& dropped : trace.dropped) {
    if (dropped.is_broken != is_broken) continue;
    rows += dropped.count;
    reasons.push_back(text_of(dropped));
  }
  if (reasons.empty()) return;
  const std::string what =
      is_broken ? counted(rows, "row could not be read and was left out, and its job is missing",
                          "rows could not be read and were left out, and their jobs are missing")
                : counted(rows, "row is no job and was left out", "rows are no jobs and were left out");
  notes.push_back(fmt::format("{}: {}", what, fmt::join(reasons, "; ")));
}

void tell_about(Draft& draft, const SourceTerms& source, const Trace& trace) {
  std::vector<std::string> notes;
  for (const bool is_broken : {true, false}) add_dropped(trace, is_broken, notes);
  notes.insert(notes.end(), trace.notes.begin(), trace.notes.end());
  for (const std::string& note : notes) draft.trace_notes.push_back(source.name + ": " + note);
}

std::shared_ptr<const JobColumns> build_columns(Draft& draft, const SourceTerms& source, const Trace& trace,
                                                Trace* own) {
  tell_about(draft, source, trace);
  return std::make_shared<const JobColumns>(TraceColumns{draft, source, trace, own}.make());
}

// Kueue and the others know neither dependencies nor limits of arrays.
void tell_about_links(Draft& draft, const SourceTerms& source, const TraceDemand& demand) {
  const auto holds_back = [](const JobLink& link) {
    return link.kind != JobLink::Kind::task_of || link.at_once > 0;
  };
  if (std::ranges::none_of(demand.jobs->links, holds_back)) return;
  if (!draft.root.has("slurm")) {
    draft.warn(
        fmt::format("{}: dependencies and limits of arrays have no effect without Slurm", source.name));
  } else if (demand.resampled) {
    draft.warn(fmt::format("{}: resampled jobs have no dependencies and are in no array", source.name));
  }
}

template <typename T>
void keep_rows(std::vector<T>& column, std::size_t from, std::size_t to) {
  if (column.empty()) return;
  column.resize(to);
  column.erase(column.begin(), column.begin() + static_cast<std::ptrdiff_t>(from));
}

}  // namespace

TraceDemand build_trace(Draft& draft, const SourceTerms& source) {
  const Node node = source.node.at("trace");
  const auto format = node.choice<TraceFormat>("format");
  const TraceOptions options = trace_options(node);
  TraceDemand demand;
  const auto remember = [&](const Trace& trace) {
    draft.scenario.traces.push_back({.source = source.name,
                                     .file = trace.file,
                                     .format = format,
                                     .options = options,
                                     .shift_ms = shift_ms(draft, node, trace)});
  };
  if (draft.cache != nullptr) {
    const auto trace = node.at("file").read_file(
        [&](const std::string& path) { return draft.cache->trace(path, format, options); });
    remember(*trace);
    demand.jobs = build_columns(draft, source, *trace, nullptr);
  } else {
    Trace trace =
        node.at("file").read_file([&](const std::string& path) { return read_trace(path, format, options); });
    remember(trace);
    demand.jobs = build_columns(draft, source, trace, &trace);
  }
  if (node.has("resample")) {
    const Node rule = node.at("resample");
    demand.resampled = true;
    fill(demand.resample, rule);
    if (!rule.has("length")) demand.resample.length = draft.calendar.window(draft.root.text("window"));
  }
  tell_about_links(draft, source, demand);
  return demand;
}

SimTime last_submit(const TraceDemand& demand) {
  if (demand.resampled) return kStart + demand.resample.length - SimDuration{1};
  return demand.jobs->submit.back();
}

void cut_to_window(Draft& draft, const SourceTerms& source, TraceDemand& demand) {
  const auto& submit = demand.jobs->submit;
  const SimTime end = demand.resampled ? kNever : draft.world().window_end;
  const auto from = static_cast<std::size_t>(std::ranges::lower_bound(submit, kStart) - submit.begin());
  const auto to = static_cast<std::size_t>(std::ranges::lower_bound(submit, end) - submit.begin());
  if (from == to) {
    source.node.at("trace").fail(
        "no job of the file falls into the window; \"shift\": \"to_start\" would move the first "
        "to its start");
  }
  if (to - from == submit.size()) return;
  draft.warn(fmt::format("{}: submitted outside the window and left out: {} of {}", source.name,
                         submit.size() - (to - from), counted(submit.size(), "job")));
  JobColumns jobs = *demand.jobs;
  keep_rows(jobs.submit, from, to);
  keep_rows(jobs.work, from, to);
  keep_rows(jobs.shape, from, to);
  keep_rows(jobs.job_class, from, to);
  keep_rows(jobs.user, from, to);
  keep_rows(jobs.row, from, to);
  keep_rows(jobs.estimate, from, to);
  keep_rows(jobs.max_wait, from, to);
  keep_rows(jobs.deadline, from, to);
  keep_rows(jobs.group, from, to);
  keep_rows(jobs.held, from, to);
  keep_rows(jobs.team, from, to);
  demand.jobs = std::make_shared<const JobColumns>(std::move(jobs));
}

}  // namespace stockout
