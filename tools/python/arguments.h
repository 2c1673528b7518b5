#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "tools/stockout/answers/comparison_run.h"
#include "tools/stockout/arguments/scenario_arguments.h"

namespace stockout {

/// Arguments of a function of the package, by name. Each answers as the command's option of that name does; a
/// wrong value is an InputError that names the option.
class Arguments {
 public:
  explicit Arguments(pybind11::dict given) : given_{std::move(given)} {}

  /// Empty if it is None. A TypeError of Python if it is no text.
  [[nodiscard]] std::string text(const char* name) const;
  /// A list of them.
  [[nodiscard]] std::vector<std::string> texts(const char* name) const;
  [[nodiscard]] bool flag(const char* name) const { return pybind11::bool_{given_[name]}; }
  /// Nothing if it is None; else InputError if it is no whole number from `least` to `most`.
  [[nodiscard]] std::optional<std::uint64_t> whole(
      const char* name, std::uint64_t least = 0,
      std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) const;
  [[nodiscard]] int threads() const;

  [[nodiscard]] ScenarioArguments scenario() const;
  [[nodiscard]] ComparisonArguments comparison() const;
  [[nodiscard]] GroupBy by() const;

 private:
  pybind11::dict given_;
};

}  // namespace stockout
