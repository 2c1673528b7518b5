#include "models/scenario/format/reference.h"

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/scenario/format/keys.h"
#include "sim/core/duration_text.h"

namespace stockout {
namespace {

constexpr const char* kHead =
    R"(# Scenario files: every key

Generated from `models/scenario/format/keys*.cpp`, which the reader itself uses; a test keeps this page equal. Do not edit:
`STOCKOUT_UPDATE_GOLDEN=1 ctest -R "reference page"` writes it anew. [README.md](README.md) explains the format by example.

A scenario is one JSON object. A key that is not listed here is an error, and so is a key that comes twice.

- A **duration** is a text with units: `"500ms"`, `"30s"`, `"10min"`, `"2h"`, `"7d"`, `"1w"`, `"1h 30min"`, `"1.5h"`. Words do
  too: `"2 weeks"`, `"1 hour 30 minutes"`. A bare number is an error. `"forever"` is accepted where this page says so. The longest is 34.8 years.
- A **date** is a day of the scenario's calendar, `"2026-08-03"`; it begins at 00:00 local time.
- A **clock** is a local time of day, `"18:00"`; a **span** is `"09:00-18:00"`.
- GPUs and machines are counted separately, and the key says which.
- A **machine type**, **GPU type**, **machine family**, **zone** or **region** is one of the catalogue: `stockout catalog` lists them. `schema.json`
  has those of the built-in catalogue; with another one (`--catalog`) its names count.
- Paths are relative to the folder of the scenario file; a path given with `--set` is relative to the working directory.
- `--set /workload/0/trace/file=PATH` puts a value in the place of a JSON pointer (RFC 6901): it replaces what is there, adds a key
  to an object that is there, or with `-` in the place of an index adds an item to a list.
- Rules above a table are about its keys and those of objects within: "`flavor` of `legs`" is that of any leg. A key that would have
  no effect is refused. Where a rule names a value, another may be written, such as the default.

)";

std::string range(const ValueSpec& value) {
  std::string text;
  if (std::isfinite(value.least))
    text += fmt::format("{} {:.15g}", value.more_than_least ? "more than" : "from", value.least);
  if (std::isfinite(value.most)) text += fmt::format("{}to {:.15g}", text.empty() ? "" : " ", value.most);
  if (!value.unit.empty()) text += fmt::format(" {}", value.unit);
  return text;
}

std::string link(const ObjectSpec& object) { return fmt::format("[{}](#{})", object.name, object.name); }

std::string kind_of(const ValueSpec& value) {
  switch (value.kind) {
    case ValueKind::text:
      return value.known == nullptr ? "text" : value.known->what;
    case ValueKind::flag:
      return "`true` or `false`";
    case ValueKind::integer:
      return fmt::format("whole number {}", range(value));
    case ValueKind::number:
      return fmt::format("number {}", range(value));
    case ValueKind::duration:
      return fmt::format(
          "duration{}{}{}", value.more_than_least ? " above 0" : "",
          value.least > 0 ? fmt::format(" from {}", format_duration(SimDuration{std::llround(value.least)}))
                          : "",
          value.forever ? " or `\"forever\"`" : "");
    case ValueKind::window:
      return "duration above 0, or months, quarters or years: `\"3 months\"`";
    case ValueKind::date:
      return "date";
    case ValueKind::clock:
      return "clock";
    case ValueKind::clock_span:
      return "span";
    case ValueKind::choice:
      return fmt::format("`\"{}\"`", fmt::join(value.choices, "\"`, `\""));
    case ValueKind::object:
      return link(*value.object);
    case ValueKind::list:
      return fmt::format("list of {:.15g} to {:.15g}: {}", value.least, value.most,
                         kind_of(value.parts.front()));
    case ValueKind::table:
      return fmt::format("object of named {}{}", kind_of(value.parts.front()),
                         value.known == nullptr ? "" : fmt::format("; each name is a {}", value.known->what));
    case ValueKind::any:
      return "any JSON value";
    case ValueKind::either:
      break;
  }
  std::vector<std::string> kinds;
  for (const ValueSpec& kind : value.parts) kinds.push_back(kind_of(kind));
  return fmt::format("{}", fmt::join(kinds, "; or "));
}

std::string fallback_of(const KeySpec& key) {
  if (key.required) return "**required**";
  if (!key.usual.empty()) return key.usual;
  return key.fallback ? fmt::format("`{}`", to_text(*key.fallback, 1'000)) : "";
}

std::string section(const ObjectSpec& object) {
  std::string text = fmt::format("## {}\n\n{}\n\n", object.name, object.doc);
  for (const KeyGroup& group : object.exactly_one)
    text += fmt::format("Exactly one of `{}`.\n\n", fmt::join(group.keys, "`, `"));
  for (const KeyGroup& group : object.at_most_one)
    text += fmt::format("At most one of `{}`.\n\n", fmt::join(group.keys, "`, `"));
  for (const KeyRelation& relation : object.relations) text += "- " + sentence_of(relation) + "\n";
  if (!object.relations.empty()) text += '\n';
  text += "| key | what | value | default |\n|---|---|---|---|\n";
  for (const KeySpec& key : object.keys) {
    text += fmt::format("| `{}` | {} | {} | {} |\n", key.name, key.doc, kind_of(key.value), fallback_of(key));
  }
  return text;
}

}  // namespace

std::string format_reference(std::string_view head, std::span<const ObjectSpec* const> objects) {
  std::string text{head};
  for (const ObjectSpec* object : objects) {
    if (object != objects.front()) text += '\n';
    text += section(*object);
  }
  return text;
}

std::string scenario_reference() { return format_reference(kHead, all_keys()); }

}  // namespace stockout
