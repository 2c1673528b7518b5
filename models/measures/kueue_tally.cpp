#include "models/measures/kueue_tally.h"

#include <set>

#include "sim/core/hours.h"

namespace stockout {
namespace {

void add_gpus(std::set<std::size_t>& gpus, const World& world, const Candidate& candidate) {
  for (const Part& part : candidate.parts) {
    if (part.machines > 0) gpus.insert(index(world.machines[index(part.machine)].gpu));
  }
}

bool is_of_one_gpu_type(const World& world, const Strategy& strategy) {
  std::set<std::size_t> gpus;
  for (const Leg& leg : strategy.legs) {
    for (const auto& places : leg.candidates) {
      for (const Candidate& candidate : places) add_gpus(gpus, world, candidate);
    }
  }
  return gpus.size() <= 1;
}

void add(KueueQueueTotals& sum, const KueueQueueTotals& one) {
  sum.admitted += one.admitted;
  sum.held += one.held;
  sum.borrowed += one.borrowed;
}

void fill(Values& values, const KueueQueueTotals& totals, bool has_hours) {
  values.set(Measure::kueue_admitted, static_cast<double>(totals.admitted));
  if (!has_hours) return;
  values.set(Measure::kueue_held, to_hours(totals.held));
  values.set(Measure::kueue_borrowed, to_hours(totals.borrowed));
}

}  // namespace

// The last row is of capacity that nobody used.
void fill_kueue(Measures& measures, const RunRecord& record, const Strategy& strategy,
                const GroupRows& places) {
  if (record.kueue_queues.empty()) return;
  const bool has_rows = is_by_queues(places.by());
  KueueQueueTotals total;
  std::vector<KueueQueueTotals> rows(has_rows ? measures.groups.size() - 1 : 0);
  for (const auto& [queue, totals] : record.kueue_queues) {
    add(total, totals);
    if (has_rows) add(rows[places.of_queue(queue)], totals);
  }
  const bool has_hours = is_of_one_gpu_type(places.world(), strategy);
  fill(measures.total, total, has_hours);
  for (std::size_t i = 0; i < rows.size(); ++i) fill(measures.groups[i], rows[i], has_hours);
}

}  // namespace stockout
