#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <exception>
#include <string>

#include <fmt/format.h>

#include "sim/core/check.h"
#include "sim/core/error.h"
#include "tools/python/arguments.h"
#include "tools/python/functions.h"
#include "tools/python/to_pandas.h"
#include "tools/python/without_lock.h"

namespace stockout {
namespace {

namespace py = pybind11;

py::object to_python(FoundValue&& value) {
  if (Frame* frame = std::get_if<Frame>(&value)) return to_pandas(std::move(*frame));
  return std::visit(
      []<typename Plain>(const Plain& plain) -> py::object {
        if constexpr (std::is_same_v<Plain, Frame>) {
          return py::none();
        } else {
          return py::cast(plain);
        }
      },
      value);
}

template <typename Work>
py::dict find(const Work& work) {
  Found found = without_lock(work);
  py::dict by_name;
  for (auto& [name, value] : found) by_name[name] = to_python(std::move(value));
  return by_name;
}

py::dict compare_function(const py::dict& given) {
  const Arguments arguments{given};
  const ComparisonArguments asked = arguments.comparison();
  const std::string record = arguments.text("record");
  return find([&](const StopFlag& stop) { return found_by_compare(asked, record, stop); });
}

py::dict run_function(const py::dict& given) {
  const Arguments arguments{given};
  const RunRequest asked{.scenario = arguments.scenario(),
                         .strategy = arguments.text("strategy"),
                         .replication = arguments.whole("replication").value_or(0),
                         .by = arguments.by(),
                         .record = arguments.text("record")};
  return find([&](const StopFlag& stop) { return found_by_run(asked, stop); });
}

py::dict check_function(const py::dict& given) {
  const Arguments arguments{given};
  const CheckArguments asked{.scenario = arguments.scenario(),
                             .baseline = arguments.text("baseline"),
                             .tolerance = arguments.text("tolerance"),
                             .update = arguments.flag("update"),
                             .threads = arguments.threads()};
  return find([&](const StopFlag& stop) { return found_by_check(asked, stop); });
}

py::dict sweep_function(const py::dict& given) {
  const Arguments arguments{given};
  const SweepRequest asked{.file = arguments.text("sweep"),
                           .store = arguments.text("store"),
                           .catalog_dir = arguments.text("catalog"),
                           .price_files = arguments.texts("prices"),
                           .resume = arguments.flag("resume"),
                           .threads = arguments.threads()};
  return find([&](const StopFlag& stop) { return found_by_sweep(asked, stop); });
}

py::dict price_function(const py::dict& given) {
  const Arguments arguments{given};
  const PriceArguments asked{.record = arguments.text("record"),
                             .catalog_dir = arguments.text("catalog"),
                             .date = arguments.text("date"),
                             .prices = arguments.texts("prices"),
                             .break_even = arguments.flag("break_even")};
  return find([&](const StopFlag& /*stop*/) { return found_by_price(asked); });
}

py::dict trace_function(const py::dict& given) {
  constexpr std::uint64_t kMostCapacity = 1'000'000'000;
  const Arguments arguments{given};
  TraceArguments asked;
  asked.file = arguments.text("file");
  asked.format = arguments.text("format");
  asked.zone = arguments.text("zone");
  const auto capacity = static_cast<std::int64_t>(arguments.whole("capacity", 1, kMostCapacity).value_or(0));
  return find([&](const StopFlag& /*stop*/) { return found_by_trace(asked, capacity); });
}

// As stockout.Error, which is a class of the package.
void raise(const InputError& error) {
  const std::string place = error_place(error.where());
  const std::string message = std::string{error.what()}.substr(place.size());
  const SourceRef& where = error.where();
  const py::object kind = py::module_::import("stockout").attr("Error");
  const py::object value = kind(error.what(), where.file, where.pointer, where.line, message, error.others());
  ::PyErr_SetObject(kind.ptr(), value.ptr());
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): pybind11 wants a function of this type
void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const InputError& error) {
    raise(error);
  } catch (const InvariantError& error) {
    ::PyErr_SetString(
        PyExc_RuntimeError,
        fmt::format("internal error, please report it with the scenario: {}", error.what()).c_str());
  }
}

}  // namespace
}  // namespace stockout

// Each function does what the command of its name does, and gives what was found by name. What people call is
// in stockout/__init__.py.
PYBIND11_MODULE(_stockout, module) {
  pybind11::register_exception_translator(stockout::translate);
  module.attr("version") = STOCKOUT_VERSION;
  module.def("compare", stockout::compare_function);
  module.def("run", stockout::run_function);
  module.def("check", stockout::check_function);
  module.def("sweep", stockout::sweep_function);
  module.def("price", stockout::price_function);
  module.def("trace", stockout::trace_function);
}
