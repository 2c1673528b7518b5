#include "models/workload/readers/job_csv_header.h"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "sim/core/error.h"
#include "sim/core/unknown_name.h"
#include "sim/io/line_reader.h"

namespace stockout {
namespace {

constexpr auto kJobColumns = static_cast<std::size_t>(JobColumn::columns);

constexpr std::array<std::string_view, kJobColumns> kJobColumnNames{
    "submit",     "eligible",  "duration",   "gpus",  "nodes",      "gpus_per_node", "estimate",
    "deadline",   "max_wait",  "user",       "class", "gpu",        "machine",       "speed",
    "gpu_memory", "group",     "id",         "job",   "outcome",    "start",         "end",
    "team",       "partition", "dependency", "array", "array_limit"};

// What others plainly call the same.
struct OtherName {
  std::string_view name;
  JobColumn column;
};
constexpr std::array kOtherNames{
    OtherName{"gpu_count", JobColumn::gpus},         OtherName{"num_gpus", JobColumn::gpus},
    OtherName{"accelerator_count", JobColumn::gpus}, OtherName{"gpu_type", JobColumn::gpu},
    OtherName{"accelerator", JobColumn::gpu},        OtherName{"accelerator_type", JobColumn::gpu},
    OtherName{"machine_type", JobColumn::machine},   OtherName{"state", JobColumn::outcome},
    OtherName{"status", JobColumn::outcome},         OtherName{"username", JobColumn::user}};

std::string_view name_of(JobColumn column) { return kJobColumnNames[static_cast<std::size_t>(column)]; }

bool holds_word(std::string name, std::string_view word) {
  std::ranges::transform(name, name.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name.find(word) != std::string::npos;
}

}  // namespace

std::string column_text(JobColumn column) { return fmt::format("column \"{}\"", name_of(column)); }

JobCsvHeader::JobCsvHeader(const CsvReader& csv) {
  if (csv.fields().front().starts_with(';'))
    csv.fail("begins as the Standard Workload Format does, whose name here is swf");
  const auto names = [&](JobColumn column) {
    return std::ranges::find(csv.fields(), name_of(column)) != csv.fields().end();
  };
  is_record_ = names(JobColumn::start) || names(JobColumn::end);
  const std::vector<std::string> known{kJobColumnNames.begin(), kJobColumnNames.end()};
  at_ = find_columns(csv, known, "the format csv", &others_);
  take_other_names(csv);
  if (!is_record_ && !others_.empty()) {
    csv.fail(fmt::format("the format csv has no column {}{}", in_quotes(others_.front()),
                         suggest(others_.front(), known)));
  }
  check(csv);
  check_others(csv);
}

// Two names for one column are two things: which of them it is, the file does not say.
void JobCsvHeader::take_other_names(const CsvReader& csv) {
  const std::vector<std::size_t> named = at_;
  for (const OtherName& other : kOtherNames) {
    const auto column = static_cast<std::size_t>(other.column);
    const auto found = std::ranges::find(others_, other.name);
    if (found == others_.end() || named[column] != kNoColumn) continue;
    if (at_[column] != kNoColumn) {
      csv.fail(fmt::format("columns \"{}\" and \"{}\" may both be \"{}\": remove or rename one of them",
                           csv.fields()[at_[column]], other.name, name_of(other.column)));
    }
    if (std::ranges::count(csv.fields(), other.name) > 1)
      csv.fail(fmt::format("column \"{}\" comes twice", other.name));
    const auto place = std::ranges::find(csv.fields(), other.name);
    at_[column] = static_cast<std::size_t>(place - csv.fields().begin());
    others_.erase(found);
    renamed_.push_back(fmt::format("{} as {}", other.name, name_of(other.column)));
  }
}

void JobCsvHeader::check(const CsvReader& csv) {
  if (!has(JobColumn::submit)) csv.fail("column \"submit\" is missing");
  if (!has(JobColumn::duration) && !(has(JobColumn::start) && has(JobColumn::end)))
    csv.fail("column \"duration\" is missing, and so are \"start\" and \"end\"");
  if (has(JobColumn::dependency) && !has(JobColumn::id) && !has(JobColumn::job))
    csv.fail("column \"id\" is missing, by which \"dependency\" names other jobs");
  if (has(JobColumn::array_limit) && !has(JobColumn::array))
    csv.fail("column \"array\" is missing, of which \"array_limit\" is a limit");
  const bool has_nodes = has(JobColumn::nodes);
  const bool has_each = has(JobColumn::gpus_per_node);
  counts_gpus_ = has(JobColumn::gpus) || has_nodes || has_each || !is_record_;
  if (counts_gpus_ && (has(JobColumn::gpus) == has_nodes || has_nodes != has_each))
    csv.fail("either column \"gpus\" or columns \"nodes\" and \"gpus_per_node\" must be there");
}

// What a column is for can change every result: a job of 64 GPUs must not count as one of a single GPU.
void JobCsvHeader::check_others(const CsvReader& csv) const {
  const bool has_type = has(JobColumn::gpu) || has(JobColumn::machine);
  for (const std::string& name : others_) {
    const bool is_gpu = holds_word(name, "gpu") || holds_word(name, "accelerator");
    if (is_gpu && !counts_gpus_) {
      csv.fail(
          fmt::format("column {} is none of the format csv, and no other says how many GPUs a job has: call "
                      "the column \"gpus\" if it does, \"gpu\" if it names their type, or remove it",
                      in_quotes(name)));
    }
    if (holds_word(name, "machine") && !has_type) {
      csv.fail(
          fmt::format("column {} is none of the format csv: call it \"machine\" if it names machine types, "
                      "or remove it",
                      in_quotes(name)));
    }
  }
}

}  // namespace stockout
