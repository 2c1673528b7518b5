#include "models/inventory/inventory_part.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace stockout {
namespace {

using Json = nlohmann::ordered_json;

bool is_attached(const ListedCommitment& commitment, const ListedReservation& reservation) {
  return reservation.commitment == commitment.name ||
         std::ranges::find(commitment.reservations, reservation.name) != commitment.reservations.end();
}

// Of the same machines and GPUs as the commitment, and how many; 0: of no whole number.
std::int64_t count_of(const MachineType& machine, const ListedCommitment& commitment) {
  const CommittedGpus& gpus = commitment.gpus.front();
  const std::int64_t each = machine.gpus.count();
  if (!machine.has_gpus || gpus.count % each != 0) return 0;
  const std::int64_t count = gpus.count / each;
  return machine.vcpus == 0 || commitment.vcpus == 0 || machine.vcpus * count == commitment.vcpus ? count : 0;
}

std::string plan_of(const ListedCommitment& commitment) {
  if (commitment.plan == "TWELVE_MONTH") return "1y";
  return commitment.plan == "THIRTY_SIX_MONTH" ? "3y" : "";
}

class PartWriter {
 public:
  PartWriter(const Inventory& inventory, const Catalog& catalog) : inventory_{inventory}, catalog_{catalog} {}

  InventoryPart write() {
    Json reservations = Json::array();
    Json begins_when = Json::array();
    for (const ListedReservation& reservation : inventory_.reservations) {
      if (const std::string why = why_not(reservation); !why.empty()) {
        leave_out(reservation, why);
        continue;
      }
      (begins_nowhere(reservation) ? begins_when : reservations).push_back(json_of(reservation));
      tell(reservation);
    }
    Json commitments = Json::array();
    for (const ListedCommitment& commitment : inventory_.commitments) {
      if (const std::string why = why_not(commitment); !why.empty()) {
        leave_out(commitment, why);
      } else {
        commitments.push_back(json_of(commitment));
        if (commitment.renews) leave_out(commitment, "it renews itself; in a scenario it ends");
      }
    }
    Json json = Json::object();
    if (!reservations.empty()) json["reservations"] = std::move(reservations);
    if (!commitments.empty()) json["commitments"] = std::move(commitments);
    left_out_.insert(left_out_.end(), inventory_.passed_over.begin(), inventory_.passed_over.end());
    return {.json = std::move(json),
            .begins_when = std::move(begins_when),
            .asks = std::move(asks_),
            .left_out = std::move(left_out_)};
  }

 private:
  void leave_out(const ListedReservation& reservation, std::string_view why) {
    left_out_.push_back(fmt::format("reservation {}: {}", reservation.name, why));
  }
  void leave_out(const ListedCommitment& commitment, std::string_view why) {
    left_out_.push_back(fmt::format("commitment {}: {}", commitment.name, why));
  }

  [[nodiscard]] std::string why_not(const ListedReservation& reservation) const {
    if (reservation.status == "DELETING" || reservation.status == "INVALID")
      return fmt::format("its status is {}", reservation.status);
    if (reservation.is_aggregate) return "it is of TPUs or of a whole family";
    if (reservation.count == 0) return "it has no machines";
    const auto machine = catalog_.find_machine(reservation.machine);
    if (!machine) return fmt::format("the catalogue has no machine type {}", reservation.machine);
    if (catalog_.find_place(reservation.zone) == nullptr)
      return fmt::format("the catalogue has no zone {}", reservation.zone);
    if (place_of(reservation).empty())
      return fmt::format("the catalogue has no {} in or around {}", reservation.machine, reservation.zone);
    return {};
  }

  // Its zone, or the region where the catalogue does not know the zone's machines; empty: not even there.
  [[nodiscard]] std::string place_of(const ListedReservation& reservation) const {
    const Place& zone = *catalog_.find_place(reservation.zone);
    const std::string& family = catalog_.machine(*catalog_.find_machine(reservation.machine)).family;
    if (Catalog::offers(zone, family)) return zone.name;
    const Place* region = catalog_.find_place(zone.region);
    return region != nullptr && Catalog::offers(*region, family) ? region->name : std::string{};
  }

  [[nodiscard]] std::string why_not(const ListedCommitment& commitment) const {
    constexpr std::array<std::string_view, 3> kLives{"ACTIVE", "NOT_YET_ACTIVE", "CREATING"};
    if (!commitment.status.empty() && std::ranges::find(kLives, commitment.status) == kLives.end())
      return fmt::format("its status is {}", commitment.status);
    if (commitment.is_license) return "it is for licences";
    if (plan_of(commitment).empty()) return fmt::format("its plan is \"{}\"", commitment.plan);
    if (commitment.gpus.empty()) return "it is for no GPUs";
    if (commitment.gpus.size() > 1) return "it is for GPUs of several types";
    if (!commitment.start) return "it has no start";
    if (catalog_.find_place(commitment.region) == nullptr)
      return fmt::format("the catalogue has no region {}", commitment.region);
    if (!committed_machines(commitment, inventory_, catalog_))
      return fmt::format("{} {} and {} vCPUs are no whole number of machines of the catalogue",
                         commitment.gpus.front().count, commitment.gpus.front().gpu, commitment.vcpus);
    return {};
  }

