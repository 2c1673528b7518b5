#include "models/simulation/books/request_tally.h"

#include <fmt/format.h>

#include "sim/core/check.h"

namespace stockout {

void RequestTally::check(std::uint64_t ended) const {
  STOCKOUT_CHECK(
      opened_ == closed_ && closed_ == ended,
      fmt::format("{} requests opened, {} closed, {} granted, refused, withdrawn or open at the end", opened_,
                  closed_, ended));
}

}  // namespace stockout
