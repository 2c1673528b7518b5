#include "models/workload/readers/pod_fields.h"

#include <algorithm>

#include "models/workload/readers/cloud_names.h"
#include "models/workload/trace.h"

namespace stockout {
namespace {

std::int32_t gpus_of(const JsonRow& container, std::string_view kind) {
  const JsonValue* const value = container.find(kind);
  const auto* const resources = value == nullptr ? nullptr : value->get<JsonValue::Members>();
  if (resources == nullptr) return 0;
  std::int32_t gpus = 0;
  for (const JsonValue::Member& resource : *resources) {
    if (resource.key.ends_with("/gpu")) {
      gpus = std::max(gpus, JsonRow::as_count(resource.value, "a resource .../gpu"));
    }
  }
  return gpus;
}

// A limit counts as a request where there is none.
std::int32_t container_gpus(const JsonRow& container) {
  return std::max(gpus_of(container, "resources.requests"), gpus_of(container, "resources.limits"));
}

std::string path_of(std::string_view template_path, std::string_view rest) {
  return std::string{template_path} + ".spec." + std::string{rest};
}

}  // namespace

std::optional<StatusCondition> find_condition(const JsonRow& object, std::string_view type,
                                              std::string_view status) {
  for (const JsonValue& value : object.list("status.conditions")) {
    const JsonRow condition = object.row(value);
    if (condition.text("type") != type || condition.text("status") != status) continue;
    return StatusCondition{.at_ms = condition.time("lastTransitionTime"), .reason = condition.text("reason")};
  }
  return std::nullopt;
}

std::int32_t pod_gpus(const JsonRow& object, std::string_view template_path) {
  std::int64_t gpus = 0;
  for (const JsonValue& container : object.list(path_of(template_path, "containers"))) {
    gpus += container_gpus(object.row(container));
  }
  for (const JsonValue& container : object.list(path_of(template_path, "initContainers"))) {
    gpus = std::max<std::int64_t>(gpus, container_gpus(object.row(container)));
  }
  return static_cast<std::int32_t>(std::min<std::int64_t>(gpus, kMostJobGpus));
}

std::string_view pod_gpu(const JsonRow& object, std::string_view template_path) {
  return gpu_of_cloud_name(
      object.label(path_of(template_path, "nodeSelector"), "cloud.google.com/gke-accelerator"));
}

std::string_view pod_machine(const JsonRow& object, std::string_view template_path) {
  return object.label(path_of(template_path, "nodeSelector"), "node.kubernetes.io/instance-type");
}

std::int32_t gang_gpus(const JsonValue& value, std::int64_t gpus) {
  if (gpus > kMostJobGpus) JsonRow::fail(value, "its pods", "pods of at most 1048576 GPUs in all");
  return static_cast<std::int32_t>(gpus);
}

}  // namespace stockout
