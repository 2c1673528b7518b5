#include "tools/stockout/store_kind.h"

#include <array>
#include <span>
#include <string_view>

#include "models/repricing/record_layout.h"
#include "models/sweep/store_file.h"
#include "sim/io/input_file.h"

namespace stockout {

StoreKind kind_of_store(const std::string& path) {
  constexpr std::string_view kMagic = "SQLite format 3";
  constexpr std::size_t kApplicationAt =
      68;  // four bytes, the first the highest (sqlite.org/fileformat2.html)
  std::array<char, 100> header{};
  InputFile file{path};
  std::size_t size = 0;
  for (std::size_t got = file.read(header); got > 0 && size < header.size();
       got = file.read(std::span{header}.subspan(size)))
    size += got;
  if (size < header.size() || !std::string_view{header.data(), size}.starts_with(kMagic))
    return StoreKind::none;
  std::uint32_t application = 0;
  for (std::size_t i = kApplicationAt; i < kApplicationAt + 4; ++i)
    application = application << 8 | static_cast<unsigned char>(header[i]);
  if (application == kRecordApplication) return StoreKind::record;
  return application == kStoreApplication ? StoreKind::sweep : StoreKind::none;
}

}  // namespace stockout
