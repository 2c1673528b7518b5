#include "tools/table/report_format.h"

#include <utility>

#include <nlohmann/json.hpp>

#include "tools/table/write_csv.h"

namespace stockout {
namespace {

using Json = nlohmann::ordered_json;

std::string document_text(const ReportForms& forms) {
  Json document{{"layout", forms.layout}, {"stockout", forms.version}};
  Json body = forms.json();
  for (auto& [key, value] : body.items()) document[key] = std::move(value);
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace

std::string write_in(ReportFormat format, const ReportForms& forms, const TextLayout& layout) {
  switch (format) {
    case ReportFormat::table:
      return forms.text(layout);
    case ReportFormat::markdown:
      return forms.text(kMarkdown);
    case ReportFormat::csv:
      return write_csv(forms.csv());
    case ReportFormat::json:
      break;
  }
  return document_text(forms);
}

}  // namespace stockout
