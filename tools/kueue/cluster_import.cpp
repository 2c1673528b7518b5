#include "tools/kueue/cluster_import.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tools/kueue/case_objects.h"
#include "tools/kueue/case_value.h"
#include "tools/kueue/quantity_text.h"

namespace stockout::kueue {
namespace {

using Keys = std::vector<std::string_view>;

constexpr std::string_view kApiGroup = "kueue.x-k8s.io/";
constexpr std::array<std::string_view, 3> kVersions{"v1alpha1", "v1beta1", "v1beta2"};

// Whose quotas are read. A cohort may lend what those below it lend to it, and so more than its own.
struct Owner {
  bool shares = false;
  bool is_cohort = false;
};

/// Reads objects one by one, and notes what is lost of them.
class ObjectReader {
 public:
  void take(const CaseValue& object);
  void warn_of_others();

  ImportedCluster cluster = {};

 private:
  void warn(const std::string& line) { cluster.warnings.push_back(owner_ + ": " + line); }
  void knows(const CaseValue& value, const Keys& keys);
  void note_version(const CaseValue& object);
  Quota read_quota(const CaseValue& value, const std::string& resource, const Owner& owner);
  FlavorQuotas read_flavor_quotas(const CaseValue& flavor, const CaseValue& group, const Owner& owner);
  std::vector<ResourceGroup> read_resource_groups(const CaseValue& spec, const Owner& owner);
  Preemption read_preemption_rules(const CaseValue& spec, bool shares);
  void read_namespaces(const CaseValue& spec);
  ClusterQueue read_queue_object(const std::string& name, const CaseValue& spec);
  Cohort read_cohort_object(const std::string& name, const CaseValue& spec);
  ResourceFlavor read_flavor_object(const std::string& name, const CaseValue& spec);
  LocalQueue read_local_queue_object(const CaseValue& metadata, const CaseValue& spec);

