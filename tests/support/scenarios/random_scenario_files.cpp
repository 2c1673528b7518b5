#include <filesystem>
#include <fstream>
#include <string_view>

#include "tests/support/scenarios/random_scenario.h"

namespace stockout::test {
namespace {

constexpr std::string_view kJobs =
    R"(submit,duration,gpus,user,class,group,estimate,deadline,max_wait,id,dependency,array,array_limit
0,3h,1,ann,train,,2h,1d,,1,,,
1800,90min,2,bob,train,a,,,6h,2,afterok:1,,
1800,1h,2,bob,tune,a,,,,3,after:1,x,1
7200,30min,1,ann,tune,a,1h,6h,forever,4,,x,1
7200,5h,8,,train,,,,12h,5,"afterany:2,afternotok:1",x,1
36000,2h,4,ann,,b,,8h,,6,afterany:x,,
36000,2h,1,cas,tune,b,3h,,1h,7,,y,
80000,45min,12,bob,train,,,,,8,afterok:6:7,y,
)";

constexpr std::string_view kNodes = R"(submit,duration,nodes,gpus_per_node,gpu,machine,speed,gpu_memory
2026-08-03 09:00,2h,2,1,A100-40GB,,H100-80GB=2.2|L4=0.18,20
2026-08-03 09:30,4h,1,2,A100-40GB|H100-80GB,,,
2026-08-03 12:15,1h,1,1,,a2-highgpu-1g,,
2026-08-04T01:00:00+02:00,3h,3,1,,,,16
2026-08-04 08:00,90min,1,8,H100-80GB,,A100-40GB=0.4,40
)";

constexpr std::string_view kTries = R"(submit,duration,gpus,user,outcome,job
0,20min,1,ann,FAILED,
2400,1h,1,ann,COMPLETED,
600,2h,2,bob,FAILED,x
9000,3h,2,bob,COMPLETED,x
20000,1h,1,cas,NODE_FAIL,
30000,2h,1,cas,COMPLETED,
)";

constexpr std::string_view kStandard =
    "; UnixStartTime: 1785708000\n"
    "1 0 10 3600 2 -1 -1 2 7200 -1 1 1 1 1 1 -1 -1 -1\n"
    "2 1800 0 5400 1 -1 -1 1 3600 -1 1 2 1 1 1 -1 -1 -1\n"
    "3 1800 0 7300 4 -1 -1 -1 -1 -1 1 2 1 1 1 -1 -1 -1\n"
    "4 40000 0 900 1 -1 -1 1 1800 -1 1 1 1 1 1 -1 -1 -1\n";

constexpr std::string_view kPhilly = R"(timestamp,duration,num_gpus,gpu_time,cluster
2026-08-03 00:00:00,5400,1,5400,east
2026-08-03 01:00:00,7200,2,14400,west
2026-08-03 01:00:00,1800,1,1800,east
2026-08-03 20:10:00,10800,3,32400,west
)";

constexpr std::string_view kGaia = R"(arrival_time,length,cpus
0,1.5,1
0.5,2,2
3,0.75,1
20,4,3
)";

constexpr std::string_view kGaiaSeconds = R"(arrival_time,length,cpus
0,5400,1
1800,7200,2
9000,2700,1
70000,14400,3
)";

constexpr std::string_view kSacct =
    "JobID|User|QOS|State|Submit|Eligible|Start|End|Timelimit|AllocTRES\n"
    "1|ann|train|COMPLETED|2026-08-03T00:00:00|2026-08-03T00:30:00|2026-08-03T01:00:00|2026-08-03T03:00:00|"
    "04:00:00|gres/gpu=2\n"
    "1.batch|||COMPLETED|2026-08-03T01:00:00||2026-08-03T01:00:00|2026-08-03T03:00:00||\n"
    "2|bob|tune|PREEMPTED|2026-08-03T01:00:00|2026-08-03T01:00:00|2026-08-03T01:00:00|2026-08-03T02:00:00|"
    "UNLIMITED|gres/gpu=1\n"
    "2|bob|tune|COMPLETED|2026-08-03T02:00:00|2026-08-03T02:02:00|2026-08-03T02:10:00|2026-08-03T03:40:00|"
    "UNLIMITED|gres/gpu=1\n"
    "3|ann|tune|CANCELLED by 7|2026-08-03T09:00:00|2026-08-03T09:00:00|None|2026-08-03T10:00:00|04:00:00|\n"
    "4|ann|train|FAILED|2026-08-03T18:00:00|2026-08-03T18:00:00|2026-08-03T18:00:00|2026-08-03T19:15:00|"
    "04:00:00|gres/gpu=3\n";

constexpr std::string_view kHelios = R"(job_id,user,vc,gpu_num,node_num,state,submit_time,start_time,end_time
1,ann,v,2,1,COMPLETED,2026-08-03 00:00:00,2026-08-03 00:01:00,2026-08-03 02:01:00
2,bob,v,4,2,FAILED,2026-08-03 01:00:00,2026-08-03 01:00:00,2026-08-03 01:45:00
3,ann,w,1,1,COMPLETED,2026-08-03 17:00:00,2026-08-03 17:00:00,2026-08-03 20:30:00
)";

constexpr std::string_view kOpenb =
    R"(name,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time
a,1,500,,train,Succeeded,0,5400,10
b,2,1000,,tune,Failed,1800,9000,1800
c,1,1000,,tune,Running,60000,70000,60001
)";

constexpr std::string_view kPai = R"(j1,train,2,Terminated,100,7300,600,29,50,
j2,train,2,Failed,1900,9000,600,29,100,
j3,tune,1,Terminated,50000,60000,600,29,100,
)";

