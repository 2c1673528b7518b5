#include "models/workload/readers/fitting_formats.h"

#include <algorithm>
#include <array>
#include <span>

#include "models/workload/readers/near_format.h"
#include "models/workload/readers/trace_formats.h"
#include "sim/core/error.h"
#include "sim/io/csv_reader.h"
#include "sim/io/json_items.h"
#include "sim/io/line_reader.h"
#include "sim/io/number.h"

namespace stockout {
namespace {

constexpr std::string_view kBlanks = " \t";
constexpr std::size_t kMostOtherItems = 1000;  // of other kinds, before the first job of a list

// The first line with something on it, or "".
std::string first_line(const std::string& path) {
  LineReader lines{path};
  std::string_view line;
  while (lines.next(line)) {
    if (line.find_first_not_of(kBlanks) != std::string_view::npos) return std::string{line};
  }
  return {};
}

bool fits_swf(const TraceHead& head) {
  constexpr std::size_t kSwfFields = 18;
  if (head.line.starts_with(';')) return true;
  std::string_view line = head.line;
  std::size_t numbers = 0;
  while (true) {
    line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
    if (line.empty()) return false;
    const std::string_view word = line.substr(0, line.find_first_of(kBlanks));
    std::int64_t ignored = 0;
    if (parse_scaled(word, 1, 1, ignored) != std::errc{}) return false;
    line.remove_prefix(word.size());
    if (++numbers == kSwfFields) return true;
  }
}

bool fits_csv(const TraceHead& head) {
  return head.has({"submit", "duration"}) || head.has({"submit", "start", "end"});
}

bool fits_philly(const TraceHead& head) { return head.has({"timestamp", "duration", "num_gpus", "cluster"}); }

bool fits_gaia(const TraceHead& head) { return head.has({"arrival_time", "length", "cpus"}); }

// Its reader says which columns are missing.
bool fits_sacct(const TraceHead& head) {
  const std::string bars = '|' + head.line + '|';
  const auto known =
      std::ranges::count_if(std::array{"|JobIDRaw|", "|JobID|", "|State|", "|Submit|", "|Start|", "|End|"},
                            [&](const char* name) { return bars.find(name) != std::string::npos; });
  constexpr int kEnough = 2;
  return known >= kEnough;
}

bool fits_helios(const TraceHead& head) { return head.has({"job_id", "vc", "gpu_num", "submit_time"}); }

bool fits_openb(const TraceHead& head) { return head.has({"num_gpu", "pod_phase", "creation_time"}); }

bool is_pai_status(std::string_view word) {
  return word == "Terminated" || word == "Failed" || word == "Running" || word == "Waiting";
}

bool fits_pai(const TraceHead& head) {
  constexpr std::size_t kPaiColumns = 10;
  if (head.has({"task_name", "inst_num", "plan_gpu"})) return true;
  return head.fields.size() == kPaiColumns && is_pai_status(head.fields[3]);
}

bool fits_eagle(const TraceHead& head) { return head.has({"wallclock_req", "gpus_req", "submit_time"}); }

bool fits_vertex(const TraceHead& head) {
  return head.item.find("jobSpec") != nullptr || head.item.find("trialJobSpec") != nullptr;
}

bool is_of_kind(const TraceHead& head, std::string_view kind) {
  const JsonValue* const value = head.item.find("kind");
  const auto* const text = value == nullptr ? nullptr : value->get<std::string>();
  return text != nullptr && *text == kind;
}

bool fits_kueue(const TraceHead& head) { return is_of_kind(head, "Workload"); }

bool fits_kubernetes(const TraceHead& head) { return is_of_kind(head, "Job"); }

// Other files of the same sources, which people try.
void refuse_without_jobs(const TraceHead& head, const std::string& path) {
  if (head.item.find("specificReservation") != nullptr || head.item.find("plan") != nullptr) {
    throw InputError{{.file = path, .line = head.item.line},
                     "is a list of reservations or commitments, and holds no jobs: `stockout reservations "
                     "import` reads it, and `stockout init --from` beside a history"};
  }
  constexpr std::size_t kPaiJobColumns = 6;
  if (head.has({"total_job_num", "pending_job_num"})) {
    throw InputError{{.file = path, .line = 1},
                     "is a series of counts by the minute, as Helios has them, and holds no jobs"};
  }
  if (head.has({"job_name", "inst_id", "status"}) ||
      (head.fields.size() == kPaiJobColumns && is_pai_status(head.fields[3]))) {
    throw InputError{{.file = path, .line = 1},
                     "is PAI's table of jobs, which has no GPUs: pai_task_table.csv has them"};
  }
}

TraceHead head_of(const std::string& path) {
  TraceHead head{.is_json = begins_as_json(path)};
  if (head.is_json) {
    std::size_t items = 0;
    for_each_json_item(path, [&](const JsonValue& item) {
      const TraceHead here{.is_json = true, .item = item};
      const bool is_of_format = fits_vertex(here) || fits_kueue(here) || fits_kubernetes(here);
      if (!head.has_item || is_of_format) head.item = item;
      head.has_item = true;
      return !is_of_format && ++items < kMostOtherItems;
    });
    return head;
  }
  head.line = first_line(path);
  if (fits_swf(head) || fits_sacct(head)) return head;
  CsvReader csv{path};
  if (csv.next()) head.fields.assign(csv.fields().begin(), csv.fields().end());
  return head;
}

}  // namespace

bool TraceHead::has(std::initializer_list<std::string_view> names) const {
  return std::ranges::all_of(
      names, [&](std::string_view name) { return std::ranges::find(fields, name) != fields.end(); });
}

const std::array<TraceFormatSpec, kTraceFormatNames.size()>& trace_format_specs() {
  static constexpr std::array<TraceFormatSpec, kTraceFormatNames.size()> kSpecs{{
      {fits_csv, read_csv_trace},
      {fits_swf, read_swf_trace},
      {fits_philly, read_philly_trace},
      {fits_gaia, read_gaia_seconds_trace},
      {fits_gaia, read_gaia_hours_trace},
      {fits_sacct, read_sacct_trace},
      {fits_helios, read_helios_trace},
      {fits_openb, read_openb_trace},
      {fits_pai, read_pai_trace},
      {fits_eagle, read_eagle_trace},
      {fits_vertex, read_vertex_trace},
      {fits_kueue, read_kueue_trace},
      {fits_kubernetes, read_kubernetes_trace},
  }};
  return kSpecs;
}

std::string like_which_format(const std::string& path) { return near_format(head_of(path)); }

std::vector<TraceFormat> fitting_formats(const std::string& path) {
  const TraceHead head = head_of(path);
  refuse_without_jobs(head, path);
  std::vector<TraceFormat> fitting;
  const auto& specs = trace_format_specs();
  for (std::size_t format = 0; format < specs.size(); ++format) {
    if (specs[format].fits(head)) fitting.push_back(static_cast<TraceFormat>(format));
  }
  return fitting;
}

}  // namespace stockout
