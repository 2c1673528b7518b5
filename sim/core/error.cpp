#include "sim/core/error.h"

#include <utility>

#include <fmt/format.h>

namespace stockout {

std::string error_place(const SourceRef& where) {
  std::string text = where.file;
  if (where.line > 0) text += fmt::format(":{}", where.line);
  if (!text.empty()) text += ": ";
  if (!where.pointer.empty()) text += where.pointer + ": ";
  return text;
}

InputError::InputError(SourceRef where, std::string_view problem)
    : std::runtime_error{error_place(where).append(problem)}, where_{std::move(where)} {}

InputError::InputError(const InputError& first, const InputError& more) : InputError{first} {
  others_.emplace_back(more.what());
  others_.insert(others_.end(), more.others_.begin(), more.others_.end());
}

}  // namespace stockout
