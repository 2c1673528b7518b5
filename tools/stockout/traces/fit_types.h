#pragma once

#include <span>
#include <string>
#include <vector>

#include "models/catalog/catalog.h"
#include "models/starter/type_guess.h"
#include "models/workload/trace.h"

namespace stockout {

/// How the types that a trace names are called in the catalogue.
struct NamedTypes {
  std::vector<TypeGuess> taken;      // names that another spelling or GPU stands for
  std::vector<std::string> first;    // several types of one job, of which the first was measured
  std::vector<std::string> unknown;  // nothing stands for these, and they stay as they are
};

/// Writes GPU and machine types of a trace as the catalogue has them: as `names` says ("h100=H100-80GB"),
/// else as `stockout init` takes them. Where the catalogue does not know the machine, the row's GPU type
/// counts. Throws InputError for a name in `names` that no job has, or a type that the catalogue has not.
NamedTypes name_types(Trace& trace, std::span<const std::string> names, const Catalog& catalog);

}  // namespace stockout
