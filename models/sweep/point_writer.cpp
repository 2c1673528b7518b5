#include "models/sweep/point_writer.h"

#include <utility>

namespace stockout {
namespace {

constexpr std::size_t kMostWaiting = 256;

}  // namespace

PointWriter::PointWriter(SweepStore& store, std::function<void(std::size_t)> written)
    : store_{store}, written_{std::move(written)}, thread_{[this] { write_all(); }} {}

PointWriter::~PointWriter() { end_thread(); }

void PointWriter::add(FinishedPoint point) {
  std::unique_lock lock{mutex_};
  changed_.wait(lock, [this] { return waiting_.size() < kMostWaiting || error_ != nullptr; });
  waiting_.push_back(std::move(point));
  changed_.notify_all();
}

bool PointWriter::has_failed() {
  const std::lock_guard lock{mutex_};
  return error_ != nullptr;
}

void PointWriter::finish() {
  end_thread();
  if (error_ != nullptr) std::rethrow_exception(error_);
}

void PointWriter::write_all() {
  try {
    for (auto points = take(); !points.empty(); points = take()) {
      store_.add(points);
      written_(points.size());
    }
  } catch (...) {
    const std::lock_guard lock{mutex_};
    error_ = std::current_exception();
    changed_.notify_all();
  }
}

// All that wait; none at the end only.
std::vector<FinishedPoint> PointWriter::take() {
  std::unique_lock lock{mutex_};
  changed_.wait(lock, [this] { return !waiting_.empty() || ends_; });
  changed_.notify_all();
  return std::exchange(waiting_, {});
}

void PointWriter::end_thread() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock{mutex_};
    ends_ = true;
    changed_.notify_all();
  }
  thread_.join();
}

}  // namespace stockout
