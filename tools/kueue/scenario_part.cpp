#include "tools/kueue/scenario_part.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "models/orchestrators/kueue/resource_units.h"
#include "sim/core/duration_text.h"

namespace stockout::kueue {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kGpus = "nvidia.com/gpu";
constexpr std::int64_t kMostGpus = 4'000'000;  // that a scenario may have

constexpr double kMostOfResource = 1e9;  // the same

constexpr std::array kPolicies{"never", "lower_priority", "lower_or_newer_equal_priority", "any"};

/// Turns objects into a scenario's, and says what is lost.
class Writer {
 public:
  explicit Writer(const ImportedCluster& imported)
      : cluster_{imported.objects}, fewer_pods_{imported.fewer_pods}, known_checks_{imported.checks} {
    for (const auto& [name, queue] : cluster_.cluster_queues) note_gpu_flavors(queue.groups);
    for (const auto& [name, cohort] : cluster_.cohorts) note_gpu_flavors(cohort.groups);
  }

  ScenarioPart write() {
    Json kueue = Json::object();
    Json queues = Json::array();
    Json cohorts = Json::array();
    for (const auto& [name, queue] : cluster_.cluster_queues) add_queue(queue, queues);
    for (const auto& [name, cohort] : cluster_.cohorts) add_cohort(cohort, cohorts);
    kueue["flavors"] = Json(used_flavors_);
    if (!other_flavors_.empty()) kueue["other_flavors"] = Json(other_flavors_);
    kueue["cluster_queues"] = std::move(queues);
    if (!cohorts.empty()) kueue["cohorts"] = std::move(cohorts);
    kueue["local_queues"] = local_queues();
    if (!checks_.empty()) kueue["admission_checks"] = checks();
    if (Json list = partial_admission(); !list.empty()) kueue["partial_admission"] = std::move(list);
    tell_flavors();
    tell_resources();
    leave_out(
        "Kueue's own configuration is no such object: say fair_sharing and wait_for_pods_ready yourself");
    Json part = Json::object();
    part["kueue"] = std::move(kueue);
    const bool is_usable = !part["kueue"]["cluster_queues"].empty() && !part["kueue"]["local_queues"].empty();
    return {.json = part.dump(2) + "\n", .is_usable = is_usable, .left_out = std::move(left_out_)};
  }

 private:
  void note_gpu_flavors(const std::vector<ResourceGroup>& groups) {
    for (const ResourceGroup& group : groups) {
      for (const FlavorQuotas& flavor : group.flavors) {
        if (flavor.quotas.contains(kGpus)) gpu_flavors_.insert(flavor.flavor);
      }
    }
  }

  void leave_out(std::string line) { left_out_.push_back(std::move(line)); }

  std::int64_t gpus(Amount amount, const std::string& owner) {
    if (amount.count() > kMostGpus)
      leave_out(fmt::format("{}: more than {} GPUs are written as so many", owner, kMostGpus));
    return std::clamp<std::int64_t>(amount.count(), 0, kMostGpus);
  }

  // Flavor by flavor, of the group that has GPUs.
  Json quotas(const std::string& owner, const std::vector<ResourceGroup>& groups, bool shares) {
    Json all = Json::array();
    for (const ResourceGroup& group : groups) {
      for (const FlavorQuotas& flavor : group.flavors) {
        const auto own = flavor.quotas.find(kGpus);
        if (own == flavor.quotas.end()) continue;
        Json json = quota_of(owner, flavor.flavor, own->second, shares);
        add_other_quotas(owner, flavor, shares, json);
        all.push_back(std::move(json));
      }
    }
    return all;
  }

  void add_other_quotas(const std::string& owner, const FlavorQuotas& flavor, bool shares, Json& json) {
    for (const auto& [resource, quota] : flavor.quotas) {
      if (resource != kGpus) json["resources"].push_back(other_quota(owner, resource, quota, shares));
    }
  }

  // The groups without GPUs.
  Json other_groups(const std::string& owner, const std::vector<ResourceGroup>& groups, bool shares) {
    Json all = Json::array();
    for (const ResourceGroup& group : groups) {
      Json flavors = Json::array();
      for (const FlavorQuotas& flavor : group.flavors) {
        if (flavor.quotas.contains(kGpus)) continue;
        if (gpu_flavors_.contains(flavor.flavor)) {
          leave_out(fmt::format(
              "{}: NOT MODELLED: flavor {} in a resource group without {}, while it has some elsewhere; waits for "
              "its quota are missing",
              owner, flavor.flavor, kGpus));
          continue;
        }
        other_flavors_.insert(flavor.flavor);
        Json json{{"flavor", flavor.flavor}};
        add_other_quotas(owner, flavor, shares, json);
        flavors.push_back(std::move(json));
      }
      if (!flavors.empty()) all.push_back({{"flavors", std::move(flavors)}});
    }
    return all;
  }

  static double number_of(Amount amount, const std::string& resource) {
    return static_cast<double>(std::max<std::int64_t>(0, amount.count())) / counted_in_unit(resource, 1);
  }
  static double written(Amount amount, const std::string& resource) {
    return std::min(number_of(amount, resource), kMostOfResource);
  }

