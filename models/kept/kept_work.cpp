#include "models/kept/kept_work.h"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "models/kept/inputs_table.h"
#include "sim/io/row_sum.h"
#include "sim/io/sql_rows.h"

namespace stockout {
namespace {

struct FactPlace {
  std::size_t place = 0;
};
struct TableSum {
  std::string what;
  std::string fnv1a;
};

constexpr auto kFactsTable =
    plain_table("facts", 1,  //
                field<&FactPlace::place>("place", Whole{}, "from 0"),
                field<&KeptFact::what>("what", AnyText{}, "what the work is made of"),
                field<&KeptFact::value>("value", AnyText{}, "its text"));
constexpr auto kTableSums = plain_table("check_sums", 1,  //
                                        field<&TableSum::what>("what", AnyText{}, "facts or inputs"),
                                        field<&TableSum::fnv1a>("fnv1a", AnyText{}, "of its rows"));

constexpr std::array<const char*, 2> kSummed{"facts", "inputs"};

std::string sum_of_table(SQLite::Database& store, const char* table) {
  RowSum sum;
  sum.add(store, fmt::format("SELECT * FROM {} ORDER BY 1", table));
  return sum.text();
}

void seal_table(SQLite::Database& store, const char* table) {
  RowWriter<kTableSums>{store, 0, "INSERT OR REPLACE"}.add(
      TableSum{.what = table, .fnv1a = sum_of_table(store, table)});
}

void check_table_sums(SQLite::Database& store, const std::string& path) {
  std::set<std::string> whole;
  read_rows<kTableSums, TableSum>(store, [&](const RowReader&, const TableSum& sum) {
    for (const char* table : kSummed) {
      if (sum.what == table && sum.fnv1a == sum_of_table(store, table)) whole.insert(sum.what);
    }
  });
  for (const char* table : kSummed) {
    if (!whole.contains(table)) fail_seal(path, fmt::format("its table {}", table));
  }
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
    store.exec(create_sql(kFactsTable));
    store.exec(create_sql(kInputsTable));
    store.exec(create_sql(kTableSums));
    for (const KeptTable& table : tables_) store.exec(table.sql);
    RowWriter<kFactsTable> facts{store};
    std::size_t place = 0;
    for (const KeptFact& fact : work_.facts) facts.add(FactPlace{place++}, fact);
    RowWriter<kInputsTable> stamps{store};
    for (const InputStamp& stamp : work_.inputs)
      if (noted_.insert(stamp.name).second) stamps.add(stamp);
    for (const char* table : kSummed) seal_table(store, table);
  });
}

SQLite::Database KeptWork::resume() {
  SQLite::Database store = open_kept(path_, kind_, SQLite::OPEN_READWRITE);
  return with_kept(path_, kind_, [&] {
    make_durable(store);
    check_tables(store);
    check_table_sums(store, path_);
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
  check(kFactsTable.name, create_sql(kFactsTable));
  check(kInputsTable.name, create_sql(kInputsTable));
  check(kTableSums.name, create_sql(kTableSums));
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
  if (is_any_new) seal_table(store, "inputs");
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
