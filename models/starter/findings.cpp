#include "models/starter/findings.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "models/starter/market.h"
#include "models/workload/audit/trace_audit.h"
#include "models/workload/readers/speed_text.h"
#include "models/workload/recorded_waits.h"

namespace stockout {
namespace {

constexpr double kMsOfHour = 3'600'000;

double gpu_hours_of(const Trace& trace, std::size_t job) {
  return static_cast<double>(trace.work[job].count()) / kMsOfHour * trace.gpus[job];
}

void most_first(std::vector<FoundPart>& parts) {
  std::ranges::stable_sort(parts, std::greater{}, &FoundPart::gpu_hours);
}

std::vector<FoundPart> parts_by(const Trace& trace, const WordColumn& column) {
  if (column.empty()) return {};
  std::vector<FoundPart> all(column.names.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i].name = column.names[i];
  for (std::size_t job = 0; job < trace.size(); ++job) {
    FoundPart& part = all[column.codes[job]];
    ++part.jobs;
    part.gpu_hours += gpu_hours_of(trace, job);
  }
  std::erase_if(all, [](const FoundPart& part) { return part.jobs == 0 || part.name.empty(); });
  most_first(all);
  return all;
}

// The machine says more than the GPU; of several GPU types the first is the one that was measured.
std::string type_name(const Trace& trace, std::size_t job, const Catalog& catalog) {
  if (!trace.machine.empty() && catalog.find_machine(trace.machine.at(job))) return trace.machine.at(job);
  if (!trace.gpu.empty()) return trace.gpu.at(job);
  return {};
}

// A job that insists on such a machine can be bought by every strategy.
bool is_sold_in_all_ways(const Catalog& catalog, const std::string& name) {
  const MachineType& machine = catalog.machine(*catalog.find_machine(name));
  const GpuMarket market = market_of(catalog, catalog.gpu_name(machine.gpu), {});
  return market.family == machine.family && market.machine == name && market.on_demand && market.spot &&
         market.flex_start;
}

// Every name that is to be explained.
std::vector<TypeGuess> types_of(const Trace& trace, const Catalog& catalog, std::span<const KnownGpu> known) {
  std::set<std::string> names;
  for (std::size_t job = 0; job < trace.size(); ++job) {
    if (!trace.machine.empty() && !trace.machine.at(job).empty()) names.insert(trace.machine.at(job));
    if (trace.gpu.empty()) continue;
    if (const auto types = parse_gpu_types(trace.gpu.at(job))) names.insert(types->begin(), types->end());
  }
  std::vector<TypeGuess> types;
  for (const std::string& name : names) {
    const bool is_machine = !trace.machine.empty() && std::ranges::count(trace.machine.names, name) > 0;
    if (is_machine && !catalog.find_machine(name)) continue;  // its row's GPU type, or the source's, counts
    if (is_machine && is_sold_in_all_ways(catalog, name)) continue;
    types.push_back(guess_type(catalog, name, known));
  }
  return types;
}

std::vector<std::string> places_of(const Trace& trace, const Catalog& catalog) {
  std::vector<std::string> places;
  for (const FoundPart& part : parts_by(trace, trace.partition)) {
    if (catalog.find_place(part.name) != nullptr) places.push_back(part.name);
  }
  return places;
}

void add_remarks(FoundHistory& history, const Trace& trace) {
  std::vector<std::string>& remarks = history.remarks;
  for (const DroppedRows& dropped : trace.dropped) {
    remarks.push_back(fmt::format(
        "{}: {}", dropped.is_broken ? "broken rows, which were left out" : "rows that are no jobs",
        text_of(dropped)));
  }
  for (const AuditFinding& finding : audit_trace(trace).findings) {
    if (finding.grade < AuditGrade::look) continue;
    remarks.push_back(fmt::format("audit, {}: {}: {}",
                                  kAuditGradeNames[static_cast<std::size_t>(finding.grade)], finding.check,
                                  finding.text));
    if (finding.grade == AuditGrade::unfit)
      history.unfit.push_back(fmt::format("{}: {}", finding.check, finding.text));
  }
}

// GPUs in use by one type over time.
class Use {
 public:
  void add(std::int64_t from_ms, std::int64_t to_ms, std::int32_t gpus) {
    changes_.emplace_back(from_ms, gpus);
    changes_.emplace_back(to_ms, -gpus);
  }
  // Ends go before starts of the same instant.
  [[nodiscard]] std::int64_t peak() {
    std::ranges::sort(changes_);
    std::int64_t used = 0;
    std::int64_t most = 0;
    for (const auto& [at, gpus] : changes_) most = std::max(most, used += gpus);
    return most;
  }

