#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "models/billing/money.h"
#include "models/scenario/scenario.h"
#include "models/showback/charge_row.h"

namespace stockout {

/// The run that FOCUS rows are of.
struct FocusRun {
  const Scenario& scenario;
  std::size_t strategy = 0;  // of the world
  std::uint64_t replication = 0;
  IdleRule idle = IdleRule::to_owner;
};

/// Costs of one row, in whole nano-dollars.
struct ChargeCosts {
  Money list;
  Money contracted;
  Money effective;
  Money billed;
};

/// One charge in the words of FOCUS. An empty text is null.
class FocusCharge {
 public:
  /// All outlive this.
  FocusCharge(const FocusRun& run, const ChargeRow& row, const ChargeCosts& costs);

  [[nodiscard]] const FocusRun& run() const { return run_; }
  [[nodiscard]] const ChargeRow& row() const { return row_; }
  [[nodiscard]] const ChargeCosts& costs() const { return costs_; }
  [[nodiscard]] const ChargeSubject& subject() const { return row_.subject; }
  [[nodiscard]] const World& world() const { return run_.scenario.world; }
  [[nodiscard]] const std::string& strategy() const { return world().strategies[run_.strategy].name; }

  [[nodiscard]] bool is_purchase() const { return subject().use == ChargeUse::purchase; }
  [[nodiscard]] bool is_once() const { return other_ != nullptr && other_->unit == CostUnit::once; }
  [[nodiscard]] bool is_management_fee() const {
    return line_ != nullptr && line_->model == PriceModel::management_fee;
  }
  [[nodiscard]] bool is_committed() const { return is_committed_; }  // as the function of charge_row.h

  // What the charge is about; nullptr where it has none.
  [[nodiscard]] const PriceLine* line() const { return line_; }
  [[nodiscard]] const HeldPool* held() const { return held_; }
  [[nodiscard]] const Pool* pool() const { return pool_; }
  [[nodiscard]] const MachineType* machine() const { return machine_; }
  [[nodiscard]] const OtherCost* other() const { return other_; }

  [[nodiscard]] std::string_view user() const;
  [[nodiscard]] std::string_view job_class() const;
  [[nodiscard]] std::string_view region() const;
  [[nodiscard]] std::string_view price_model() const;
  [[nodiscard]] std::string_view price_as_of() const;
  [[nodiscard]] std::string_view unit() const;

  /// The list price of the machine on demand there, at the start of the charge period: what savings are
  /// measured against. Nothing where no strategy of the scenario buys it on demand in that region, nor for a
  /// management fee, which stands beside the machine's own charge.
  [[nodiscard]] std::optional<MachineHourPrice> on_demand_price() const;

  /// Of the commitment that covers the charge, is not used, or is paid.
  [[nodiscard]] std::string commitment_id() const;
  [[nodiscard]] std::string_view commitment_name() const;
  [[nodiscard]] std::string_view commitment_type() const;
  [[nodiscard]] std::string_view commitment_status() const;

  [[nodiscard]] std::string reservation_id() const;
  [[nodiscard]] std::string_view reservation_status() const;

  [[nodiscard]] std::string resource_id() const;
  [[nodiscard]] std::string resource_name() const;
  [[nodiscard]] std::string_view resource_type() const;

  [[nodiscard]] std::string sku() const;
  [[nodiscard]] std::string description() const;

 private:
  [[nodiscard]] const Commitment* commitment() const;

  const FocusRun& run_;
  const ChargeRow& row_;
  const ChargeCosts& costs_;
  bool is_committed_ = false;
  const PriceLine* line_ = nullptr;
  const HeldPool* held_ = nullptr;
  const Pool* pool_ = nullptr;
  const MachineType* machine_ = nullptr;
  const OtherCost* other_ = nullptr;
};

}  // namespace stockout
