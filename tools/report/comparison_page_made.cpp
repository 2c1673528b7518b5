#include <array>

#include <fmt/format.h>

#include "models/measures/number_text.h"
#include "tools/report/comparison_page_sections.h"
#include "tools/report/comparison_tables.h"
#include "tools/report/notes.h"
#include "tools/report/price_words.h"

namespace stockout {
namespace {

std::string price_cell(double usd) { return number_text(usd, 4); }

std::string age_text(const PriceNote& price) {
  return price.age_days ? number_text(*price.age_days) : std::string{"-"};
}

std::string moves_text(const PriceNote& price) {
  if (price.changes == 0) return "-";
  return fmt::format("{}, {} to {}", price.changes, price_cell(price.least_usd_per_hour),
                     price_cell(price.most_usd_per_hour));
}

TextTable price_table(const Report& report) {
  TextTable table{prices_title(report.scenario) + " [USD]"};
  table.add_columns(TextTable::Align::left, {"machine", "bought as"});
  table.add_columns(TextTable::Align::right, {"list", "contracted", "changes in\nthe window"});
  table.add_column("as of", TextTable::Align::left);
  table.add_column("age\n[days]", TextTable::Align::right);
  table.add_columns(TextTable::Align::left, {"pools", "source"});
  for (const PriceNote& price : prices_used(report)) {
    table.add_row({price.machine, price_words(price.model), price_cell(price.list_usd_per_hour),
                   price_cell(price.contracted_usd_per_hour), moves_text(price),
                   price.as_of.empty() ? "the scenario's own" : price.as_of, age_text(price), price.pools,
                   price.source});
  }
  return table;
}

std::string list_text(const NoteSection& notes) {
  std::string text = notes.title + ':';
  for (const std::string& line : notes.lines) text += "\n\u2022 " + line;
  return text;
}

constexpr std::array kFidelity{
    "Exact: the order of events and every time to the millisecond, use to the machine-millisecond, costs by "
    "the "
    "prices below, and the same numbers again for the same seed.",
    "Assumed, since no rule is public, each with a parameter in the scenario that changes it: who waiting is "
    "served first, who yields, which hosts are filled, how loaded a zone is and by whom, times between "
    "tries, "
    "start-up, speed on other GPUs, what the provider does for a booking, how machines break. The "
    "assumptions of "
    "this scenario stand below.",
    "Not modelled: bandwidth between more than two nodes, quota, what orchestrators do of themselves, TPUs, "
    "serving under request load.",
};

}  // namespace

PageSection tables_section(const PageStory& story) {
  PageSection section{.id = "tables", .title = "Every table", .blocks = {}, .menu = "Tables"};
  for (TextTable& table : comparison_tables(story.report, true)) section.blocks.push_back(std::move(table));
  return section;
}

PageSection made_section(const PageStory& story) {
  PageSection section{
      .id = "made", .title = "How the numbers were made", .blocks = {}, .menu = "How it was made"};
  section.blocks.push_back(Paragraph{"This command makes the page again: " + story.command});
  for (const char* line : kFidelity) section.blocks.push_back(Paragraph{line});
  for (const NoteSection& notes : note_sections(story.report, false))
    section.blocks.push_back(Paragraph{list_text(notes)});
  section.blocks.push_back(price_table(story.report));
  return section;
}

}  // namespace stockout
