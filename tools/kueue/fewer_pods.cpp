#include "tools/kueue/fewer_pods.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace stockout::kueue {
namespace {

constexpr std::int64_t kMostOfSet = 1'000'000'000;

bool asks_for_gpus(const CaseValue& container) {
  const auto resources = container.find("resources");
  const auto has_them = [&](std::string_view kind) {
    const auto list = resources ? resources->find(kind) : std::nullopt;
    return list && list->has("nvidia.com/gpu");
  };
  return has_them("limits") || has_them("requests");
}

// Pods without GPUs are no nodes of a job.
bool is_counted(const CaseValue& set) {
  const auto pods = set.find("template");
  const auto spec = pods ? pods->find("spec") : std::nullopt;
  if (!spec) return true;
  const std::vector<CaseValue> containers = spec->list("containers");
  return std::ranges::any_of(containers, asks_for_gpus);
}

std::string class_of(const CaseValue& spec) {
  if (const auto reference = spec.find("priorityClassRef")) return reference->text_or("name", "");
  return spec.text_or("priorityClassName", "");
}

}  // namespace

void add_workload(const CaseValue& object, FewerPodsByClass& classes) {
  const CaseValue spec = object.at("spec");
  std::int64_t pods = 0;
  std::int64_t least = 0;
  for (const CaseValue& set : spec.list("podSets")) {
    if (!is_counted(set)) continue;
    const auto count = set.find("count");
    const auto min_count = set.find("minCount");
    const std::int64_t here = count ? count->integer(0, kMostOfSet) : 1;
    pods += here;
    least += min_count ? std::min(here, min_count->integer(0, kMostOfSet)) : here;
  }
  if (pods <= 1) return;
  FewerPods& own = classes[class_of(spec)];
  if (least == pods) {
    ++own.others;
    return;
  }
  ++own.workloads;
  own.least.insert(std::max<std::int64_t>(1, least));
  own.greatest_share = std::max(own.greatest_share, static_cast<double>(least) / static_cast<double>(pods));
}

}  // namespace stockout::kueue
