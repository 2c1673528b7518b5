#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "models/catalog/date.h"
#include "models/scenario/format/clock_text.h"
#include "models/scenario/format/spec.h"
#include "sim/core/error.h"
#include "sim/core/error_list.h"
#include "sim/core/time.h"
#include "sim/io/input_file.h"
#include "sim/io/json_value.h"

namespace stockout {

/// Where a value comes from that another than the file itself put into it.
struct AppliedOverride {
  std::string pointer;
  std::string said_in;             // for messages: "command line: --set /seed"
  bool from_command_line = false;  // then its paths are relative to the working directory
};

/// A scenario file as read, with the overrides of the command line or a sweep put in.
struct ScenarioText {
  std::string file;
  JsonValue root;
  std::vector<AppliedOverride> overrides;       // JsonValue::origin n is the n-th, counting from 1
  mutable std::vector<std::string> files = {};  // that its values named, as each was asked for its path
  /// Pointers of values that are wrong, and of missing keys that are required or may be meant by an unknown
  /// one.
  mutable std::set<std::string, std::less<>> unreadable = {};
};

/// A value of a scenario file together with what it must be and where it stands. Cheap to copy; the text and
/// the specs must outlive it. Made by check_scenario(), so everything it hands out has the declared kind and
/// range. To ask for what is unreadable throws ReportedAlready.
class Node {
 public:
  Node(const ScenarioText& text, const JsonValue& value, const ValueSpec& spec, std::string pointer,
       int line);

  // --- of an object ---

  /// Whether the file has the key (a default does not count).
  [[nodiscard]] bool has(std::string_view key) const;
  /// The value of a key that is there or has a default; else our own mistake, in a text without errors.
  [[nodiscard]] Node at(std::string_view key) const;
  [[nodiscard]] std::string text(std::string_view key) const { return at(key).as_text(); }
  [[nodiscard]] bool flag(std::string_view key) const { return at(key).as_flag(); }
  [[nodiscard]] std::int64_t integer(std::string_view key) const { return at(key).as_integer(); }
  [[nodiscard]] double number(std::string_view key) const { return at(key).as_number(); }
  [[nodiscard]] SimDuration duration(std::string_view key) const { return at(key).as_duration(); }
  [[nodiscard]] Date date(std::string_view key) const { return at(key).as_date(); }
  /// The position of the word among the declared choices, as the enumerator in that place.
  template <typename Enum>
  [[nodiscard]] Enum choice(std::string_view key) const {
    return static_cast<Enum>(at(key).choice_index());
  }
  /// The keys that it may hold.
  [[nodiscard]] const std::vector<KeySpec>& keys() const;
  /// The items of a list that is there; none if the key is missing.
  [[nodiscard]] std::vector<Node> list(std::string_view key) const;

  // --- of any value ---

  [[nodiscard]] ValueKind kind() const;
  [[nodiscard]] const JsonValue& value() const;
  [[nodiscard]] std::string as_text() const;
  /// The path of a file that the text names: relative to the scenario's folder, or to the working directory
  /// if it came with --set. It goes to ScenarioText::files.
  [[nodiscard]] std::string as_path() const;
  /// `read(as_path())`. That the file cannot be opened is an error of this value, which names it.
  template <typename Read>
  [[nodiscard]] auto read_file(const Read& read) const {
    const std::string path = as_path();
    try {
      return read(path);
    } catch (const UnopenedFile& error) {
      fail(error.what());
    }
  }
  [[nodiscard]] bool as_flag() const;
  [[nodiscard]] std::int64_t as_integer() const;
  [[nodiscard]] double as_number() const;
  [[nodiscard]] SimDuration as_duration() const;
  [[nodiscard]] Date as_date() const;
  [[nodiscard]] SimDuration as_clock() const;
  [[nodiscard]] ClockSpan as_clock_span() const;
  [[nodiscard]] std::size_t choice_index() const;
  [[nodiscard]] std::vector<Node> items() const;
  /// Of a table: its names and values.
  [[nodiscard]] std::vector<std::pair<std::string, Node>> entries() const;

  [[nodiscard]] SourceRef where() const;
  /// Whether the value was given with --set.
  [[nodiscard]] bool is_from_command_line() const;
  [[noreturn]] void fail(std::string_view problem) const;

 private:
  friend class SpecCheck;
  friend class RelationCheck;
  [[nodiscard]] Node child(const JsonValue& value, const ValueSpec& spec, std::string_view key) const;
  [[nodiscard]] std::string pointer_of(std::string_view key) const;
  void require_readable(const std::string& pointer) const;
  /// The value, which has a kind: of this type.
  template <typename T>
  [[nodiscard]] const T& content() const;

  const ScenarioText* text_;
  const JsonValue* value_;
  const ValueSpec* asked_;  // all kinds that the value may be of, ...
  const ValueSpec* spec_;   // ... and the one that it turns out to be
  std::string pointer_;
  int line_;  // of the value, or of what holds it
};

}  // namespace stockout
