#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "tools/table/relation.h"
#include "tools/table/text_layout.h"

namespace stockout {

/// How a report is written.
enum class ReportFormat : std::uint8_t { table, csv, json, markdown };
inline constexpr std::array<std::string_view, 4> kReportFormatNames{"table", "csv", "json", "markdown"};

/// A report in each format. Only that which is asked for is made.
struct ReportForms {
  std::function<std::string(const TextLayout&)> text;  // Markdown too: the layout says so
  std::function<Relation()> csv;
  std::function<nlohmann::ordered_json()> json;  // what stands below its head
  std::string version;                           // of the program, in the head
  int layout = 1;                                // raised when a reader of the JSON would have to change
};

/// The report in one format; `layout` is for format table.
[[nodiscard]] std::string write_in(ReportFormat format, const ReportForms& forms, const TextLayout& layout);

}  // namespace stockout
