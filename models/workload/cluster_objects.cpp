#include "models/workload/cluster_objects.h"

#include "sim/io/json_items.h"

namespace stockout {

void add_cluster_objects(
    TraceBuilder& builder, TraceFields& fields,
    const std::function<RecordedRow(const JsonRow& object, const JsonValue& item)>& row_of) {
  TimeStampReader stamps{"UTC", {.file = builder.columns().file}};
  builder.columns().absolute = true;
  builder.keep({.times = true,
                .outcome = true,
                .team = true,
                .job_class = true,
                .partition = true,
                .machine = true,
                .gpu = true,
                .estimate = true,
                .attempts = true});
  for_each_json_item(builder.columns().file, [&](const JsonValue& item) {
    builder.begin_row(static_cast<std::uint64_t>(item.line));
    fields.at_line(static_cast<std::uint64_t>(item.line));
    builder.add(row_of(JsonRow{item, fields, stamps}, item));
    return true;
  });
}

}  // namespace stockout