 private:
  std::vector<std::pair<std::int64_t, std::int32_t>> changes_;
};

GpuDemand& demand_for(Findings& findings, const std::string& gpu) {
  const auto found = std::ranges::find(findings.gpus, gpu, &GpuDemand::gpu);
  if (found != findings.gpus.end()) return *found;
  return findings.gpus.emplace_back(GpuDemand{.gpu = gpu});
}

void add_demand(Findings& findings, const Trace& trace, const Catalog& catalog,
                std::span<const KnownGpu> held) {
  std::map<std::string, std::string> gpus;  // by recorded name
  std::map<std::string, Use> uses;          // by GPU type
  std::int64_t last_end = std::numeric_limits<std::int64_t>::min();
  for (std::size_t job = 0; job < trace.size(); ++job) {
    const std::string names = type_name(trace, job, catalog);
    const std::string name = names.substr(0, names.find('|'));
    auto known = gpus.find(name);
    if (known == gpus.end()) known = gpus.emplace(name, guess_type(catalog, name, held).gpu).first;
    GpuDemand& demand = demand_for(findings, known->second);
    ++demand.jobs;
    demand.gpu_hours += gpu_hours_of(trace, job);
    demand.largest = std::max(demand.largest, trace.gpus[job]);
    demand.smallest = demand.smallest == 0 ? trace.gpus[job] : std::min(demand.smallest, trace.gpus[job]);
    const bool has_start = !trace.start_ms.empty() && trace.start_ms[job] != kUnknownMs;
    const std::int64_t from = has_start ? trace.start_ms[job] : trace.submit_ms[job];
    const std::int64_t to = from + trace.work[job].count();
    uses[known->second].add(from, to, trace.gpus[job]);
    last_end = std::max(last_end, to);
  }
  const std::int64_t end_ms = std::max(trace.submit_ms.back(), last_end);
  const double span_h = std::max(1.0, static_cast<double>(end_ms - trace.submit_ms.front()) / kMsOfHour);
  for (auto& [gpu, use] : uses) {
    GpuDemand& demand = demand_for(findings, gpu);
    demand.peak_gpus += use.peak();
    demand.mean_gpus = std::max(demand.mean_gpus, demand.gpu_hours / span_h);
  }
  // Types that jobs may have beside the first: their pools must be there too.
  for (const TypeGuess& type : findings.histories.back().types)
    static_cast<void>(demand_for(findings, type.gpu));
  std::ranges::stable_sort(findings.gpus, std::greater{}, &GpuDemand::gpu_hours);
}

bool has_no_gpus(TraceFormat format) {
  return format == TraceFormat::swf || format == TraceFormat::gaia_hours ||
         format == TraceFormat::gaia_seconds;
}

// Published traces are in the time of their site; empty: not such a one.
std::string zone_of_site(TraceFormat format) {
  if (format == TraceFormat::helios) return "Asia/Shanghai";
  return format == TraceFormat::eagle ? "America/Denver" : "";
}

void add_zone(FoundHistory& history, const Trace& trace, const std::string& said) {
  history.zone = zone_of_site(trace.format);
  if (!history.zone.empty()) return;
  history.zone = said.empty() ? "UTC" : said;
  history.is_zone_guessed = said.empty() && trace.has_local_times;
}

// The GPU types that a planner has for sure.
std::vector<KnownGpu> known_gpus(const Findings& findings, const Catalog& catalog) {
  std::vector<KnownGpu> known;
  const auto add = [&](const MachineType& machine, std::string_view where) {
    known.push_back({.gpu = std::string{catalog.gpu_name(machine.gpu)}, .where = where});
  };
  const auto add_listed = [&](const nlohmann::ordered_json& items) {
    for (const auto& item : items)
      add(catalog.machine(*catalog.find_machine(item.at("machine").get<std::string>())), "you hold");
  };
  if (findings.existing) {
    for (const auto& [key, items] : findings.existing->json.items()) add_listed(items);
    add_listed(findings.existing->begins_when);
  }
  for (const EffectivePrice& price : findings.prices)
    add(catalog.machine(price.machine), "you are charged for");
  return known;
}

}  // namespace

void add_history(Findings& findings, const Trace& trace, const std::string& zone, const Catalog& catalog) {
  FoundHistory history{.file = trace.file, .format = trace.format};
  const std::vector<KnownGpu> known = known_gpus(findings, catalog);
  add_zone(history, trace, zone);
  history.absolute = trace.absolute;
  history.first_ms = trace.submit_ms.front();
  history.last_ms = trace.submit_ms.back();
  history.jobs = trace.size();
  for (std::size_t job = 0; job < trace.size(); ++job) history.gpu_hours += gpu_hours_of(trace, job);
  history.users = parts_by(trace, trace.user).size();
  history.classes = parts_by(trace, trace.job_class);
  history.teams = parts_by(trace, trace.team);
  history.types = types_of(trace, catalog, known);
  history.places = places_of(trace, catalog);
  history.quiet_days = quiet_days_of(trace);
  add_remarks(history, trace);
  for (std::size_t job = 0; job < trace.size() && !history.has_unnamed; ++job)
    history.has_unnamed = type_name(trace, job, catalog).empty();
  history.counts_processors = has_no_gpus(trace.format);
  history.assumes_one_gpu = trace.assumes_one_gpu;
  if (const RecordedWaits waits = waits_of_all(trace); waits.known > 0) history.wait_p95 = waits.wait.p95;
  findings.histories.push_back(std::move(history));
  add_demand(findings, trace, catalog, known);
}

}  // namespace stockout
