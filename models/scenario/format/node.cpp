#include "models/scenario/format/node.h"

#include <algorithm>

#include <fmt/format.h>

#include "models/scenario/format/json_pointer.h"
#include "sim/core/check.h"
#include "sim/core/duration_text.h"

namespace stockout {
namespace {

// The kind a value turns out to be: of several, the one that fits its JSON type.
const ValueSpec& resolved(const ValueSpec& spec, const JsonValue& value);

bool fits_type(const ValueSpec& spec, const JsonValue& value) {
  switch (spec.kind) {
    case ValueKind::flag:
      return value.get<bool>() != nullptr;
    case ValueKind::integer:
    case ValueKind::number:
      return value.get<std::int64_t>() != nullptr || value.get<double>() != nullptr;
    case ValueKind::list:
      return value.get<JsonValue::List>() != nullptr;
    case ValueKind::object:
    case ValueKind::table:
      return value.get<JsonValue::Members>() != nullptr;
    case ValueKind::any:
      return true;
    case ValueKind::either:
      return &resolved(spec, value) != &spec;
    default:
      return value.get<std::string>() != nullptr;
  }
}

const ValueSpec& resolved(const ValueSpec& spec, const JsonValue& value) {
  if (spec.kind != ValueKind::either) return spec;
  const auto part =
      std::ranges::find_if(spec.parts, [&](const ValueSpec& kind) { return fits_type(kind, value); });
  return part == spec.parts.end() ? spec : *part;
}

}  // namespace

Node::Node(const ScenarioText& text, const JsonValue& value, const ValueSpec& spec, std::string pointer,
           int line)
    : text_{&text},
      value_{&value},
      asked_{&spec},
      spec_{&resolved(spec, value)},
      pointer_{std::move(pointer)},
      line_{value.line > 0 || value.origin > 0 ? value.line : line} {}

std::string Node::pointer_of(std::string_view key) const {
  return fmt::format("{}/{}", pointer_, escaped_token(key));
}

Node Node::child(const JsonValue& value, const ValueSpec& spec, std::string_view key) const {
  return Node{*text_, value, spec, pointer_of(key), line_};
}

void Node::require_readable(const std::string& pointer) const {
  if (!text_->unreadable.empty() && text_->unreadable.contains(pointer)) throw ReportedAlready{};
}

template <typename T>
const T& Node::content() const {
  require_readable(pointer_);
  const T* held = value_->get<T>();
  STOCKOUT_CHECK(held != nullptr);
  return *held;
}

ValueKind Node::kind() const {
  require_readable(pointer_);
  return spec_->kind;
}

const JsonValue& Node::value() const {
  require_readable(pointer_);
  return *value_;
}

bool Node::has(std::string_view key) const {
  require_readable(pointer_);
  if (!text_->unreadable.empty()) require_readable(pointer_of(key));
  return value_->find(key) != nullptr;
}

Node Node::at(std::string_view key) const {
  STOCKOUT_CHECK(kind() == ValueKind::object, pointer_);
  const KeySpec* declared = spec_->object->find(key);
  STOCKOUT_CHECK(declared != nullptr, fmt::format("{} has no key {}", spec_->object->name, key));
  if (has(key)) return child(*value_->find(key), declared->value, key);
  // A relation that was not looked at, since something on its path is wrong, may have asked for the key.
  if (!declared->fallback && !text_->unreadable.empty()) throw ReportedAlready{};
  STOCKOUT_CHECK(declared->fallback.has_value(),
                 fmt::format("{} has no default for {}", spec_->object->name, key));
  return child(*declared->fallback, declared->value, key);
}

const std::vector<KeySpec>& Node::keys() const {
  STOCKOUT_CHECK(kind() == ValueKind::object, pointer_);
  return spec_->object->keys;
}

std::vector<Node> Node::list(std::string_view key) const {
  STOCKOUT_CHECK(kind() == ValueKind::object, pointer_);
  const KeySpec* declared = spec_->object->find(key);
  STOCKOUT_CHECK(declared != nullptr);
  if (!has(key) && !declared->fallback) return {};
  return at(key).items();
}

std::string Node::as_text() const { return content<std::string>(); }

std::string Node::as_path() const {
  std::string name = as_text();
  if (name.empty()) fail("names no file");
  const bool is_complete = name.front() == '/' || is_from_command_line();
  if (!is_complete) name.insert(0, text_->file, 0, text_->file.rfind('/') + 1);
  if (std::ranges::find(text_->files, name) == text_->files.end()) text_->files.push_back(name);
  return name;
}

bool Node::as_flag() const { return content<bool>(); }

std::int64_t Node::as_integer() const {
  if (const double* number = value().get<double>()) return static_cast<std::int64_t>(*number);
  return content<std::int64_t>();
}

double Node::as_number() const {
  if (const std::int64_t* number = value().get<std::int64_t>()) return static_cast<double>(*number);
  return content<double>();
}

SimDuration Node::as_duration() const {
  const auto length = parse_duration(as_text());
  STOCKOUT_CHECK(length.has_value());
  return *length;
}

Date Node::as_date() const {
  const auto day = parse_date(as_text());
  STOCKOUT_CHECK(day.has_value());
  return *day;
}

SimDuration Node::as_clock() const {
  const auto time = parse_clock(as_text());
  STOCKOUT_CHECK(time.has_value());
  return *time;
}

ClockSpan Node::as_clock_span() const {
  const auto span = parse_clock_span(as_text());
  STOCKOUT_CHECK(span.has_value());
  return *span;
}

std::size_t Node::choice_index() const {
  const auto found = std::ranges::find(spec_->choices, as_text());
  STOCKOUT_CHECK(found != spec_->choices.end());
  return static_cast<std::size_t>(found - spec_->choices.begin());
}

std::vector<Node> Node::items() const {
  std::vector<Node> nodes;
  for (const JsonValue& item : content<JsonValue::List>()) {
    nodes.push_back(child(item, spec_->parts.front(), fmt::format("{}", nodes.size())));
  }
  return nodes;
}

std::vector<std::pair<std::string, Node>> Node::entries() const {
  STOCKOUT_CHECK(kind() == ValueKind::table && spec_->parts.size() == 1);
  std::vector<std::pair<std::string, Node>> nodes;
  for (const JsonValue::Member& member : content<JsonValue::Members>()) {
    nodes.emplace_back(member.key, child(member.value, spec_->parts.front(), member.key));
  }
  return nodes;
}

SourceRef Node::where() const {
  if (value_->origin == 0) return {.file = text_->file, .pointer = pointer_, .line = line_};
  const AppliedOverride& set = text_->overrides.at(static_cast<std::size_t>(value_->origin) - 1);
  return {.file = set.said_in, .pointer = pointer_ == set.pointer ? "" : pointer_};
}

bool Node::is_from_command_line() const {
  return value_->origin > 0 &&
         text_->overrides.at(static_cast<std::size_t>(value_->origin) - 1).from_command_line;
}

void Node::fail(std::string_view problem) const { throw InputError{where(), problem}; }

}  // namespace stockout
