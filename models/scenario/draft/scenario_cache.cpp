#include "models/scenario/draft/scenario_cache.h"

#include <algorithm>
#include <utility>

namespace stockout {

std::shared_ptr<const Trace> ScenarioCache::trace(const std::string& path, TraceFormat format,
                                                  const TraceOptions& options) {
  const std::lock_guard lock{mutex_};
  const auto found = std::ranges::find_if(traces_, [&](const Kept& kept) {
    return kept.path == path && kept.format == format && kept.options == options;
  });
  if (found != traces_.end()) {
    traces_.splice(traces_.begin(), traces_, found);
  } else {
    auto trace = std::make_shared<const Trace>(read_trace(path, format, options));
    traces_.push_front({.path = path, .format = format, .options = options, .trace = std::move(trace)});
    if (traces_.size() > kMostTraces) traces_.pop_back();
  }
  return traces_.front().trace;
}

std::shared_ptr<const JobColumns> ScenarioCache::shared(std::shared_ptr<const JobColumns> columns) {
  const std::lock_guard lock{mutex_};
  std::erase_if(columns_, [](const auto& kept) { return kept.expired(); });
  for (const auto& kept : columns_) {
    auto alive = kept.lock();
    if (alive != nullptr && *alive == *columns) return alive;
  }
  columns_.push_back(columns);
  return columns;
}

}  // namespace stockout
