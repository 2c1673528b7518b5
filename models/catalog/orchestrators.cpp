#include "models/catalog/orchestrators.h"

// Which consumption model can be used with which orchestrator since when: the file, and the sentences that
// say why not.

#include <algorithm>

#include <fmt/format.h>

#include "models/catalog/catalog_reader.h"
#include "sim/core/error.h"
#include "sim/core/unknown_name.h"

namespace stockout {

namespace {

constexpr std::string_view kAlways = "always";
constexpr std::string_view kNeverWord = "never";

std::string_view name_of(OrchestratorName orchestrator) {
  return kOrchestratorNames[static_cast<std::size_t>(orchestrator)];
}

const ValidityRow* find_row(const Catalog& catalog, OrchestratorName orchestrator, std::string_view model,
                            std::string_view with) {
  const auto rows = catalog.validity();
  const auto found = std::ranges::find_if(rows, [&](const ValidityRow& row) {
    return row.orchestrator == orchestrator && row.model == model && row.with == with;
  });
  return found == rows.end() ? nullptr : &*found;
}

std::string models_on(const Catalog& catalog, OrchestratorName orchestrator, Date day) {
  std::vector<std::string> names;
  for (const ValidityRow& row : catalog.validity()) {
    if (row.orchestrator == orchestrator && row.with.empty() && row.holds_on(day)) names.push_back(row.model);
  }
  return names.empty() ? "it takes none" : fmt::format("it takes {}", fmt::join(names, ", "));
}

// "never takes calendar (as of 2024-12)", "takes flex_start only from 2024-09-01 on, and not on 2024-08-01".
std::string takes(const ValidityRow& row, std::string_view what, Date day) {
  const std::string note = row.note.empty() ? "" : fmt::format(" ({})", row.note);
  if (row.never) return fmt::format("never takes {}{}", what, note);
  const std::string from = row.from ? fmt::format(" from {}", to_text(*row.from)) : "";
  const std::string until = row.until ? fmt::format(" until {}", to_text(*row.until)) : " on";
  return fmt::format("takes {} only{}{}{}, and not on {}", what, from, until, note, to_text(day));
}

}  // namespace

void CatalogReader::read_orchestrators(const CatalogTable& table) {
  if (table.file.empty()) return;
  begin(5, table);
  for (const Record& record : table.records) {
    record_ = &record;
    ValidityRow row = validity_row();
    if (find_row(catalog_, row.orchestrator, row.model, row.with) != nullptr ||
        (!row.with.empty() && find_row(catalog_, row.orchestrator, row.with, row.model) != nullptr)) {
      fail_line(record.line, "has an orchestrator and models that are there already");
    }
    catalog_.validity_.push_back(std::move(row));
  }
}

ValidityRow CatalogReader::validity_row() const {
  const auto known = std::ranges::find(kOrchestratorNames, text(0));
  if (known == kOrchestratorNames.end()) {
    const std::vector<std::string> names{kOrchestratorNames.begin(), kOrchestratorNames.end()};
    fail(0, unknown_name("orchestrator", text(0), names, names.size()));
  }
  ValidityRow row{.orchestrator = static_cast<OrchestratorName>(known - kOrchestratorNames.begin()),
                  .model = name(1),
                  .with = text(2).empty() ? "" : name(2),
                  .for_request = text(3) == "request",
                  .never = text(4) == kNeverWord,
                  .from = {},
                  .until = {},
                  .confidence = confidence(6),
                  .source = source(7),
                  .note = text(8)};
  if (row.with == row.model) fail(2, "must be another model");
  if (row.with.empty() != text(3).empty())
    fail(3, "must be job or request where \"with\" is said, else empty");
  if (!text(3).empty() && !row.for_request && text(3) != "job") fail(3, "must be job or request");
  if (!row.never && text(4) != kAlways) row.from = day(4);
  if (!text(5).empty()) row.until = day(5);
  if (row.until && (row.never || (row.from && *row.until <= *row.from)))
    fail(5, "must be later than \"from\"");
  return row;
}

std::string why_not(const Catalog& catalog, OrchestratorName orchestrator, std::string_view model, Date day) {
  const ValidityRow* row = find_row(catalog, orchestrator, model, "");
  if (row == nullptr) {
    return fmt::format("the catalogue does not say whether {} takes {}: it has no line in orchestrators.csv",
                       name_of(orchestrator), model);
  }
  if (row->holds_on(day)) return {};
  return fmt::format("{} {}; {}", name_of(orchestrator), takes(*row, model, day),
                     models_on(catalog, orchestrator, day));
}

std::string why_not_together(const Catalog& catalog, OrchestratorName orchestrator, std::string_view model,
                             std::string_view with, bool for_request, Date day) {
  const ValidityRow* row = find_row(catalog, orchestrator, model, with);
  if (row == nullptr) row = find_row(catalog, orchestrator, with, model);
  if (row == nullptr || row->for_request != for_request || row->holds_on(day)) return {};
  const std::string together =
      fmt::format("{} together with {} for one {}", model, with, for_request ? "request" : "job");
  return fmt::format("{} {}", name_of(orchestrator), takes(*row, together, day));
}

}  // namespace stockout