  Json other_quota(const std::string& owner, const std::string& resource, const Quota& quota, bool shares) {
    resources_.insert(resource);
    if (number_of(quota.nominal, resource) > kMostOfResource)
      leave_out(fmt::format("{}: more than {} {} are written as so many", owner, kMostOfResource,
                            unit_of(resource)));
    Json json{{"resource", resource}, {"nominal_quota", written(quota.nominal, resource)}};
    if (!shares) return json;
    if (quota.borrowing_limit) json["borrowing_limit"] = written(*quota.borrowing_limit, resource);
    if (quota.lending_limit)
      json["lending_limit"] = written(std::min(*quota.lending_limit, quota.nominal), resource);
    return json;
  }

  void tell_resources() {
    for (const std::string& resource : resources_) {
      if (resource == kPods) continue;
      leave_out(fmt::format(
          "what jobs ask for of {}: say it in \"pod_requests\" ({{\"resource\": \"{}\", \"per_gpu\": NUMBER}}), "
          "without which these quotas hold back nobody",
          resource, resource));
    }
  }

  Json quota_of(const std::string& owner, const std::string& flavor, const Quota& quota, bool shares) {
    used_flavors_.insert(flavor);
    Json json{{"flavor", flavor}, {"nominal_quota", gpus(quota.nominal, owner)}};
    if (!shares) return json;
    if (quota.borrowing_limit) json["borrowing_limit"] = gpus(*quota.borrowing_limit, owner);
    if (quota.lending_limit)
      json["lending_limit"] = gpus(std::min(*quota.lending_limit, quota.nominal), owner);
    return json;
  }

  static Json preemption(const Preemption& rule, bool shares) {
    Json json = Json::object();
    if (rule.within_queue != PreemptionPolicy::never)
      json["within_cluster_queue"] = kPolicies[static_cast<std::size_t>(rule.within_queue)];
    if (!shares || rule.reclaim_within_cohort == PreemptionPolicy::never) return json;
    json["reclaim_within_cohort"] = kPolicies[static_cast<std::size_t>(rule.reclaim_within_cohort)];
    if (!rule.borrow_within_cohort.lower_priority) return json;
    json["borrow_within_cohort"] = "lower_priority";
    if (const auto most = rule.borrow_within_cohort.max_priority) json["max_priority_threshold"] = *most;
    return json;
  }

  static Json fungibility(const FlavorFungibility& rule) {
    Json json = Json::object();
    if (rule.next_when_borrowing) json["when_can_borrow"] = "try_next_flavor";
    if (!rule.next_when_preempting) json["when_can_preempt"] = "may_stop_search";
    if (rule.preference == FlavorPreference::preemption_over_borrowing)
      json["preference"] = "preemption_over_borrowing";
    return json;
  }

  // Those on flavors with GPUs.
  Json required_checks(const ClusterQueue& queue) {
    Json list = Json::array();
    for (const RequiredCheck& check : queue.checks) {
      std::vector<std::string> flavors;
      std::ranges::copy_if(check.flavors, std::back_inserter(flavors),
                           [&](const std::string& flavor) { return used_flavors_.contains(flavor); });
      if (flavors.size() < check.flavors.size())
        leave_out(fmt::format("cluster queue {}: check {} on flavors without quota of {}", queue.name,
                              check.name, kGpus));
      if (flavors.empty() && !check.flavors.empty()) continue;
      checks_.insert(check.name);
      Json json{{"name", check.name}};
      if (!flavors.empty()) json["on_flavors"] = flavors;
      list.push_back(std::move(json));
    }
    return list;
  }

  void tell_weight(double weight, const std::string& owner, const char* sharing) {
    if (weight != 1) leave_out(fmt::format("{}: \"fair_weight\": {:g} requires {}", owner, weight, sharing));
  }

  void add_queue(const ClusterQueue& queue, Json& queues) {
    const bool shares = !queue.cohort.empty();
    Json json{{"name", queue.name}};
    if (shares) json["cohort"] = queue.cohort;
    if (queue.strategy == QueueingStrategy::strict_fifo) json["queueing_strategy"] = "strict_fifo";
    json["flavors"] = quotas("cluster queue " + queue.name, queue.groups, shares);
    if (json["flavors"].empty())
      return leave_out(fmt::format("cluster queue {}: it has no quota of {}", queue.name, kGpus));
    if (Json groups = other_groups("cluster queue " + queue.name, queue.groups, shares); !groups.empty())
      json["other_groups"] = std::move(groups);
    if (Json rule = preemption(queue.preemption, shares); !rule.empty()) json["preemption"] = std::move(rule);
    if (Json rule = fungibility(queue.fungibility); !rule.empty())
      json["flavor_fungibility"] = std::move(rule);
    if (Json checks = required_checks(queue); !checks.empty()) json["admission_checks"] = std::move(checks);
    tell_weight(queue.fair_weight, "cluster queue " + queue.name, "fair_sharing");
    if (queue.stop != StopPolicy::none)
      leave_out(fmt::format("cluster queue {}: its stop policy; in a scenario it admits jobs", queue.name));
    if (queue.usage_based_admission)
      leave_out(
          fmt::format("cluster queue {}: usage_based_admission requires admission_fair_sharing", queue.name));
    queues_.insert(queue.name);
    queues.push_back(std::move(json));
  }

