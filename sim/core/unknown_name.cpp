#include "sim/core/unknown_name.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace stockout {
namespace {

// Levenshtein distance, two rows at a time.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> above(b.size() + 1);
  std::iota(above.begin(), above.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(above[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = std::exchange(above[j], std::min({above[j] + 1, above[j - 1] + 1, replaced}));
    }
  }
  return above[b.size()];
}

bool same_letter(char a, char b) {
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

// The known names of which the given one is the beginning, up to a dash: "H100" of "H100-80GB".
std::vector<std::string> family_of(std::string_view given, std::span<const std::string> known) {
  std::vector<std::string> family;
  for (const std::string& name : known) {
    const bool is_longer = !given.empty() && name.size() > given.size() && name[given.size()] == '-';
    if (is_longer && std::ranges::equal(given, std::string_view{name}.substr(0, given.size()), same_letter))
      family.push_back(name);
  }
  return family;
}

// `"a"`, `"a" or "b"`, `"a", "b" or "c"`.
std::string any_of_these(std::span<const std::string> names) {
  if (names.size() == 1) return fmt::format("\"{}\"", names.front());
  return fmt::format("\"{}\" or \"{}\"", fmt::join(names.first(names.size() - 1), "\", \""), names.back());
}

}  // namespace

std::string suggest(std::string_view given, std::span<const std::string> known, std::size_t most) {
  constexpr std::size_t kMostOfFamily = 8;
  given = given.substr(0, 100);  // a hostile name must not cost quadratic time
  const std::vector<std::string> family = family_of(given, known);
  if (!family.empty() && family.size() <= kMostOfFamily)
    return fmt::format(", did you mean {}?", any_of_these(family));
  const auto in_other_case = std::ranges::find_if(
      known, [&](const std::string& name) { return std::ranges::equal(given, name, same_letter); });
  if (in_other_case != known.end()) return fmt::format(", did you mean \"{}\"?", *in_other_case);
  const std::string* nearest = nullptr;
  std::size_t best = std::max<std::size_t>(1, given.size() / 3) + 1;
  for (const std::string& name : known) {
    const std::size_t distance = edit_distance(given, name);
    if (distance < best) {
      best = distance;
      nearest = &name;
    }
  }
  if (nearest != nullptr) return fmt::format(", did you mean \"{}\"?", *nearest);
  if (known.empty() || most == 0) return {};
  const auto shown = known.first(std::min(most, known.size()));
  return fmt::format(" (known: \"{}\"{})", fmt::join(shown, "\", \""),
                     shown.size() < known.size() ? ", ..." : "");
}

std::string unknown_name(std::string_view what, std::string_view given, std::span<const std::string> known,
                         std::size_t most) {
  constexpr std::size_t kShown = 60;
  return fmt::format("there is no {} \"{}\"{}", what, given.substr(0, kShown), suggest(given, known, most));
}

}  // namespace stockout
