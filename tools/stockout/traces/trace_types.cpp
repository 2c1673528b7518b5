#include "tools/stockout/traces/trace_types.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "models/workload/recorded_types.h"
#include "tools/table/wrap_text.h"
#include "tools/table/write_text.h"

namespace stockout {

std::string trace_types(const Trace& trace, const TextLayout& layout) {
  Relation table{.title = "GPU and machine types that jobs name"};
  table.add_columns(kText, {"type", "kind"});
  table.add_columns(kWhole, {"jobs"});
  table.add_columns(kText, {"in the catalogue"});
  std::string unknown;
  for (const RecordedType& type : recorded_types(trace, Catalog::embedded())) {
    table.add({fmt::format("{:.40}", type.name), type.is_machine ? "machine" : "GPU", type.jobs,
               type.is_in_catalog ? "yes" : "no"});
    if (type.is_in_catalog) continue;
    unknown += fmt::format("{}{}: \"...\"", unknown.empty() ? "" : ", ", nlohmann::json(type.name).dump());
  }
  std::string text = write_section(table, layout);
  if (!unknown.empty())
    text += wrap_text(fmt::format("A scenario says what the others are in its trace, \"names\": {{{}}}, or "
                                  "names a \"machine\" for them.",
                                  unknown),
                      layout.width, "");
  return text;
}

}  // namespace stockout
