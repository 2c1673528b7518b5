#include "tools/report/check/junit.h"

#include <array>

#include <fmt/format.h>

#include "tools/report/check/check_tables.h"

namespace stockout {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

struct Case {
  std::string of;
  std::string name;
  std::string failure;    // empty: it holds
  std::string told = {};  // of one that holds though it is not the same
};

std::string case_xml(const Case& one) {
  const std::string head =
      fmt::format(R"(    <testcase classname="{}" name="{}")", xml_text(one.of), xml_text(one.name));
  if (one.failure.empty() && one.told.empty()) return head + "/>\n";
  if (one.failure.empty())
    return fmt::format("{}>\n      <system-out>{}</system-out>\n    </testcase>\n", head, xml_text(one.told));
  const std::string message = xml_text(one.failure);
  return fmt::format("{}>\n      <failure message=\"{}\" type=\"moved\">{}</failure>\n    </testcase>\n",
                     head, message, message);
}

std::string failure_of(const MeasureCheck& measure) {
  if (measure.holds) return {};
  const auto [then, now] = then_and_now(measure);
  return fmt::format("{} was {} {unit} and is {} {unit}: difference {}, tolerance {}", measure.measure, then,
                     now, difference_text(measure), tolerance_text(measure), fmt::arg("unit", measure.unit));
}

std::vector<Case> cases_of(const BaselineCheck& check) {
  std::vector<Case> cases;
  for (const FactCheck& fact : check.facts) {
    if (!fact.counts && fact.note.empty()) continue;
    const std::string change = fact.differs() ? fmt::format("was {} and is {}{}{}", fact.then, fact.now,
                                                            fact.note.empty() ? "" : ", ", fact.note)
                                              : "";
    cases.push_back({.of = fact.strategy.empty() ? "experiment" : fact.strategy,
                     .name = fact.fact,
                     .failure = fact.holds() ? "" : change,
                     .told = fact.holds() ? change : ""});
  }
  for (const MeasureCheck& measure : check.measures)
    cases.push_back({.of = measure.strategy, .name = measure.measure, .failure = failure_of(measure)});
  return cases;
}

// U+FFFE and U+FFFF are no characters of XML 1.0.
bool is_no_character(std::string_view three) {
  return three.starts_with("\xEF\xBF\xBE") || three.starts_with("\xEF\xBF\xBF");
}

}  // namespace

std::string xml_text(std::string_view text) {
  constexpr std::array<std::pair<char, std::string_view>, 5> kEscapes{
      {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&apos;"}}};
  std::string escaped;
  while (!text.empty()) {
    const char c = text.front();
    std::size_t used = 1;
    const auto* escape =
        std::find_if(kEscapes.begin(), kEscapes.end(), [&](const auto& e) { return e.first == c; });
    if (escape != kEscapes.end()) {
      escaped += escape->second;
    } else if (is_no_character(text)) {
      escaped += kReplacement;
      used = 3;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      escaped += kReplacement;
    } else {
      escaped += c;
    }
    text.remove_prefix(used);
  }
  return escaped;
}

std::string write_junit(const BaselineCheck& check, const Baseline& now) {
  const std::vector<Case> cases = cases_of(check);
  std::string rows;
  std::size_t failures = 0;
  for (const Case& one : cases) {
    rows += case_xml(one);
    if (!one.failure.empty()) ++failures;
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites tests=\"{tests}\" failures=\"{failures}\" errors=\"0\">\n"
      "  <testsuite name=\"{name}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" skipped=\"0\">\n"
      "    <properties>\n"
      "      <property name=\"stockout\" value=\"{version}\"/>\n"
      "      <property name=\"seed\" value=\"{seed}\"/>\n"
      "      <property name=\"fingerprint\" value=\"{fingerprint:016x}\"/>\n"
      "    </properties>\n"
      "{rows}  </testsuite>\n"
      "</testsuites>\n",
      fmt::arg("tests", cases.size()), fmt::arg("failures", failures),
      fmt::arg("name", xml_text(now.scenario)), fmt::arg("version", xml_text(now.version)),
      fmt::arg("seed", now.seed), fmt::arg("fingerprint", now.fingerprint), fmt::arg("rows", rows));
}

}  // namespace stockout
