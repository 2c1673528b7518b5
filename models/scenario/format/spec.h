#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <typeinfo>
#include <vector>

#include "models/scenario/format/relation.h"
#include "sim/core/time.h"
#include "sim/io/json_value.h"

namespace stockout {

// What a scenario file may hold, as data. One declaration drives the reader's checks, its defaults,
// scenarios/schema.json and scenarios/REFERENCE.md; keys.h lists the objects.

enum class ValueKind : std::uint8_t {
  text,
  flag,
  integer,
  number,
  duration,    // "30min"; never a bare number
  window,      // a duration above 0, or "3 months", "1 quarter", "2 years" of the calendar
  date,        // "2026-08-03"
  clock,       // "18:00", a local time of day
  clock_span,  // "09:00-18:00"
  choice,      // one of some words
  object,      // with the keys of an ObjectSpec
  list,        // of values of one kind
  table,       // an object whose keys are names and whose values are all alike
  either,      // one of several kinds, told apart by their JSON type
  any,         // any JSON value: what another file says is held against that file's own spec
};

struct ObjectSpec;
class Node;

/// Names of one kind that are known before a scenario is read. The schema lists them; the reader looks each
/// up where it is used.
struct KnownNames {
  std::string kind;  // "machine_type", in the schema
  std::string what;  // "machine type"
  std::vector<std::string> (*list)() = nullptr;
};

/// The member of a struct that a key fills, where that is all it does; fill.h makes and uses it.
struct FilledMember {
  const std::type_info* owner = nullptr;  // nullptr: the key fills none
  std::function<void(void*, const Node&)> put = {};
};

/// Form of a value.
struct ValueSpec {
  ValueKind kind = ValueKind::text;
  double least =
      -std::numeric_limits<double>::infinity();  // number; list: number of items; duration: milliseconds
  double most = std::numeric_limits<double>::infinity();
  bool more_than_least = false;  // `least` itself is not allowed
  bool forever = false;          // duration: "forever" is allowed
  std::string unit;              // number, integer: shown in the reference
  std::vector<std::string> choices;
  std::string what;                    // choice: the kind of name that the words are; empty: just words
  const KnownNames* known = nullptr;   // text: of which it is one; table: of which its keys are
  const ObjectSpec* object = nullptr;  // object; table: of each value, if those are objects
  std::vector<ValueSpec> parts;        // list, table: one, of the items; either: the kinds
};

[[nodiscard]] ValueSpec text_value();
[[nodiscard]] ValueSpec flag_value();
[[nodiscard]] ValueSpec integer_value(double least, double most, std::string unit = {});
[[nodiscard]] ValueSpec number_value(double least, double most, std::string unit = {});
/// Like number_value, without the least value itself.
[[nodiscard]] ValueSpec number_above(double bound, double most, std::string unit = {});
/// From 0 to kLongestRun.
[[nodiscard]] ValueSpec duration_value();
[[nodiscard]] ValueSpec positive_duration_value();
/// From `least` to kLongestRun: for what happens again and again, so that a run has an end.
[[nodiscard]] ValueSpec duration_at_least(SimDuration least);
/// A duration or "forever".
[[nodiscard]] ValueSpec duration_or_forever();
[[nodiscard]] ValueSpec window_value();
[[nodiscard]] ValueSpec date_value();
[[nodiscard]] ValueSpec clock_value();
[[nodiscard]] ValueSpec clock_span_value();
[[nodiscard]] ValueSpec choice_value(std::vector<std::string> choices);
/// One of some names of a kind, such as "orchestrator".
[[nodiscard]] ValueSpec name_value(std::string what, std::vector<std::string> names);
[[nodiscard]] ValueSpec name_value(std::string what, std::span<const std::string_view> names);
/// One of the names of an enumeration, in its order.
[[nodiscard]] ValueSpec choice_of(std::span<const std::string_view> names);
[[nodiscard]] ValueSpec object_value(const ObjectSpec& object);
[[nodiscard]] ValueSpec list_value(ValueSpec item, double least, double most);
[[nodiscard]] ValueSpec table_value(const ObjectSpec& object);
/// A table whose values are no objects.
[[nodiscard]] ValueSpec table_of(ValueSpec item);
[[nodiscard]] ValueSpec either_value(std::vector<ValueSpec> kinds);
[[nodiscard]] ValueSpec any_value();
/// A text that is one of these names, and a table whose keys are. They outlive the value.
[[nodiscard]] ValueSpec known_value(const KnownNames& names);
[[nodiscard]] ValueSpec by_name(const KnownNames& names, ValueSpec table);

/// One key of an object.
struct KeySpec {
  std::string name;
  ValueSpec value;
  std::string doc;  // one line
  bool required = false;
  std::optional<JsonValue> fallback = {};  // the value of a key that is not there
  std::string usual = {};                  // in words, where something else decides what that is
  FilledMember member = {};
};

[[nodiscard]] KeySpec required_key(std::string name, ValueSpec value, std::string doc);
/// A key that may be missing and then has no value.
[[nodiscard]] KeySpec optional_key(std::string name, ValueSpec value, std::string doc);
/// A key that may be missing; `fallback` is JSON, or else a text.
[[nodiscard]] KeySpec default_key(std::string name, ValueSpec value, std::string_view fallback,
                                  std::string doc);

/// One kind of object.
struct ObjectSpec {
  std::string name;  // in the schema and the reference
  std::string doc;
  std::vector<KeySpec> keys = {};
  std::vector<KeyGroup> exactly_one = {};  // of each of these, exactly one key must be there
  std::vector<KeyGroup> at_most_one = {};  // of each of these, at most one key may be there
  std::vector<KeyRelation> relations = {};

  [[nodiscard]] const KeySpec* find(std::string_view key) const;
  /// The key that a path leads to, through objects and lists of them: "legs/flavor".
  [[nodiscard]] const KeySpec* find_path(std::string_view path) const;
  [[nodiscard]] std::vector<std::string> key_names() const;
};

/// The keys of the object that a value is, or that the items of a list are; nullptr: of neither.
[[nodiscard]] const ObjectSpec* objects_in(const ValueSpec& value);

/// "a duration such as \"30min\"", "a whole number": for messages and the reference.
[[nodiscard]] std::string describe(const ValueSpec& value);

}  // namespace stockout
