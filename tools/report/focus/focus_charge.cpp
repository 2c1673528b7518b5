#include "tools/report/focus/focus_charge.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "models/billing/cost.h"
#include "tools/report/prices/price_words.h"

namespace stockout {
namespace {

// How capacity that the planner holds is called.
struct HeldWords {
  std::string_view of_ids;
  std::string_view of_type;
  std::string_view in_text;
};

HeldWords words_of(const HeldPool& held) {
  if (!held.scaling) return {"reservations", "Reservation", "reservation"};
  if (held.scaling->is_node_pool) return {"node-pools", "Node pool", "node pool"};
  return {"persistent-resources", "Persistent resource", "persistent resource"};
}

std::string_view type_of(PriceModel plan) {
  return plan == PriceModel::cud_3y ? "Resource-based commitment, 3 years"
                                    : "Resource-based commitment, 1 year";
}

}  // namespace

FocusCharge::FocusCharge(const FocusRun& run, const ChargeRow& row, const ChargeCosts& costs)
    : run_{run}, row_{row}, costs_{costs}, is_committed_{stockout::is_committed(world(), row.subject)} {
  if (subject().other) other_ = &run.scenario.terms.other[*subject().other];
  if (subject().line) {
    line_ = &world().price_lines[index(*subject().line)];
    pool_ = &world().pool(line_->pool);
    machine_ = &world().machines[index(line_->machine)];
    if (line_->charge == Charge::held) held_ = &world().held_pool(line_->pool);
  } else if (commitment() != nullptr) {
    machine_ = &world().machines[index(commitment()->machine)];
  }
}

const Commitment* FocusCharge::commitment() const {
  return subject().commitment ? &run_.scenario.terms.commitments[*subject().commitment] : nullptr;
}

std::string_view FocusCharge::user() const {
  return subject().user ? std::string_view{world().users[index(*subject().user)]} : std::string_view{};
}

std::string_view FocusCharge::job_class() const {
  return subject().job_class ? std::string_view{world().classes[index(*subject().job_class)].name}
                             : std::string_view{};
}

std::string_view FocusCharge::region() const {
  if (line_ != nullptr) return line_->region;
  return commitment() != nullptr ? std::string_view{commitment()->region} : std::string_view{};
}

std::string_view FocusCharge::price_model() const {
  const Commitment* existing = commitment();
  if (existing != nullptr)
    return existing->plan ? kPriceModelNames[static_cast<std::size_t>(*existing->plan)] : "commitment";
  return line_ != nullptr ? kPriceModelNames[static_cast<std::size_t>(line_->model)] : std::string_view{};
}

std::string_view FocusCharge::price_as_of() const {
  if (commitment() != nullptr) return commitment()->as_of;
  return line_ != nullptr ? std::string_view{line_->as_of} : std::string_view{};
}

std::string_view FocusCharge::unit() const {
  if (other_ == nullptr || other_->unit == CostUnit::hour) return "Hours";
  if (other_->unit == CostUnit::job) return "Jobs";
  return other_->unit == CostUnit::gpu_hour ? "GPU-Hours" : "Units";
}

std::optional<MachineHourPrice> FocusCharge::on_demand_price() const {
  if (machine_ == nullptr || is_management_fee()) return std::nullopt;
  const auto machine = static_cast<std::size_t>(machine_ - world().machines.data());
  const auto found = std::ranges::find_if(world().price_lines, [&](const PriceLine& line) {
    return line.model == PriceModel::on_demand && line.charge != Charge::sublet &&
           index(line.machine) == machine && line.region == region();
  });
  if (found == world().price_lines.end()) return std::nullopt;
  return price_at(*found, std::max<std::int64_t>(0, subject().from)).list;
}

std::string FocusCharge::commitment_id() const {
  if (commitment() != nullptr) return fmt::format("commitments/{}", commitment()->name);
  if (is_committed_ || is_purchase()) return fmt::format("reservations/{}/commitment", pool_->name);
  return {};
}

std::string_view FocusCharge::commitment_name() const {
  if (commitment() != nullptr) return commitment()->name;
  return is_committed_ || is_purchase() ? std::string_view{pool_->name} : std::string_view{};
}

std::string_view FocusCharge::commitment_type() const {
  if (const Commitment* existing = commitment())
    return existing->plan ? type_of(*existing->plan) : "Resource-based commitment";
  return is_committed_ || is_purchase() ? type_of(line_->model) : std::string_view{};
}

// A reservation that nobody uses consumes a commitment as well as one that is used.
std::string_view FocusCharge::commitment_status() const {
  if (!is_committed_) return {};
  const bool covers_nothing = line_ == nullptr;
  const bool own_and_idle = commitment() == nullptr && subject().use == ChargeUse::idle;
  return covers_nothing || own_and_idle ? "Unused" : "Used";
}

std::string FocusCharge::reservation_id() const {
  if (held_ == nullptr || held_->scaling || is_purchase()) return {};
  return fmt::format("reservations/{}", pool_->name);
}

std::string_view FocusCharge::reservation_status() const {
  if (reservation_id().empty()) return {};
  return subject().use == ChargeUse::idle ? "Unused" : "Used";
}

std::string FocusCharge::resource_id() const {
  if (other_ != nullptr) return {};
  if (is_purchase() || line_ == nullptr) return commitment_id();
  if (held_ == nullptr) return fmt::format("jobs/{}/{}", user(), job_class());
  return fmt::format("{}/{}", words_of(*held_).of_ids, pool_->name);
}

std::string FocusCharge::resource_name() const {
  if (other_ != nullptr) return {};
  if (is_purchase() || line_ == nullptr) return std::string{commitment_name()};
  return held_ == nullptr ? fmt::format("{}, {}", user(), job_class()) : pool_->name;
}

std::string_view FocusCharge::resource_type() const {
  if (other_ != nullptr) return {};
  if (is_purchase() || line_ == nullptr) return "Commitment";
  if (held_ == nullptr) return "Machines of jobs";
  return line_->model == PriceModel::calendar ? "Calendar reservation" : words_of(*held_).of_type;
}

std::string FocusCharge::sku() const {
  if (other_ != nullptr) return fmt::format("other-costs/{}", other_->name);
  if (commitment() != nullptr && !commitment()->plan)  // a price of its own
    return fmt::format("{}/commitments/{}", machine_->name, commitment()->name);
  return fmt::format("{}/{}", machine_->name, price_model());
}

// `stockout prices` tells the price model by the words of a bill.
std::string FocusCharge::description() const {
  if (other_ != nullptr) return other_->name;
  if (is_purchase()) return fmt::format("{}, fee of commitment \"{}\"", machine_->name, commitment_name());
  if (line_ == nullptr)
    return fmt::format("{}, commitment \"{}\", not used", machine_->name, commitment_name());
  std::string text = fmt::format("{}, {}", machine_->name, bill_words(line_->model));
  if (held_ != nullptr)
    text += fmt::format(", {}, {}", words_of(*held_).in_text,
                        subject().use == ChargeUse::idle ? "not used" : "used");
  if (subject().use == ChargeUse::lost_race) text += ", by a lease that lost a race";
  if (commitment() != nullptr) text += fmt::format(", covered by commitment \"{}\"", commitment_name());
  return text;
}

}  // namespace stockout
