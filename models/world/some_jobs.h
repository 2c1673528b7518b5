#pragma once

#include <cstddef>
#include <vector>

#include "sim/core/ids.h"

namespace stockout {

/// Jobs of some classes and some users.
struct SomeJobs {
  std::vector<bool> classes = {};  // by ClassId; empty: all
  std::vector<bool> users = {};    // by UserId; empty: all

  [[nodiscard]] bool has(ClassId job_class, UserId user) const {
    return is_of(classes, index(job_class)) && is_of(users, index(user));
  }

 private:
  static bool is_of(const std::vector<bool>& some, std::size_t one) {
    return some.empty() || (one < some.size() && some[one]);
  }
};

}  // namespace stockout