  // Held from the start of the run it would be paid, and serve, before it is there.
  static bool begins_nowhere(const ListedReservation& reservation) {
    return reservation.assured == 0 && !reservation.from;
  }

  // Whose price it has, if no list names it.
  [[nodiscard]] bool lacks_commitment(const ListedReservation& reservation) const {
    return !reservation.commitment.empty() &&
           std::ranges::find(inventory_.commitments, reservation.commitment, &ListedCommitment::name) ==
               inventory_.commitments.end();
  }

  // What the scenario's reservation is other than that of Google.
  void tell(const ListedReservation& reservation) {
    if (!reservation.shared_with.empty()) {
      const bool by_all = reservation.shared_with.front() == "*";
      leave_out(reservation,
                fmt::format("it is shared with {}; in a scenario it is the planner's alone",
                            by_all ? "the organization"
                                   : fmt::format("{}", fmt::join(reservation.shared_with, ", "))));
    }
    if (place_of(reservation) != reservation.zone)
      leave_out(reservation,
                fmt::format("its zone {}, which is not known to have such machines", reservation.zone));
    if (!reservation.only_by_name)
      leave_out(reservation, "machines that fit use it without naming it; in a scenario legs name it");
    if (begins_nowhere(reservation))
      leave_out(
          reservation,
          "it is not active yet, and the lists do not say from when: give `gcloud compute future-reservations list "
          "--format=json` too, or add it with \"from\"");
    if (reservation.is_calendar)
      leave_out(reservation,
                "it is booked in calendar mode, and on-demand prices are paid here: for its own write "
                "\"model\": \"calendar\", in a leg of its own too");
    if (lacks_commitment(reservation))
      leave_out(reservation,
                fmt::format("its commitment {} is in no list, so on-demand prices are paid: give "
                            "`gcloud compute commitments list --format=json` too",
                            reservation.commitment));
  }

  void ask(const ListedReservation& reservation, const std::string& name) {
    if (begins_nowhere(reservation)) {
      asks_[name] =
          "from which day on is it there? It is not active yet, and the lists do not say from when. Add \"from\", and "
          "its name to the legs of strategies. `stockout init --from` takes the list of `gcloud compute "
          "future-reservations list --format=json` too";
    } else if (lacks_commitment(reservation)) {
      asks_[name] = fmt::format(
          "what is commitment {}? It is in no list, so on-demand prices are paid. `stockout init --from` takes "
          "the list of `gcloud compute commitments list --format=json` too",
          reservation.commitment);
    }
  }

  std::string unique(const std::string& name, const std::string& place) {
    if (names_.insert(name).second) return name;
    std::string other = fmt::format("{}, {}", name, place);
    for (int number = 2; !names_.insert(other).second; ++number)
      other = fmt::format("{}, {}, {}", name, place, number);
    return other;
  }

  Json json_of(const ListedReservation& reservation) {
    Json json{{"name", unique(reservation.name, reservation.zone)},
              {"machine", reservation.machine},
              {"place", place_of(reservation)},
              {"count", reservation.count}};
    if (reservation.from) json["from"] = to_text(*reservation.from);
    if (reservation.until) json["until"] = to_text(*reservation.until);
    ask(reservation, json.at("name"));
    return json;
  }

  Json json_of(const ListedCommitment& commitment) {
    const CommittedMachines machines = *committed_machines(commitment, inventory_, catalog_);
    Json json{{"name", unique(commitment.name, commitment.region)},
              {"machine", catalog_.machine(machines.machine).name},
              {"region", commitment.region},
              {"count", machines.count},
              {"plan", plan_of(commitment)},
              {"start", to_text(*commitment.start)}};
    if (commitment.end) json["end"] = to_text(*commitment.end);
    return json;
  }

  const Inventory& inventory_;
  const Catalog& catalog_;
  std::set<std::string> names_ = {};
  std::map<std::string, std::string> asks_ = {};
  std::vector<std::string> left_out_ = {};
};

}  // namespace

std::optional<CommittedMachines> committed_machines(const ListedCommitment& commitment,
                                                    const Inventory& inventory, const Catalog& catalog) {
  if (commitment.gpus.size() != 1 || commitment.gpus.front().count == 0) return std::nullopt;
  std::set<std::string> attached;
  for (const ListedReservation& reservation : inventory.reservations) {
    if (is_attached(commitment, reservation)) attached.insert(reservation.machine);
  }
  std::optional<CommittedMachines> best;
  std::pair<bool, std::int64_t> best_rank;  // whether it is attached, and its GPUs
  for (std::size_t i = 0; i < catalog.machines().size(); ++i) {
    const MachineType& machine = catalog.machines()[i];
    if (catalog.gpu_name(machine.gpu) != commitment.gpus.front().gpu) continue;
    const std::int64_t count = count_of(machine, commitment);
    const std::pair rank{attached.contains(machine.name), machine.gpus.count()};
    if (count == 0 || (best && rank <= best_rank)) continue;
    best = CommittedMachines{.machine = MachineId{static_cast<std::underlying_type_t<MachineId>>(i)},
                             .count = count};
    best_rank = rank;
  }
  return best;
}

InventoryPart inventory_part(const Inventory& inventory, const Catalog& catalog) {
  return PartWriter{inventory, catalog}.write();
}

}  // namespace stockout
