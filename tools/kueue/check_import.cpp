#include "tools/kueue/check_import.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string_view>

#include <fmt/format.h>

namespace stockout::kueue {
namespace {

constexpr std::string_view kProvisioning = "kueue.x-k8s.io/provisioning-request";
constexpr std::int32_t kMostTries = 1'000;  // as a scenario has it
constexpr SimDuration kShortest = std::chrono::seconds{1};

}  // namespace

void ImportedChecks::add_check(const std::string& name, const CaseValue& spec) {
  ImportedCheck check{.controller = spec.text_or("controllerName", ""), .config = {}};
  if (const auto parameters = spec.find("parameters")) check.config = parameters->at("name").name();
  if (!checks.emplace(name, std::move(check)).second)
    spec.fail(fmt::format("there are two admission checks called \"{}\"", name));
}

void ImportedChecks::add_config(const std::string& name, const CaseValue& spec) {
  ProvisioningRetry retry;
  if (const auto strategy = spec.find("retryStrategy")) {
    if (const auto limit = strategy->find("backoffLimitCount"))
      retry.limit = std::min(limit->times(), kMostTries);
    if (const auto base = strategy->find("backoffBaseSeconds"))
      retry.base = std::max(base->length(), kShortest);
    if (const auto most = strategy->find("backoffMaxSeconds"))
      retry.most = std::max(most->length(), kShortest);
  }
  if (!configs.emplace(name, retry).second)
    spec.fail(fmt::format("there are two configurations of requests called \"{}\"", name));
}

const ProvisioningRetry* ImportedChecks::retry_of(const std::string& check) const {
  const auto found = checks.find(check);
  if (found == checks.end()) return nullptr;
  const auto config = configs.find(found->second.config);
  return config == configs.end() ? nullptr : &config->second;
}

std::string ImportedChecks::lost_of(const std::string& check) const {
  const auto found = checks.find(check);
  if (found != checks.end() && found->second.controller != kProvisioning)
    return fmt::format(
        "its controller \"{}\" is not known to the model: it is taken for a request for capacity",
        found->second.controller);
  if (retry_of(check) != nullptr) return {};
  return "it is taken for a request for capacity, with Kueue's retries: add `kubectl get "
         "admissionchecks,provisioningrequestconfigs` for its own";
}

}  // namespace stockout::kueue
