#include "models/inventory/inventory.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "models/inventory/gcloud_object.h"
#include "models/workload/readers/cloud_names.h"
#include "sim/core/error.h"
#include "sim/io/json_items.h"
#include "sim/io/json_reader.h"

namespace stockout {
namespace {

std::string required(const GcloudObject& object, std::string_view key) {
  if (object.text(key).empty()) object.fail({}, fmt::format("\"{}\" is missing", key));
  return object.last_part(key);
}

// "nvidia-tesla-t4" is attached as "+t4": what the catalogue calls N1 machines with GPUs.
std::string with_gpus(const GcloudObject& properties, std::string machine) {
  if (!machine.starts_with("n1-")) return machine;
  properties.for_each("guestAccelerators", [&](const GcloudObject& gpus) {
    const std::string type = gpus.last_part("acceleratorType");
    const std::int64_t count = gpus.whole("acceleratorCount").value_or(0);
    machine += '+' + type.substr(type.rfind('-') + 1);
    if (count > 1) machine += fmt::format("x{}", count);
  });
  return machine;
}

std::vector<std::string> shared_with(const GcloudObject& object) {
  std::vector<std::string> projects;
  const std::string type = object.text("shareSettings.shareType");
  if (type == "ORGANIZATION") projects.emplace_back("*");
  if (const JsonValue* map = object.find("shareSettings.projectMap")) {
    if (const auto* members = map->get<JsonValue::Members>()) {
      for (const auto& [project, value] : *members) projects.push_back(project);
    }
  }
  return projects;
}

constexpr std::int64_t kMostHeld = 1'000'000;       // machines or GPUs, as in a scenario
constexpr std::int64_t kMostVcpus = 1'000'000'000;  // their sum fits

std::int64_t count_at(const GcloudObject& object, std::string_view path, std::int64_t most) {
  const std::int64_t count = object.whole(path).value_or(0);
  if (count > most) object.fail(path, fmt::format("must be at most {}, but is {}", most, count));
  return count;
}

ListedReservation read_reservation(const GcloudObject& object) {
  ListedReservation reservation{.name = required(object, "name"),
                                .zone = required(object, "zone"),
                                .machine = {},
                                .status = object.text("status"),
                                .commitment = object.last_part("commitment"),
                                .shared_with = shared_with(object),
                                .until = object.day("deleteAtTime"),
                                .only_by_name = object.flag("specificReservationRequired"),
                                .is_aggregate = object.find("aggregateReservation") != nullptr};
  const JsonValue* properties = object.find("specificReservation.instanceProperties");
  if (properties != nullptr)
    reservation.machine = object.last_part("specificReservation.instanceProperties.machineType");
  if (!reservation.machine.empty())
    reservation.machine =
        with_gpus(object.at("specificReservation.instanceProperties"), std::move(reservation.machine));
  reservation.count = count_at(object, "specificReservation.count", kMostHeld);
  reservation.in_use = object.whole("specificReservation.inUseCount").value_or(0);
  reservation.assured = object.whole("specificReservation.assuredCount");
  return reservation;
}

// Names of reservations, of which there may be two lists.
std::vector<std::string> attached(const GcloudObject& object) {
  std::vector<std::string> names;
  for (const char* key : {"reservations", "existingReservations"}) {
    for (const JsonValue& item : object.list(key)) {
      const JsonValue* name = item.find("name");
      const auto* text = (name == nullptr ? item : *name).get<std::string>();
      if (text != nullptr) names.push_back(text->substr(text->rfind('/') + 1));
    }
  }
  return names;
}

ListedCommitment read_commitment(const GcloudObject& object) {
  ListedCommitment commitment{.name = required(object, "name"),
                              .region = required(object, "region"),
                              .status = object.text("status"),
                              .plan = object.text("plan"),
                              .gpus = {},
                              .reservations = attached(object),
                              .start = object.day("startTimestamp"),
                              .end = object.day("endTimestamp"),
                              .renews = object.flag("autoRenew"),
                              .is_license = object.text("category") == "LICENSE"};
  if (commitment.start && commitment.end && *commitment.end <= *commitment.start)
    object.fail("endTimestamp", "must be after \"startTimestamp\"");
  object.for_each("resources", [&](const GcloudObject& resource) {
    const std::string type = resource.text("type");
    if (type == "VCPU") commitment.vcpus += count_at(resource, "amount", kMostVcpus);
    if (type != "ACCELERATOR") return;
    const std::string gpu = resource.last_part("acceleratorType");
    commitment.gpus.push_back(
        {.gpu = std::string{gpu_of_cloud_name(gpu)}, .count = count_at(resource, "amount", kMostHeld)});
  });
  return commitment;
}

/// A future reservation: when what it made begins, which a list of reservations does not say.
struct Booking {
  std::string name;
  std::string zone;
  std::vector<std::string> made;  // reservations
  std::optional<Date> from = {};
  std::optional<Date> until = {};
  bool is_calendar = false;
};

// Why nothing will come of a future reservation; empty: something may.
std::string why_nothing_comes(const GcloudObject& object) {
  constexpr std::array<std::string_view, 4> kNever{"CANCELLED", "DECLINED", "DRAFTING", "FAILED"};
  const std::string status = object.text("status.procurementStatus");
  return std::ranges::find(kNever, status) == kNever.end() ? std::string{} : "its status is " + status;
}

Booking read_booking(const GcloudObject& object) {
  Booking booking{.name = object.text("name"),
                  .zone = object.last_part("zone"),
                  .made = {},
                  .from = object.first_whole_day("timeWindow.startTime"),
                  .until = object.day("timeWindow.endTime"),
                  .is_calendar = object.text("reservationMode") == "CALENDAR"};
  if (const std::string name = object.last_part("reservationName"); !name.empty())
    booking.made.push_back(name);
  for (const JsonValue& item : object.list("status.autoCreatedReservations")) {
    if (const auto* url = item.get<std::string>()) booking.made.push_back(url->substr(url->rfind('/') + 1));
  }
  return booking;
}

enum class ObjectKind { reservation, commitment, future_reservation, other };

// By the members that only one of them has.
ObjectKind kind_of(const JsonValue& object) {
  const auto has = [&](std::string_view key) { return object.find(key) != nullptr; };
  if (has("plan") || has("resources")) return ObjectKind::commitment;
  if (has("specificReservation") || has("aggregateReservation")) return ObjectKind::reservation;
  return has("specificSkuProperties") ? ObjectKind::future_reservation : ObjectKind::other;
}

// By which an object is known again in another list; empty: by nothing.
std::string identity(const GcloudObject& object) {
  if (std::string link = object.text("selfLink"); !link.empty()) return link;
  const std::string id = object.text("id");
  return id.empty()
             ? id
             : fmt::format("{} {} {}{}", id, object.text("name"), object.text("zone"), object.text("region"));
}

/// What is known while lists are read.
struct Seen {
  std::set<std::string> identities;
  std::vector<Booking> bookings;
};

void read_object(const JsonValue& value, const std::string& file, std::string pointer, Seen& seen,
                 Inventory& inventory) {
  const GcloudObject object{value, file, std::move(pointer)};
  if (const std::string id = identity(object); !id.empty() && !seen.identities.insert(id).second)
    return inventory.passed_over.push_back(
        fmt::format("{}: it is in the lists twice, and counts once", object.text("name")));
  switch (kind_of(value)) {
    case ObjectKind::commitment:
      inventory.commitments.push_back(read_commitment(object));
      return;
    case ObjectKind::reservation:
      inventory.reservations.push_back(read_reservation(object));
      return;
    case ObjectKind::future_reservation:
      if (const std::string why = why_nothing_comes(object); !why.empty())
        return inventory.passed_over.push_back(
            fmt::format("future reservation {}: {}", object.text("name"), why));
      seen.bookings.push_back(read_booking(object));
      return;
    case ObjectKind::other:
      object.fail({}, "is neither a reservation (\"specificReservation\") nor a commitment (\"plan\")");
  }
}

// Lists may stand in any order, so this comes last.
void apply(const Booking& booking, Inventory& inventory) {
  bool has_made = false;
  for (ListedReservation& reservation : inventory.reservations) {
    if (reservation.zone != booking.zone ||
        std::ranges::find(booking.made, reservation.name) == booking.made.end())
      continue;
    has_made = true;
    if (!reservation.until) reservation.until = booking.until;
    reservation.is_calendar = booking.is_calendar;
    const bool is_there = reservation.assured > 0;
    if (!is_there && (!booking.from || !reservation.until || *booking.from < *reservation.until))
      reservation.from = booking.from;
  }
  if (has_made) return;
  inventory.passed_over.push_back(
      fmt::format("future reservation {}: no reservation in the lists is of it; write it with \"model\": "
                  "\"future_reservation\"",
                  booking.name));
}

void read_file(const std::string& file, Seen& seen, Inventory& inventory) {
  const JsonValue root = read_json_file(file);
  if (root.get<JsonValue::Members>() != nullptr) return read_object(root, file, "", seen, inventory);
  const auto* items = root.get<JsonValue::List>();
  if (items == nullptr)
    throw InputError{
        {.file = file, .line = root.line},
        "must be the list that `gcloud compute reservations list --format=json` prints, or that of "
        "`gcloud compute commitments list` or `future-reservations list`"};
  for (std::size_t i = 0; i < items->size(); ++i)
    read_object((*items)[i], file, '/' + std::to_string(i), seen, inventory);
}

}  // namespace

Inventory read_inventory(std::span<const std::string> files) {
  Inventory inventory;
  Seen seen;
  for (const std::string& file : files) read_file(file, seen, inventory);
  for (const Booking& booking : seen.bookings) apply(booking, inventory);
  return inventory;
}

bool is_inventory(const std::string& file) {
  if (!begins_as_json(file)) return false;
  bool is_one = true;
  for_each_json_item(file, [&](const JsonValue& object) {
    is_one = kind_of(object) != ObjectKind::other;
    return false;
  });
  return is_one;
}

}  // namespace stockout
