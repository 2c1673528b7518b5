#include "models/workload/trace_links.h"

#include <algorithm>
#include <array>
#include <utility>

namespace stockout {
namespace {

using Kind = JobLink::Kind;
constexpr std::array<std::pair<std::string_view, Kind>, 4> kKinds{{{"after", Kind::after},
                                                                   {"afterany", Kind::after_any},
                                                                   {"afterok", Kind::after_ok},
                                                                   {"afternotok", Kind::after_not}}};

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (std::size_t stop = text.find(at); stop != std::string_view::npos; stop = text.find(at)) {
    parts.push_back(text.substr(0, stop));
    text.remove_prefix(stop + 1);
  }
  parts.push_back(text);
  return parts;
}

std::optional<Kind> kind_of(std::string_view word) {
  const auto* const found = std::ranges::find(kKinds, word, &std::pair<std::string_view, Kind>::first);
  return found == kKinds.end() ? std::nullopt : std::optional{found->second};
}

bool is_name(std::string_view word) {
  constexpr std::array<std::string_view, 2> kOtherForms{"singleton", "aftercorr"};
  return !word.empty() && word.find_first_of("+?* ") == std::string_view::npos && !kind_of(word) &&
         std::ranges::find(kOtherForms, word) == kOtherForms.end();
}

}  // namespace

std::optional<std::vector<NamedDependency>> parse_dependencies(std::string_view text) {
  std::vector<NamedDependency> found;
  for (const std::string_view condition : split(text, ',')) {
    std::vector<std::string_view> words = split(condition, ':');
    Kind kind = Kind::after_any;
    if (words.size() > 1) {
      const auto read = kind_of(words.front());
      if (!read) return std::nullopt;
      kind = *read;
      words.erase(words.begin());
    }
    for (const std::string_view word : words) {
      if (!is_name(word)) return std::nullopt;
      found.push_back({.kind = kind, .on = std::string{word}});
    }
  }
  return found;
}

void TraceLinks::name(std::uint64_t row, std::string_view id) {
  if (!id.empty()) jobs_.try_emplace(std::string{id}, row);
}

void TraceLinks::add_task(std::uint64_t row, std::string_view array, std::uint32_t at_once) {
  if (array.empty()) return;
  std::vector<std::uint64_t>& rows = arrays_[std::string{array}];
  rows.push_back(row);
  tasks_.push_back({.row = row, .on = rows.front(), .kind = Kind::task_of, .at_once = at_once});
}

void TraceLinks::add(std::uint64_t row, const std::vector<NamedDependency>& dependencies) {
  for (const NamedDependency& each : dependencies) pending_.push_back({.row = row, .dependency = each});
}

std::vector<std::uint64_t> TraceLinks::rows_of(const std::string& name) const {
  if (const auto job = jobs_.find(name); job != jobs_.end()) return {job->second};
  const auto array = arrays_.find(name);
  return array == arrays_.end() ? std::vector<std::uint64_t>{} : array->second;
}

std::vector<JobLink> TraceLinks::links() const {
  std::vector<JobLink> links = tasks_;
  for (const Pending& each : pending_) {
    for (const std::uint64_t on : rows_of(each.dependency.on)) {
      links.push_back({.row = each.row, .on = on, .kind = each.dependency.kind});
    }
  }
  std::ranges::stable_sort(links, {}, &JobLink::row);
  return links;
}

std::uint64_t TraceLinks::unknown() const {
  return static_cast<std::uint64_t>(std::ranges::count_if(
      pending_, [&](const Pending& each) { return rows_of(each.dependency.on).empty(); }));
}

}  // namespace stockout
