#include "tools/report/run/job_fields.h"

#include <fmt/format.h>

namespace stockout {

std::vector<std::string> job_keys() {
  std::vector<std::string> keys;
  std::apply([&](const auto&... fields) { (keys.emplace_back(fields.key), ...); }, kJobFields);
  for (const std::string_view cause : kWaitCauseNames) keys.push_back(fmt::format("for_{}_s", cause));
  return keys;
}

}  // namespace stockout
