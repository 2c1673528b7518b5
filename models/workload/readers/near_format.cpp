#include "models/workload/readers/near_format.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/workload/readers/sacct_header.h"
#include "sim/io/line_reader.h"

namespace stockout {
namespace {

using Names = std::vector<std::string_view>;

// The columns without which a file is none of a format; empty ones are none.
struct NeededColumns {
  std::string_view format;
  std::array<std::string_view, 4> names;
};

constexpr std::array kNeeded{
    NeededColumns{"csv", {"submit", "duration"}},
    NeededColumns{"csv", {"submit", "start", "end"}},
    NeededColumns{"philly", {"timestamp", "duration", "num_gpus", "cluster"}},
    NeededColumns{"gaia", {"arrival_time", "length", "cpus"}},
    NeededColumns{"helios", {"job_id", "vc", "gpu_num", "submit_time"}},
    NeededColumns{"openb", {"num_gpu", "pod_phase", "creation_time"}},
    NeededColumns{"pai", {"task_name", "inst_num", "plan_gpu"}},
    NeededColumns{"eagle", {"wallclock_req", "gpus_req", "submit_time"}},
};

// Of these some are in every export of sacct, and in no other table.
constexpr std::array<std::string_view, 4> kOfSacctOnly{"JobID", "JobIDRaw", "AllocTRES", "ReqTRES"};
constexpr std::array<std::string_view, 4> kOfSacct{"State", "Submit", "Start", "End"};

std::string in_small_letters(std::string_view text) {
  std::string small{text};
  std::ranges::transform(small, small.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return small;
}

bool holds(const Names& names, std::string_view name) { return std::ranges::count(names, name) > 0; }

Names words_between(std::string_view line, std::string_view separators) {
  Names words;
  while (!line.empty()) {
    line.remove_prefix(std::min(line.find_first_not_of(separators), line.size()));
    const std::string_view word = line.substr(0, line.find_first_of(separators));
    if (!word.empty()) words.push_back(word);
    line.remove_prefix(word.size());
  }
  return words;
}

std::size_t count_of(const NeededColumns& columns) {
  return columns.names.size() - static_cast<std::size_t>(std::ranges::count(columns.names, ""));
}

Names missing_of(const NeededColumns& columns, const Names& names) {
  Names missing;
  for (const std::string_view name : columns.names) {
    if (!name.empty() && !holds(names, name)) missing.push_back(name);
  }
  return missing;
}

// What the format lacks that lacks the smallest part of its columns, if it has at least half of them.
std::string nearest_table(const Names& names) {
  const NeededColumns* nearest = nullptr;
  Names lacking;
  for (const NeededColumns& one : kNeeded) {
    const Names missing = missing_of(one, names);
    if (missing.size() * 2 > count_of(one)) continue;
    if (nearest != nullptr && missing.size() * count_of(*nearest) >= lacking.size() * count_of(one)) continue;
    nearest = &one;
    lacking = missing;
  }
  if (nearest == nullptr) return {};
  if (lacking.empty()) return fmt::format("has the columns of the format {}", nearest->format);
  if (nearest->format == "csv" && holds(names, "submit")) {
    return "has a column \"submit\", but for the format csv it lacks \"duration\", or else \"start\" and \"end\"";
  }
  return fmt::format("is nearest to the format {}, but lacks the columns {}", nearest->format,
                     fmt::join(lacking, ", "));
}

// A comma where a bar is wanted, or columns of a fixed width.
std::string near_sacct(std::string_view line) {
  const Names names = words_between(line, "|,;\t ");
  const auto is_there = [&](std::string_view name) { return holds(names, name); };
  constexpr int kEnough = 2;
  if (std::ranges::none_of(kOfSacctOnly, is_there) || std::ranges::count_if(kOfSacct, is_there) < kEnough)
    return {};
  return "has columns of sacct, but with something else than a | alone between them: write it "
         "with sacct --parsable2";
}

std::string near_table(const TraceHead& head) {
  if (head.fields.size() > 1) {
    std::string as_it_is = nearest_table({head.fields.begin(), head.fields.end()});
    if (!as_it_is.empty()) return as_it_is;
    std::vector<std::string> small;
    for (const std::string& field : head.fields) small.push_back(in_small_letters(field));
    const std::string in_small = nearest_table({small.begin(), small.end()});
    return in_small.empty() ? in_small
                            : in_small + ", if names are written in small letters, as they must be";
  }
  const Names words = words_between(head.line, ";\t");
  std::string split = words.size() > 1 ? nearest_table(words) : std::string{};
  if (split.empty()) return split;
  return split + fmt::format(", if {} are replaced by commas, which must stand between columns",
                             head.line.find(';') == std::string::npos ? "its tabs" : "its semicolons");
}

std::string near_list(const TraceHead& head) {
  constexpr const char* kCure =
      "`kubectl get jobs -A -o json` and `kubectl get workloads.kueue.x-k8s.io -A -o json` list jobs";
  const auto* const members = head.item.get<JsonValue::Members>();
  if (!head.has_item) {
    return "is an empty list: the command that wrote it found nothing. Ask it for the right project, region or "
           "namespace, and for jobs that have ended";
  }
  const JsonValue* const kind = head.item.find("kind");
  const auto* const text = kind == nullptr ? nullptr : kind->get<std::string>();
  if (text != nullptr)
    return fmt::format("is a list of objects of kind {}, not of jobs: {}", in_quotes(*text), kCure);
  if (members == nullptr) return "is a list, but not of objects such as jobs";
  return "is a list of objects without \"jobSpec\", \"trialJobSpec\" or \"kind\", so not of jobs of Vertex "
         "AI or Kubernetes";
}

}  // namespace

std::string near_format(const TraceHead& head) {
  if (head.is_json) return near_list(head);
  if (is_sacct_row(head.line)) return lacks_sacct_header();
  if (std::string sacct = near_sacct(head.line); !sacct.empty()) return sacct;
  return near_table(head);
}

}  // namespace stockout
