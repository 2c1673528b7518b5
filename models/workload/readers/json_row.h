#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/io/json_value.h"
#include "sim/io/time_stamp.h"

namespace stockout {

/// The text at a path of any value, to name it in messages; "" where there is none.
[[nodiscard]] std::string_view name_in(const JsonValue& value, std::string_view path);

/// An object of a JSON list, of which members are asked for by path: "status.startTime". What cannot be read
/// is a BrokenRow with line and path.
class JsonRow {
 public:
  /// Both must outlive this. Throws BrokenRow if `object` is none.
  JsonRow(const JsonValue& object, TimeStampReader& stamps);

  /// The value, or nullptr where there is none or null.
  [[nodiscard]] const JsonValue* find(std::string_view path) const;

  /// The text; "" where there is none.
  [[nodiscard]] std::string_view text(std::string_view path) const;

  /// The instant; kUnknownMs where there is none.
  [[nodiscard]] std::int64_t time(std::string_view path) const;

  /// A whole number from 0 on, which Google writes as text too; `none` where there is none.
  [[nodiscard]] std::int32_t count(std::string_view path, std::int32_t none) const;
  [[nodiscard]] static std::int32_t as_count(const JsonValue& value, std::string_view path);

  /// The items of a list; none where there is no such list.
  [[nodiscard]] const JsonValue::List& list(std::string_view path) const;

  /// The member of an object whose name may hold dots, such as a label; "" where there is none.
  [[nodiscard]] std::string_view label(std::string_view path, std::string_view name) const;

  /// Another object of the same file.
  [[nodiscard]] JsonRow row(const JsonValue& object) const { return {object, stamps_}; }

  [[noreturn]] static void fail(const JsonValue& value, std::string_view path, std::string_view wanted);

 private:
  [[nodiscard]] static std::string_view as_text(const JsonValue& value, std::string_view path);

  const JsonValue& object_;
  TimeStampReader& stamps_;
};

}  // namespace stockout
