#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "models/sweep/store.h"

namespace stockout {

/// Puts points into a store while others are being simulated, since a disk may take longer to be sure than a
/// simulation. Each point is in a transaction of its own, save that those which came while the last was being
/// written share the next.
class PointWriter {
 public:
  /// `written` is called after each transaction how many points it held, from another thread.
  PointWriter(SweepStore& store, std::function<void(std::size_t)> written);
  /// What was added is written first, as far as it can be.
  ~PointWriter();
  PointWriter(const PointWriter&) = delete;
  PointWriter& operator=(const PointWriter&) = delete;

  /// From any thread. Waits while very many are to be written.
  void add(FinishedPoint point);

  /// Whether the store could not be written: nothing more will be.
  [[nodiscard]] bool has_failed();

  /// Waits until all is written; throws what went wrong. Nothing is added afterwards.
  void finish();

 private:
  void write_all();
  [[nodiscard]] std::vector<FinishedPoint> take();
  void end_thread();

  SweepStore& store_;
  std::function<void(std::size_t)> written_;
  std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  std::vector<FinishedPoint> waiting_;
  bool ends_ = false;
  std::exception_ptr error_;
  std::thread thread_;
};

}  // namespace stockout
