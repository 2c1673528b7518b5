#pragma once

#include <span>
#include <string>
#include <string_view>

namespace stockout {

/// A file that the command line asks to be written.
struct OutputFile {
  std::string_view option;  // "--jobs-out"
  std::string path;         // empty: not asked for
};

/// Throws InputError if two of the outputs are the same file, or if one of them is one of the files that the
/// command reads. What is no ordinary file (/dev/null, a pipe) may be named more than once.
void check_outputs(std::span<const OutputFile> outputs, std::span<const std::string> inputs);

}  // namespace stockout
