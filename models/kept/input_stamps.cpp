#include "models/kept/input_stamps.h"

#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "models/catalog/embedded.h"
#include "models/catalog/tables.h"
#include "sim/core/fnv1a.h"
#include "sim/io/input_file.h"

namespace stockout {
namespace {

constexpr const char* kBuiltIn = "(catalogue of the program)";

// A name that leads from the folder to the file: relative if that finds it, also through links.
std::string name_from(const std::string& path, const std::string& folder) {
  namespace fs = std::filesystem;
  const fs::path name = fs::path{path}.lexically_normal();
  if (folder.empty()) return name.string();
  const fs::path relative = name.lexically_relative(fs::path{folder}.lexically_normal());
  std::error_code not_there;
  const bool leads_there = !relative.empty() && fs::equivalent(fs::path{folder} / relative, path, not_there);
  return leads_there ? relative.string() : fs::absolute(name).string();
}

InputStamp stamp(const std::string& path, const std::string& folder) {
  InputStamp made{.name = name_from(path, folder)};
  InputFile file{path};
  std::array<char, 1 << 16> buffer{};
  std::uint64_t hash = kFnv1aBegin;
  for (std::size_t read = file.read(buffer); read > 0; read = file.read(buffer)) {
    hash = fnv1a(hash, {buffer.data(), read});
    made.bytes += read;
  }
  made.fnv1a = fmt::format("{:016x}", hash);
  return made;
}

}  // namespace

InputStamp InputStamps::of(const std::string& path) {
  const std::lock_guard lock{mutex_};
  const auto known = known_.find(path);
  if (known != known_.end()) return known->second;
  return known_.emplace(path, stamp(path, folder_)).first->second;
}

InputStamp InputStamps::named(const std::string& name) {
  if (name == kBuiltIn) return built_in_catalog();
  InputStamp made = of(name.starts_with('/') ? name : folder_ + name);
  made.name = name;
  return made;
}

InputStamp InputStamps::built_in_catalog() {
  InputStamp made{.name = kBuiltIn};
  std::uint64_t hash = kFnv1aBegin;
  for (std::size_t file = 0; file < kCatalogFiles.size(); ++file) {
    for (const std::string_view cell : embedded_cells(file)) {
      hash = fnv1a(fnv1a(hash, cell), "\n");
      made.bytes += cell.size() + 1;
    }
  }
  made.fnv1a = fmt::format("{:016x}", hash);
  return made;
}

}  // namespace stockout
