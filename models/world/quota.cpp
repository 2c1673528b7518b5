#include "models/world/quota.h"

#include <algorithm>

namespace stockout {

std::int64_t units_of(const QuotaBucket& bucket, const Candidate& place, LeaseClass lease_class,
                      std::int64_t machines) {
  if (!bucket.counts(place.pool, lease_class)) return 0;
  std::int64_t units = 0;
  for (const Part& part : place.parts) {
    const std::int64_t of_part = std::min<std::int64_t>(machines, part.machines);
    units += of_part * bucket.units[index(part.machine)];
    machines -= of_part;
  }
  return units;
}

}  // namespace stockout
