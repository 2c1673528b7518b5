#pragma once

#include <chrono>
#include <cstddef>

#include "tools/stockout/console.h"

namespace stockout {

/// A line on a terminal that says how far a long command is. Says nothing in the first two seconds, nor to a
/// file.
class Progress {
 public:
  explicit Progress(Console& console) : console_{console} {}
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(std::size_t done, std::size_t of);

 private:
  using Clock = std::chrono::steady_clock;

  Console& console_;
  Clock::time_point begin_ = Clock::now();
  bool shown_ = false;
};

}  // namespace stockout
