#pragma once

#include <map>
#include <string>

#include "models/catalog/catalog.h"
#include "tools/slurm_replay/node_sets.h"

namespace stockout::slurm {

/// Which machine types a user says that nodes are, by name of the set.
using GivenMachines = std::map<std::string, std::string, std::less<>>;

/// The machine type that the nodes of a set are: the given one, else the only one of the catalogue with as
/// many GPUs, of that type if the files name one, and as many vCPUs as they have CPUs, or twice as many
/// (without hyper-threading), if there is such a one. Empty if several or none would do: never one with other
/// GPUs than the files name.
/// Throws InputError if the given one is not in the catalogue, or has not as many GPUs.
[[nodiscard]] std::string machine_of(const KindOfNodes& set, const ClusterFile& cluster,
                                     const Catalog& catalog, const GivenMachines& given);

/// The machine types that it may be, as far as the files tell; none if they name GPUs that the catalogue has
/// not, or not so many in a machine.
[[nodiscard]] std::vector<std::string> machines_like(const KindOfNodes& set, const ClusterFile& cluster,
                                                     const Catalog& catalog);

/// For people, where the catalogue has several GPUs of the name that the files say, and one was taken: which.
/// Else empty.
[[nodiscard]] std::string doubt_of_gpu(const KindOfNodes& set, const ClusterFile& cluster,
                                       const Catalog& catalog);

/// Those that have as many GPUs, of whichever type.
[[nodiscard]] std::vector<std::string> machines_with_as_many(const KindOfNodes& set,
                                                             const ClusterFile& cluster,
                                                             const Catalog& catalog);

}  // namespace stockout::slurm
