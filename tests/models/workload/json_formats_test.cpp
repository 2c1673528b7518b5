// Jobs as Google Cloud and Kubernetes list them, item by item.

#include <algorithm>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "models/workload/trace.h"
#include "sim/core/error.h"
#include "tests/support/read_export.h"
#include "tests/support/scratch_folder.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;

namespace {

using Lengths = std::vector<SimDuration>;
using Counts = std::vector<std::int32_t>;
using Words = std::vector<std::string>;

std::string error_of(std::string_view content, TraceFormat format) {
  const ScratchFolder folder;
  try {
    static_cast<void>(read_trace(folder.file("t", content), format));
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

Words reasons(const Trace& trace) {
  Words all;
  for (const DroppedRows& rows : trace.dropped) all.push_back(rows.reason);
  return all;
}

// A custom job of two machines of eight H100 each, with these fields beside its specification.
std::string custom_job(std::string_view more, std::string_view gpu = "NVIDIA_H100_80GB") {
  return R"({"name": "projects/p1/locations/us-central1/customJobs/7", "displayName": "train",
  "createTime": "2026-03-02T00:00:00.123456Z", "labels": {"team": "vision"},
  "jobSpec": {"workerPoolSpecs": [{"replicaCount": "1", "machineSpec": {"machineType": "a3-highgpu-8g",
      "acceleratorType": ")" +
         std::string{gpu} + R"(", "acceleratorCount": 8}}, {},
    {"replicaCount": "1", "machineSpec": {"machineType": "a3-highgpu-8g",
      "acceleratorType": "NVIDIA_H100_80GB", "acceleratorCount": 8}}],
    "serviceAccount": "robot@p1", "scheduling": {"strategy": "FLEX_START", "timeout": "604800s"}},
  )" + std::string{more} +
         "}";
}

}  // namespace

TEST_CASE("Vertex AI: custom jobs have machines, region, strategy, and the wait to the first start",
          "[trace]") {
  const Trace trace = read_export(
      "[" + custom_job(R"("state": "JOB_STATE_SUCCEEDED", "startTime": "2026-03-02T02:00:00.123Z",
                    "endTime": "2026-03-02T05:00:00.123Z")") +
      "," + custom_job(R"("state": "JOB_STATE_FAILED", "endTime": "2026-03-02T01:00:00.123Z",
                          "error": {"code": 8, "message": "Resources are insufficient in region"})") +
      "," + custom_job(R"("state": "JOB_STATE_EXPIRED", "updateTime": "2026-03-03T00:00:00.123Z")") + "," +
      custom_job(R"("state": "JOB_STATE_FAILED", "endTime": "2026-03-02T01:00:00Z", "error": {"code": 3})") +
      "," + custom_job(R"("state": "JOB_STATE_PENDING")") + "]");
  CHECK(trace.format == TraceFormat::vertex);
  CHECK(trace.work == Lengths{3h});
  CHECK(trace.recorded_wait == Lengths{2h});
  CHECK(trace.gpus == Counts{16});
  CHECK(trace.nodes == Counts{2});
  CHECK(words_of(trace.machine) == Words{"a3-highgpu-8g"});
  CHECK(words_of(trace.gpu) == Words{"H100-80GB"});
  CHECK(words_of(trace.job_class) == Words{"FLEX_START"});
  CHECK(words_of(trace.partition) == Words{"us-central1"});
  CHECK(words_of(trace.team) == Words{"vision"});
  CHECK(words_of(trace.user) == Words{"robot@p1"});
  CHECK(reasons(trace) == Words{"never started: it was refused", "never started: its time to wait was over",
                                "never started", "still waited when the file was written"});
  REQUIRE(trace.unserved.jobs.size() == 4);
  CHECK(trace.unserved.jobs[0].waited == 1h);
  CHECK(trace.unserved.jobs[1].waited == 24h);
}

TEST_CASE("Vertex AI: the trials of a tuning job are jobs of one group", "[trace]") {
  const Trace trace = read_export(R"([{"name": "projects/p1/locations/r/hyperparameterTuningJobs/1",
    "createTime": "2026-03-02T00:00:00Z", "parallelTrialCount": 1, "trialJobSpec": {"workerPoolSpecs": [
      {"replicaCount": 1, "machineSpec": {"machineType": "g2-standard-8", "acceleratorType": "NVIDIA_L4",
       "acceleratorCount": "1"}}]},
    "trials": [{"id": "1", "state": "SUCCEEDED", "startTime": "2026-03-02T00:10:00Z", "endTime": "2026-03-02T01:00:00Z"},
               {"id": "2", "state": "INFEASIBLE", "startTime": "2026-03-02T01:00:00Z", "endTime": "2026-03-02T02:00:00Z"},
               {"id": "3", "state": "ACTIVE", "startTime": "2026-03-02T02:00:00Z"}]}])");
  CHECK(trace.rows_read == 3);
  CHECK(trace.work == Lengths{50min, 1h});
  CHECK(trace.group == std::vector<std::uint32_t>{1, 1});
  CHECK(trace.recorded_wait == Lengths{10min, -1ms});  // the second waited for its turn
}

