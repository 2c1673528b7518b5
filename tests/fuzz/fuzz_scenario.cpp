// Feeds bytes to the scenario reader: whatever they are, it returns a scenario or throws InputError.
// tests/fuzz/CMakeLists.txt says how to build the fuzzer; replay_scenario runs the files of the corpus once
// (CTest: fuzz.scenario).

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "models/catalog/catalog.h"
#include "models/scenario/scenario.h"
#include "sim/core/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const stockout::Catalog kCatalog = stockout::Catalog::embedded();
  try {
    const std::string_view text{reinterpret_cast<const char*>(data), size};
    static_cast<void>(stockout::parse_scenario(text, "/nowhere/s.json", kCatalog));
  } catch (const stockout::InputError&) {
    return 0;
  }
  return 0;
}
