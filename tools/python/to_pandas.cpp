#include "tools/python/to_pandas.h"

#include <algorithm>
#include <memory>
#include <utility>

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

namespace stockout {
namespace {

namespace py = pybind11;

template <typename Number>
py::object array_on(std::vector<Number> numbers) {
  auto owned = std::make_unique<std::vector<Number>>(std::move(numbers));
  const auto size = static_cast<py::ssize_t>(owned->size());
  Number* first = owned->data();
  const py::capsule owner{owned.release(),
                          [](void* held) { delete static_cast<std::vector<Number>*>(held); }};
  return py::array_t<Number>(size, first, owner);
}

// As narrow as pandas has it for so many words: it would copy a wider one.
template <typename Code>
py::object narrow_codes(const WordCodes& words) {
  std::vector<Code> codes;
  codes.reserve(words.codes().size());
  for (const std::int32_t code : words.codes()) codes.push_back(static_cast<Code>(code));
  return array_on(std::move(codes));
}

py::object codes_of(const WordCodes& words) {
  constexpr std::size_t kMostOfByte = 127;
  constexpr std::size_t kMostOfTwo = 32'767;
  if (words.words().size() <= kMostOfByte) return narrow_codes<std::int8_t>(words);
  if (words.words().size() <= kMostOfTwo) return narrow_codes<std::int16_t>(words);
  return narrow_codes<std::int32_t>(words);
}

/// Makes what a column of a data frame is made of.
struct ToColumn {
  py::module_ pandas = py::module_::import("pandas");

  py::object operator()(std::vector<std::int64_t>&& counts) const { return array_on(std::move(counts)); }
  py::object operator()(std::vector<double>&& numbers) const { return array_on(std::move(numbers)); }
  py::object operator()(std::vector<std::optional<bool>>&& truths) const {
    const bool has_all = std::ranges::all_of(truths, [](const auto& truth) { return truth.has_value(); });
    return pandas.attr("array")(py::cast(truths), has_all ? "bool" : "boolean");
  }
  py::object operator()(std::vector<std::optional<std::string>>&& texts) const {
    return pandas.attr("Series")(py::cast(texts), py::none(), "object");
  }
  py::object operator()(WordCodes&& words) const {
    return pandas.attr("Categorical").attr("from_codes")(codes_of(words), words.words());
  }
};

}  // namespace

py::object to_pandas(Frame frame) {
  const ToColumn to_column;
  py::dict columns;
  for (FrameColumn& column : frame)
    columns[py::str(column.name)] = std::visit(to_column, std::move(column.values));
  return to_column.pandas.attr("DataFrame")(columns, py::arg("copy") = false);
}

}  // namespace stockout
