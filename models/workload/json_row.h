#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "models/workload/trace_fields.h"
#include "sim/io/json_value.h"
#include "sim/io/time_stamp.h"

namespace stockout {

/// An object of a JSON list, of which members are asked for by path: "status.startTime". Errors are
/// InputError with file, line and path.
class JsonRow {
 public:
  /// All must outlive this. Throws InputError if `object` is none.
  JsonRow(const JsonValue& object, TraceFields& fields, TimeStampReader& stamps);

  /// The value, or nullptr where there is none or null.
  [[nodiscard]] const JsonValue* find(std::string_view path) const;

  /// The text; "" where there is none.
  [[nodiscard]] std::string_view text(std::string_view path) const;

  /// The instant; kUnknownMs where there is none.
  [[nodiscard]] std::int64_t time(std::string_view path) const;

  /// A whole number from 0 on, which Google writes as text too; `none` where there is none.
  [[nodiscard]] std::int32_t count(std::string_view path, std::int32_t none) const;
  [[nodiscard]] std::int32_t as_count(const JsonValue& value, std::string_view path) const;

  /// The items of a list; none where there is no such list.
  [[nodiscard]] const JsonValue::List& list(std::string_view path) const;

  /// The member of an object whose name may hold dots, such as a label; "" where there is none.
  [[nodiscard]] std::string_view label(std::string_view path, std::string_view name) const;

  /// Another object of the same file.
  [[nodiscard]] JsonRow row(const JsonValue& object) const { return {object, fields_, stamps_}; }

  [[noreturn]] void fail(const JsonValue& value, std::string_view path, std::string_view wanted) const;

 private:
  [[nodiscard]] std::string_view as_text(const JsonValue& value, std::string_view path) const;

  const JsonValue& object_;
  TraceFields& fields_;
  TimeStampReader& stamps_;
};

}  // namespace stockout
