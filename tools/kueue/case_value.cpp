#include "tools/kueue/case_value.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace stockout::kueue {
namespace {

constexpr double kMostSeconds = 1e11;  // three thousand years
constexpr std::int64_t kMostTimes = 1'000'000;

std::string escaped(std::string_view key) {
  std::string text;
  for (const char c : key) {
    if (c == '~') {
      text += "~0";
    } else if (c == '/') {
      text += "~1";
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace

void CaseValue::fail(std::string_view problem) const { throw InputError{where(), problem}; }

void CaseValue::odd(std::string_view problem) const { throw OddCase{where(), problem}; }

const JsonValue* CaseValue::raw(std::string_view key) const {
  if (!is_object()) fail(fmt::format("must be an object, but is {}", to_text(*value_)));
  return value_->find(key);
}

CaseValue CaseValue::child(const JsonValue& value, std::string_view key) const {
  return CaseValue{*file_, value, pointer_ + '/' + escaped(key)};
}

CaseValue CaseValue::at(std::string_view key) const {
  const JsonValue* value = raw(key);
  if (value == nullptr) fail(fmt::format("\"{}\" is missing", key));
  return child(*value, key);
}

std::optional<CaseValue> CaseValue::find(std::string_view key) const {
  const JsonValue* value = raw(key);
  if (value == nullptr || value->get<JsonValue::Null>() != nullptr) return std::nullopt;
  return child(*value, key);
}

std::string CaseValue::text_or(std::string_view key, std::string otherwise) const {
  const auto given = find(key);
  return given ? given->text() : std::move(otherwise);
}

std::vector<std::string> CaseValue::texts_of(std::string_view key) const {
  const auto given = find(key);
  return given ? given->texts() : std::vector<std::string>{};
}

bool CaseValue::is_set(std::string_view key) const {
  const auto given = find(key);
  return given && given->flag();
}

std::vector<std::pair<std::string, CaseValue>> CaseValue::members_of(std::string_view key) const {
  const auto given = find(key);
  return given ? given->members() : std::vector<std::pair<std::string, CaseValue>>{};
}

std::vector<CaseValue> CaseValue::list(std::string_view key) const {
  const auto given = find(key);
  return given ? given->items() : std::vector<CaseValue>{};
}

std::vector<std::pair<std::string, CaseValue>> CaseValue::members() const {
  if (!is_object()) fail(fmt::format("must be an object, but is {}", to_text(*value_)));
  std::vector<std::pair<std::string, CaseValue>> all;
  for (const JsonValue::Member& member : *value_->get<JsonValue::Members>()) {
    all.emplace_back(member.key, child(member.value, member.key));
  }
  return all;
}

void CaseValue::knows_only(const std::vector<std::string_view>& keys) const {
  for (const auto& [key, value] : members()) {
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) {
      throw NotModelled{fmt::format("the key \"{}\" of {}", key, pointer_tail()), value.where()};
    }
  }
}

std::vector<CaseValue> CaseValue::items() const {
  const auto* list = value_->get<JsonValue::List>();
  if (list == nullptr) fail(fmt::format("must be a list, but is {}", to_text(*value_)));
  std::vector<CaseValue> all;
  for (std::size_t i = 0; i < list->size(); ++i) all.push_back(child((*list)[i], std::to_string(i)));
  return all;
}

std::string CaseValue::text() const {
  const auto* text = value_->get<std::string>();
  if (text == nullptr) fail(fmt::format("must be a text, but is {}", to_text(*value_)));
  return *text;
}

std::string CaseValue::name() const {
  std::string name = text();
  if (name.empty()) fail("must be a name, but is empty");
  return name;
}

std::vector<std::string> CaseValue::texts() const {
  std::vector<std::string> all;
  for (const CaseValue& item : items()) all.push_back(item.text());
  return all;
}

std::string CaseValue::text_or_number() const {
  const bool is_number = value_->get<std::int64_t>() != nullptr || value_->get<double>() != nullptr;
  return is_number ? to_text(*value_) : text();
}

bool CaseValue::flag() const {
  const auto* flag = value_->get<bool>();
  if (flag == nullptr) fail(fmt::format("must be true or false, but is {}", to_text(*value_)));
  return *flag;
}

std::int64_t CaseValue::integer(std::int64_t least, std::int64_t most) const {
  const auto* number = value_->get<std::int64_t>();
  if (number == nullptr) fail(fmt::format("must be a whole number, but is {}", to_text(*value_)));
  if (*number < least || *number > most) {
    odd(fmt::format("must be from {} to {}, but is {}", least, most, *number));
  }
  return *number;
}

double CaseValue::number(double least, double most) const {
  const auto* whole = value_->get<std::int64_t>();
  const auto* real = value_->get<double>();
  if (whole == nullptr && real == nullptr) fail(fmt::format("must be a number, but is {}", to_text(*value_)));
  const double number = whole == nullptr ? *real : static_cast<double>(*whole);
  if (!(number >= least && number <= most)) {
    odd(fmt::format("must be from {} to {}, but is {}", least, most, number));
  }
  return number;
}

Amount CaseValue::amount() const { return Amount{integer(0, std::numeric_limits<std::int64_t>::max())}; }

SimDuration CaseValue::seconds() const {
  return SimDuration{std::llround(number(-kMostSeconds, kMostSeconds) * 1000)};
}

SimDuration CaseValue::length() const {
  const SimDuration length = seconds();
  if (length < SimDuration{}) odd("must not be negative");
  return length;
}

std::int32_t CaseValue::times() const { return static_cast<std::int32_t>(integer(0, kMostTimes)); }

// "/cases/3/clusterQueues/0/preemption" is of "preemption", "/cases/3/pending/0" of "pending".
std::string CaseValue::pointer_tail() const {
  std::string tail = pointer_;
  while (!tail.empty()) {
    const std::string last = tail.substr(tail.find_last_of('/') + 1);
    if (last.find_first_not_of("0123456789") != std::string::npos) return '"' + last + '"';
    tail.resize(tail.find_last_of('/'));
  }
  return "the file";
}

}  // namespace stockout::kueue
