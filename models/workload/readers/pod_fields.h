#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "models/workload/readers/json_row.h"

namespace stockout {

/// A condition of a Kubernetes object's status that is true.
struct StatusCondition {
  std::int64_t at_ms = 0;  // its last transition; kUnknownMs where it has none
  std::string_view reason;
};

/// The condition of that type, if its status is `status`.
[[nodiscard]] std::optional<StatusCondition> find_condition(const JsonRow& object, std::string_view type,
                                                            std::string_view status = "True");

/// GPUs that a pod of this template asks for: resources whose name ends in "/gpu", of all containers, or of
/// the largest init container if that asks for more. `template_path` leads to the template.
[[nodiscard]] std::int32_t pod_gpus(const JsonRow& object, std::string_view template_path);

/// The GPU type and the machine type that its node selector names; "" where it names none.
[[nodiscard]] std::string_view pod_gpu(const JsonRow& object, std::string_view template_path);
[[nodiscard]] std::string_view pod_machine(const JsonRow& object, std::string_view template_path);

/// A number of pods times GPUs of each. Throws BrokenRow at `value` beyond kMostJobGpus.
[[nodiscard]] std::int32_t gang_gpus(const JsonValue& value, std::int64_t gpus);

}  // namespace stockout
