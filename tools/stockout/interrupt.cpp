#include "tools/stockout/interrupt.h"

#include <atomic>
#include <csignal>

namespace stockout {
namespace {

std::atomic<bool> asked_for{false};
static_assert(std::atomic<bool>::is_always_lock_free, "written by a signal handler");

void note_interrupt(int signal) {
  asked_for.store(true);
  std::signal(signal, SIG_DFL);
}

}  // namespace

Interrupt::Interrupt() {
  asked_for.store(false);
  std::signal(SIGINT, note_interrupt);
  std::signal(SIGTERM, note_interrupt);
}

Interrupt::~Interrupt() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

bool Interrupt::was_asked_for() { return asked_for.load(); }

}  // namespace stockout
