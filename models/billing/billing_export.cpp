#include "models/billing/billing_export.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "models/billing/billing_rows.h"
#include "sim/core/counted.h"
#include "sim/core/error.h"

namespace stockout {
namespace {

constexpr double kDearestUsd = 1e6;  // USD per machine-hour: the most that a planner's price may be

struct Sum {
  double gpu_hours = 0;
  double whole_hours = 0;
  double usd = 0;
};

class Export {
 public:
  Export(const std::string& path, BillingFormat format, const Catalog& catalog, std::optional<double> per_usd)
      : rows_{path, format, catalog, per_usd}, catalog_{catalog}, per_usd_{per_usd} {}

  BillingExport read() {
    while (const BillingRow* row = rows_.next()) add(*row);
    for (const auto& [key, sum] : sums_) add_price(key, sum);
    if (result_.prices.empty()) fail_empty();
    if (per_usd_ && std::ranges::count(rows_.rates(), true, &UsedRate::is_told) == 0)
      throw InputError{{.file = rows_.path()},
                       "needs no --usd-rate: its charges are in USD, or say their rate. Leave it out"};
    result_.skipped = std::move(rows_.skipped());
    result_.rates = std::move(rows_.rates());
    return std::move(result_);
  }

 private:
  using Key = std::tuple<MachineId, std::string, PriceModel>;

  void note_time(std::string_view start) {
    if (start.empty()) return;
    if (result_.first.empty() || start < result_.first) result_.first = start;
    if (start > result_.last) result_.last = start;
  }

  void add(const BillingRow& row) {
    note_time(row.start);
    Sum& sum = sums_[{row.machine, std::string{row.region}, row.model}];
    sum.usd += row.usd;
    if (row.piece == BilledPiece::gpu) sum.gpu_hours += row.hours;
    if (row.piece == BilledPiece::whole) sum.whole_hours += row.hours;
  }

  void add_price(const Key& key, const Sum& sum) {
    const auto& [machine, region, model] = key;
    const double gpus = static_cast<double>(catalog_.machine(machine).gpus.count());
    const double hours = sum.gpu_hours > 0 ? sum.gpu_hours / gpus : sum.whole_hours;
    if (hours <= 0) return rows_.skip("parts of machines without GPU hours", sum.usd);
    if (sum.usd < 0) return rows_.skip("credits above the cost", sum.usd);
    if (sum.usd / hours > kDearestUsd) return rows_.skip("above $1,000,000 an hour", sum.usd);
    result_.prices.push_back(
        {.machine = machine, .region = region, .model = model, .machine_hours = hours, .usd = sum.usd});
  }

  [[noreturn]] void fail_empty() {
    std::string reasons;
    for (const SkippedCharges& skipped : rows_.skipped()) {
      reasons +=
          fmt::format("{}{} ({})", reasons.empty() ? "" : "; ", skipped.reason, counted(skipped.rows, "row"));
    }
    throw InputError{{.file = rows_.path()},
                     "holds no price of a machine: " + (reasons.empty() ? "it has no rows" : reasons)};
  }

  BillingRows rows_;
  const Catalog& catalog_;
  std::optional<double> per_usd_;
  std::map<Key, Sum> sums_;
  BillingExport result_;
};

}  // namespace

BillingExport read_billing_export(const std::string& path, BillingFormat format, const Catalog& catalog,
                                  std::optional<double> per_usd) {
  return Export{path, format, catalog, per_usd}.read();
}

}  // namespace stockout
