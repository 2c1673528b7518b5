#include "tools/report/comparison/heading.h"

#include <fmt/format.h>

#include "tools/report/comparison/deciding_price.h"
#include "tools/report/comparison/rules_text.h"
#include "tools/table/wrap_text.h"

namespace stockout {

std::string opening(const Scenario& scenario, const std::string& answer, const TextLayout& layout) {
  const std::string title =
      scenario.question.empty() ? scenario.name : scenario.name + ": " + scenario.question;
  return layout.markdown ? fmt::format("## {}\n\n**{}**\n", title, answer)
                         : wrap_text(title, layout.width, "") + '\n' + wrap_text(answer, layout.width, "");
}

std::string heading(const Report& report, const TextLayout& layout) {
  std::string text = opening(report.scenario, report.headline, layout);
  for (const std::string& line : {deciding_text(report), unnamed_text(report)}) {
    if (line.empty()) continue;
    text += layout.markdown ? fmt::format("\n{}\n", line) : wrap_text(line, layout.width, "");
  }
  return text;
}

}  // namespace stockout
