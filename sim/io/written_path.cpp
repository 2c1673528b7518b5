#include "sim/io/written_path.h"

#include <filesystem>
#include <system_error>

namespace stockout {
namespace {

namespace fs = std::filesystem;

constexpr int kMostLinks = 40;  // as many as Linux follows

}  // namespace

std::string written_path(const std::string& path) {
  fs::path at{path};
  for (int links = 0; links < kMostLinks; ++links) {
    std::error_code error;
    const fs::path folder = fs::canonical(at.has_parent_path() ? at.parent_path() : ".", error);
    if (error) break;
    at = folder / at.filename();
    if (at.native().starts_with("/proc/")) break;
    const fs::path target = fs::read_symlink(at, error);
    if (error) break;  // no link
    at = folder / target;
  }
  return at.string();
}

}  // namespace stockout
