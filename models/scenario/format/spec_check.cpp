#include "models/scenario/format/spec_check.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/scenario/format/other_words.h"
#include "models/scenario/format/relation_check.h"
#include "sim/core/duration_text.h"
#include "sim/core/error_list.h"
#include "sim/core/unknown_name.h"
#include "sim/io/utf8.h"

namespace stockout {

/// Holds a value against its spec, and all that is in it. Relations between keys are looked at where
/// their values are right.
class SpecCheck {
 public:
  explicit SpecCheck(ErrorList& errors) : errors_{errors} {}

  /// Checks the value, and keeps what is wrong with it.
  void attempt(const Node& node) {
    if (!errors_.attempt([&] { check(node); })) unreadable_.insert(node.pointer_);
  }

  [[nodiscard]] std::set<std::string, std::less<>>& unreadable() { return unreadable_; }

 private:
  void check(const Node& node) {
    switch (node.kind()) {
      case ValueKind::text:
        return text(node);
      case ValueKind::flag:
        if (node.value_->get<bool>() == nullptr) wrong_kind(node);
        return;
      case ValueKind::integer:
        return integer(node);
      case ValueKind::number:
        return number(node);
      case ValueKind::duration:
        return duration(node);
      case ValueKind::window:
        return window(node);
      case ValueKind::date:
        return parsed(node, parse_date(word(node)).has_value());
      case ValueKind::clock:
        return parsed(node, parse_clock(word(node)).has_value(), meant_clock(word(node)));
      case ValueKind::clock_span:
        return parsed(node, parse_clock_span(word(node)).has_value(), meant_clock_span(word(node)));
      case ValueKind::choice:
        return choice(node);
      case ValueKind::object:
        return object(node);
      case ValueKind::list:
        return list(node);
      case ValueKind::table:
        return table(node);
      case ValueKind::either:
        return wrong_kind(node);  // none of the kinds fits
      case ValueKind::any:
        return;
    }
  }

  static constexpr std::size_t kMostText = 10'000;

  // `meant`: what should have been written; empty: nobody knows.
  [[noreturn]] static void wrong_kind(const Node& node, const std::string& meant = {}) {
    node.fail(fmt::format("must be {}, but is {}{}", describe(*node.spec_), to_text(*node.value_),
                          meant.empty() ? in_object(node) : ": write " + meant));
  }

  // Where an object is asked for, the key of it that takes the value as it is.
  static std::string in_object(const Node& node) {
    const JsonValue& value = *node.value_;
    const bool is_whole =
        value.get<JsonValue::List>() != nullptr || value.get<JsonValue::Members>() != nullptr;
    if (is_whole || node.kind() != ValueKind::object) return {};
    for (const KeySpec& key : node.spec_->object->keys) {
      if (takes(node, key, value)) return fmt::format(R"(: write {{"{}": {}}})", key.name, to_text(value));
    }
    return {};
  }

  static const std::string& word(const Node& node) {
    const auto* text = node.value_->get<std::string>();
    if (text == nullptr) wrong_kind(node);
    return *text;
  }

  static void parsed(const Node& node, bool is_one, const std::string& meant = {}) {
    if (!is_one) wrong_kind(node, meant.empty() ? meant : fmt::format("\"{}\"", meant));
  }

  // A time of day in the place of a length, where an object beside the length takes it.
  static std::string meant_object(const Node& node) {
    const std::string clock = meant_clock(word(node));
    if (clock.empty()) return {};
    for (const ValueSpec& part : node.asked_->parts) {
      if (part.kind != ValueKind::object) continue;
      for (const KeySpec& key : part.object->keys) {
        if (key.value.kind == ValueKind::clock) return fmt::format(R"({{"{}": "{}"}})", key.name, clock);
      }
    }
    return {};
  }

  static void text(const Node& node) {
    const std::string& value = word(node);
    if (value.size() > kMostText) node.fail(fmt::format("must be at most {} bytes long", kMostText));
    one_line(node, value);
  }

  // Names and notes stand in tables, CSV files and on terminals.
  static void one_line(const Node& node, std::string_view text) {
    const std::size_t at = first_control(text);
    if (at == text.size()) return;
    node.fail(fmt::format("must be one line of text, but has a control character (byte {} is 0x{:02x})",
                          at + 1, static_cast<unsigned char>(text[at])));
  }