TEST_CASE("Kueue: workloads have pods, flavors, queues, and a wait unless they were evicted", "[trace]") {
  const auto workload = [](std::string_view status) {
    return R"({"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "Workload",
      "metadata": {"uid": "u", "namespace": "vision", "creationTimestamp": "2026-03-02T00:00:00Z"},
      "spec": {"queueName": "gpus", "priorityClassRef": {"name": "urgent"}, "maximumExecutionTimeSeconds": 7200,
        "podSets": [{"name": "driver", "count": 1, "template": {"spec": {"containers": [{}]}}},
          {"name": "main", "count": 4, "template": {"spec": {
            "nodeSelector": {"node.kubernetes.io/instance-type": "a3-highgpu-8g"},
            "containers": [{"resources": {"requests": {"cpu": "500m", "nvidia.com/gpu": "8"}}}]}}}]},
      "status": {)" +
           std::string{status} + "}}";
  };
  const std::string ran = R"("conditions": [
    {"type": "Admitted", "status": "True", "lastTransitionTime": "2026-03-02T01:00:00Z", "reason": "Admitted"},
    {"type": "PodsReady", "status": "True", "lastTransitionTime": "2026-03-02T01:05:00Z", "reason": "Started"},
    {"type": "Finished", "status": "True", "lastTransitionTime": "2026-03-02T02:05:00Z", "reason": "Succeeded"}],
    "admission": {"podSetAssignments": [{"name": "main", "flavors": {"nvidia.com/gpu": "reserved"}, "count": 4}]})";
  const Trace trace = read_export(
      R"({"apiVersion": "v1", "kind": "List", "metadata": {"items": [1]}, "items": [)" + workload(ran) + "," +
      workload(ran + R"(, "schedulingStats": {"evictions": [{"reason": "Preempted", "count": 2}]})") + "," +
      workload(
          R"("conditions": [{"type": "QuotaReserved", "status": "False", "reason": "WaitingForQuota"}])") +
      "," + workload(R"("conditions": [{"type": "Evicted", "status": "True", "reason": "DeactivatedDueToX",
        "lastTransitionTime": "2026-03-02T06:00:00Z"}])") +
      "]}");
  CHECK(trace.format == TraceFormat::kueue);
  CHECK(trace.rows_read == 4);
  for (const char* eviction : {R"({"type": "Evicted", "status": "False", "reason": "QuotaReserved",
        "lastTransitionTime": "2026-03-02T00:50:00Z"},)",
                               ""}) {
    std::string evicted = ran;
    evicted.insert(evicted.find("{"), eviction);
    if (*eviction == '\0') evicted += R"(, "requeueState": {"count": 1})";
    CHECK(read_export(R"({"apiVersion": "v1", "kind": "List", "items": [)" + workload(evicted) + "]}")
              .recorded_wait == Lengths{-1ms});
  }
  CHECK(trace.gpus == Counts{32, 32});
  CHECK(trace.work == Lengths{1h, 1h});
  CHECK(trace.estimate == Lengths{2h, 2h});
  CHECK(trace.recorded_wait == Lengths{65min, -1ms});
  CHECK(trace.attempts == std::vector<std::uint32_t>{1, 3});
  CHECK(words_of(trace.gpu) == Words{"reserved", "reserved"});
  CHECK(words_of(trace.machine) == Words{"a3-highgpu-8g", "a3-highgpu-8g"});
  CHECK(words_of(trace.job_class) == Words{"urgent", "urgent"});
  CHECK(words_of(trace.partition) == Words{"gpus", "gpus"});
  CHECK(words_of(trace.team) == Words{"vision", "vision"});
  REQUIRE(trace.unserved.jobs.size() == 2);
  CHECK(trace.unserved.jobs[1].waited == 6h);
}

