#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/orchestrators/kueue/amount.h"
#include "models/orchestrators/kueue/configuration.h"
#include "sim/io/json_value.h"
#include "tools/kueue/check_import.h"
#include "tools/kueue/fewer_pods.h"

namespace stockout::kueue {

/// A document of a file.
struct Manifest {
  std::string file;
  JsonValue root;
};

/// A cluster as files describe it.
struct ImportedCluster {
  Configuration objects;
  ImportedChecks checks = {};
  FewerPodsByClass fewer_pods = {};        // what workloads in the files say of partial admission
  std::vector<std::string> warnings = {};  // what Kueue would not take so, or the model does not know
};

/// The queues of a cluster out of what `kubectl get clusterqueues,cohorts,resourceflavors,localqueues -A`
/// prints with -o json or -o yaml (API versions v1alpha1, v1beta1 and v1beta2; others are warned of): lists,
/// or single objects. Of workloads among them it takes how few pods will do, and of admissionchecks and
/// provisioningrequestconfigs how requests for capacity are made again. Those of other kinds are left
/// out, and counted in a warning; keys that the model does not know likewise. Policies that are not set have
/// Kueue's defaults. Throws InputError with the place for what is none, for two names of one cohort, and for
/// what Kueue refuses: more than any quota can be, a lending limit of a cluster queue above its quota, other
/// resources than covered.
[[nodiscard]] ImportedCluster read_cluster(const std::vector<Manifest>& manifests);

}  // namespace stockout::kueue
