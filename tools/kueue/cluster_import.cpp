#include "tools/kueue/cluster_import.h"

#include <set>
#include <utility>

#include <fmt/format.h>

#include "tools/kueue/case_objects.h"
#include "tools/kueue/case_value.h"

namespace stockout::kueue {
namespace {

Amount read_quantity(const CaseValue& value, const std::string& resource) {
  const std::string text = value.text_or_number();
  const auto amount = parse_quantity(text, resource == "cpu");
  if (!amount)
    value.fail(fmt::format("must be a quantity such as \"4\", \"500m\" or \"16Gi\", but is \"{}\"", text));
  return *amount;
}

Quota read_quota(const CaseValue& value, const std::string& resource) {
  Quota quota{.nominal = read_quantity(value.at("nominalQuota"), resource)};
  if (const auto limit = value.find("borrowingLimit"))
    quota.borrowing_limit = read_quantity(*limit, resource);
  if (const auto limit = value.find("lendingLimit")) quota.lending_limit = read_quantity(*limit, resource);
  return quota;
}

FlavorQuotas read_flavor_quotas(const CaseValue& flavor) {
  FlavorQuotas quotas{flavor.at("name").name(), {}};
  for (const CaseValue& row : flavor.list("resources")) {
    const std::string resource = row.at("name").name();
    if (!quotas.quotas.emplace(resource, read_quota(row, resource)).second) {
      row.fail(fmt::format("\"{}\" has a quota in this flavor already", resource));
    }
  }
  return quotas;
}

// A flavor is in one group, and so is a resource.
std::vector<ResourceGroup> read_resource_groups(const CaseValue& spec) {
  std::vector<ResourceGroup> groups;
  std::set<std::string> flavors;
  std::set<std::string> grouped;
  for (const CaseValue& group : spec.list("resourceGroups")) {
    ResourceGroup& own = groups.emplace_back();
    std::set<std::string> resources;
    for (const CaseValue& flavor : group.list("flavors")) {
      own.flavors.push_back(read_flavor_quotas(flavor));
      if (!flavors.insert(own.flavors.back().flavor).second) flavor.fail("this flavor has quota already");
      for (const auto& [resource, quota] : own.flavors.back().quotas) resources.insert(resource);
    }
    for (const std::string& resource : resources) {
      if (!grouped.insert(resource).second) group.fail(fmt::format("\"{}\" is in a group already", resource));
    }
  }
  return groups;
}

// A quantity too: "500m" is a half.
double read_fair_weight(const CaseValue& spec) {
  const auto sharing = spec.find("fairSharing");
  const auto weight = sharing ? sharing->find("weight") : std::nullopt;
  if (!weight) return 1;
  const auto amount = parse_quantity(weight->text_or_number(), true);
  if (!amount) weight->fail("must be a quantity such as \"1\" or \"500m\"");
  return static_cast<double>(amount->count()) / 1000;
}

Preemption read_preemption_rules(const CaseValue& spec) {
  Preemption rules;
  const auto value = spec.find("preemption");
  if (!value) return rules;
  if (const auto within = value->find("withinClusterQueue")) rules.within_queue = read_policy(*within);
  const auto reclaim = value->find("reclaimWithinCohort");
  rules.reclaim_unset = !reclaim;
  if (reclaim) rules.reclaim_within_cohort = read_policy(*reclaim);
  if (const auto borrow = value->find("borrowWithinCohort")) {
    rules.borrow_within_cohort = read_borrow_within_cohort(*borrow);
  }
  return rules;
}

// v1beta1 says "Borrow" and "Preempt" for what v1beta2 calls "MayStopSearch".
FlavorFungibility read_fungibility_rules(const CaseValue& spec) {
  FlavorFungibility rules;
  const auto value = spec.find("flavorFungibility");
  if (!value) return rules;
  const auto goes_on = [](const CaseValue& word) {
    return word.word<bool>(
        {{"MayStopSearch", false}, {"Borrow", false}, {"Preempt", false}, {"TryNextFlavor", true}});
  };
  if (const auto borrow = value->find("whenCanBorrow")) rules.next_when_borrowing = goes_on(*borrow);
  if (const auto preempt = value->find("whenCanPreempt")) rules.next_when_preempting = goes_on(*preempt);
  if (const auto preference = value->find("preference")) {
    rules.preference = preference->word<FlavorPreference>(
        {{"BorrowingOverPreemption", FlavorPreference::borrowing_over_preemption},
         {"PreemptionOverBorrowing", FlavorPreference::preemption_over_borrowing}});
  }
  return rules;
}

std::string text_of(const CaseValue& spec, std::string_view key, std::string_view old_key) {
  if (const auto value = spec.find(key)) return value->text();
  const auto value = spec.find(old_key);
  return value ? value->text() : "";
}

std::vector<RequiredCheck> read_checks(const CaseValue& spec) {
  std::vector<RequiredCheck> checks;
  for (const CaseValue& name : spec.list("admissionChecks")) checks.push_back({.name = name.text()});
  const auto rules = spec.find("admissionChecksStrategy");
  if (!rules) return checks;
  for (const CaseValue& rule : rules->list("admissionChecks")) {
    RequiredCheck& check = checks.emplace_back(RequiredCheck{.name = rule.at("name").text()});
    for (const CaseValue& flavor : rule.list("onFlavors")) check.flavors.push_back(flavor.text());
  }
  return checks;
}

ClusterQueue read_queue_object(const std::string& name, const CaseValue& spec) {
  ClusterQueue queue{.name = name, .cohort = text_of(spec, "cohortName", "cohort")};
  if (const auto strategy = spec.find("queueingStrategy")) {
    queue.strategy = strategy->word<QueueingStrategy>({{"BestEffortFIFO", QueueingStrategy::best_effort_fifo},
                                                       {"StrictFIFO", QueueingStrategy::strict_fifo}});
  }
  queue.groups = read_resource_groups(spec);
  queue.preemption = read_preemption_rules(spec);
  queue.fungibility = read_fungibility_rules(spec);
  queue.fair_weight = read_fair_weight(spec);
  queue.checks = read_checks(spec);
  queue.stop = read_stop(spec);
  if (const auto scope = spec.find("admissionScope")) {
    queue.usage_based_admission =
        scope->at("admissionMode")
            .word<bool>({{"UsageBasedAdmissionFairSharing", true}, {"NoAdmissionFairSharing", false}});
  }
  return queue;
}

ResourceFlavor read_flavor_object(const std::string& name, const CaseValue& spec) {
  ResourceFlavor flavor{.name = name};
  if (const auto labels = spec.find("nodeLabels")) flavor.labels = read_labels(*labels);
  if (const auto taints = spec.find("nodeTaints")) flavor.taints = read_taints(*taints);
  if (const auto list = spec.find("tolerations")) flavor.tolerations = read_tolerations(*list);
  return flavor;
}

LocalQueue read_local_queue_object(const CaseValue& metadata, const CaseValue& spec) {
  const auto space = metadata.find("namespace");
  return {.name = (space ? space->text() : "default") + '/' + metadata.at("name").name(),
          .cluster_queue = text_of(spec, "clusterQueue", "clusterQueue"),
          .fair_weight = read_fair_weight(spec),
          .stop = read_stop(spec)};
}

template <typename Item>
void add(std::map<std::string, Item>& all, Item item, const CaseValue& object) {
  const std::string name = item.name;
  if (!all.emplace(name, std::move(item)).second)
    object.fail(fmt::format("there are two called \"{}\"", name));
}

// A list may also hold objects of other kinds, and of other groups whose kinds have the same names.
bool is_of_kueue(const CaseValue& object) {
  const auto version = object.find("apiVersion");
  if (version && !version->text().starts_with("kueue.x-k8s.io/")) return false;
  const std::string kind = object.at("kind").text();
  return kind == "ClusterQueue" || kind == "Cohort" || kind == "ResourceFlavor" || kind == "LocalQueue";
}

void take(const CaseValue& object, Configuration& all) {
  if (!is_of_kueue(object)) return;
  const std::string kind = object.at("kind").text();
  const CaseValue metadata = object.at("metadata");
  const std::string name = metadata.at("name").name();
  const CaseValue spec = object.has("spec") ? object.at("spec") : metadata;
  if (kind == "ClusterQueue") {
    add(all.cluster_queues, read_queue_object(name, spec), object);
  } else if (kind == "Cohort") {
    add(all.cohorts,
        Cohort{.name = name,
               .parent = text_of(spec, "parentName", "parent"),
               .groups = read_resource_groups(spec),
               .fair_weight = read_fair_weight(spec)},
        object);
  } else if (kind == "ResourceFlavor") {
    add(all.flavors, read_flavor_object(name, spec), object);
  } else {
    add(all.local_queues, read_local_queue_object(metadata, spec), object);
  }
}

}  // namespace

Configuration read_cluster(const std::vector<Manifest>& manifests) {
  Configuration all;
  for (const Manifest& manifest : manifests) {
    const CaseValue root{manifest.file, manifest.root};
    const bool is_list = root.has("items") || !root.has("kind");
    for (const CaseValue& object : is_list ? root.at("items").items() : std::vector{root}) {
      try {
        take(object, all);
      } catch (const NotModelled& gap) {
        throw InputError{gap.where, gap.reason + " is not known to the model"};
      }
    }
    check_depth(all, root);
  }
  return all;
}

}  // namespace stockout::kueue