  static void in_range(const Node& node, double value) {
    const ValueSpec& spec = *node.spec_;
    if (spec.more_than_least && value <= spec.least) {
      node.fail(fmt::format("must be more than {:.15g}, but is {}", spec.least, to_text(*node.value_)));
    }
    if (value < spec.least) {
      const bool is_share = spec.unit == "%" && value > 0 && value < 1;
      node.fail(fmt::format(
          "must be at least {:.15g}, but is {}{}", spec.least, to_text(*node.value_),
          is_share ? fmt::format(": write {:.15g} for {:.15g} %", value * 100, value * 100) : ""));
    }
    if (value > spec.most) {
      const bool is_percent = spec.unit.starts_with("share") && value / 100 <= spec.most;
      node.fail(
          fmt::format("must be at most {:.15g}, but is {}{}", spec.most, to_text(*node.value_),
                      is_percent ? fmt::format(": write {:.15g} for {:.15g} %", value / 100, value) : ""));
    }
  }

  static void integer(const Node& node) {
    if (!fits_number(node)) wrong_kind(node);
    const double value = node.as_number();
    if (std::trunc(value) != value) wrong_kind(node);
    in_range(node, value);
  }

  static void number(const Node& node) {
    if (!fits_number(node)) wrong_kind(node);
    in_range(node, node.as_number());
  }

  static bool fits_number(const Node& node) {
    return node.value_->get<std::int64_t>() != nullptr || node.value_->get<double>() != nullptr;
  }

  static void duration(const Node& node) {
    if (fits_number(node)) {
      node.fail(fmt::format(R"(needs a unit, as in "30min", but is {})", to_text(*node.value_)));
    }
    const auto length = parse_duration(word(node));
    if (!length) wrong_kind(node, meant_object(node));
    if (*length == kForever) {
      if (!node.spec_->forever) node.fail("must have an end, but is \"forever\"");
      return;
    }
    if (*length > kLongestRun) {
      node.fail(
          fmt::format("must be at most {}, but is {}", format_duration(kLongestRun), to_text(*node.value_)));
    }
    if (node.spec_->more_than_least && *length == SimDuration::zero()) node.fail("must be more than 0s");
    if (const SimDuration least{std::llround(node.spec_->least)}; *length < least)
      node.fail(fmt::format("must be at least {}, but is {}", format_duration(least), to_text(*node.value_)));
  }

  static void window(const Node& node) {
    const auto* text = node.value_->get<std::string>();
    const auto months = text == nullptr ? std::nullopt : parse_months(*text);
    if (!months) return duration(node);
    if (*months > kMostMonths) node.fail(fmt::format("must be at most {} months", kMostMonths));
  }

  static void choice(const Node& node) {
    const std::string& given = word(node);
    if (std::ranges::find(node.spec_->choices, given) != node.spec_->choices.end()) return;
    const std::string& what = node.spec_->what;
    const std::string instead = write_instead(what, given);
    if (!instead.empty()) node.fail(fmt::format("there is no {} \"{}\"{}", what, given, instead));
    if (!what.empty()) node.fail(unknown_name(what, given, node.spec_->choices));
    node.fail(fmt::format(
        "there is no \"{}\" here{}{}", given.substr(0, 60), suggest(given, node.spec_->choices),
        parse_date(given) ? ". To end on a day, give the length of the window: \"window\": \"30d\"" : ""));
  }

  void list(const Node& node) {
    const auto* items = node.value_->get<JsonValue::List>();
    if (items == nullptr) wrong_kind(node);
    const auto count = static_cast<double>(items->size());
    if (count < node.spec_->least || count > node.spec_->most) {
      const std::string expected =
          node.spec_->least == node.spec_->most
              ? fmt::format("{:.15g}", node.spec_->least)
              : fmt::format("{:.15g} to {:.15g}", node.spec_->least, node.spec_->most);
      node.fail(fmt::format("must have {} items, but has {:.15g}", expected, count));
    }
    for (const Node& item : node.items()) attempt(item);
  }

  void table(const Node& node) {
    if (node.value_->get<JsonValue::Members>() == nullptr) wrong_kind(node);
    for (const auto& [name, value] : node.entries()) {
      check_entry(name, value);
    }
  }

  void check_entry(const std::string& name, const Node& value) {
    if (errors_.attempt([&] { one_line(value, name); }))
      attempt(value);
    else
      unreadable_.insert(value.pointer_);
  }

  void object(const Node& node) {
    const auto* members = node.value_->get<JsonValue::Members>();
    if (members == nullptr) wrong_kind(node);
    for (const JsonValue::Member& member : *members) {
      if (errors_.is_full()) return;  // then nobody reads on
      check_member(node, member);
    }
    if (errors_.is_full()) return;
    check_keys(node);
    RelationCheck{errors_, unreadable_}.check(node);
  }

