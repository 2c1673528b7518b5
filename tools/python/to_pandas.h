#pragma once

#include <pybind11/pybind11.h>

#include "tools/python/frame.h"

namespace stockout {

/// The same as a pandas.DataFrame. Numbers stay where they are: each column is an array on their memory,
/// which lives as long as any array on it. Words become a category.
[[nodiscard]] pybind11::object to_pandas(Frame frame);

}  // namespace stockout
