#include "tools/report/comparison_page/made_section.h"

#include <array>

#include "tools/report/comparison/comparison_tables.h"
#include "tools/report/comparison/notes.h"
#include "tools/report/comparison/used_prices.h"

namespace stockout {
namespace {

std::string list_text(const NoteSection& notes) {
  std::string text = notes.title + ':';
  for (const std::string& line : notes.lines) text += "\n\u2022 " + line;
  return text;
}

constexpr std::array kFidelity{
    "Exact: the order of events and every time to the millisecond, use to the machine-millisecond, costs by "
    "the prices below. The same seed gives the same numbers again.",
    "Assumed, since no rule is public, each with a parameter in the scenario that changes it: which waiting "
    "request is served first, which lease yields, which hosts are filled, how loaded a zone is and by whom. "
    "Likewise times between tries, start-up, speed on other GPUs, what the provider does for a booking, how "
    "machines break. The assumptions of this scenario are below.",
    "Not modelled: what orchestrators do beside their rules and quota, what they charge, TPUs, serving under "
    "request load.",
};

}  // namespace

PageSection tables_section(const PageStory& story) {
  PageSection section{.id = "tables", .title = "Every table", .blocks = {}, .menu = "Tables"};
  for (auto& [key, table] : comparison_tables(story.report)) section.blocks.push_back(std::move(table));
  return section;
}

PageSection made_section(const PageStory& story) {
  PageSection section{
      .id = "made", .title = "How the numbers were made", .blocks = {}, .menu = "How it was made"};
  section.blocks.push_back(Paragraph{"This command makes the page again: " + story.command});
  for (const char* line : kFidelity) section.blocks.push_back(Paragraph{line});
  for (const NoteSection& notes : note_sections(story.report, false))
    section.blocks.push_back(Paragraph{list_text(notes)});
  section.blocks.push_back(prices_table(story.report));
  return section;
}

}  // namespace stockout
