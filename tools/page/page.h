#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "tools/table/relation.h"

namespace stockout {

/// Text of one paragraph. Plain: what looks like HTML is shown as it is.
struct Paragraph {
  std::string text;
};

/// A picture as a Vega-Lite specification, and the numbers behind it.
struct Chart {
  std::string id;           // within the page: small letters, digits and '-'
  std::string title;        // what is seen, in a few words
  std::string description;  // for those who do not see it: what is on the axes, and what it says
  /// Vega-Lite 5 or later, without $schema, config, width and colours of text: the page has them. Data of the
  /// page by name ({"data": {"name": "waits"}}), or "values". Among its "params", the page sets these where
  /// they are declared: `shown` (names of the strategies that are ticked), `limit_h` (longest wait, in hours)
  /// and `limit_share` (of the jobs, 0 to 1).
  nlohmann::json spec;
  Relation table;  // what the picture shows, as numbers
};

/// Something that is closed until it is asked for.
struct Details {
  std::string summary;
  std::vector<std::variant<Paragraph, Relation>> blocks;
};

/// Items that are counted: the strongest first.
struct RankedList {
  std::string title;
  std::vector<std::string> items;  // a sentence each, without a number
};

using PageBlock = std::variant<Paragraph, Relation, Chart, Details, RankedList>;

struct PageSection {
  std::string id;  // as Chart::id
  std::string title;
  std::vector<PageBlock> blocks;
  std::string menu = {};  // a word or two for the menu; empty: the title
  bool summary = false;   // on paper: on one sheet with the answer; such sections come first
};

/// A strategy under every wait limit.
struct ChoiceRow {
  std::string strategy;
  double cost_usd = 0;                    // mean
  std::optional<double> cost_half_width;  // USD, 95 %; none: not known
  std::vector<double> share;  // by WaitChoice::within_h: of the jobs, started in time and completed
  std::vector<std::size_t>
      costs_the_same;  // rows whose cost differs from this by no more than chance may explain
};

/// Question that the reader may ask: which strategy is the cheapest if so many of the jobs are to start
/// within so long?
struct WaitChoice {
  std::string jobs;              // whose wait counts: "jobs", "training jobs"
  std::vector<double> within_h;  // ascending, at least one
  std::vector<ChoiceRow> rows;
  std::size_t limit = 0;  // chosen at first, of within_h
  double share = 0.95;    // asked for at first, 0 to 1
};

/// A report for a browser, before it is HTML.
struct Page {
  std::string title;
  std::string question;                 // below the title; may be empty
  std::string answer;                   // the first thing that is read: a sentence or two
  std::string hangs_on = {};            // below the answer: which number it hangs on most; may be empty
  std::string caution = {};             // below the answer: what it goes by unasked; may be empty
  std::optional<WaitChoice> choice;     // beside the answer; none: nothing to choose
  std::vector<std::string> strategies;  // the order of colours, and of the filter; empty: no filter
  std::vector<PageSection> sections;    // the first is seen with the answer
  nlohmann::json data = nlohmann::json::object();  // rows for the charts, by name: {"waits": [{...}, ...]}
};

/// One self-contained HTML file: nothing is fetched, whatever the browser does. The same bytes for the same
/// page.
[[nodiscard]] std::string write_page(const Page& page);

}  // namespace stockout
