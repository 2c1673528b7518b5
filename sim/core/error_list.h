#pragma once

#include <concepts>
#include <cstddef>
#include <optional>

#include "sim/core/error.h"

namespace stockout {

/// Errors of input that do not follow from one another: all are reported at once, up to a number.
class ErrorList {
 public:
  static constexpr std::size_t kMost = 20;

  explicit ErrorList(std::size_t most = kMost) : most_{most} {}

  /// Keeps the InputError that `attempt` throws, if it throws one. Attempts nothing once the list is full.
  /// Returns whether it was attempted and came to its end.
  template <std::invocable Attempt>
  bool attempt(Attempt&& attempt) {
    if (is_full()) {
      is_cut_ = true;
      return false;
    }
    try {
      attempt();
    } catch (const InputError& error) {
      add(error);
      return false;
    } catch (const ReportedAlready&) {
      is_incomplete_ = true;
      return false;
    }
    return true;
  }

  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] bool is_full() const { return count_ >= most_; }

  /// Throws them as one InputError, in the order of the attempts, and says so if something was not attempted.
  /// Without any, throws ReportedAlready if an attempt ended so; else nothing.
  void raise() const;

 private:
  void add(const InputError& error);

  std::size_t most_;
  std::size_t count_ = 0;
  bool is_cut_ = false;
  bool is_incomplete_ = false;
  std::optional<InputError> all_;
};

/// Attempts all of them, and throws what was wrong with any.
template <typename Items, typename Attempt>
void attempt_each(const Items& items, Attempt attempt) {
  ErrorList errors;
  for (const auto& item : items) errors.attempt([&] { attempt(item); });
  errors.raise();
}

}  // namespace stockout
