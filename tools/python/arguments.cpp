#include "tools/python/arguments.h"

#include <fmt/format.h>

#include "models/scenario/format/keys.h"
#include "sim/core/error.h"

namespace stockout {
namespace {

namespace py = pybind11;

constexpr std::uint64_t kMostThreads = 1024;

std::optional<std::uint64_t> read_whole(const py::handle& value) {
  if (::PyIndex_Check(value.ptr()) == 0) return std::nullopt;
  try {
    return value.cast<std::uint64_t>();
  } catch (const py::cast_error&) {  // negative, or larger
    return std::nullopt;
  }
}

template <typename Value>
std::optional<int> as_int(const std::optional<Value>& value) {
  return value ? std::optional{static_cast<int>(*value)} : std::nullopt;
}

}  // namespace

std::string Arguments::text(const char* name) const {
  const py::object value = given_[name];
  if (value.is_none()) return {};
  if (py::isinstance<py::str>(value)) return value.cast<std::string>();
  throw py::type_error{
      fmt::format("argument {} must be a text, but is {}", name, py::repr(value).cast<std::string>())};
}

std::vector<std::string> Arguments::texts(const char* name) const {
  return given_[name].cast<std::vector<std::string>>();
}

std::optional<std::uint64_t> Arguments::whole(const char* name, std::uint64_t least,
                                              std::uint64_t most) const {
  const py::object value = given_[name];
  if (value.is_none()) return std::nullopt;
  const std::optional<std::uint64_t> number = read_whole(value);
  if (number && *number >= least && *number <= most) return number;
  throw InputError{{.file = "command line", .pointer = fmt::format("--{}", name)},
                   fmt::format("must be a whole number from {} to {}, but is {}", least, most,
                               py::repr(value).cast<std::string>())};
}

int Arguments::threads() const { return as_int(whole("threads", 0, kMostThreads)).value_or(0); }

ScenarioArguments Arguments::scenario() const {
  ScenarioArguments arguments;
  arguments.file = text("scenario");
  arguments.sets = texts("set");
  arguments.catalog_dir = text("catalog");
  arguments.price_files = texts("prices");
  arguments.seed = whole("seed");
  if (given_.contains("replications"))
    arguments.replications = as_int(whole("replications", 1, static_cast<std::uint64_t>(kMostReplications)));
  return arguments;
}

ComparisonArguments Arguments::comparison() const {
  PrecisionArguments precision;
  precision.half_width = text("precision");
  precision.of = text("precision_of");
  precision.most =
      as_int(whole("most_replications", kFirstLook, static_cast<std::uint64_t>(kMostReplications)));
  precision.control_variates = flag("control_variates");
  if (!precision.half_width.empty() && whole("replications"))
    throw InputError{{.file = "command line", .pointer = "--precision"},
                     "excludes --replications: one of them says how often it is run"};
  return {.scenario = scenario(),
          .precision = precision,
          .by = by(),
          .threads = threads(),
          .assumptions = flag("assumptions"),
          .lower_bound = flag("lower_bound")};
}

GroupBy Arguments::by() const {
  return static_cast<GroupBy>(choose("--by", "grouping", text("by"), kGroupByNames));
}

}  // namespace stockout
