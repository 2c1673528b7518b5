#include "sim/io/unfinished_file.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <climits>

namespace stockout {
namespace {

enum class Slot : int { empty, being_filled, filled };

static_assert(std::atomic<Slot>::is_always_lock_free && std::atomic<std::size_t>::is_always_lock_free,
              "read by a signal handler");

// A signal handler may not ask for memory, nor wait for a lock: the names stand in fixed places.
struct Noted {
  std::atomic<Slot> slot{Slot::empty};
  std::array<char, PATH_MAX> path{};
};
std::array<Noted, UnfinishedFile::kMost> noted;
std::atomic<std::size_t> finished{0};

}  // namespace

UnfinishedFile::UnfinishedFile(const std::string& path) {
  if (path.size() >= PATH_MAX) return;
  for (slot_ = 0; slot_ < kMost; ++slot_) {
    Slot expected = Slot::empty;
    if (noted[slot_].slot.compare_exchange_strong(expected, Slot::being_filled)) break;
  }
  if (slot_ == kMost) return;
  path.copy(noted[slot_].path.data(), path.size());
  noted[slot_].path[path.size()] = '\0';
  noted[slot_].slot.store(Slot::filled);
}

UnfinishedFile::~UnfinishedFile() {
  if (slot_ < kMost) noted[slot_].slot.store(Slot::empty);
}

void remove_unfinished_files() noexcept {
  for (const Noted& file : noted) {
    if (file.slot.load() == Slot::filled) static_cast<void>(::unlink(file.path.data()));
  }
}

void note_finished_file() noexcept { ++finished; }

std::size_t finished_files() noexcept { return finished.load(); }

}  // namespace stockout
