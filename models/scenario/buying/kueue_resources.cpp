#include "models/scenario/buying/kueue_resources.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "models/orchestrators/kueue/quota_tree.h"
#include "models/orchestrators/kueue/resource_units.h"
#include "models/scenario/buying/kueue_sets.h"
#include "models/scenario/buying/some_jobs.h"
#include "models/scenario/format/known_names.h"

namespace stockout {
namespace {

using Resources = std::set<std::string>;

// Pods may ask for parts of whatever there is.
double resource_scale(const std::string& resource) { return kueue::counted_in_unit(resource, 1'000); }

kueue::Amount scaled_amount(double number, const std::string& resource) {
  return kueue::Amount{std::llround(number * resource_scale(resource))};
}

std::string resource_text(kueue::Amount amount, const std::string& resource) {
  return fmt::format("{} {}", static_cast<double>(amount.count()) / resource_scale(resource),
                     kueue::unit_of(resource));
}

std::string other_resource(const Node& node) {
  std::string name = node.text("resource");
  if (name == kKueueResource || name.empty())
    node.at("resource").fail("must be another resource than GPUs, such as \"cpu\" or \"memory\"");
  return name;
}

Resources resources_of(const kueue::FlavorQuotas& flavor) {
  Resources all;
  for (const auto& [resource, quota] : flavor.quotas) all.insert(resource);
  return all;
}

Resources resources_of(const kueue::Configuration& objects) {
  Resources all;
  for (const auto& [name, queue] : objects.cluster_queues) {
    for (const kueue::ResourceGroup& group : queue.groups) {
      for (const kueue::FlavorQuotas& flavor : group.flavors) all.merge(resources_of(flavor));
    }
  }
  all.erase(kKueueResource);
  return all;
}

/// Request of a job for a resource, and the most that it could ever get, which is less.
struct Shortage {
  std::string resource;
  kueue::Amount asked;
  kueue::Amount most;
};

/// Of one job under a strategy, by its flavors.
class Reach {
 public:
  Reach(const KueueCluster& cluster, const Strategy& strategy) : cluster_{cluster}, strategy_{strategy} {
    tree_.rebuild(cluster.objects);
  }

  /// Of another resource than GPUs, in the first flavor that has GPUs enough, or in the first of another
  /// group; nothing if a flavor of each group has all.
  std::optional<Shortage> shortage(const Job& job, kueue::Requests asked) {
    const kueue::ClusterQueue& queue = cluster_.cluster_queue_of(job.job_class, job.user);
    for (const kueue::ResourceGroup& group : queue.groups) {
      if (group.covers(kKueueResource)) continue;
      kueue::Requests own;
      for (const auto& [resource, amount] : asked) {
        if (group.covers(resource)) own.emplace(resource, amount);
      }
      for (const auto& [resource, amount] : own) asked.erase(resource);
      if (auto lacks = in_group(queue.name, group, own, [](const auto&) { return true; })) return lacks;
    }
    for (const kueue::ResourceGroup& group : queue.groups) {
      if (group.covers(kKueueResource))
        return in_group(queue.name, group, asked,
                        [&](const kueue::FlavorQuotas& flavor) { return may_serve(flavor.flavor, job); });
    }
    return std::nullopt;
  }

 private:
  // In the first of its flavors that serves and has GPUs enough; nothing if one has all.
  template <typename Serves>
  std::optional<Shortage> in_group(const std::string& queue, const kueue::ResourceGroup& group,
                                   const kueue::Requests& asked, Serves serves) {
    std::optional<Shortage> first;
    for (const kueue::FlavorQuotas& flavor : group.flavors) {
      if (!serves(flavor)) continue;
      const std::optional<Shortage> own = in_flavor(queue, flavor, asked);
      if (!own) return std::nullopt;
      if (!first && own->resource != kKueueResource) first = own;
    }
    return first;
  }
  [[nodiscard]] bool may_serve(const std::string& flavor, const Job& job) const {
    return std::ranges::any_of(strategy_.legs, [&](const Leg& leg) {
      return leg.flavor == flavor && leg.open_to(job.job_class) && !leg.candidates[index(job.shape)].empty();
    });
  }
  // GPUs first.
  std::optional<Shortage> in_flavor(const std::string& queue, const kueue::FlavorQuotas& flavor,
                                    const kueue::Requests& asked) {
    std::optional<Shortage> found;
    for (const auto& [resource, amount] : asked) {
      if (amount == kueue::Amount{}) continue;
      kueue::Amount most;
      if (flavor.quotas.contains(resource))
        most = tree_.potentially_available(*tree_.queue(queue), tree_.cell(flavor.flavor, resource));
      if (amount <= most) continue;
      if (!found || resource == kKueueResource) found = {.resource = resource, .asked = amount, .most = most};
    }
    return found;
  }

  const KueueCluster& cluster_;
  const Strategy& strategy_;
  kueue::QuotaTree tree_;
};

// Of as few pods as will do.
kueue::Requests least_requests(const World& world, const Job& job) {
  const auto& groups = world.kueue->cluster_queue_of(job.job_class, job.user).groups;
  const KueueCluster& cluster = *world.kueue;
  const Shape& shape = world.shapes[index(job.shape)];
  kueue::PodSet pods = pods_of(cluster, job, shape, {});
  if (shape.tail_gpus == 0 && !is_class_of_sets(world, job.job_class))
    pods.count = cluster.least_nodes(shape, job.job_class, job.user);
  for (auto& [resource, amount] : pods.requests) amount = amount * pods.count;
  const auto counts_pods = [](const kueue::ResourceGroup& group) { return group.covers(kueue::kPods); };
  if (std::ranges::any_of(groups, counts_pods)) pods.requests[kueue::kPods] = kueue::Amount{pods.count};
  return pods.requests;
}

kueue::Amount nominal_of(const kueue::FlavorQuotas& flavor, const std::string& resource) {
  const auto quota = flavor.quotas.find(resource);
  return quota == flavor.quotas.end() ? kueue::Amount{} : quota->second.nominal;
}

kueue::Amount nominal_of(const kueue::ClusterQueue& queue, const std::string& resource) {
  kueue::Amount sum;
  for (const kueue::ResourceGroup& group : queue.groups) {
    for (const kueue::FlavorQuotas& flavor : group.flavors) sum = sum + nominal_of(flavor, resource);
  }
  return sum;
}

// Per GPU the least of the resource that a queue's quota has: flavor by flavor, or in a group of its own.
std::string binding_text(const kueue::Configuration& objects, const std::string& resource) {
  std::optional<double> least;
  const auto add = [&](const auto& owner) {
    const kueue::Amount gpus = nominal_of(owner, kKueueResource);
    if (gpus <= kueue::Amount{}) return;
    const double per_gpu = static_cast<double>(nominal_of(owner, resource).count()) /
                           resource_scale(resource) / static_cast<double>(gpus.count());
    least = std::min(least.value_or(per_gpu), per_gpu);
  };
  for (const auto& [name, queue] : objects.cluster_queues) {
    for (const kueue::ResourceGroup& group : queue.groups) {
      if (!group.covers(resource)) continue;
      if (!group.covers(kKueueResource)) add(queue);
      for (const kueue::FlavorQuotas& flavor : group.flavors) add(flavor);
    }
  }
  if (!least) return {};
  return fmt::format(". They would bind before those of GPUs from {:.4g} {} per GPU on", *least,
                     kueue::unit_of(resource));
}

}  // namespace

void check_lending(const kueue::Quota& quota, const Node& node) {
  if (quota.lending_limit && *quota.lending_limit > quota.nominal)
    node.at("lending_limit")
        .fail(fmt::format("is more than the nominal quota, {}", node.number("nominal_quota")));
}

void read_other_quotas(const Node& node, bool is_of_cohort, kueue::FlavorQuotas& quotas) {
  for (const Node& each : node.list("resources")) {
    const std::string resource = other_resource(each);
    const auto limit = [&](const char* key) -> std::optional<kueue::Amount> {
      if (!each.has(key)) return std::nullopt;
      return scaled_amount(each.number(key), resource);
    };
    for (const char* key : {"nominal_quota", "borrowing_limit", "lending_limit"}) {
      if (resource == kueue::kPods && each.has(key) && std::floor(each.number(key)) != each.number(key))
        each.at(key).fail("must be a whole number of pods");
    }
    const kueue::Quota quota{.nominal = scaled_amount(each.number("nominal_quota"), resource),
                             .borrowing_limit = limit("borrowing_limit"),
                             .lending_limit = limit("lending_limit")};
    if (!is_of_cohort) check_lending(quota, each);
    if (!quotas.quotas.emplace(resource, quota).second)
      each.at("resource").fail("has a quota in this flavor already");
  }
}

void check_same_resources(const std::vector<Node>& flavors, const std::vector<kueue::FlavorQuotas>& quotas) {
  for (std::size_t i = 1; i < quotas.size(); ++i) {
    if (resources_of(quotas[i]) == resources_of(quotas.front())) continue;
    flavors[i].fail(fmt::format(
        "must have quotas of the same \"resources\" as \"{}\": Kueue has them for all flavors of a group",
        quotas.front().flavor));
  }
}

void add_other_groups(const Node& owner, const std::vector<std::string>& flavors,
                      std::vector<kueue::ResourceGroup>& groups) {
  std::set<std::string> named;
  for (const Node& node : owner.list("other_groups")) {
    kueue::ResourceGroup group;
    for (const Node& each : node.list("flavors")) {
      const Node flavor = each.at("flavor");
      const std::string& name = flavors[find_name(flavor, "flavor without GPUs", flavors)];
      if (!named.insert(name).second) flavor.fail("has a quota here already");
      read_other_quotas(each, owner.has("parent"), group.flavors.emplace_back(kueue::FlavorQuotas{name, {}}));
    }
    check_same_resources(node.list("flavors"), group.flavors);
    for (const std::string& resource : resources_of(group.flavors.front())) {
      const auto has_it = [&](const kueue::ResourceGroup& other) { return other.covers(resource); };
      if (std::ranges::any_of(groups, has_it))
        node.fail(
            fmt::format("{} has a quota in another group already: in Kueue a resource is in one", resource));
    }
    groups.push_back(std::move(group));
  }
}

std::vector<PodRequest> read_pod_requests(Draft& draft, const Node& kueue,
                                          const kueue::Configuration& objects) {
  const Resources covered = resources_of(objects);
  Resources asked;
  std::vector<PodRequest> requests;
  for (const Node& node : kueue.list("pod_requests")) {
    const std::string resource = other_resource(node);
    if (resource == kueue::kPods) node.at("resource").fail("needs no request: Kueue counts one for each pod");
    if (!covered.contains(resource))
      node.at("resource")
          .fail(fmt::format("no cluster queue has a quota of {}: Kueue would admit nobody who asks for it",
                            resource));
    asked.insert(resource);
    requests.push_back({.jobs = read_some_jobs(draft, node),
                        .resource = resource,
                        .per_gpu = scaled_amount(node.number("per_gpu"), resource)});
  }
  for (const std::string& resource : covered) {
    if (resource == kueue::kPods || asked.contains(resource)) continue;
    draft.warn(fmt::format(
        "{}: quotas of {} hold back nobody, as nothing says how much of it jobs ask for{}. Add \"pod_requests\": "
        "[{{\"resource\": \"{}\", \"per_gpu\": NUMBER}}]",
        kueue.where().pointer, resource, binding_text(objects, resource), resource));
  }
  return requests;
}

void warn_of_other_resources(Draft& draft, const Strategy& strategy) {
  const World& world = draft.world();
  Reach reach{*world.kueue, strategy};
  std::map<std::string, Shortage> kept;  // by class
  for (std::size_t shape = 0; shape < draft.shape_classes.size(); ++shape) {
    for (std::size_t i = 0; i < draft.shape_classes[shape].size(); ++i) {
      if (!draft.shape_classes[shape][i] || world.shapes[shape].of_nodes > 0) continue;
      const Job job{.shape = ShapeId{static_cast<std::uint32_t>(shape)},
                    .job_class = ClassId{static_cast<std::uint16_t>(i)}};
      const auto lacks = reach.shortage(job, least_requests(world, job));
      if (lacks) kept.emplace(draft.classes.names()[i], *lacks);
    }
  }
  for (const auto& [name, lacks] : kept) {
    draft.warn(fmt::format(
        "strategy \"{}\": some jobs of {} ask for {}, and Kueue's quota never lets in more than {} at a time "
        "where it has GPUs enough: they wait for ever",
        strategy.name, name, resource_text(lacks.asked, lacks.resource),
        resource_text(lacks.most, lacks.resource)));
  }
}

}  // namespace stockout
