#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "models/workload/trace_formats.h"
#include "sim/io/line_reader.h"
#include "sim/io/number.h"

namespace stockout {
namespace {

// Fields of the Standard Workload Format, version 2.2, counted from 0; the format's own text counts from 1.
// Unknown values are -1. Source: Parallel Workloads Archive, "The Standard Workload Format".
constexpr std::size_t kFields = 18;
struct Swf {
  enum Field : std::size_t {
    submit = 1,
    wait = 2,
    run_time = 3,
    used_procs = 4,
    asked_procs = 7,
    asked_time = 8,
    user = 11
  };
};

bool is_blank(char c) { return c == ' ' || c == '\t'; }

// Splits at blanks and returns how many fields there are, also beyond those that `fields` has room for.
std::size_t split(std::string_view line, std::array<std::string_view, kFields>& fields) {
  std::size_t count = 0;
  const char* at = line.data();
  const char* const end = at + line.size();
  while (true) {
    while (at != end && is_blank(*at)) ++at;
    if (at == end) return count;
    const char* const begin = at;
    while (at != end && !is_blank(*at)) ++at;
    if (count < kFields) fields[count] = {begin, static_cast<std::size_t>(at - begin)};
    ++count;
  }
}

// `; UnixStartTime: 1027839845` says when second 0 is. Values that are no positive number are in use for "not
// known".
void read_comment(std::string_view line, Trace& trace) {
  constexpr std::string_view kKey = "UnixStartTime:";
  line.remove_prefix(1);
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  if (!line.starts_with(kKey)) return;
  line.remove_prefix(kKey.size());
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  line = line.substr(0, line.find_first_of(" \t"));
  constexpr std::int64_t kYear10000 = 253'402'300'800;
  std::int64_t seconds = 0;
  if (parse_integer(line, seconds) != std::errc{} || seconds <= 0 || seconds >= kYear10000) return;
  trace.zero_ms = seconds * kSecond;
}

void read_row(const std::array<std::string_view, kFields>& row, TraceBuilder& builder,
              const TraceFields& fields) {
  const std::int64_t submit_ms = fields.signed_ms(row[Swf::submit], "field 2 (submit time)", kSecond);
  const SimDuration work = fields.signed_work(row[Swf::run_time], "field 4 (run time)", kSecond);
  const std::int64_t wait_ms = fields.signed_ms(row[Swf::wait], "field 3 (wait time)", kSecond);
  const std::int32_t used = fields.signed_count(row[Swf::used_procs], "field 5 (processors)", kMostJobGpus);
  const std::int32_t asked =
      fields.signed_count(row[Swf::asked_procs], "field 8 (processors asked for)", kMostJobGpus);
  const std::int64_t asked_ms = fields.signed_ms(row[Swf::asked_time], "field 9 (time asked for)", kSecond);
  const std::string_view user = row[Swf::user];
  const std::int32_t procs = used > 0 ? used : asked;
  if (!builder.keeps_user(user)) return;
  if (submit_ms < 0) return builder.drop("submit time is not known (field 2)");
  if (work <= SimDuration::zero()) return builder.drop("run time is zero or not known (field 4)");
  if (procs <= 0) return builder.drop("number of processors is zero or not known (fields 5 and 8)");
  builder.add(submit_ms, work, procs);
  builder.add_user(user);
  builder.columns().estimate.push_back(std::max(work, SimDuration{asked_ms}));
  builder.columns().recorded_wait.push_back(SimDuration{wait_ms < 0 ? -1 : wait_ms});
}

}  // namespace

void read_swf_trace(TraceBuilder& builder, TraceFields& fields) {
  LineReader lines{builder.columns().file};
  builder.reserve(lines.estimate_lines_left());
  std::array<std::string_view, kFields> row;
  std::string_view line;
  while (lines.next(line)) {
    if (line.starts_with(';')) {
      read_comment(line, builder.columns());
      continue;
    }
    const std::size_t count = split(line, row);
    if (count == 0) continue;
    if (count != kFields) {
      lines.fail(fmt::format("a job of the Standard Workload Format has {} fields, but this line has {}",
                             kFields, count));
    }
    builder.begin_row(lines.line_number());
    fields.at_line(lines.line_number());
    read_row(row, builder, fields);
  }
}

}  // namespace stockout
