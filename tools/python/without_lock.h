#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <chrono>
#include <future>
#include <utility>

namespace stockout {

/// Does `work(stop)` on a thread of its own and returns what it returns, or throws what it throws. Other
/// threads of Python go on meanwhile. Ctrl-C sets `stop`, an atomic flag, and waits until the work has ended;
/// then it is the KeyboardInterrupt that it always is.
template <typename Work>
auto without_lock(Work work) {
  constexpr std::chrono::milliseconds kBetweenLooks{50};
  std::atomic<bool> stop{false};
  auto result = std::async(std::launch::async, [&] { return work(std::as_const(stop)); });
  bool is_interrupted = false;
  {
    const pybind11::gil_scoped_release released;
    while (result.wait_for(kBetweenLooks) != std::future_status::ready) {
      if (is_interrupted) continue;
      const pybind11::gil_scoped_acquire acquired;
      is_interrupted = ::PyErr_CheckSignals() != 0;
      stop.store(is_interrupted);
    }
  }
  if (is_interrupted) throw pybind11::error_already_set{};
  return result.get();
}

}  // namespace stockout