  void check_member(const Node& node, const JsonValue::Member& member) {
    const KeySpec* key = node.spec_->object->find(member.key);
    if (key != nullptr) return attempt(node.child(member.value, key->value, member.key));
    errors_.attempt([&] { unknown_key(node, member); });
    if (errors_.is_full()) return;
    unreadable_.insert(node.pointer_of(member.key));
    std::vector<const KeySpec*> meant = missing_keys(node, [&](const KeySpec& missing) {
      return !suggest(member.key, {&missing.name, 1}, 0).empty();
    });
    if (meant.empty())
      meant = missing_keys(node, [&](const KeySpec& missing) { return takes(node, missing, member.value); });
    for (const KeySpec* each : meant) unreadable_.insert(node.pointer_of(each->name));
  }

  template <typename Condition>
  static std::vector<const KeySpec*> missing_keys(const Node& node, const Condition& condition) {
    std::vector<const KeySpec*> keys;
    for (const KeySpec& key : node.spec_->object->keys) {
      if (!node.has(key.name) && condition(key)) keys.push_back(&key);
    }
    return keys;
  }

  // Whether the value would be right for the key. Free text and an empty object say nothing of that.
  static bool takes(const Node& object, const KeySpec& key, const JsonValue& value) {
    const auto* members = value.get<JsonValue::Members>();
    if (members != nullptr && members->empty()) return false;
    if (key.value.kind == ValueKind::text && !key.required) return false;
    ErrorList first{1};
    SpecCheck{first}.attempt(object.child(value, key.value, key.name));
    return first.count() == 0;
  }

  void check_keys(const Node& node) {
    const ObjectSpec& spec = *node.spec_->object;
    for (const KeySpec& key : spec.keys) {
      if (is_meant(node, key.name)) continue;
      if (!errors_.attempt([&] { require(node, key); })) unreadable_.insert(node.pointer_of(key.name));
    }
    for (const KeyGroup& group : spec.exactly_one) check_group(node, group, true);
    for (const KeyGroup& group : spec.at_most_one) check_group(node, group, false);
  }

  // Whether an unknown key may stand for this one, which is missing.
  [[nodiscard]] bool is_meant(const Node& node, const std::string& key) const {
    return !node.has(key) && unreadable_.contains(node.pointer_of(key));
  }

  void check_group(const Node& node, const KeyGroup& group, bool one_needed) {
    if (std::ranges::any_of(group.keys, [&](const std::string& key) { return is_meant(node, key); })) return;
    if (errors_.attempt([&] { count_of(node, group, one_needed); })) return;
    for (const std::string& key : group.keys) unreadable_.insert(node.pointer_of(key));
  }

  static void require(const Node& node, const KeySpec& key) {
    if (key.required && !node.has(key.name))
      node.fail(fmt::format("\"{}\" is missing: {}", key.name, key.doc));
  }

  [[noreturn]] static void unknown_key(const Node& node, const JsonValue::Member& member) {
    const auto names = node.spec_->object->key_names();
    static const ValueSpec kAny = text_value();
    const Node unknown = node.child(member.value, kAny, member.key);
    const std::string instead = write_instead(node.spec_->object->name, member.key);
    if (!instead.empty()) unknown.fail(fmt::format("there is no key \"{}\"{}", member.key, instead));
    unknown.fail(unknown_name("key", member.key, names, names.size()));
  }

  static void count_of(const Node& node, const KeyGroup& group, bool one_needed) {
    std::vector<std::string> there;
    for (const std::string& key : group.keys) {
      if (node.has(key)) there.push_back(key);
    }
    if (there.size() > 1) node.fail(fmt::format("\"{}\" cannot go together", fmt::join(there, "\" and \"")));
    if (one_needed && there.empty()) {
      node.fail(fmt::format("one of \"{}\" is missing{}{}", fmt::join(group.keys, "\", \""),
                            group.hint.empty() ? "" : ": ", group.hint));
    }
  }

  ErrorList& errors_;
  std::set<std::string, std::less<>> unreadable_;
};

Node check_scenario(const ScenarioText& text, const ValueSpec& spec) {
  ErrorList errors;
  Node root = check_scenario(text, spec, errors);
  errors.raise();
  return root;
}

Node check_scenario(const ScenarioText& text, const ValueSpec& spec, ErrorList& errors) {
  text.unreadable.clear();
  Node root{text, text.root, spec, "", 1};
  SpecCheck check{errors};
  check.attempt(root);
  text.unreadable = std::move(check.unreadable());
  return root;
}

}  // namespace stockout
