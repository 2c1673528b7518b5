#pragma once

#include <cstdint>

namespace stockout {

/// Relation of a row of a trace to another, in the words of Slurm's sbatch. Rows are those of
/// JobColumns::row.
struct JobLink {
  enum class Kind : std::uint8_t {
    after,      // it waits until the other has started
    after_any,  // until it has ended
    after_ok,   // until it has ended well
    after_not,  // until it has failed
    task_of,    // it is a task of the array whose first task is the other, or the row itself
  };

  std::uint64_t row = 0;
  std::uint64_t on = 0;  // the other row
  Kind kind = Kind::after_any;
  std::uint32_t at_once = 0;  // task_of: so many tasks may run at a time; 0: any number
  friend bool operator==(const JobLink&, const JobLink&) = default;
};

}  // namespace stockout
