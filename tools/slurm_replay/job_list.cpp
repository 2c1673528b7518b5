#include "tools/slurm_replay/job_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <unordered_map>

#include "sim/core/unknown_name.h"
#include "sim/io/csv_reader.h"
#include "sim/io/number.h"

namespace stockout::slurm {
namespace {

enum Column : std::size_t {
  kId,
  kSubmit,
  kNodes,
  kLimit,
  kRunTime,
  kCpus,
  kGpus,
  kPartition,
  kNice,
  kPriority,
  kArray,
  kAfter,
  kExclusive,
  kRequeue,
  kAccount,
  kUser,
  kQos,
  kColumns,
};
constexpr std::size_t kRequired = 5;
constexpr std::int64_t kMostTasks = 1'000'000;  // of all jobs together
constexpr std::int64_t kMostOfColumn = std::numeric_limits<std::int32_t>::max();

const std::vector<std::string>& column_names() {
  static const std::vector<std::string> kNames{
      "id",       "submit", "nodes", "limit",     "runtime", "cpus",    "gpus", "partition", "nice",
      "priority", "array",  "after", "exclusive", "requeue", "account", "user", "qos"};
  return kNames;
}

class JobListReader {
 public:
  JobListReader(const std::string& file, const ClusterFile& cluster) : csv_{file}, cluster_{cluster} {}

  std::vector<ListedJob> read() {
    if (!csv_.next()) csv_.fail("is empty, but a header is needed");
    columns_ = find_columns(csv_, column_names());
    for (std::size_t i = 0; i < kRequired; ++i) {
      if (columns_[i] == kNoColumn) csv_.fail(fmt::format("has no column \"{}\"", column_names()[i]));
    }
    const std::size_t width = csv_.fields().size();
    while (csv_.next()) {
      csv_.check_width(width);
      read_job();
    }
    return in_order();
  }

 private:
  [[nodiscard]] std::string_view text(Column column) const {
    return columns_[column] == kNoColumn ? std::string_view{} : csv_.fields()[columns_[column]];
  }

  [[noreturn]] void fail(Column column, std::string_view needed) const {
    csv_.fail(
        fmt::format("{} must be {}, but is {}", column_names()[column], needed, in_quotes(text(column))));
  }

  [[nodiscard]] std::int64_t number(Column column, std::int64_t least, std::int64_t most,
                                    std::int64_t absent) const {
    if (text(column).empty() && column >= kRequired) return absent;
    std::int64_t value = 0;
    if (parse_integer(text(column), value) != std::errc{} || value < least || value > most) {
      fail(column, fmt::format("a whole number from {} to {}", least, most));
    }
    return value;
  }

  [[nodiscard]] SimDuration seconds(Column column, SimDuration least) const {
    std::int64_t ms = 0;
    const bool is_number = parse_scaled(text(column), 1000, 1, ms) == std::errc{};
    if (!is_number || ms < least.count() || ms > kLongestRun.count()) fail(column, "a number of seconds");
    return SimDuration{ms};
  }

  [[nodiscard]] PartitionIndex partition() const {
    const auto is_meant = [&](const ClosedPartition& closed) {
      return text(kPartition).empty() ? closed.is_default : closed.name == text(kPartition);
    };
    const auto closed = std::ranges::find_if(cluster_.closed_partitions, is_meant);
    if (closed != cluster_.closed_partitions.end())
      csv_.fail(
          fmt::format("partition {} starts no job: its State is {}", in_quotes(closed->name), closed->state));
    if (text(kPartition).empty()) return 0;
    const auto& names = cluster_.partition_names;
    const auto found = std::find(names.begin(), names.end(), text(kPartition));
    if (found == names.end()) csv_.fail(unknown_name("partition", text(kPartition), names));
    return static_cast<PartitionIndex>(found - names.begin());
  }

