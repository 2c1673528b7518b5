#include "models/scenario/workload/recorded_names.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/workload/readers/speed_text.h"
#include "sim/core/unknown_name.h"

namespace stockout {
namespace {

// Of "names": what every name means that is not listed.
constexpr const char* kAnyOther = "*";

// The first row that has each word of a column; no row for words that only dropped rows have.
constexpr auto kNoRow = std::numeric_limits<std::uint64_t>::max();
std::vector<std::uint64_t> first_rows(const Trace& trace, const WordColumn& column) {
  std::vector<std::uint64_t> first(column.names.size(), kNoRow);
  for (std::size_t job = 0; job < column.codes.size(); ++job)
    first[column.codes[job]] = std::min(first[column.codes[job]], trace.row[job]);
  return first;
}

// Reads the words of one trace.
class NameReader {
 public:
  NameReader(Draft& draft, const SourceTerms& source, const Node& node, const Trace& trace)
      : draft_{draft}, source_{source}, node_{node}, trace_{trace} {
    if (!node.has("names")) return;
    for (const auto& [name, value] : node.at("names").entries()) {
      check_meaning(value);
      means_.emplace(name, value.as_text());
    }
  }

  std::vector<RecordedPlace> read(const WordColumn& column, bool are_machines) {
    const std::vector<std::uint64_t> rows = first_rows(trace_, column);
    std::vector<RecordedPlace> places(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i] == kNoRow || column.names[i].empty()) continue;
      const std::string said_in = fmt::format("data row {} of {}: ", rows[i] + 1, trace_.file);
      places[i] = are_machines ? machine_of(column.names[i], said_in) : gpus_of(column.names[i], said_in);
    }
    return places;
  }

  void warn() const {
    for (const auto& [name, meaning] : means_) {
      if (!used_.contains(name))
        draft_.warn(fmt::format("{}: no job of the file has \"{}\" of \"names\"", source_.name, name));
    }
    if (unknown_.empty()) return;
    draft_.warn(fmt::format(
        "{}: jobs that the file has on {} are taken to run on {}, as the catalogue has no "
        "such type",
        source_.name, fmt::join(unknown_, ", "), source_.machine.empty() ? source_.gpu : source_.machine));
  }

 private:
  [[nodiscard]] bool is_gpu(const std::string& name) const {
    return draft_.catalog.find_gpu(name).has_value();
  }

  void check_meaning(const Node& value) const {
    const std::string name = value.as_text();
    if (is_gpu(name) || draft_.catalog.find_machine(name)) return;
    std::vector<std::string> known = draft_.catalog.machine_names();
    known.insert(known.end(), draft_.catalog.gpu_types().begin(), draft_.catalog.gpu_types().end());
    value.fail(unknown_name("machine or GPU type", name, known));
  }

  // As the catalogue calls it; nothing where it is left to the source.
  std::optional<std::string> meaning(const std::string& name) {
    auto found = means_.find(name);
    if (found == means_.end()) found = means_.find(kAnyOther);
    if (found == means_.end()) return std::nullopt;
    used_.insert(found->first);
    return found->second;
  }

  [[nodiscard]] bool gives_way(const std::string& name) {
    if (source_.machine.empty() && source_.gpu.empty()) return false;
    unknown_.insert(name);
    return true;
  }

  [[nodiscard]] const std::string& gpu_of_machine(const std::string& name) const {
    return draft_.catalog.gpu_name(draft_.catalog.machine(*draft_.catalog.find_machine(name)).gpu);
  }

  [[nodiscard]] static SaidOfName said(const std::string& in, const std::string& name) {
    return {.in = in,
            .cure = fmt::format("Say which type it is with \"names\": {{\"{}\": \"...\"}} of the trace, or "
                                "with \"machine\" of the source",
                                name)};
  }

  RecordedPlace machine_of(const std::string& name, const std::string& said_in) {
    const auto meant = meaning(name);
    const std::string& known = meant ? *meant : name;
    if (is_gpu(known)) return {.gpu = known, .machine = {}};
    if (draft_.catalog.find_machine(known)) return {.gpu = {}, .machine = known};
    if (gives_way(name)) return {};
    static_cast<void>(find_machine(draft_, node_, name, said(said_in, name)));
    return {};
  }

  RecordedPlace gpus_of(const std::string& words, const std::string& said_in) {
    const auto types = parse_gpu_types(words);
    std::vector<std::string> meant_types;
    for (const std::string& name : *types) {
      const auto meant = meaning(name);
      const std::string& known = meant ? *meant : name;
      const bool is_machine = meant && !is_gpu(known);
      if (!is_machine && !is_gpu(known)) {
        if (gives_way(name)) return {};
        check_gpu(draft_, node_, name, said(said_in, name));
      }
      if (is_machine && types->size() == 1) return {.gpu = {}, .machine = known};
      const std::string& type = is_machine ? gpu_of_machine(known) : known;
      if (std::ranges::find(meant_types, type) == meant_types.end()) meant_types.push_back(type);
    }
    return {.gpu = fmt::format("{}", fmt::join(meant_types, "|")), .machine = {}};
  }

  Draft& draft_;
  const SourceTerms& source_;
  const Node& node_;
  const Trace& trace_;
  std::map<std::string, std::string> means_;
  std::set<std::string> used_;
  std::set<std::string> unknown_;  // that gave way to the source's own
};

}  // namespace

RecordedNames::RecordedNames(Draft& draft, const SourceTerms& source, const Node& node, const Trace& trace)
    : trace_{trace} {
  NameReader reader{draft, source, node, trace};
  machines_ = reader.read(trace.machine, true);
  gpus_ = reader.read(trace.gpu, false);
  reader.warn();
}

// The column of machines goes first, as it says more.
RecordedPlace RecordedNames::at(std::size_t job) const {
  RecordedPlace place = trace_.gpu.empty() ? RecordedPlace{} : gpus_[trace_.gpu.codes[job]];
  if (trace_.machine.empty()) return place;
  const RecordedPlace& machine = machines_[trace_.machine.codes[job]];
  if (!machine.machine.empty()) place.machine = machine.machine;
  if (place.gpu.empty() && place.machine.empty()) place.gpu = machine.gpu;
  return place;
}

}  // namespace stockout