TEST_CASE("Kubernetes: jobs have a wait only where a queue started them", "[trace]") {
  const auto job = [](std::string_view uid, std::string_view status) {
    return R"({"apiVersion": "batch/v1", "kind": "Job", "metadata": {"uid": ")" + std::string{uid} +
           R"(", "namespace": "ml", "creationTimestamp": "2026-03-02T00:00:00Z",
             "labels": {"kueue.x-k8s.io/queue-name": "gpus"}},
      "spec": {"activeDeadlineSeconds": 3600, "template": {"spec": {"priorityClassName": "low",
        "nodeSelector": {"cloud.google.com/gke-accelerator": "nvidia-l4"},
        "initContainers": [{"resources": {"limits": {"nvidia.com/gpu": 1}}}],
        "containers": [{"resources": {"limits": {"nvidia.com/gpu": "2"}}}]}}},
      "status": {)" +
           std::string{status} + "}}";
  };
  const Trace trace = read_export(
      R"({"items": [)" +
      job("a", R"("startTime": "2026-03-02T00:20:00Z", "completionTime": "2026-03-02T01:00:00Z", "failed": 2,
          "conditions": [{"type": "Suspended", "status": "False", "lastTransitionTime": "2026-03-02T00:20:00Z"}])") +
      "," +
      job("b", R"("startTime": "2026-03-02T00:00:01Z", "conditions": [{"type": "Failed", "status": "True",
          "reason": "DeadlineExceeded", "lastTransitionTime": "2026-03-02T01:00:01Z"}])") +
      "," + job("c", R"("active": 1, "startTime": "2026-03-02T00:00:01Z")") + "]}");
  CHECK(trace.format == TraceFormat::kubernetes);
  CHECK(trace.gpus == Counts{2, 2});
  CHECK(trace.work == Lengths{40min, 1h});
  CHECK(trace.recorded_wait == Lengths{20min, -1ms});
  CHECK(trace.attempts == std::vector<std::uint32_t>{3, 1});
  CHECK(words_of(trace.gpu) == Words{"L4", "L4"});
  CHECK(words_of(trace.partition) == Words{"gpus", "gpus"});
  CHECK(words_of(trace.outcome) == Words{"Complete", "DeadlineExceeded"});
  CHECK(reasons(trace) == Words{"still ran when the file was written"});
}

TEST_CASE("Objects of another kind in a list are dropped with their kind", "[trace]") {
  const auto item = [](std::string_view kind) {
    return R"({"kind": ")" + std::string{kind} +
           R"(", "metadata": {"creationTimestamp": "2026-03-02T00:00:00Z"},
 "spec": {"template": {"spec": {"containers": [{"resources": {"limits": {"nvidia.com/gpu": 8}}}]}}},
 "status": {"startTime": "2026-03-02T00:00:01Z", "completionTime": "2026-03-02T00:10:01Z"}})";
  };
  const Trace trace = read_export(R"({"kind": "List", "items": [)" + item("Pod") + ", " + item("Job") + ", " +
                                  item("Workload") + ", " + item("Workload") + "]}");
  CHECK(trace.format == TraceFormat::kubernetes);
  CHECK(trace.size() == 1);
  CHECK(reasons(trace) == Words{"is a Pod, and no Job",
                                "is a Workload: --format kueue reads those of the file, and nothing else"});
  CHECK(trace.dropped[1].count == 2);
}

TEST_CASE("Lists of jobs that are broken are named with line and member", "[trace][bad_input]") {
  CHECK_THAT(error_of("[\n{\"createTime\":\n 5}]", TraceFormat::vertex),
             EndsWith("t:3: item 1: createTime: must be text, but is 5"));
  CHECK_THAT(error_of("[{\"createTime\": \"2026\"}]", TraceFormat::vertex),
             Contains("t:1: item 1: createTime: must be a date and time"));
  CHECK_THAT(error_of("[\n1]", TraceFormat::kueue), EndsWith("t:2: item 1: it must be an object, but is 1"));
  CHECK_THAT(error_of("{\"jobs\": []}", TraceFormat::kueue), Contains("neither a list nor an object"));
  CHECK_THAT(error_of("{\"items\": []}", TraceFormat::kueue), EndsWith("t: holds no rows"));
  CHECK_THAT(error_of("[{}", TraceFormat::kubernetes), Contains("t:1: this is not valid JSON"));
  CHECK_THAT(
      error_of("[\n" +
                   custom_job(R"("startTime": "2026-03-02T02:00:00Z", "endTime": "2026-03-02T05:00:00Z")",
                              "L4|L4") +
                   "]",
               TraceFormat::vertex),
      EndsWith(
          "t:2: item 1 (train): its GPU must be a type, or several such as H100-80GB|A100-80GB, but is \"L4|L4\""));
  CHECK_THAT(error_of("[{\"a\": 1, \"a\": 2}]", TraceFormat::vertex), Contains("the key \"a\" is already"));
  CHECK_THAT(error_of(std::string(200, '['), TraceFormat::vertex), Contains("nested deeper than 100 levels"));
  CHECK_THAT(
      error_of(R"([{"jobSpec": {"workerPoolSpecs": [{"replicaCount": "9999999"}]}}])", TraceFormat::vertex),
      Contains("replicaCount: must be a whole number from 0 to 1048576"));
}

