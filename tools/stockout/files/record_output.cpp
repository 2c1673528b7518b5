#include "tools/stockout/files/record_output.h"

#include <numeric>

#include "models/repricing/record_writer.h"
#include "sim/core/error.h"
#include "tools/report/prices/break_even_table.h"

namespace stockout {

void add_record_option(CLI::App& command, std::string& path) {
  command
      .add_option("--record", path,
                  "Writes what every run used to this file (SQLite), for `stockout price`: its cost at other "
                  "prices, without simulating again")
      ->type_name("FILE");
}

RecordOutput::RecordOutput(const std::string& path, const Scenario& scenario,
                           const std::vector<std::string>& sets)
    : recorder_{scenario, sets, STOCKOUT_VERSION} {
  if (!path.empty()) file_ = std::make_unique<WholeFile>(path);
}

StoredComparison RecordOutput::finish(const Comparison& comparison) {
  StoredComparison stored = recorder_.finish(comparison);
  if (file_) file_->write(record_bytes(stored));
  return stored;
}

void RecordOutput::publish() {
  if (file_) file_->commit();
}

void check_break_even(bool is_asked, ReportFormat format) {
  if (!is_asked || format == ReportFormat::table || format == ReportFormat::markdown) return;
  throw InputError{{.file = "command line", .pointer = "--break-even"},
                   "requires --format table or markdown; for programs: compare --record FILE, then `stockout "
                   "price FILE --break-even`, in any format"};
}

BreakEvens break_evens_of(const StoredComparison& stored, const Comparison& comparison) {
  std::vector<std::size_t> places(comparison.strategies.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  return break_evens(stored, comparison, places, stored.price_lines(), stored.terms);
}

std::string break_even_text(const BreakEvens& found, const Comparison& comparison, ReportFormat format,
                            const TextLayout& layout) {
  return write_break_evens(found, comparison, format == ReportFormat::markdown ? kMarkdown : layout);
}

}  // namespace stockout
