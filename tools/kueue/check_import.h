#pragma once

#include <map>
#include <string>

#include "models/orchestrators/kueue/provisioning.h"
#include "tools/kueue/case_value.h"

namespace stockout::kueue {

/// An AdmissionCheck of a cluster.
struct ImportedCheck {
  std::string controller;
  std::string config;  // name of its ProvisioningRequestConfig; empty: it names none
};

/// The admission checks of a cluster, as far as files describe them.
struct ImportedChecks {
  std::map<std::string, ImportedCheck> checks;       // by name
  std::map<std::string, ProvisioningRetry> configs;  // the same

  /// Adds an object of kind AdmissionCheck.
  void add_check(const std::string& name, const CaseValue& spec);
  /// Adds an object of kind ProvisioningRequestConfig. Retries that it does not set are Kueue's.
  void add_config(const std::string& name, const CaseValue& spec);

  /// How the check is tried again; nullptr: the files do not say.
  [[nodiscard]] const ProvisioningRetry* retry_of(const std::string& check) const;
  /// What a scenario cannot say of the check, a sentence without its end; empty: nothing.
  [[nodiscard]] std::string lost_of(const std::string& check) const;
};

}  // namespace stockout::kueue
