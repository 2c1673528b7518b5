#include "models/simulation/incoming.h"

namespace stockout {

Incoming::Incoming(const World& world, std::uint64_t replication, const Route& route, Draws& draws)
    : world_{world}, draws_{draws}, arrivals_{all_arrivals(world, replication)} {
  for (std::size_t i = 0; i < world.sources.size(); ++i) {
    const Source& source = world.sources[i];
    const std::uint32_t first = route.first_of(SourceId{static_cast<std::uint16_t>(i)});
    coming_.push_back(source.background
                          ? Coming{.from = world.begin, .strategy = first, .choices = source.tenants.size()}
                          : Coming{.from = kStart, .until = world.window_end});
  }
  find_next();
}

void Incoming::skip_unwanted() {
  for (; next_ != nullptr && !is_wanted(*next_); next_ = arrivals_.peek()) {
    next_->submit < coming_[index(next_->source)].from ? arrivals_.pop() : arrivals_.end_source();
  }
}

}  // namespace stockout