  std::string owner_ = {};  // of what is read: "ClusterQueue team"
  std::map<std::string, int> others_ = {};
  std::map<std::string, int> versions_ = {};  // that the model does not know
  int several_ = 0;                           // workloads of several pod sets
};

// A name that is misspelt would else change nothing, without a word.
void ObjectReader::knows(const CaseValue& value, const Keys& keys) {
  for (const auto& [key, member] : value.members()) {
    if (std::ranges::find(keys, key) == keys.end())
      warn(fmt::format("the model does not know \"{}\", and leaves it out", key));
  }
}

// The largest number is Kueue's word for "unlimited"; what is more than that is a mistake.
Amount read_quantity(const CaseValue& value, const std::string& resource) {
  const std::string text = value.text_or_number();
  const auto amount = parse_quantity(text, resource == "cpu");
  if (!amount)
    value.fail(fmt::format("must be a quantity such as \"4\", \"500m\" or \"16Gi\", but is \"{}\"", text));
  if (amount->is_unlimited() && text != std::to_string(amount->count()))
    value.fail(fmt::format("is more than a quota can be ({}{}), but is \"{}\"", amount->count(),
                           resource == "cpu" ? " thousandths of a CPU" : "", text));
  return *amount;
}

Quota ObjectReader::read_quota(const CaseValue& value, const std::string& resource, const Owner& owner) {
  knows(value, {"name", "nominalQuota", "borrowingLimit", "lendingLimit"});
  Quota quota{.nominal = read_quantity(value.at("nominalQuota"), resource)};
  const auto borrowing = value.find("borrowingLimit");
  const auto lending = value.find("lendingLimit");
  if (borrowing) quota.borrowing_limit = read_quantity(*borrowing, resource);
  if (lending) quota.lending_limit = read_quantity(*lending, resource);
  if ((borrowing || lending) && !owner.shares)
    warn(fmt::format("limits on {} have no effect, since there is nobody to share with", resource));
  if (!owner.is_cohort && quota.lending_limit && *quota.lending_limit > quota.nominal)
    lending->fail("is more than the nominal quota, which Kueue refuses");
  return quota;
}

// Of the group's resources, as far as it says which.
FlavorQuotas ObjectReader::read_flavor_quotas(const CaseValue& flavor, const CaseValue& group,
                                              const Owner& owner) {
  knows(flavor, {"name", "resources"});
  FlavorQuotas quotas{flavor.at("name").name(), {}};
  for (const CaseValue& row : flavor.list("resources")) {
    const std::string resource = row.at("name").name();
    if (!quotas.quotas.emplace(resource, read_quota(row, resource, owner)).second)
      row.fail(fmt::format("\"{}\" has a quota in this flavor already", resource));
  }
  if (!group.has("coveredResources")) return quotas;
  const std::vector<std::string> covered = group.texts_of("coveredResources");
  const auto has_quota = [&](const std::string& resource) { return quotas.quotas.contains(resource); };
  if (covered.size() != quotas.quotas.size() || !std::ranges::all_of(covered, has_quota))
    flavor.fail(fmt::format("must have a quota of each of coveredResources ({}), and of nothing else",
                            fmt::join(covered, ", ")));
  return quotas;
}

// A flavor is in one group, and so is a resource.
std::vector<ResourceGroup> ObjectReader::read_resource_groups(const CaseValue& spec, const Owner& owner) {
  std::vector<ResourceGroup> groups;
  std::set<std::string> flavors;
  std::set<std::string> grouped;
  for (const CaseValue& group : spec.list("resourceGroups")) {
    knows(group, {"coveredResources", "flavors"});
    ResourceGroup& own = groups.emplace_back();
    std::set<std::string> resources;
    for (const CaseValue& flavor : group.list("flavors")) {
      own.flavors.push_back(read_flavor_quotas(flavor, group, owner));
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

// What has no effect, or Kueue refuses, is said.
Preemption ObjectReader::read_preemption_rules(const CaseValue& spec, bool shares) {
  Preemption rules;
  const auto value = spec.find("preemption");
  if (!value) return rules;
  knows(*value, {"withinClusterQueue", "reclaimWithinCohort", "borrowWithinCohort"});
  if (const auto within = value->find("withinClusterQueue")) {
    rules.within_queue = read_policy(*within);
    if (rules.within_queue == PreemptionPolicy::any)
      within->fail("must be Never, LowerPriority or LowerOrNewerEqualPriority, but is Any");
  }
  const auto reclaim = value->find("reclaimWithinCohort");
  rules.reclaim_unset = !reclaim;
  if (reclaim) rules.reclaim_within_cohort = read_policy(*reclaim);
  const bool reclaims = rules.reclaim_within_cohort != PreemptionPolicy::never;
  if (reclaims && !shares) warn("reclaimWithinCohort has no effect, since it is in no cohort");
  if (const auto borrow = value->find("borrowWithinCohort")) {
    rules.borrow_within_cohort = read_borrow_within_cohort(*borrow);
    if (rules.borrow_within_cohort.lower_priority && !reclaims)
      borrow->fail("requires a reclaimWithinCohort other than Never, or Kueue refuses it");
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

// A name under the key of today, or that of an older API version. Two names cannot both be meant.
std::string text_of(const CaseValue& spec, std::string_view key, std::string_view old_key) {
  const std::string name = spec.text_or(key, "");
  const std::string old_name = spec.text_or(old_key, "");
  if (!name.empty() && !old_name.empty() && name != old_name)
    spec.at(old_key).fail(fmt::format("is \"{}\", but \"{}\" is \"{}\"", old_name, key, name));
  return name.empty() ? old_name : name;
}

std::vector<RequiredCheck> read_checks(const CaseValue& spec) {
  std::vector<RequiredCheck> checks;
  for (const CaseValue& name : spec.list("admissionChecks")) checks.push_back({.name = name.name()});
  const auto rules = spec.find("admissionChecksStrategy");
  if (!rules) return checks;
  if (!checks.empty()) rules->fail("cannot be combined with \"admissionChecks\": Kueue refuses it");
  for (const CaseValue& rule : rules->list("admissionChecks")) {
    RequiredCheck& check = checks.emplace_back(RequiredCheck{.name = rule.at("name").name()});
    for (const CaseValue& flavor : rule.list("onFlavors")) check.flavors.push_back(flavor.text());
  }
  return checks;
}

// Nobody may use a queue without a selector, and all one with an empty selector.
void ObjectReader::read_namespaces(const CaseValue& spec) {
  const auto selector = spec.find("namespaceSelector");
  if (!selector) return warn("it has no namespaceSelector, and admits nobody in Kueue; here it admits all");
  if (!selector->members().empty()) warn("its namespaceSelector: here it takes jobs of all namespaces");
}

ClusterQueue ObjectReader::read_queue_object(const std::string& name, const CaseValue& spec) {
  knows(spec, {"resourceGroups", "cohort", "cohortName", "queueingStrategy", "namespaceSelector",
               "flavorFungibility", "preemption", "admissionChecks", "admissionChecksStrategy", "stopPolicy",
               "fairSharing", "admissionScope"});
  ClusterQueue queue{.name = name, .cohort = text_of(spec, "cohortName", "cohort")};
  if (const auto strategy = spec.find("queueingStrategy")) {
    queue.strategy = strategy->word<QueueingStrategy>({{"BestEffortFIFO", QueueingStrategy::best_effort_fifo},
                                                       {"StrictFIFO", QueueingStrategy::strict_fifo}});
  }
  queue.groups = read_resource_groups(spec, {.shares = !queue.cohort.empty()});
  queue.preemption = read_preemption_rules(spec, !queue.cohort.empty());
  queue.fungibility = read_fungibility_rules(spec);
  queue.fair_weight = read_fair_weight(spec);
  queue.checks = read_checks(spec);
  queue.stop = read_stop(spec);
  read_namespaces(spec);
  if (const auto scope = spec.find("admissionScope")) {
    queue.usage_based_admission =
        scope->at("admissionMode")
            .word<bool>({{"UsageBasedAdmissionFairSharing", true}, {"NoAdmissionFairSharing", false}});
  }
  return queue;
}

Cohort ObjectReader::read_cohort_object(const std::string& name, const CaseValue& spec) {
  knows(spec, {"parent", "parentName", "resourceGroups", "fairSharing"});
  Cohort cohort{.name = name, .parent = text_of(spec, "parentName", "parent")};
  cohort.groups = read_resource_groups(spec, {.shares = !cohort.parent.empty(), .is_cohort = true});
  cohort.fair_weight = read_fair_weight(spec);
  return cohort;
}

ResourceFlavor ObjectReader::read_flavor_object(const std::string& name, const CaseValue& spec) {
  knows(spec, {"nodeLabels", "nodeTaints", "tolerations", "topologyName"});
  ResourceFlavor flavor{.name = name};
  if (const auto labels = spec.find("nodeLabels")) flavor.labels = read_labels(*labels);
  if (const auto taints = spec.find("nodeTaints")) flavor.taints = read_taints(*taints);
  if (const auto list = spec.find("tolerations")) flavor.tolerations = read_tolerations(*list);
  if (spec.find("topologyName")) warn("its topology: the model places no pods");
  return flavor;
}

LocalQueue ObjectReader::read_local_queue_object(const CaseValue& metadata, const CaseValue& spec) {
  knows(spec, {"clusterQueue", "stopPolicy", "fairSharing"});
  const auto space = metadata.find("namespace");
  return {.name = (space ? space->name() : "default") + '/' + metadata.at("name").name(),
          .cluster_queue = spec.at("clusterQueue").name(),
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
  if (version && !version->text().starts_with(kApiGroup)) return false;
  const std::string kind = object.at("kind").text();
  return kind == "ClusterQueue" || kind == "Cohort" || kind == "ResourceFlavor" || kind == "LocalQueue" ||
         kind == "Workload" || kind == "AdmissionCheck" || kind == "ProvisioningRequestConfig";
}

void ObjectReader::note_version(const CaseValue& object) {
  const auto version = object.find("apiVersion");
  if (!version) return;
  const std::string text = version->text();
  if (std::ranges::find(kVersions, std::string_view{text}.substr(kApiGroup.size())) == kVersions.end())
    ++versions_[text];
}

void ObjectReader::take(const CaseValue& object) {
  const std::string kind = object.at("kind").text();
  if (!is_of_kueue(object)) {
    ++others_[kind];
    return;
  }
  note_version(object);
  if (kind == "Workload") {
    if (object.at("spec").list("podSets").size() > 1) ++several_;
    return add_workload(object, cluster.fewer_pods);
  }
  static const JsonValue kEmpty{JsonValue::Members{}, 0};
  const CaseValue metadata = object.at("metadata");
  const std::string name = metadata.at("name").name();
  const bool needs_spec = kind == "ClusterQueue" || kind == "LocalQueue";
  const auto given = needs_spec ? std::optional{object.at("spec")} : object.find("spec");
  const std::string file = object.where().file;
  const CaseValue spec = given ? *given : CaseValue{file, kEmpty};
  owner_ = kind + ' ' + name;
  Configuration& all = cluster.objects;
  if (kind == "ClusterQueue") {
    add(all.cluster_queues, read_queue_object(name, spec), object);
  } else if (kind == "Cohort") {
    add(all.cohorts, read_cohort_object(name, spec), object);
  } else if (kind == "AdmissionCheck") {
    cluster.checks.add_check(name, spec);
  } else if (kind == "ProvisioningRequestConfig") {
    cluster.checks.add_config(name, spec);
  } else if (kind == "ResourceFlavor") {
    add(all.flavors, read_flavor_object(name, spec), object);
  } else {
    add(all.local_queues, read_local_queue_object(metadata, spec), object);
  }
}

void ObjectReader::warn_of_others() {
  for (const auto& [version, count] : versions_) {
    cluster.warnings.push_back(fmt::format("apiVersion {}: not known to the model, which reads it as {} ({})",
                                           version, kVersions.back(), count));
  }
  for (const auto& [kind, count] : others_) {
    const std::string_view cure =
        kind == "JobSet" ? ": say its replicated jobs as sources that are \"with\" the first" : "";
    cluster.warnings.push_back(fmt::format("{}: left out ({}){}", kind, count, cure));
  }
  if (several_ > 0)
    cluster.warnings.push_back(fmt::format(
        "Workload: pods of several sets count together, as of one job in one flavor ({})", several_));
}

}  // namespace

ImportedCluster read_cluster(const std::vector<Manifest>& manifests) {
  ObjectReader reader;
  for (const Manifest& manifest : manifests) {
    const CaseValue root{manifest.file, manifest.root};
    const bool is_list = root.has("items") || !root.has("kind");
    for (const CaseValue& object : is_list ? root.at("items").items() : std::vector{root}) {
      try {
        reader.take(object);
      } catch (const NotModelled& gap) {
        throw InputError{gap.where, gap.reason + " is not known to the model"};
      }
    }
    check_depth(reader.cluster.objects, root);
  }
  reader.warn_of_others();
  return std::move(reader.cluster);
}

}  // namespace stockout::kueue
