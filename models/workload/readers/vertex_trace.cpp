#include <fmt/format.h>

#include "models/workload/readers/cloud_names.h"
#include "models/workload/readers/json_row.h"
#include "models/workload/readers/trace_formats.h"
#include "sim/io/json_items.h"

namespace stockout {
namespace {

// Source of all names: google.cloud.aiplatform.v1, CustomJob and HyperparameterTuningJob.

// What the worker pools of a job ask for together.
struct WorkerPools {
  std::int64_t gpus = 0;
  std::int64_t nodes = 0;      // with GPUs
  std::int32_t node_gpus = 0;  // of the first pool with GPUs
  bool are_equal = true;       // all nodes with GPUs have as many
  std::string_view machine;    // of the first pool with GPUs
  std::string_view gpu;
};

WorkerPools worker_pools(const JsonRow& spec) {
  WorkerPools all;
  for (const JsonValue& value : spec.list("workerPoolSpecs")) {
    const JsonRow pool = spec.row(value);
    const std::int32_t nodes = pool.count("replicaCount", 0);
    const std::int32_t each = pool.count("machineSpec.acceleratorCount", 0);
    if (nodes == 0 || each == 0) continue;
    if (all.nodes == 0) {
      all.node_gpus = each;
      all.machine = pool.text("machineSpec.machineType");
      all.gpu = gpu_of_cloud_name(pool.text("machineSpec.acceleratorType"));
    }
    all.are_equal = all.are_equal && each == all.node_gpus;
    all.nodes += nodes;
    all.gpus += std::int64_t{nodes} * each;
    if (all.gpus > kMostJobGpus) JsonRow::fail(value, "workerPoolSpecs", "at most 1048576 GPUs in all");
  }
  return all;
}

// The part of "projects/P/locations/R/customJobs/ID" behind "/PART/".
std::string_view part_of_name(std::string_view name, std::string_view part) {
  const std::size_t at = name.find(part);
  if (at == std::string_view::npos) return {};
  name.remove_prefix(at + part.size());
  return name.substr(0, name.find('/'));
}

class VertexTrace {
 public:
  explicit VertexTrace(TraceBuilder& builder)
      : builder_{builder}, stamps_{"UTC", {.file = builder.columns().file}} {}

  void read() {
    builder_.columns().absolute = true;
    builder_.keep({.times = true,
                   .outcome = true,
                   .user = true,
                   .team = true,
                   .job_class = true,
                   .partition = true,
                   .machine = true,
                   .gpu = true,
                   .group = true,
                   .nodes = true});
    for_each_json_item(builder_.columns().file, [this](const JsonValue& item) {
      ++number_;
      read_item(item);
      return true;
    });
  }

 private:
  void read_item(const JsonValue& item) {
    const std::string_view shown = name_in(item, "displayName");
    name_ = shown.empty() ? name_in(item, "name") : shown;
    if (has(item.find("trialJobSpec"))) return read_tuning(item);
    begin(item);
    builder_.read_row([&] { add_job({item, stamps_}); });
  }

  static bool has(const JsonValue* value) {
    return value != nullptr && value->get<JsonValue::Null>() == nullptr;
  }

  void begin(const JsonValue& value) {
    builder_.begin_item(static_cast<std::uint64_t>(value.line), number_, name_);
  }

  void add_job(const JsonRow& job) {
    RecordedRow row = row_of(job, "jobSpec");
    row.id = job.text("name");
    row.submit_ms = job.time("createTime");
    set_end(job, row);
    builder_.add(row);
  }

  // All trials are there from the beginning, and those beyond the parallel ones wait for their turn.
  void read_tuning(const JsonValue& item) {
    const JsonValue* const trials = item.find("trials");
    if (!has(trials)) return;
    const auto* const list = trials->get<JsonValue::List>();
    if (list == nullptr) {
      begin(item);
      return builder_.read_row([&] { JsonRow::fail(*trials, "trials", "a list"); });
    }
    std::int32_t number = 0;
    for (const JsonValue& trial : *list) {
      begin(trial);
      ++number;
      builder_.read_row([&] { add_trial({item, stamps_}, {trial, stamps_}, number); });
    }
  }

  void add_trial(const JsonRow& tuning, const JsonRow& trial, std::int32_t number) {
    RecordedRow row = row_of(tuning, "trialJobSpec");
    row.group = tuning.text("name");
    row.submit_ms = tuning.time("createTime");
    row.knows_wait = number <= tuning.count("parallelTrialCount", 1);
    row.start_ms = trial.time("startTime");
    row.end_ms = trial.time("endTime");
    row.word = trial.text("state");
    row.outcome = trial_outcome(row.word);
    builder_.add(row);
  }

  static RecordedOutcome trial_outcome(std::string_view state) {
    if (state == "REQUESTED") return RecordedOutcome::waiting;
    if (state == "ACTIVE" || state == "STOPPING") return RecordedOutcome::running;
    return state == "INFEASIBLE" ? RecordedOutcome::failed : recorded_outcome_of(state);
  }

  static RecordedRow row_of(const JsonRow& job, std::string_view spec_path) {
    RecordedRow row;
    const std::string_view name = job.text("name");
    row.partition = part_of_name(name, "/locations/");
    row.team = job.label("labels", "team");
    if (row.team.empty()) row.team = part_of_name(name, "projects/");
    const JsonValue* const value = job.find(spec_path);
    if (value == nullptr) return row;
    const JsonRow spec = job.row(*value);
    row.user = job.label("labels", "user");
    if (row.user.empty()) row.user = spec.text("serviceAccount");
    row.job_class = spec.text("scheduling.strategy");
    if (row.job_class.empty()) row.job_class = "STANDARD";
    const WorkerPools pools = worker_pools(spec);
    row.gpus = static_cast<std::int32_t>(pools.gpus);
    if (pools.are_equal) row.nodes = static_cast<std::int32_t>(pools.nodes);
    row.machine = pools.machine;
    row.gpu = pools.gpu;
    return row;
  }

  static void set_end(const JsonRow& job, RecordedRow& row) {
    constexpr std::int32_t kResourceExhausted = 8;  // google.rpc.Code
    row.word = job.text("state");
    row.outcome = recorded_outcome_of(row.word);
    row.start_ms = job.time("startTime");
    row.end_ms = job.time("endTime");
    const bool is_over = row.outcome != RecordedOutcome::running && row.outcome != RecordedOutcome::waiting;
    if (is_over && row.end_ms == kUnknownMs) row.end_ms = job.time("updateTime");
    const bool never_ran = row.start_ms == kUnknownMs;
    if (never_ran && row.outcome == RecordedOutcome::failed &&
        job.count("error.code", 0) == kResourceExhausted) {
      row.outcome = RecordedOutcome::refused;
    }
  }

  TraceBuilder& builder_;
  TimeStampReader stamps_;
  std::uint64_t number_ = 0;  // of the item
  std::string_view name_;     // of the item
};

}  // namespace

void read_vertex_trace(TraceBuilder& builder, TraceFields& /*fields*/, const TraceOptions& /*options*/) {
  VertexTrace{builder}.read();
}

}  // namespace stockout
