#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace stockout {

/// Evidence that a file is still the one it was.
struct InputStamp {
  std::string name;  // relative to the folder of the work, where it can be
  std::uint64_t bytes = 0;
  std::string fnv1a = {};  // 64 bits over its bytes, in hexadecimal

  friend bool operator==(const InputStamp&, const InputStamp&) = default;
};

/// Stamps of the files that scenarios were read from. Each file is read once. May be used from several
/// threads.
class InputStamps {
 public:
  /// `folder`, as in the path of the file that says what is done: "scenarios/sweeps/", or empty.
  explicit InputStamps(std::string folder) : folder_{std::move(folder)} {}

  /// Of the file of that path, as a scenario names it. Throws InputError if it cannot be read.
  [[nodiscard]] InputStamp of(const std::string& path);

  /// Of the file that has that name in a stamp.
  [[nodiscard]] InputStamp named(const std::string& name);

  /// Of the catalogue in the program: of no file, but another program may have another.
  [[nodiscard]] static InputStamp built_in_catalog();

 private:
  std::string folder_;
  std::mutex mutex_;
  std::map<std::string, InputStamp> known_;
};

}  // namespace stockout
