#include "tools/kueue/manifests.h"

#include <charconv>
#include <optional>
#include <set>
#include <system_error>

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include "sim/core/error.h"
#include "sim/io/input_file.h"

namespace stockout::kueue {
namespace {

constexpr int kMostNested = 100;
constexpr std::size_t kMostValues = 2'000'000;
constexpr std::size_t kMostBytes = 64 << 20;

template <typename Number>
std::optional<Number> number_of(const std::string& text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || last != end) return std::nullopt;
  return number;
}

JsonValue::Content plain_value(const std::string& text) {
  if (text.empty() || text == "~" || text == "null") return JsonValue::Null{};
  if (text == "true" || text == "false") return text == "true";
  const bool is_number = text.find_first_not_of("+-.0123456789eE") == std::string::npos;
  if (!is_number) return text;
  if (const auto whole = number_of<std::int64_t>(text)) return *whole;
  if (const auto number = number_of<double>(text)) return *number;
  return text;
}

/// Turns nodes of one text into values.
class Converter {
 public:
  explicit Converter(const std::string& file) : file_{file} {}

  JsonValue value_of(const YAML::Node& node, int depth = 0) {
    if (depth > kMostNested) fail(node, fmt::format("is nested deeper than {} levels", kMostNested));
    if (++values_ > kMostValues) fail(node, fmt::format("comes to more than {} values", kMostValues));
    const int line = line_of(node);
    if (node.IsSequence()) {
      JsonValue::List list;
      for (const YAML::Node& item : node) list.push_back(value_of(item, depth + 1));
      return JsonValue{std::move(list), line};
    }
    if (node.IsMap()) return JsonValue{members_of(node, depth), line};
    if (!node.IsScalar()) return JsonValue{JsonValue::Null{}, line};
    const bool is_plain = node.Tag() == "?" || node.Tag().empty();
    return JsonValue{is_plain ? plain_value(node.Scalar()) : JsonValue::Content{node.Scalar()}, line};
  }

 private:
  JsonValue::Members members_of(const YAML::Node& node, int depth) {
    JsonValue::Members members;
    std::set<std::string> keys;
    for (const auto& entry : node) {
      if (!entry.first.IsScalar()) fail(entry.first, "a key must be a text");
      const std::string& key = entry.first.Scalar();
      if (!keys.insert(key).second) fail(entry.first, fmt::format("has the key \"{}\" twice", key));
      members.push_back({.key = key, .value = value_of(entry.second, depth + 1)});
    }
    return members;
  }
  static int line_of(const YAML::Node& node) { return node.Mark().line + 1; }
  [[noreturn]] void fail(const YAML::Node& node, const std::string& problem) const {
    throw InputError{SourceRef{.file = file_, .line = line_of(node)}, problem};
  }

  const std::string& file_;
  std::size_t values_ = 0;
};

}  // namespace

std::vector<JsonValue> parse_manifests(std::string_view text, const std::string& file) {
  Converter converter{file};
  std::vector<JsonValue> documents;
  try {
    for (const YAML::Node& document : YAML::LoadAll(std::string{text})) {
      if (!document.IsNull()) documents.push_back(converter.value_of(document));
    }
  } catch (const YAML::Exception& error) {
    throw InputError{SourceRef{.file = file, .line = error.mark.line + 1},
                     fmt::format("is neither JSON nor YAML: {}", error.msg)};
  }
  if (documents.empty()) throw InputError{SourceRef{.file = file}, "has no objects"};
  return documents;
}

std::vector<JsonValue> read_manifests(const std::string& path) {
  return parse_manifests(read_text_file(path, kMostBytes), path);
}

}  // namespace stockout::kueue
