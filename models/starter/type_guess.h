#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "models/catalog/catalog.h"

namespace stockout {

/// How sure it is that a recorded GPU is the one of the catalogue.
enum class Likeness : std::uint8_t {
  same,     // the catalogue calls it so
  spelled,  // another spelling of it: "h100", "Tesla-T4"
  near,     // another GPU, the nearest that is sold with a price
  unknown,  // nothing in the name says what it is, and the default is taken
};

/// A GPU type of the catalogue for a name out of a record.
struct TypeGuess {
  std::string name = {};  // as recorded; "" where the record names none
  std::string gpu = {};   // as the catalogue calls it
  Likeness likeness = Likeness::unknown;
  std::string also = {};   // another one that is called so, and may be meant; empty: none
  std::string since = {};  // by what it was chosen: "you hold"; empty: by the name alone
};

/// A GPU type that the planner has for sure.
struct KnownGpu {
  std::string gpu;         // as the catalogue calls it
  std::string_view where;  // "you hold", "you are charged for"
};

/// For people: `"v100" is taken for A100-40GB, the nearest with a known price`.
[[nodiscard]] std::string text_of(const TypeGuess& type);

/// GPU type assumed where nothing is known.
inline constexpr std::string_view kDefaultGpu = "H100-80GB";

/// The GPU type for a recorded name of a GPU, or of a machine type of the catalogue. Where the name is that
/// of several, the one of `known` counts; with both or none of them, the likelier one.
[[nodiscard]] TypeGuess guess_type(const Catalog& catalog, std::string_view name,
                                   std::span<const KnownGpu> known = {});

}  // namespace stockout