constexpr std::string_view kEagle =
    R"(job_id,user,account,partition,qos,wallclock_req,nodes_req,gpus_req,submit_time,start_time,end_time,state
1,ann,a,p,train,7200.0,1,2,2026-08-03 00:00:00,2026-08-03 00:01:00,2026-08-03 01:31:00,COMPLETED
2,bob,a,p,tune,3600.0,1,1,2026-08-03 02:00:00,2026-08-03 02:00:00,2026-08-03 03:00:00,TIMEOUT
3,ann,a,p,train,7200.0,2,4,2026-08-03 16:00:00,2026-08-03 16:01:00,2026-08-03 17:31:00,COMPLETED
)";

constexpr std::string_view kVertex = R"([
 {"name": "projects/1/locations/r/customJobs/1", "createTime": "2026-08-03T00:00:00Z", "labels": {"user": "ann"},
  "startTime": "2026-08-03T00:10:00Z", "endTime": "2026-08-03T02:10:00Z", "state": "JOB_STATE_SUCCEEDED",
  "jobSpec": {"workerPoolSpecs": [{"replicaCount": "2", "machineSpec": {"acceleratorCount": 1}}]}},
 {"name": "projects/1/locations/r/customJobs/2", "createTime": "2026-08-03T09:00:00Z", "labels": {"user": "bob"},
  "startTime": "2026-08-03T09:10:00Z", "endTime": "2026-08-03T10:10:00Z", "state": "JOB_STATE_FAILED",
  "jobSpec": {"workerPoolSpecs": [{"replicaCount": 1, "machineSpec": {"acceleratorCount": 2}}]}}]
)";

constexpr std::string_view kWorkloads = R"({"items": [
 {"kind": "Workload", "metadata": {"creationTimestamp": "2026-08-03T00:00:00Z"},
  "spec": {"queueName": "q", "priorityClassName": "train", "podSets": [{"count": 2, "template": {"spec":
   {"containers": [{"resources": {"requests": {"nvidia.com/gpu": "1"}}}]}}}]},
  "status": {"conditions": [
   {"type": "Admitted", "status": "True", "lastTransitionTime": "2026-08-03T00:30:00Z"},
   {"type": "Finished", "status": "True", "reason": "Succeeded", "lastTransitionTime": "2026-08-03T02:30:00Z"}]}}]}
)";

constexpr std::string_view kPods = R"({"items": [
 {"kind": "Job", "metadata": {"creationTimestamp": "2026-08-03T00:00:00Z"},
  "spec": {"parallelism": 3, "template": {"spec": {"priorityClassName": "tune", "containers": [
   {"resources": {"limits": {"nvidia.com/gpu": 1}}}]}}},
  "status": {"startTime": "2026-08-03T00:00:01Z", "completionTime": "2026-08-03T01:20:01Z"}}]}
)";

constexpr std::string_view kProbes = R"(scheduled_at,zone,instances_requested,instances_created
2025-10-06 00:00:00,a,3,3
2025-10-06 00:00:00,b,3,0
2025-10-06 04:00:00,a,3,1
2025-10-06 04:00:00,b,3,2
2025-10-06 08:00:00,a,3,0
2025-10-06 08:00:00,b,3,3
2025-10-06 12:00:00,a,3,2
2025-10-06 12:00:00,b,3,1
2025-10-06 16:00:00,a,3,3
2025-10-07 00:00:00,a,3,1
)";

constexpr std::string_view kSeen = R"(date,availability
2026-08-03 00:00:00,2
2026-08-03 06:00:00,0
2026-08-03 12:00:00,3
2026-08-03 18:00:00,1
)";

constexpr std::string_view kSeenAsJson =
    R"({"metadata": {"gap_seconds": 7200}, "data": [1, 1, 0, 0, 1, 0, 1, 1, 1, 0, 1, 1]})";

constexpr std::string_view kZone = R"({"source": "made up", "cap": 2, "tick": "1h", "machines": [0, 1, 2],
 "transitions": [[0.5, 0.25, 0.25], [0.25, 0.5, 0.25], [0.125, 0.25, 0.625]]}
)";

constexpr std::string_view kLengths = "30min\n1h\n3600\n2h\n5h\n";

constexpr std::string_view kEnds = R"(ms,s,min,h,how
3600000,3600,60,1,preempted
7200000,7200,120,2,preempted
7200000,7200,120,2,ended
14400000,14400,240,4,preempted
28800000,28800,480,8,ended
)";

}  // namespace

void write_files_of_scenarios(const std::string& folder) {
  const auto write = [&](const char* name, std::string_view content) {
    std::ofstream{std::filesystem::path{folder} / name, std::ios::binary} << content;
  };
  write("jobs.csv", kJobs);
  write("nodes.csv", kNodes);
  write("tries.csv", kTries);
  write("jobs.swf", kStandard);
  write("philly.csv", kPhilly);
  write("gaia.csv", kGaia);
  write("gaia-seconds.csv", kGaiaSeconds);
  write("sacct.txt", kSacct);
  write("helios.csv", kHelios);
  write("openb.csv", kOpenb);
  write("pai.csv", kPai);
  write("eagle.csv", kEagle);
  write("vertex.json", kVertex);
  write("workloads.json", kWorkloads);
  write("pods.json", kPods);
  write("probes.csv", kProbes);
  write("seen.csv", kSeen);
  write("seen.json", kSeenAsJson);
  write("zone.profile.json", kZone);
  write("lengths.txt", kLengths);
  write("ends.csv", kEnds);
}

}  // namespace stockout::test
