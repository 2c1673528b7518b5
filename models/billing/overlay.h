#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "models/billing/price_line.h"
#include "models/catalog/catalog.h"
#include "sim/core/local_time.h"
#include "sim/core/quantity.h"

namespace stockout {

/// A discount on the price that others have made of the list price, or on the list price itself.
enum class FactorOf : std::uint8_t { list, above };
inline constexpr std::array<std::string_view, 2> kFactorOfNames{"list", "above"};

/// Purchase for which a price is.
enum class PriceUse : std::uint8_t {
  leased,    // machines of jobs one by one, and fees on what jobs use
  held,      // reservations, persistent resources, node pools, bookings, new commitments
  existing,  // a commitment that exists already, at the price of its plan
};
inline constexpr std::array<std::string_view, 3> kPriceUseNames{"leased", "held", "existing"};

/// PriceLine::confidence of a price that the planner names.
inline constexpr std::string_view kOwnConfidence = "own";

/// A price of the planner's own: a negotiated discount or an assumed price. It changes what is contracted;
/// the list price stays beside it.
struct PriceOverlay {
  // What it matches; empty: anything.
  std::string machine;  // machine type
  std::string gpu;      // GPU type
  std::string region;
  std::optional<PriceModel> model;
  std::optional<PriceUse> use = {};  // empty: leased and held, but no commitment that exists

  // What it does: exactly one of the two is set.
  std::optional<std::int64_t> factor_ppm;        // in millionths, 0 or more: 850'000 is 15 % off
  std::optional<MachineHourPrice> usd_per_hour;  // instead of the list price, for one machine, 0 or more

  FactorOf factor_of = FactorOf::list;

  // When: from the start of the first day to the start of the second; none: always.
  std::optional<Date> from;
  std::optional<Date> until;

  std::string label;               // "EDP 2026": where the price comes from, shown wherever it is used
  std::optional<Date> as_of = {};  // of a price: the day on which it was agreed or offered
};

/// Empty if the overlay is well-formed, else what is wrong with it: not exactly one of factor and price, a
/// factor beyond 0 to 100, a price beyond 0 to $1,000,000, an end that is not after its beginning, a factor
/// with a day of its own.
[[nodiscard]] std::string why_malformed(const PriceOverlay& overlay);

/// Whether the overlay is about this price at all, whatever its days.
[[nodiscard]] bool matches(const PriceOverlay& overlay, const Catalog& catalog, MachineId machine,
                           std::string_view region, PriceModel model, PriceUse use);

/// Whether a factor has anything to work on: the catalogue has a price that it matches, on whatever day, or
/// one of `overlays` names a price for something that it matches.
[[nodiscard]] bool finds_price(const PriceOverlay& factor, const Catalog& catalog,
                               std::span<const PriceOverlay> overlays);

/// The contracted price under the overlay, where the overlays before it have made `above` of `list`. A
/// product with a factor is rounded to the nearest nano-dollar, halves up, and is at most $100,000,000.
[[nodiscard]] MachineHourPrice apply(const PriceOverlay& overlay, MachineHourPrice list,
                                     MachineHourPrice above);

/// A price line that is wanted.
struct PriceRequest {
  MachineId machine{};      // of the catalogue
  std::string_view region;  // the region of the pool's place
  PriceModel model = PriceModel::on_demand;
  PriceUse use = PriceUse::leased;
  Date as_of{};                  // the catalogue's prices of this day, whatever the simulated calendar ...
  bool follow_calendar = false;  // ... or else those of each simulated day from `start` on
  std::chrono::sys_time<std::chrono::milliseconds> start{};  // calendar time of kStart
  std::span<const OffsetStep> offsets =
      {};                    // of that clock, at whose 00:00 days begin; empty: it is never set
  std::int64_t fee_ppm = 0;  // of a management fee: millionths of the on-demand price
};

/// A price line, or why there is none.
struct PriceAnswer {
  PriceLine line;       // without pool and charge: those are the caller's
  std::string why_not;  // empty if there is a line; else a sentence that says what is known and what to do

  explicit operator bool() const { return why_not.empty(); }
};

/// The price line for a request: the catalogue's price as list (with `follow_calendar` that of each day, from
/// the start of that day on; every day needs one, and a commitment keeps that of the first), and what the
/// overlays that match on a day make of it, one after another, as contracted. Where the catalogue has no
/// price, the last overlay that names a price (not a factor) is the list price, and they must leave no day
/// without one. A factor after it is a factor on that. The list price of a management
/// fee is its share of the list price on demand, of the machine or per GPU of another one of its family, and
/// overlays change it only if they name it. An overlay's first and last day must begin a whole number of
/// hours from kStart, since usage is kept by the hour. `as_of`, `confidence` and `source` of the line are of
/// the price that is paid at kStart.
[[nodiscard]] PriceAnswer price_line(const Catalog& catalog, const PriceRequest& request,
                                     std::span<const PriceOverlay> overlays);

}  // namespace stockout
