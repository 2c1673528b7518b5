#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/catalog/date.h"

namespace stockout {

/// A reservation of Compute Engine.
struct ListedReservation {
  std::string name;
  std::string zone;
  std::string machine;     // as the catalogue calls it, GPUs attached to it included: "n1-standard-8+t4"
  std::string status;      // READY, CREATING, UPDATING, DELETING or INVALID
  std::string commitment;  // that is attached to it; empty: none
  std::vector<std::string> shared_with;      // projects; "*": all of the organization
  std::int64_t count = 0;                    // machines
  std::int64_t in_use = 0;                   // of them
  std::optional<std::int64_t> assured = {};  // machines that are there; 0: it is not active yet
  std::optional<Date> from = {};             // its first day, of the future reservation that made it
  std::optional<Date> until = {};            // the day on which it is deleted
  bool only_by_name = false;                 // else machines that fit it use it without naming it
  bool is_aggregate = false;                 // of TPUs: it has no machine
  bool is_calendar = false;                  // booked in calendar mode
};

/// GPUs of one type that a commitment is for.
struct CommittedGpus {
  std::string gpu;  // as the catalogue calls it
  std::int64_t count = 0;
};

/// A resource-based commitment of Compute Engine.
struct ListedCommitment {
  std::string name;
  std::string region;
  std::string status;  // ACTIVE, NOT_YET_ACTIVE, CREATING, EXPIRED or CANCELLED
  std::string plan;    // TWELVE_MONTH or THIRTY_SIX_MONTH
  std::vector<CommittedGpus> gpus;
  std::int64_t vcpus = 0;
  std::vector<std::string> reservations;  // that are attached to it
  std::optional<Date> start = {};
  std::optional<Date> end = {};
  bool renews = false;
  bool is_license = false;
};

/// Holdings of a planner that exist already.
struct Inventory {
  std::vector<ListedReservation> reservations;
  std::vector<ListedCommitment> commitments;
  std::vector<std::string> passed_over;  // objects of other lists, and why, one line each
};

/// Reads what `gcloud compute reservations list`, `commitments list` and `future-reservations list` print
/// with --format=json, in any order: lists of them, or single objects. A future reservation says when the
/// reservations begin that it made and that are not there yet: on the first whole day. One that made none of
/// those listed, or of which nothing comes, is passed over. Throws InputError with file, line and JSON
/// pointer for a file that is no such list, and for a value that is not what Google writes.
[[nodiscard]] Inventory read_inventory(std::span<const std::string> files);

/// Whether the file is such a list, told by its first object. An empty list is one too: gcloud prints it
/// where there is nothing. Throws InputError for JSON that cannot be read.
[[nodiscard]] bool is_inventory(const std::string& file);

}  // namespace stockout
