#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/orchestrators/kueue/amount.h"
#include "sim/core/error.h"
#include "sim/core/time.h"
#include "sim/io/json_value.h"

namespace stockout::kueue {

/// A case asks for something that this model does not have. Caught where the case is run.
struct NotModelled {
  std::string reason;
  SourceRef where = {};  // of a word or key, as far as it is known
};

/// A case says what no cluster has, or names what is not there: it is not modelled, but no reason to refuse
/// its file. Elsewhere an error like any other.
class OddCase : public InputError {
 public:
  using InputError::InputError;
};

/// A value of a file of cases, with where it stands. Whatever is missing or of the wrong kind is an
/// InputError with its JSON pointer. Cheap to copy; the text must outlive it.
class CaseValue {
 public:
  CaseValue(const std::string& file, const JsonValue& value, std::string pointer = {})
      : file_{&file}, value_{&value}, pointer_{std::move(pointer)}, line_{value.line} {}

  // --- of an object ---

  [[nodiscard]] CaseValue at(std::string_view key) const;
  /// Nothing if the key is missing or null.
  [[nodiscard]] std::optional<CaseValue> find(std::string_view key) const;
  /// The text of a key; what stands in for it if that is missing or null.
  [[nodiscard]] std::string text_or(std::string_view key, std::string otherwise) const;
  /// Texts of a list; none if the key is missing or null.
  [[nodiscard]] std::vector<std::string> texts_of(std::string_view key) const;
  /// Whether a key is there, and true.
  [[nodiscard]] bool is_set(std::string_view key) const;
  /// The members of an object; none if the key is missing or null.
  [[nodiscard]] std::vector<std::pair<std::string, CaseValue>> members_of(std::string_view key) const;
  /// The items of a list; none if the key is missing or null.
  [[nodiscard]] std::vector<CaseValue> list(std::string_view key) const;
  [[nodiscard]] bool has(std::string_view key) const { return raw(key) != nullptr; }
  [[nodiscard]] std::vector<std::pair<std::string, CaseValue>> members() const;
  /// Throws NotModelled if there is any other key.
  void knows_only(const std::vector<std::string_view>& keys) const;

  // --- of any value ---

  [[nodiscard]] bool is_list() const { return value_->get<JsonValue::List>() != nullptr; }
  [[nodiscard]] bool is_object() const { return value_->get<JsonValue::Members>() != nullptr; }
  [[nodiscard]] std::vector<CaseValue> items() const;
  [[nodiscard]] std::string text() const;
  /// A text that is not empty.
  [[nodiscard]] std::string name() const;
  [[nodiscard]] std::vector<std::string> texts() const;
  /// A text, or a number as text: quantities and weights of Kubernetes are either.
  [[nodiscard]] std::string text_or_number() const;
  [[nodiscard]] bool flag() const;
  [[nodiscard]] std::int64_t integer(std::int64_t least, std::int64_t most) const;
  [[nodiscard]] double number(double least, double most) const;
  /// Not negative.
  [[nodiscard]] Amount amount() const;
  /// Seconds, whole or not, to the nearest millisecond.
  [[nodiscard]] SimDuration seconds() const;
  /// The same, not negative.
  [[nodiscard]] SimDuration length() const;
  /// How often something happened.
  [[nodiscard]] std::int32_t times() const;
  [[nodiscard]] SimTime time() const { return kStart + seconds(); }
  /// The place of the text among the known words; NotModelled if it is none of them.
  template <typename Enum>
  [[nodiscard]] Enum word(std::initializer_list<std::pair<std::string_view, Enum>> known) const {
    const std::string given = text();
    for (const auto& [name, value] : known) {
      if (name == given) return value;
    }
    throw NotModelled{pointer_tail() + " \"" + given + "\"", where()};
  }

  [[nodiscard]] SourceRef where() const { return {.file = *file_, .pointer = pointer_, .line = line_}; }
  [[noreturn]] void fail(std::string_view problem) const;
  /// Throws OddCase.
  [[noreturn]] void odd(std::string_view problem) const;

 private:
  [[nodiscard]] const JsonValue* raw(std::string_view key) const;
  [[nodiscard]] CaseValue child(const JsonValue& value, std::string_view key) const;
  [[nodiscard]] std::string pointer_tail() const;

  const std::string* file_;
  const JsonValue* value_;
  std::string pointer_;
  int line_;
};

}  // namespace stockout::kueue
