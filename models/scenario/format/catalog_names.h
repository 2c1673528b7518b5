#pragma once

#include "models/scenario/format/spec.h"

namespace stockout {

// Names of the catalogue in the binary, which a scenario without another one must use.

[[nodiscard]] const KnownNames& machine_types();
[[nodiscard]] const KnownNames& gpu_types();
[[nodiscard]] const KnownNames& machine_families();
[[nodiscard]] const KnownNames& zones_and_regions();
[[nodiscard]] const KnownNames& regions();

}  // namespace stockout
