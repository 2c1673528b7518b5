#include "models/recommend/purchase_store.h"

#include <cmath>
#include <variant>

#include <fmt/format.h>

#include "models/kept/number_list.h"
#include "models/kept/sealed_rows.h"
#include "sim/core/check.h"

namespace stockout {
namespace {

/// Goals as lists, and which of all values are bounds from below.
struct GoalLists {
  std::vector<double> met;
  std::vector<double> jobs;
  std::vector<double> at_least;  // places from 0: the measures in their order, then the goals
};

constexpr auto kRunsTable = plain_table(
    "runs", 2,  //
    field<&KeptRunPlace::purchase>("purchase", Whole{}, "a way to buy, from 0"),
    field<&KeptRunPlace::replication>("replication", Whole{}, "from 0"),
    field<&KeptRunPlace::way>("way", AnyText{}, "to buy, by its name"),
    field<&KeptRunPlace::world>("world", OrNone<AnyText>{}, "of --worlds that the replication is in"),
    field<&PurchaseRun::drew>("drew", Flag{}, "whether it drew a random number"),
    field<&PurchaseRun::runs_every_class>("runs_every_class", Flag{}, "of each class with jobs one started"),
    field<&GoalLists::met>("goals_met", NumberList{}, "by goal: the share of jobs; of a budget the cost"),
    field<&GoalLists::jobs>("goals_jobs", NumberList{}, "by goal: how many jobs it is about"),
    field<&GoalLists::at_least>("lower_bounds", NumberList{}, "places of values that are lower bounds"),
    kRowSeal);

constexpr auto kUndone =
    field<&PurchaseRun::undone_gpu_h>("undone_gpu_h", Number{}, "work that was not done");

// Behind the fields: one of each of kPurchaseMeasures, and kUndone.
std::vector<std::string> number_columns() {
  std::vector<std::string> columns;
  for (const Measure measure : kPurchaseMeasures) columns.emplace_back(info(measure).name);
  columns.emplace_back(kUndone.name);
  return columns;
}

// Without a type: a column of type REAL keeps whole numbers as integers, and -0 as 0.
std::string create_runs_sql() { return create_sql(kRunsTable, behind(number_columns())); }

std::optional<double> cell_of(const Value& value) {
  if (value.is_absent()) {
    STOCKOUT_CHECK(value.value == 0);
    return std::nullopt;
  }
  STOCKOUT_CHECK(std::isfinite(value.value));
  return value.value;
}

void note_bound(const Value& value, std::size_t place, GoalLists& lists) {
  if (value.known == Value::Known::at_least) lists.at_least.push_back(static_cast<double>(place));
}

GoalLists lists_of(const PurchaseRun& run) {
  GoalLists lists;
  for (std::size_t i = 0; i < run.values.size(); ++i) note_bound(run.values[i], i, lists);
  for (std::size_t i = 0; i < run.goals.size(); ++i) {
    const GoalMet& goal = run.goals[i];
    lists.met.push_back(cell_of(goal.value).value_or(std::nan("")));
    lists.jobs.push_back(static_cast<double>(goal.jobs));
    note_bound(goal.value, run.values.size() + i, lists);
  }
  return lists;
}

std::vector<StoredValue> cells_of(const PurchaseRun& run) {
  std::vector<StoredValue> cells;
  for (const Value& value : run.values) {
    StoredValue& cell = cells.emplace_back();
    if (const std::optional<double> number = cell_of(value)) cell = *number;
  }
  cells.push_back(kUndone.get(run));
  return cells;
}

// As exact; which are bounds is said apart.
void set_numbers(const RowReader& row, const std::vector<StoredValue>& cells, PurchaseRun& run) {
  for (std::size_t i = 0; i < run.values.size(); ++i) {
    if (std::holds_alternative<std::monostate>(cells[i])) continue;
    double number = 0;
    const std::string problem = Number{}.decode(cells[i], number);
    if (!problem.empty()) row.fail(fmt::format("{} {}", info(kPurchaseMeasures[i]).name, problem));
    run.values[i] = Value::exact(number);
  }
  const std::string problem = kUndone.set(run, cells.back());
  if (!problem.empty()) row.fail(fmt::format("{} {}", kUndone.name, problem));
}

void set_goals(const RowReader& row, const GoalLists& lists, PurchaseRun& run) {
  constexpr double kMostJobs = 9e15;  // whole numbers that a double has
  if (lists.met.size() != lists.jobs.size()) row.fail("goals_met and goals_jobs are not of the same goals");
  for (std::size_t i = 0; i < lists.met.size(); ++i) {
    const double jobs = lists.jobs[i];
    if (!(jobs >= 0 && jobs <= kMostJobs && jobs == std::floor(jobs)))
      row.fail("goals_jobs must be whole numbers");
    run.goals.push_back({.value = std::isnan(lists.met[i]) ? Value{} : Value::exact(lists.met[i]),
                         .jobs = static_cast<std::uint64_t>(jobs)});
  }
}

void set_bounds(const RowReader& row, const GoalLists& lists, PurchaseRun& run) {
  for (const double place : lists.at_least) {
    const auto of = static_cast<double>(run.values.size() + run.goals.size());
    if (!(place >= 0 && place < of && place == std::floor(place))) row.fail("lower_bounds must be places");
    const auto at = static_cast<std::size_t>(place);
    Value& value = at < run.values.size() ? run.values[at] : run.goals[at - run.values.size()].value;
    if (value.is_absent()) row.fail("lower_bounds names a value that is not there");
    value.known = Value::Known::at_least;
  }
}

}  // namespace

PurchaseStore::PurchaseStore(const std::string& path, WorkIdentity work, InputStamps& inputs, bool resume,
                             std::function<bool()> interrupted)
    : work_{path,
            kKeptRecommendation,
            std::move(work),
            {{.name = kRunsTable.name, .sql = create_runs_sql()}},
            inputs,
            resume},
      interrupted_{std::move(interrupted)},
      writer_{[this](const std::vector<Done>& runs) { write(runs); }} {
  work_.read([this](SQLite::Database& store) { read(store); });
}

void PurchaseStore::read(SQLite::Database& store) {
  const std::vector<std::string> columns = number_columns();
  read_sealed<kRunsTable, KeptRunPlace, PurchaseRun, GoalLists>(
      store, columns,
      [&](const RowReader& row, const std::vector<StoredValue>& cells, KeptRunPlace& place, PurchaseRun& run,
          const GoalLists& lists) {
        set_numbers(row, cells, run);
        set_goals(row, lists, run);
        set_bounds(row, lists, run);
        const std::pair key{place.purchase, place.replication};
        found_.emplace(key, Found{.place = std::move(place), .run = std::move(run)});
      });
}

std::optional<PurchaseRun> PurchaseStore::find(const KeptRunPlace& place, std::size_t goals) const {
  const auto found = found_.find({place.purchase, place.replication});
  if (found == found_.end()) return std::nullopt;
  const auto& [kept, run] = found->second;
  if (kept.way != place.way || kept.world != place.world || run.goals.size() != goals) {
    fail_seal(work_.path(),
              fmt::format("replication {} of way to buy {}", place.replication, place.purchase));
  }
  return run;
}

void PurchaseStore::add(KeptRunPlace place, PurchaseRun run, const std::vector<std::string>& read_from) {
  Done done{.place = std::move(place), .run = std::move(run), .read_from = {}};
  for (const std::string& file : read_from) done.read_from.push_back(work_.inputs().of(file));
  writer_.add(std::move(done));
}

void PurchaseStore::write(const std::vector<Done>& runs) {
  std::vector<InputStamp> read_from;
  for (const Done& done : runs)
    read_from.insert(read_from.end(), done.read_from.begin(), done.read_from.end());
  work_.add(read_from, [&](SQLite::Database& store) {
    RowWriter<kRunsTable> rows{store, number_columns().size()};
    for (const Done& done : runs)
      add_sealed(rows, cells_of(done.run), done.place, done.run, lists_of(done.run));
  });
}

void PurchaseStore::stop_if_asked() {
  if (writer_.has_failed() || (interrupted_ && interrupted_())) throw WorkInterrupted{};
}

}  // namespace stockout
