#pragma once

#include <cstdint>
#include <string_view>

namespace stockout {

/// Parts of a command line of sbatch about other jobs.
struct SubmitLine {
  std::string_view dependency;      // the text of --dependency; empty: none. Points into the line
  std::uint32_t tasks_at_once = 0;  // N of --array=...%N; 0: no limit
};

/// Looks for --dependency, -d after..., --array and -a. What a batch file itself says is in no command line.
[[nodiscard]] SubmitLine parse_submit_line(std::string_view line);

}  // namespace stockout
