#pragma once

#include <cstddef>
#include <functional>

namespace stockout {

/// As many as were asked for, at most as many as the machine has cores: more would only take memory. 0: so
/// many.
[[nodiscard]] int threads_of(int asked);

/// Does `what` for each number below `count`, begun in their order, so that few results wait for one before
/// them. After a failure nothing more is begun, and those under way are waited for. The first that failed is
/// then thrown, the same whatever the threads.
void on_threads(int threads, std::size_t count, const std::function<void(std::size_t)>& what);

}  // namespace stockout
