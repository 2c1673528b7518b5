#include "models/workload/recorded_types.h"

#include <algorithm>
#include <map>

#include "models/workload/readers/speed_text.h"

namespace stockout {
namespace {

std::vector<std::uint64_t> jobs_by_word(const WordColumn& column) {
  std::vector<std::uint64_t> jobs(column.names.size());
  for (const std::uint32_t code : column.codes) ++jobs[code];
  return jobs;
}

void append(std::vector<RecordedType>& types, std::vector<RecordedType>&& more) {
  std::ranges::stable_sort(more, std::ranges::greater{}, &RecordedType::jobs);
  types.insert(types.end(), more.begin(), more.end());
}

}  // namespace

std::vector<RecordedType> recorded_types(const Trace& trace, const Catalog& catalog) {
  std::map<std::string, std::uint64_t> gpus;
  const auto jobs_by_gpus = jobs_by_word(trace.gpu);
  for (std::size_t i = 0; i < jobs_by_gpus.size(); ++i) {
    if (jobs_by_gpus[i] == 0 || trace.gpu.names[i].empty()) continue;
    const auto names = parse_gpu_types(trace.gpu.names[i]);
    for (const std::string& name : *names) gpus[name] += jobs_by_gpus[i];
  }
  std::vector<RecordedType> of_gpus;
  for (const auto& [name, jobs] : gpus)
    of_gpus.push_back({.name = name, .jobs = jobs, .is_in_catalog = catalog.find_gpu(name).has_value()});
  std::vector<RecordedType> of_machines;
  const auto jobs_by_machine = jobs_by_word(trace.machine);
  for (std::size_t i = 0; i < jobs_by_machine.size(); ++i) {
    const std::string& name = trace.machine.names[i];
    if (jobs_by_machine[i] == 0 || name.empty()) continue;
    of_machines.push_back({.name = name,
                           .is_machine = true,
                           .jobs = jobs_by_machine[i],
                           .is_in_catalog = catalog.find_machine(name).has_value()});
  }
  std::vector<RecordedType> types;
  append(types, std::move(of_gpus));
  append(types, std::move(of_machines));
  return types;
}

}  // namespace stockout
