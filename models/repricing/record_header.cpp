#include "models/repricing/record_header.h"

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "models/repricing/record_layout.h"
#include "sim/core/error.h"
#include "sim/io/input_file.h"

namespace stockout {
namespace {

std::uint32_t big_endian(std::span<const char> bytes) {
  std::uint32_t value = 0;
  for (const char byte : bytes.first(4)) value = value << 8 | static_cast<unsigned char>(byte);
  return value;
}

}  // namespace

void check_record_header(const std::string& path) {
  constexpr std::string_view kMagic = "SQLite format 3";
  std::array<char, 100> header{};
  std::size_t size = 0;
  InputFile file{path};
  while (size < header.size()) {
    const std::size_t got = file.read(std::span{header}.subspan(size));
    if (got == 0) break;
    size += got;
  }
  const std::span<const char> bytes{header};
  if (size < header.size() || !std::string_view{header.data(), size}.starts_with(kMagic) ||
      big_endian(bytes.subspan(68)) != kRecordApplication) {
    throw InputError{{.file = path},
                     "is no record of a comparison: `stockout compare SCENARIO --record FILE` makes one"};
  }
  if (const std::uint32_t layout = big_endian(bytes.subspan(60)); layout != kRecordLayout) {
    throw InputError{{.file = path},
                     fmt::format("is a record of layout {}, and this program reads layout {}: "
                                 "make it again",
                                 layout, kRecordLayout)};
  }
}

}  // namespace stockout
