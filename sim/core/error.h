#pragma once

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace stockout {

/// A place in something the user wrote.
struct SourceRef {
  std::string file;          // path, or "command line"
  std::string pointer = {};  // JSON pointer such as "/pools/0/gpus"; empty for a trace
  int line = 0;              // 1-based; 0 where not known
};

/// The place as an InputError's text begins with it: "scenario.json:14: /pools/0/gpus: ". Empty if none is
/// known.
[[nodiscard]] std::string error_place(const SourceRef& where);

/// The user's input is wrong. Thrown while reading input only, caught once, in main(): exit code 2.
/// The text says what is wrong, where, and what would be right:
///   scenario.json:14: /pools/0/gpus: must be at least 1, but is -8
class InputError : public std::runtime_error {
 public:
  InputError(SourceRef where, std::string_view problem);
  /// Both at once, and all that they consist of.
  InputError(const InputError& first, const InputError& more);
  [[nodiscard]] const SourceRef& where() const { return where_; }
  /// The texts of the errors after the first, which what() tells.
  [[nodiscard]] const std::vector<std::string>& others() const { return others_; }
  /// Forgets those beyond the first `most`, of which there is at least one.
  void keep(std::size_t most) { others_.resize(std::min(others_.size(), most - 1)); }

 private:
  SourceRef where_;
  std::vector<std::string> others_;
};

/// An input is wrong in a way that is reported already: whoever depends on it stops, with no error of its
/// own. Caught by ErrorList.
struct ReportedAlready {};

}  // namespace stockout
