#include "tools/report/comparison/heading.h"

#include <fmt/format.h>

#include "tools/report/comparison/deciding_price.h"
#include "tools/report/comparison/rules_text.h"
#include "tools/table/wrap_text.h"

namespace stockout {

std::string heading(const Report& report, const TextLayout& layout) {
  const Scenario& scenario = report.scenario;
  const std::string title =
      scenario.question.empty() ? scenario.name : scenario.name + ": " + scenario.question;
  const std::string unnamed = unnamed_text(report);
  const std::string decides = deciding_text(report);
  if (layout.markdown) {
    return fmt::format("## {}\n\n**{}**\n{}{}", title, report.headline,
                       decides.empty() ? "" : fmt::format("\n{}\n", decides),
                       unnamed.empty() ? "" : fmt::format("\n{}\n", unnamed));
  }
  return wrap_text(title, layout.width, "") + '\n' + wrap_text(report.headline, layout.width, "") +
         (decides.empty() ? "" : wrap_text(decides, layout.width, "")) +
         (unnamed.empty() ? "" : wrap_text(unnamed, layout.width, ""));
}

}  // namespace stockout
