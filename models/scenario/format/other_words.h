#pragma once

#include <string>
#include <string_view>

namespace stockout {

/// Advice for a word that people bring from elsewhere: ": write \"count\"". `of` is the name of an object
/// whose key the word is taken for ("reservation"), or the kind of name ("consumption model"). Empty if the
/// word means nothing there.
[[nodiscard]] std::string write_instead(std::string_view of, std::string_view word);

}  // namespace stockout
