#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "models/catalog/date.h"
#include "sim/io/json_value.h"

namespace stockout {

/// An object of a list of Compute Engine, of which members are asked for by path:
/// "specificReservation.count". What is not there, or null, is empty. Errors are InputError with file, line
/// and JSON pointer.
class GcloudObject {
 public:
  /// Both must outlive this. Throws InputError if `object` is none. `pointer`: of the object.
  GcloudObject(const JsonValue& object, const std::string& file, std::string pointer);

  [[nodiscard]] const JsonValue* find(std::string_view path) const;

  /// The object at a path that is there.
  [[nodiscard]] GcloudObject at(std::string_view path) const {
    return {*find(path), file_, pointer_of(path)};
  }

  [[nodiscard]] std::string text(std::string_view path) const;
  /// The text behind the last "/": Google names zones and the like by URL.
  [[nodiscard]] std::string last_part(std::string_view path) const;
  [[nodiscard]] bool flag(std::string_view path) const;
  /// A whole number from 0 on, which Google writes as text if it may have 64 bits.
  [[nodiscard]] std::optional<std::int64_t> whole(std::string_view path) const;
  /// The day of an instant, in the offset that it is written in.
  [[nodiscard]] std::optional<Date> day(std::string_view path) const;
  /// The first day that begins at the instant or later.
  [[nodiscard]] std::optional<Date> first_whole_day(std::string_view path) const;

  /// Calls visit(item) for each object of a list; there may be none.
  template <typename Visit>
  void for_each(std::string_view path, const Visit& visit) const {
    const JsonValue::List& items = list(path);
    for (std::size_t i = 0; i < items.size(); ++i)
      visit(GcloudObject{items[i], file_, pointer_of(path) + '/' + std::to_string(i)});
  }
  /// The items of a list; none where there is none.
  [[nodiscard]] const JsonValue::List& list(std::string_view path) const;

  [[noreturn]] void fail(std::string_view path, std::string_view problem) const;

 private:
  [[nodiscard]] std::string pointer_of(std::string_view path) const;

  const JsonValue& object_;
  const std::string& file_;
  std::string pointer_;
};

}  // namespace stockout
