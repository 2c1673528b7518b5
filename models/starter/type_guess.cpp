#include "models/starter/type_guess.h"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

namespace stockout {
namespace {

struct NamePart {
  std::string_view part;  // in small letters, with "-" between words
  std::string_view gpu;
  Likeness likeness = Likeness::spelled;
  std::string_view also = {};  // another GPU that is called so
};

// The first part that a name holds counts. What has no price, or is no GPU of Google's, is taken for one of
// its time and size.
constexpr std::array kParts{
    NamePart{"gb200", "B200", Likeness::near},
    NamePart{"gb300", "B200", Likeness::near},
    NamePart{"b300", "B200", Likeness::near},
    NamePart{"b200", "B200"},
    NamePart{"h200", "H200"},
    NamePart{"h100-mega", "H100-MEGA-80GB"},
    NamePart{"h100", "H100-80GB", Likeness::spelled, "H100-MEGA-80GB"},
    NamePart{"h800", "H100-80GB", Likeness::near},
    NamePart{"h20", "H100-80GB", Likeness::near},
    NamePart{"a100-sxm4-40", "A100-40GB"},
    NamePart{"a100-40", "A100-40GB"},
    NamePart{"a100-80", "A100-80GB"},
    NamePart{"a100-sxm4-80", "A100-80GB"},
    NamePart{"a100", "A100-80GB", Likeness::spelled, "A100-40GB"},
    NamePart{"a800", "A100-80GB", Likeness::near},
    NamePart{"rtxpro", "RTXPRO6000"},
    NamePart{"rtx-pro", "RTXPRO6000"},
    NamePart{"l40", "L4", Likeness::near},
    NamePart{"l4", "L4"},
    NamePart{"a10", "L4", Likeness::near},
    NamePart{"a30", "L4", Likeness::near},
    NamePart{"a40", "L4", Likeness::near},
    NamePart{"v100", "A100-40GB", Likeness::near},
    NamePart{"p100", "T4", Likeness::near},
    NamePart{"t4", "T4"},
    NamePart{"p4", "T4", Likeness::near},
    NamePart{"k80", "T4", Likeness::near},
    NamePart{"misc", "T4", Likeness::near},
};

// In small letters, and "-" for what else stands between words.
std::string plain_name(std::string_view name) {
  std::string plain{name};
  std::ranges::transform(plain, plain.begin(), [](unsigned char c) {
    return c == '_' || c == ' ' ? '-' : static_cast<char>(std::tolower(c));
  });
  return plain;
}

bool has_price(const Catalog& catalog, std::string_view gpu) {
  const auto id = catalog.find_gpu(gpu);
  return id && std::ranges::any_of(catalog.prices(), [&](const PriceRow& row) {
           return catalog.machine(row.machine).gpu == *id;
         });
}

// Of two GPUs of one name the one that the planner has.
void choose_by(TypeGuess& guess, std::string_view also, std::span<const KnownGpu> known) {
  const auto here = std::ranges::find(known, guess.gpu, &KnownGpu::gpu);
  const auto there = std::ranges::find(known, also, &KnownGpu::gpu);
  if ((here == known.end()) == (there == known.end())) {
    const bool is_rare = here == known.end() && also == "H100-MEGA-80GB";  // who has it says so
    if (!is_rare) guess.also = also;
    return;
  }
  if (here == known.end()) guess.gpu = also;
  guess.since = (here == known.end() ? there : here)->where;
}

}  // namespace

std::string text_of(const TypeGuess& type) {
  std::string text = fmt::format("\"{}\" is taken for {}", type.name, type.gpu);
  if (type.likeness == Likeness::near) return text + ", the nearest with a known price";
  if (type.likeness == Likeness::unknown) return text + ", for want of a better guess";
  if (!type.also.empty()) return fmt::format("{}, but may be {}", text, type.also);
  return type.since.empty() ? text : fmt::format("{}, which {}", text, type.since);
}

TypeGuess guess_type(const Catalog& catalog, std::string_view name, std::span<const KnownGpu> known) {
  TypeGuess guess{.name = std::string{name}, .gpu = std::string{kDefaultGpu}};
  std::string_view gpu = name;
  if (const auto machine = catalog.find_machine(name)) gpu = catalog.gpu_name(catalog.machine(*machine).gpu);
  if (has_price(catalog, gpu)) {
    guess.gpu = gpu;
    guess.likeness = Likeness::same;
    return guess;
  }
  const std::string plain = plain_name(gpu);
  const auto* const part = std::ranges::find_if(
      kParts, [&](const NamePart& one) { return plain.find(one.part) != std::string::npos; });
  if (part == kParts.end()) return guess;
  guess.gpu = part->gpu;
  guess.likeness = part->likeness;
  if (!part->also.empty()) choose_by(guess, part->also, known);
  return guess;
}

}  // namespace stockout
