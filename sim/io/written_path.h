#pragma once

#include <string>

namespace stockout {

/// The file that writing to `path` makes or replaces: absolute, with every symbolic link followed, also one
/// whose target is not there yet. So two names of one file give the same, whether it is there or not. A
/// stream that is open already (/dev/stdout, /dev/fd/3) stays a name in /proc. If a folder on the way is not
/// there, or links run in a circle, this is a name that cannot be opened either.
[[nodiscard]] std::string written_path(const std::string& path);

}  // namespace stockout
