#include "sim/io/commented_json.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace stockout {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr std::size_t kWidth = 100;
constexpr std::size_t kStep = 2;

std::string scalar_text(const OrderedJson& value) {
  return value.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

// With blanks behind commas and colons.
std::string line_of(const OrderedJson& value) {
  if (!value.is_structured()) return scalar_text(value);
  std::string text = value.is_object() ? "{" : "[";
  bool is_first = true;
  for (const auto& [key, inner] : value.items()) {
    if (!std::exchange(is_first, false)) text += ", ";
    if (value.is_object()) text += scalar_text(key) + ": ";
    text += line_of(inner);
  }
  return text + (value.is_object() ? '}' : ']');
}

// `at`: where the first line begins.
std::string value_text(const OrderedJson& value, std::size_t indent, std::size_t at) {
  std::string line = line_of(value);
  if (!value.is_structured() || value.empty() || at + line.size() < kWidth) return line;
  const std::string margin(indent + kStep, ' ');
  std::string text = value.is_object() ? "{" : "[";
  bool is_first = true;
  for (const auto& [key, inner] : value.items()) {
    text += std::exchange(is_first, false) ? "\n" : ",\n";
    const std::string name = value.is_object() ? scalar_text(key) + ": " : "";
    text += margin + name + value_text(inner, indent + kStep, margin.size() + name.size());
  }
  return text + '\n' + std::string(indent, ' ') + (value.is_object() ? '}' : ']');
}

void add_comment(const std::string& words, std::size_t indent, std::string& text) {
  const std::string margin = std::string(indent, ' ') + "//";
  std::string line = margin;
  std::size_t at = 0;
  while (at < words.size()) {
    const std::size_t end = std::min(words.find(' ', at), words.size());
    if (line.size() + 1 + end - at > kWidth && line.size() > margin.size()) {
      text += line + '\n';
      line = margin;
    }
    line += ' ' + words.substr(at, end - at);
    at = end + 1;
  }
  text += line + '\n';
}

std::string written(const CommentedJson& one, std::size_t indent);

// The members of an object or the items of a list. What is off stands between the others, without a comma.
std::string inner_text(const CommentedJson& outer, std::size_t indent) {
  const auto is_on = [](const CommentedJson& one) { return !one.is_off; };
  auto left = std::ranges::count_if(outer.inner, is_on);
  std::string text;
  for (const CommentedJson& one : outer.inner) {
    for (const std::string& comment : one.comments) add_comment(comment, indent, text);
    std::string lines = written(one, indent);
    if (one.is_off) {
      std::string commented;
      for (std::size_t at = 0; at < lines.size();) {
        const std::size_t end = std::min(lines.find('\n', at), lines.size());
        commented += std::string(indent, ' ') + "// " + lines.substr(at + indent, end - at - indent) +
                     (end < lines.size() ? "\n" : "");
        at = end + 1;
      }
      text += commented + ",\n";
    } else {
      text += lines + (--left > 0 ? ",\n" : "\n");
    }
  }
  return text;
}

std::string written(const CommentedJson& one, std::size_t indent) {
  const std::string begin = std::string(indent, ' ') + (one.key.empty() ? "" : scalar_text(one.key) + ": ");
  if (one.inner.empty()) return begin + value_text(one.value, indent, begin.size());
  const bool is_list = one.value.is_array();
  return begin + (is_list ? "[\n" : "{\n") + inner_text(one, indent + kStep) + std::string(indent, ' ') +
         (is_list ? ']' : '}');
}

}  // namespace

CommentedJson CommentedJson::member(std::string key, OrderedJson value) {
  return {.key = std::move(key), .value = std::move(value)};
}
CommentedJson CommentedJson::item(OrderedJson value) { return {.value = std::move(value)}; }
CommentedJson CommentedJson::object(std::string key) {
  return {.key = std::move(key), .value = OrderedJson::object()};
}
CommentedJson CommentedJson::list(std::string key) {
  return {.key = std::move(key), .value = OrderedJson::array()};
}

CommentedJson& CommentedJson::say(std::string_view text) {
  std::string line{text};
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) c = ' ';
  }
  comments.push_back(std::move(line));
  return *this;
}

CommentedJson& CommentedJson::add(CommentedJson one) {
  inner.push_back(std::move(one));
  return *this;
}

CommentedJson& CommentedJson::off() {
  is_off = true;
  return *this;
}

std::string to_text(const CommentedJson& object) {
  std::string text;
  for (const std::string& comment : object.comments) add_comment(comment, 0, text);
  return text + written(object, 0) + '\n';
}

}  // namespace stockout