TEST_CASE("A broken item of a list is dropped, and named by its number too: a list may be one line",
          "[trace][bad_input]") {
  const std::string ran = R"("state": "JOB_STATE_SUCCEEDED", "startTime": "2026-03-02T02:00:00Z",
                             "endTime": "2026-03-02T05:00:00Z")";
  std::string one_line = "[" + custom_job(ran) +
                         R"(, null, {"displayName": "late", "createTime": "yesterday", "jobSpec": {}},
         {"name": "n", "jobSpec": {"workerPoolSpecs": [{"replicaCount": "many"}]}}, )" +
                         custom_job(ran) + ", " + custom_job(ran) + "]";
  std::ranges::replace(one_line, '\n', ' ');
  const Trace vertex = read_export(one_line);
  CHECK(vertex.row == std::vector<std::uint64_t>{0, 4, 5});
  REQUIRE(vertex.dropped.size() == 3);
  CHECK(vertex.dropped[0].reason == "it must be an object");
  CHECK(first_of(vertex.dropped[0]) == "line 1, item 2: null");
  CHECK(first_of(vertex.dropped[1]) == "line 1, item 3 (late): \"yesterday\"");
  CHECK(first_of(vertex.dropped[2]) == "line 1, item 4 (n): \"many\"");
  for (const DroppedRows& rows : vertex.dropped) CHECK(rows.is_broken);

  const auto job = [](std::string_view parallelism) {
    return R"({"kind": "Job", "metadata": {"name": "a", "creationTimestamp": "2026-03-02T00:00:00Z"},
 "spec": {"parallelism": )" +
           std::string{parallelism} + R"(, "template": {"spec": {"containers": [{"resources":
 {"limits": {"nvidia.com/gpu": 8}}}]}}}, "status": {"startTime": "2026-03-02T00:00:01Z",
 "completionTime": "2026-03-02T00:10:01Z"}})";
  };
  const Trace jobs = read_export(R"({"items": [)" + job("-3") + "," + job("2") + "]}");
  CHECK(jobs.gpus == Counts{16});
  CHECK(jobs.dropped.at(0).reason == "spec.parallelism: must be a whole number from 0 to 1048576");
  CHECK(first_of(jobs.dropped.at(0)) == "line 2, item 1 (a): -3");

  // Of a tuning job each trial is a row.
  const Trace trials =
      read_export(R"([{"displayName": "tune", "createTime": "2026-03-02T00:00:00Z", "trialJobSpec": {
 "workerPoolSpecs": [{"replicaCount": 1, "machineSpec": {"acceleratorCount": 1}}]}, "trials": [
 {"state": "SUCCEEDED", "startTime": "2026-03-02T00:10:00Z", "endTime": "2026-03-02T01:00:00Z"}, 7,
 {"state": "SUCCEEDED", "startTime": "then", "endTime": "2026-03-02T01:00:00Z"},
 {"state": "SUCCEEDED", "startTime": "2026-03-02T00:10:00Z", "endTime": "2026-03-02T01:00:00Z"},
 {"state": "SUCCEEDED", "startTime": "2026-03-02T00:10:00Z", "endTime": "2026-03-02T01:00:00Z"}]},
 {"trialJobSpec": {}, "trials": {}}])");
  CHECK(trials.size() == 3);
  CHECK(trials.rows_read == 6);
  CHECK(first_of(trials.dropped.at(0)) == "line 3, item 1 (tune): 7");
  CHECK(first_of(trials.dropped.at(1)) == "line 4, item 1 (tune): \"then\"");
  CHECK(trials.dropped.at(2).reason == "trials: must be a list");
}
