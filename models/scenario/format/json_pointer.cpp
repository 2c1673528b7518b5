#include "models/scenario/format/json_pointer.h"

#include <algorithm>
#include <charconv>

namespace stockout {

std::string escaped_token(std::string_view key) {
  std::string token;
  for (const char c : key) {
    if (c == '~') {
      token += "~0";
    } else if (c == '/') {
      token += "~1";
    } else {
      token += c;
    }
  }
  return token;
}

std::optional<std::string> unescaped_token(std::string_view token) {
  std::string key;
  for (std::size_t i = 0; i < token.size(); ++i) {
    if (token[i] != '~') {
      key += token[i];
      continue;
    }
    if (++i == token.size() || (token[i] != '0' && token[i] != '1')) return std::nullopt;
    key += token[i] == '0' ? '~' : '/';
  }
  return key;
}

std::vector<std::string_view> pointer_tokens(std::string_view pointer) {
  std::vector<std::string_view> tokens;
  while (!pointer.empty()) {
    pointer.remove_prefix(1);
    const std::size_t end = std::min(pointer.find('/'), pointer.size());
    tokens.push_back(pointer.substr(0, end));
    pointer.remove_prefix(end);
  }
  return tokens;
}

std::optional<std::size_t> list_index(std::string_view token) {
  std::size_t value = 0;
  const char* end = token.data() + token.size();
  const auto [stop, error] = std::from_chars(token.data(), end, value);
  if (error != std::errc{} || stop != end || (token.size() > 1 && token[0] == '0')) return std::nullopt;
  return value;
}

}  // namespace stockout
