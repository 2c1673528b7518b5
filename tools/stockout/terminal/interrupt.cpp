#include "tools/stockout/terminal/interrupt.h"

#include <unistd.h>

#include <atomic>
#include <string_view>

#include "sim/io/unfinished_file.h"

namespace stockout {
namespace {

constexpr std::array<int, 3> kSignals{SIGINT, SIGTERM, SIGHUP};

enum class Output : int { none, plain, coloured };

std::atomic<bool> asked_for{false};
std::atomic<bool> has_progress_line{false};
std::atomic<const char*> advice_given{nullptr};
std::atomic<Output> shown_output{Output::none};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<const char*>::is_always_lock_free &&
                  std::atomic<Output>::is_always_lock_free,
              "used by a signal handler");

void write_to(int file, std::string_view text) {
  static_cast<void>(::write(file, text.data(), text.size()) == 0);  // nobody is left to be told
}

void say_goodbye() {
  if (has_progress_line.load()) write_to(STDERR_FILENO, "\r\x1b[m\x1b[K");
  if (shown_output.load() == Output::coloured) write_to(STDOUT_FILENO, "\x1b[m");
  if (shown_output.load() != Output::none) return;
  write_to(STDERR_FILENO, finished_files() == 0
                              ? "stockout: interrupted, nothing was written."
                              : "stockout: interrupted; files that were finished before are whole.");
  if (const char* advice = advice_given.load(); advice != nullptr) {
    write_to(STDERR_FILENO, " ");
    write_to(STDERR_FILENO, advice);
  }
  write_to(STDERR_FILENO, "\n");
}

// A signal handler: calls nothing but what POSIX allows there.
void end_cleanly(int signal) {
  remove_unfinished_files();
  say_goodbye();
  ::_exit(128 + signal);
}

struct sigaction action_of(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  ::sigfillset(&action.sa_mask);
  return action;
}

void note_interrupt(int signal) {
  asked_for.store(true);
  const struct sigaction second = action_of(end_cleanly);
  ::sigaction(signal, &second, nullptr);
}

bool is_ignored(int signal) {
  struct sigaction now {};
  return ::sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

}  // namespace

void end_cleanly_on_signals() {
  const struct sigaction action = action_of(end_cleanly);
  for (const int signal : kSignals) {
    if (!is_ignored(signal)) ::sigaction(signal, &action, nullptr);
  }
}

void advise_on_interrupt(const char* advice) { advice_given.store(advice); }

void note_progress_line(bool is_shown) { has_progress_line.store(is_shown); }

void note_output(bool has_colours) { shown_output.store(has_colours ? Output::coloured : Output::plain); }

Interrupt::Interrupt() {
  asked_for.store(false);
  const struct sigaction action = action_of(note_interrupt);
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    ::sigaction(kSignals[i], nullptr, &before_[i]);
    if (before_[i].sa_handler != SIG_IGN) ::sigaction(kSignals[i], &action, nullptr);
  }
}

Interrupt::~Interrupt() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &before_[i], nullptr);
}

bool Interrupt::was_asked_for() { return asked_for.load(); }

}  // namespace stockout
