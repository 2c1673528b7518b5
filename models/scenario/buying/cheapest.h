#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/catalog/catalog.h"
#include "models/scenario/scenario.h"

namespace stockout {

/// One way to buy machines for a job, and what its work costs there.
struct JobOffer {
  MachineId machine{};  // of the full nodes
  PriceModel model = PriceModel::on_demand;
  std::string region;
  double usd_per_hour = 0;  // of all machines of the job, contracted, on the day of prices_as_of
  bool overlaid = false;    // the planner's own price
  double speed = 0;         // work per time against the reference
  bool fits = false;        // each GPU has the memory that the job needs

  /// Cost of an hour of work of one GPU of the reference.
  double usd_per_reference_hour = 0;
};

/// The offers for a job, by price for the work, those without the memory last.
struct JobOffers {
  std::vector<JobOffer> offers;
  std::vector<std::string> why_not;  // families left out whose speed is not known, one sentence each
};

/// Where a job of a shape with speeds could run, from prices and speeds alone: the GPU types it runs on, for
/// each machine family and price model the smallest machine that holds a node, in `region`, or if that is
/// empty in the region where the price is least.
[[nodiscard]] JobOffers job_offers(const Catalog& catalog, const Scenario& scenario, const Shape& shape,
                                   std::string_view region);

}  // namespace stockout