  void add_cohort(const Cohort& cohort, Json& cohorts) {
    Json json{{"name", cohort.name}};
    if (!cohort.parent.empty()) json["parent"] = cohort.parent;
    Json own = quotas("cohort " + cohort.name, cohort.groups, !cohort.parent.empty());
    if (!own.empty()) json["flavors"] = std::move(own);
    if (Json groups = other_groups("cohort " + cohort.name, cohort.groups, !cohort.parent.empty());
        !groups.empty())
      json["other_groups"] = std::move(groups);
    tell_weight(cohort.fair_weight, "cohort " + cohort.name, "fair_sharing");
    cohorts.push_back(std::move(json));
  }

  Json local_queues() {
    Json list = Json::array();
    for (const auto& [name, queue] : cluster_.local_queues) {
      if (!queues_.contains(queue.cluster_queue)) {
        leave_out(
            fmt::format("local queue {}: its cluster queue {} is not there", name, queue.cluster_queue));
        continue;
      }
      if (queue.stop != StopPolicy::none)
        leave_out(fmt::format("local queue {}: its stop policy; in a scenario it takes jobs", name));
      Json json{{"name", name}, {"cluster_queue", queue.cluster_queue}};
      tell_weight(queue.fair_weight, "local queue " + name, "admission_fair_sharing");
      list.push_back(std::move(json));
    }
    if (list.size() > 1)
      leave_out("which jobs go to which local queue: give all but the last \"classes\" or \"users\"");
    return list;
  }

  Json checks() {
    Json list = Json::array();
    for (const std::string& name : checks_) {
      Json check{{"name", name}};
      if (const ProvisioningRetry* retry = known_checks_.retry_of(name)) {
        check["backoff_limit"] = retry->limit;
        check["backoff_base"] = format_duration(retry->base);
        check["backoff_max"] = format_duration(retry->most);
      }
      list.push_back(std::move(check));
      if (const std::string lost = known_checks_.lost_of(name); !lost.empty())
        leave_out(fmt::format("admission check {}: {}", name, lost));
    }
    return list;
  }

  // Those of no class last: an entry without classes takes all jobs.
  Json partial_admission() {
    Json list = Json::array();
    Json last;
    for (const auto& [name, own] : fewer_pods_) {
      if (own.workloads == 0) continue;
      Json entry = Json::object();
      const bool is_same = own.least.size() == 1;
      if (is_same) {
        entry["min_count"] = *own.least.begin();
      } else {
        entry["min_share"] = std::floor(own.greatest_share * 1e6) / 1e6;
      }
      const std::string of = name.empty() ? "workloads without a priority class" : "workloads of " + name;
      if (!is_same) {
        leave_out(fmt::format("{}: minCounts of {} to {} pods; the greatest share of pods is written", of,
                              *own.least.begin(), *own.least.rbegin()));
      }
      if (own.others > 0)
        leave_out(
            fmt::format("{}: {} without a minCount; here all of them may get fewer pods", of, own.others));
      if (name.empty()) {
        last = std::move(entry);
        continue;
      }
      entry["classes"] = Json::array({name});
      list.push_back(std::move(entry));
    }
    if (!list.empty())
      leave_out("which jobs may get fewer pods: the classes of partial_admission are priority classes");
    if (!last.is_null()) list.push_back(std::move(last));
    return list;
  }

  void tell_flavors() {
    tell_flavors(used_flavors_, "name it as \"flavor\" of legs");
    tell_flavors(other_flavors_, "here it takes any pod");
  }
  void tell_flavors(const std::set<std::string>& names, const char* instead) {
    for (const std::string& name : names) {
      const auto flavor = cluster_.flavors.find(name);
      if (flavor == cluster_.flavors.end()) {
        leave_out(fmt::format("flavor {}: there is no such object; Kueue would admit nobody", name));
      } else if (!flavor->second.labels.empty() || !flavor->second.taints.empty()) {
        leave_out(fmt::format("flavor {}: its node labels and taints; {}", name, instead));
      }
    }
  }

  const Configuration& cluster_;
  const FewerPodsByClass& fewer_pods_;
  std::set<std::string> gpu_flavors_ = {};    // with a quota of GPUs somewhere
  std::set<std::string> used_flavors_ = {};   // those of queues and cohorts that are written
  std::set<std::string> other_flavors_ = {};  // the same, without GPUs
  std::set<std::string> queues_ = {};
  const ImportedChecks& known_checks_;
  std::set<std::string> checks_ = {};
  std::set<std::string> resources_ = {};  // of quotas, beside GPUs
  std::vector<std::string> left_out_ = {};
};

}  // namespace

ScenarioPart scenario_part(const ImportedCluster& cluster) { return Writer{cluster}.write(); }

}  // namespace stockout::kueue