  // An account may be left out where the user has only one.
  [[nodiscard]] std::optional<std::uint32_t> user() const {
    if (text(kUser).empty() && !text(kAccount).empty()) fail(kAccount, "empty where the job has no user");
    if (text(kUser).empty()) return std::nullopt;
    const auto& all = cluster_.configuration.associations;
    std::vector<std::uint32_t> found;
    for (std::uint32_t i = 0; i < all.size(); ++i) {
      const std::string_view account = all[i].parent ? std::string_view{all[*all[i].parent].name} : "root";
      if (all[i].is_user && all[i].name == text(kUser) &&
          (text(kAccount).empty() || account == text(kAccount)))
        found.push_back(i);
    }
    if (all.empty()) fail(kUser, "empty where no accounts are given");
    if (found.empty()) fail(kUser, "a user of the accounts, and of that of the job");
    if (found.size() > 1) fail(kUser, "given with an account: the user has several");
    return found.front();
  }

  // A job that names none has "normal", Slurm's own.
  [[nodiscard]] std::optional<QosIndex> qos() const {
    const auto& all = cluster_.configuration.qos;
    const std::string_view name = text(kQos).empty() ? "normal" : text(kQos);
    const auto found = std::ranges::find(all, name, &Qos::name);
    if (found != all.end()) return static_cast<QosIndex>(found - all.begin());
    if (text(kQos).empty()) return std::nullopt;
    if (all.empty()) fail(kQos, "empty where no QOS are given");
    std::vector<std::string> names;
    for (const Qos& each : all) names.push_back(each.name);
    csv_.fail(unknown_name("QOS", name, names));
  }

  void read_job() {
    ListedJob job;
    job.id = std::string{text(kId)};
    job.submit = kStart + seconds(kSubmit, SimDuration{});
    job.run_time = seconds(kRunTime, SimDuration{});
    job.tasks = static_cast<std::uint32_t>(number(kArray, 0, kMostTasks, 0));
    tasks_ += std::max<std::int64_t>(job.tasks, 1);
    if (tasks_ > kMostTasks) csv_.fail(fmt::format("jobs and tasks are more than {}", kMostTasks));
    JobRequest& request = job.request;
    request.size.nodes = static_cast<int>(number(kNodes, 1, kMostOfColumn, 1));
    request.size.cpus_per_node = static_cast<int>(number(kCpus, 0, kMostOfColumn, 0));
    request.size.gpus_per_node = static_cast<int>(number(kGpus, 0, kMostOfColumn, 0));
    request.time_limit = seconds(kLimit, SimDuration{1});
    request.partitions = {partition()};
    request.nice = number(kNice, -kMostOfColumn, kMostOfColumn, 0);
    request.size.exclusive = number(kExclusive, 0, 1, 0) == 1;
    request.requeue = number(kRequeue, 0, 1, 1) == 1;
    if (!text(kPriority).empty())
      request.priority = static_cast<std::uint32_t>(number(kPriority, 0, kMostOfColumn, 0));
    request.user = user();
    request.qos = qos();
    if (!places_.emplace(job.id, jobs_.size()).second)
      csv_.fail(fmt::format("there is already a job {}", in_quotes(job.id)));
    add_dependency(request);
    jobs_.push_back(std::move(job));
  }

  void add_dependency(JobRequest& request) const {
    if (text(kAfter).empty()) return;
    const auto other = places_.find(std::string{text(kAfter)});
    if (other == places_.end() || other->second == jobs_.size()) fail(kAfter, "the id of a job above");
    request.dependencies.push_back({.job = static_cast<JobId>(other->second)});
  }

  std::vector<ListedJob> in_order() {
    const auto is_earlier = [](const ListedJob& a, const ListedJob& b) { return a.submit < b.submit; };
    if (!std::is_sorted(jobs_.begin(), jobs_.end(), is_earlier)) {
      csv_.fail("jobs must be listed in the order of their submission");
    }
    return std::move(jobs_);
  }

  CsvReader csv_;
  const ClusterFile& cluster_;
  std::vector<std::size_t> columns_;
  std::vector<ListedJob> jobs_;
  std::unordered_map<std::string, std::size_t> places_;
  std::int64_t tasks_ = 0;
};

}  // namespace

std::vector<ListedJob> read_job_list(const std::string& file, const ClusterFile& cluster) {
  return JobListReader{file, cluster}.read();
}

}  // namespace stockout::slurm
