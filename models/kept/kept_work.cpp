#include "models/kept/kept_work.h"

#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "models/kept/inputs_table.h"
#include "sim/io/sql_rows.h"
#include "sim/io/table_sums.h"

namespace stockout {
namespace {

struct FactPlace {
  std::size_t place = 0;
};

constexpr auto kFactsTable =
    plain_table("facts", 1,  //
                field<&FactPlace::place>("place", Whole{}, "from 0"),
                field<&KeptFact::what>("what", AnyText{}, "what the work is made of"),
                field<&KeptFact::value>("value", AnyText{}, "its text"));
constexpr auto kTableSums = plain_table("check_sums", 1,  //
                                        field<&TableSum::what>("what", AnyText{}, "facts or inputs"),
                                        field<&TableSum::fnv1a>("fnv1a", AnyText{}, "of its rows"));

// Of every store, as they are made. Tables of results, whose rows have a seal each, come behind them.
constexpr std::tuple kSummed{kFactsTable, kInputsTable};
constexpr auto kOwnTables = std::tuple_cat(kSummed, std::tuple{kTableSums});

// Calls `visit` with name and SQL of each.
template <typename Visit>
void for_each_own(const Visit& visit) {
  std::apply([&](const auto&... tables) { (visit(tables.name, create_sql(tables)), ...); }, kOwnTables);
}

bool has_lines(const std::string& text) { return text.find('\n') != std::string::npos; }

std::string fact_difference(const KeptFact& was, const KeptFact& is) {
  if (has_lines(was.value) || has_lines(is.value))
    return fmt::format("{}: {}", is.what, line_difference(was.value, is.value));
  const auto shown = [](const std::string& value) { return value.empty() ? "not given" : value; };
  return fmt::format("{} was {}, is {}", is.what, shown(was.value), shown(is.value));
}

// The first that is not what it was.
std::string work_difference(const std::vector<KeptFact>& was, const std::vector<KeptFact>& is) {
  for (std::size_t i = 0; i < is.size(); ++i) {
    if (i >= was.size() || was[i].what != is[i].what) return is[i].what + " was not known of it";
    if (was[i].value != is[i].value) return fact_difference(was[i], is[i]);
  }
  return was.size() > is.size() ? was[is.size()].what + " is not known any more" : std::string{};
}

std::vector<KeptFact> read_facts(SQLite::Database& store) {
  std::vector<KeptFact> facts;
  read_rows<kFactsTable, FactPlace, KeptFact>(
      store, [&](const RowReader&, const FactPlace&, KeptFact& fact) { facts.push_back(std::move(fact)); });
  return facts;
}

}  // namespace

KeptWork::KeptWork(std::string path, const KeptKind& kind, WorkIdentity work, std::vector<KeptTable> tables,
                   InputStamps& inputs, bool resume)
    : path_{std::move(path)},
      kind_{kind},
      work_{std::move(work)},
      tables_{std::move(tables)},
      inputs_{inputs},
      lock_{path_, StoreLock::Use::write} {
  if (!kept_exists(path_, kind_)) return;
  if (!resume) refuse_unresumed(path_);
  store_.emplace(this->resume());
}

SQLite::Database KeptWork::begin() {
  return begin_kept(path_, kind_, [&](SQLite::Database& store) {
    set_file_kind(store, kind_.file);
    for_each_own([&](std::string_view, const std::string& sql) { store.exec(sql); });
    for (const KeptTable& table : tables_) store.exec(table.sql);
    RowWriter<kFactsTable> facts{store};
    std::size_t place = 0;
    for (const KeptFact& fact : work_.facts) facts.add(FactPlace{place++}, fact);
    RowWriter<kInputsTable> stamps{store};
    for (const InputStamp& stamp : work_.inputs)
      if (noted_.insert(stamp.name).second) stamps.add(stamp);
    for (const SummedRows& rows : each_table(kSummed)) seal_rows<kTableSums>(store, rows);
  });
}

SQLite::Database KeptWork::resume() {
  SQLite::Database store = open_kept(path_, kind_, SQLite::OPEN_READWRITE);
  return with_kept(path_, kind_, [&] {
    make_durable(store);
    check_tables(store);
    const auto broken = first_unsealed<kTableSums>(store, each_table(kSummed));
    if (broken) fail_seal(path_, "its table " + *broken);
    check_same_work(path_, work_difference(read_facts(store), work_.facts));
    read_rows<kInputsTable, InputStamp>(store, [&](const RowReader&, const InputStamp& was) {
      check_input(path_, was, inputs_);
      noted_.insert(was.name);
    });
    for (const InputStamp& is : work_.inputs) {
      if (!noted_.contains(is.name))
        check_same_work(path_, fmt::format("{} is read now, and was not", is.name));
    }
    return std::move(store);
  });
}

// No view, virtual table or generated column.
void KeptWork::check_tables(SQLite::Database& store) const {
  const auto check = [&](std::string_view name, const std::string& sql) {
    const std::string table{name};
    if (is_plain_table(store, table) && is_table_as_made(store, table, sql)) return;
    fail_damaged_file(path_, fmt::format("its table {} is not that of a {}", table, kind_.words.what),
                      kBeginAnew);
  };
  for_each_own(check);
  for (const KeptTable& table : tables_) check(table.name, table.sql);
}

void KeptWork::read(const std::function<void(SQLite::Database&)>& look) {
  if (!store_) return;
  with_kept(path_, kind_, [&] { look(*store_); });
}

void KeptWork::note_inputs(SQLite::Database& store, std::span<const InputStamp> read_from) {
  bool is_any_new = false;
  RowWriter<kInputsTable> stamps{store};
  for (const InputStamp& stamp : read_from) {
    if (!noted_.insert(stamp.name).second) continue;
    stamps.add(stamp);
    is_any_new = true;
  }
  if (is_any_new) seal_rows<kTableSums>(store, each_table(std::tuple{kInputsTable}).front());
}

void KeptWork::add(std::span<const InputStamp> read_from, const std::function<void(SQLite::Database&)>& put) {
  with_kept(path_, kind_, [&] {
    if (!store_) store_.emplace(begin());
    SQLite::Transaction transaction{*store_, SQLite::TransactionBehavior::IMMEDIATE};
    note_inputs(*store_, read_from);
    put(*store_);
    transaction.commit();
  });
  if (!lock_.is_still_there()) fail_lost_store(path_);
}

}  // namespace stockout
