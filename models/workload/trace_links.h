#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "models/workload/job_link.h"

namespace stockout {

/// A condition of sbatch's --dependency: the kind, and the job or array that it names.
struct NamedDependency {
  JobLink::Kind kind = JobLink::Kind::after_any;
  std::string on;
};

/// Reads conditions that must all hold: "afterok:12:13,afterany:14_2", or "12" for afterany. Nothing if it is
/// none, or a form that is not modelled: singleton, aftercorr, delays (+) and alternatives (?).
[[nodiscard]] std::optional<std::vector<NamedDependency>> parse_dependencies(std::string_view text);

/// Gathers which rows of a file depend on others, by the names that the file gives them. Takes memory for
/// each name().
class TraceLinks {
 public:
  /// The row is the job of that name, unless a row before it is. A word that is empty is no name.
  void name(std::uint64_t row, std::string_view id);
  /// The row is a task of an array, of which at most so many may run at a time; 0: any number.
  void add_task(std::uint64_t row, std::string_view array, std::uint32_t at_once);
  void add(std::uint64_t row, const std::vector<NamedDependency>& dependencies);

  /// By row. One on an array is on each of its tasks; one on a name that no row has is left out.
  [[nodiscard]] std::vector<JobLink> links() const;
  /// How many name no row.
  [[nodiscard]] std::uint64_t unknown() const;

 private:
  struct Pending {
    std::uint64_t row = 0;
    NamedDependency dependency;
  };
  [[nodiscard]] std::vector<std::uint64_t> rows_of(const std::string& name) const;

  std::unordered_map<std::string, std::uint64_t> jobs_;
  std::unordered_map<std::string, std::vector<std::uint64_t>> arrays_;
  std::vector<JobLink> tasks_;
  std::vector<Pending> pending_;
};

}  // namespace stockout
