#pragma once

#include <string>

namespace stockout {

/// Looks at the first 100 bytes of a file, before anything is trusted to it: throws InputError if it is no
/// SQLite file, not one of ours, or of another layout; and what InputFile throws.
void check_record_header(const std::string& path);

}  // namespace stockout
