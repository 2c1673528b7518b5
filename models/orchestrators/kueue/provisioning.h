#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/orchestrators/kueue/settings.h"
#include "models/orchestrators/kueue/workload.h"

namespace stockout::kueue {

/// How often and when a request for capacity that failed is made again: a ProvisioningRequestConfig.
struct ProvisioningRetry {
  std::int32_t limit = 3;
  SimDuration base = std::chrono::minutes{1};
  SimDuration most = std::chrono::minutes{30};
};

struct ProvisioningConfig {
  std::optional<ProvisioningRetry> retry = ProvisioningRetry{};
  std::vector<std::string> managed_resources = {};  // pod sets with any of them; none: all pod sets
};

/// A request for capacity (ProvisioningRequest): attempt n of a workload's check.
struct ProvisioningRequest {
  std::string name = {};  // of one that is made: workload-check-attempt
  std::string check = {};
  std::int32_t attempt = 1;
  bool matches_config = true;  // class and parameters are those of the config
  bool accepted = false;
  std::optional<bool> provisioned = std::nullopt;  // nothing: the autoscaler has not said yet
  bool failed = false;
  bool booking_expired = false;
  bool capacity_revoked = false;
};

/// State that the controller of the check sees and changes: one step of it towards what should be.
struct ProvisioningState {
  Workload workload;
  std::string check;                               // of the workload, which has it among its checks
  std::vector<ProvisioningRequest> requests = {};  // of the workload
};

/// One reconciliation: makes and deletes requests and sets the state of the check. Without a config the check
/// is not active.
void reconcile_provisioning(ProvisioningState& state, const std::optional<ProvisioningConfig>& config,
                            const Gates& gates, SimTime now);

}  // namespace stockout::kueue
