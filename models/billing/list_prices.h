#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/billing/overlay.h"
#include "models/catalog/catalog.h"
#include "sim/core/quantity.h"
#include "sim/core/time.h"

namespace stockout {

/// From when the first price of a list holds.
inline constexpr SimTime kBeforeEverything = kStart - kLongestRun;

/// The simulated time at which a day begins. Where clocks were set by half an hour since, the next whole hour
/// from kStart: use is kept by the hour.
[[nodiscard]] SimTime start_of(Date day, const PriceRequest& request);

/// The day whose price comes first.
[[nodiscard]] Date first_day(const PriceRequest& request);

/// Prices of the list from a time on.
struct ListStep {
  SimTime from;
  std::optional<MachineHourPrice> price;  // none: it has none
};

/// List prices over time, before any overlay is on them.
struct ListPrices {
  std::vector<ListStep> steps;  // at least one, the first of kBeforeEverything
  std::string as_of;            // of the first row; empty if there is none
  std::string confidence;       // of the first row
  std::string source;           // the wording of each row's source once; of several rows their confidence too
  std::string why_none = {};    // empty if there is a price at some time; else a sentence
};

/// The catalogue's prices. Of a management fee (Vertex AI's, which is no column of the list) the request's
/// share of the on-demand prices, where `overlays` may name one that the catalogue has not. If the machine
/// has none, that of another one of its family and GPU counts, per GPU.
[[nodiscard]] ListPrices list_prices(const Catalog& catalog, const PriceRequest& request,
                                     std::span<const PriceOverlay> overlays);

}  // namespace stockout
