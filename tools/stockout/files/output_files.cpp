#include "tools/stockout/files/output_files.h"

#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "sim/core/error.h"
#include "sim/io/written_path.h"

namespace stockout {
namespace {

namespace fs = std::filesystem;

bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  const bool a_exists = fs::exists(a, error);
  if (a_exists != fs::exists(b, error)) return false;
  if (a_exists) return fs::is_regular_file(a, error) && fs::equivalent(a, b, error);
  return written_path(a) == written_path(b);
}

[[noreturn]] void fail(const OutputFile& output, std::string_view problem) {
  throw InputError{{.file = "command line", .pointer = std::string{output.option}},
                   fmt::format("{} {}: name another file", output.path, problem)};
}

}  // namespace

void check_outputs(std::span<const OutputFile> outputs, std::span<const std::string> inputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].path.empty()) continue;
    for (const std::string& input : inputs) {
      if (is_same_file(outputs[i].path, input))
        fail(outputs[i], "is read by this command, and would be lost");
    }
    for (const OutputFile& other : outputs.first(i)) {
      if (!other.path.empty() && is_same_file(outputs[i].path, other.path))
        fail(outputs[i], fmt::format("is what {} writes to", other.option));
    }
  }
}

}  // namespace stockout
