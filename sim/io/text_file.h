#pragma once

#include <cstddef>
#include <string>

namespace stockout {

/// The bytes of a file, or of a pipe up to its end. Throws InputError that tells a missing file, a folder, a
/// file that may not be read and one of more than `most` bytes apart.
[[nodiscard]] std::string read_text_file(const std::string& path, std::size_t most);

}  // namespace stockout
