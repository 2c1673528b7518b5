#include "models/workload/csv_columns.h"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "sim/core/error.h"
#include "sim/io/line_reader.h"

namespace stockout {
namespace {

constexpr auto kCsvColumns = static_cast<std::size_t>(CsvColumn::columns);

constexpr std::array<std::string_view, kCsvColumns> kCsvNames{
    "submit",     "eligible",  "duration",   "gpus",  "nodes",      "gpus_per_node", "estimate",
    "deadline",   "max_wait",  "user",       "class", "gpu",        "machine",       "speed",
    "gpu_memory", "group",     "id",         "job",   "outcome",    "start",         "end",
    "team",       "partition", "dependency", "array", "array_limit"};

// What others plainly call the same.
struct OtherName {
  std::string_view name;
  CsvColumn column;
};
constexpr std::array kOtherNames{
    OtherName{"gpu_count", CsvColumn::gpus},         OtherName{"num_gpus", CsvColumn::gpus},
    OtherName{"accelerator_count", CsvColumn::gpus}, OtherName{"gpu_type", CsvColumn::gpu},
    OtherName{"accelerator", CsvColumn::gpu},        OtherName{"accelerator_type", CsvColumn::gpu},
    OtherName{"machine_type", CsvColumn::machine},   OtherName{"state", CsvColumn::outcome},
    OtherName{"status", CsvColumn::outcome},         OtherName{"username", CsvColumn::user}};

std::string_view name_of(CsvColumn column) { return kCsvNames[static_cast<std::size_t>(column)]; }

bool holds_word(std::string name, std::string_view word) {
  std::ranges::transform(name, name.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name.find(word) != std::string::npos;
}

}  // namespace

std::string column_text(CsvColumn column) { return fmt::format("column \"{}\"", name_of(column)); }

CsvColumns::CsvColumns(const CsvReader& csv) {
  if (csv.fields().front().starts_with(';'))
    csv.fail("begins as the Standard Workload Format does, whose name here is swf");
  const auto names = [&](CsvColumn column) {
    return std::ranges::find(csv.fields(), name_of(column)) != csv.fields().end();
  };
  is_record_ = names(CsvColumn::start) || names(CsvColumn::end);
  const std::vector<std::string> known{kCsvNames.begin(), kCsvNames.end()};
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
void CsvColumns::take_other_names(const CsvReader& csv) {
  const std::vector<std::size_t> named = at_;
  for (const OtherName& other : kOtherNames) {
    const auto column = static_cast<std::size_t>(other.column);
    const auto found = std::ranges::find(others_, other.name);
    if (found == others_.end() || named[column] != kNoColumn) continue;
    if (at_[column] != kNoColumn) {
      csv.fail(fmt::format("columns \"{}\" and \"{}\" may both be \"{}\": remove or rename one of them",
                           csv.fields()[at_[column]], other.name, name_of(other.column)));
    }
    const auto place = std::ranges::find(csv.fields(), other.name);
    at_[column] = static_cast<std::size_t>(place - csv.fields().begin());
    others_.erase(found);
    renamed_.push_back(fmt::format("{} as {}", other.name, name_of(other.column)));
  }
}

void CsvColumns::check(const CsvReader& csv) {
  if (!has(CsvColumn::submit)) csv.fail("column \"submit\" is missing");
  if (!has(CsvColumn::duration) && !(has(CsvColumn::start) && has(CsvColumn::end)))
    csv.fail("column \"duration\" is missing, and so are \"start\" and \"end\"");
  if (has(CsvColumn::dependency) && !has(CsvColumn::id) && !has(CsvColumn::job))
    csv.fail("column \"id\" is missing, by which \"dependency\" names other jobs");
  if (has(CsvColumn::array_limit) && !has(CsvColumn::array))
    csv.fail("column \"array\" is missing, of which \"array_limit\" is a limit");
  const bool has_nodes = has(CsvColumn::nodes);
  const bool has_each = has(CsvColumn::gpus_per_node);
  counts_gpus_ = has(CsvColumn::gpus) || has_nodes || has_each || !is_record_;
  if (counts_gpus_ && (has(CsvColumn::gpus) == has_nodes || has_nodes != has_each))
    csv.fail("either column \"gpus\" or columns \"nodes\" and \"gpus_per_node\" must be there");
}

// What a column is for can change every result: a job of 64 GPUs must not count as one of a single GPU.
void CsvColumns::check_others(const CsvReader& csv) const {
  const bool has_type = has(CsvColumn::gpu) || has(CsvColumn::machine);
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
