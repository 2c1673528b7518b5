#include "models/scenario/format/relation.h"

#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/scenario/format/spec.h"

namespace stockout {
namespace {

std::string colon(const std::string& why) { return why.empty() ? "" : ": " + why; }

std::string marked(std::string_view word, char mark) { return fmt::format("{0}{1}{0}", mark, word); }

// "a", "a or b", "a, b or c".
std::string joined(const std::vector<std::string>& texts, const char* last) {
  std::string text;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (i > 0) text += i + 1 == texts.size() ? fmt::format(" {} ", last) : ", ";
    text += texts[i];
  }
  return text;
}

const char* noun_of(ValueKind kind) {
  switch (kind) {
    case ValueKind::number:
      return "a number";
    case ValueKind::date:
      return "a date";
    case ValueKind::list:
      return "a list";
    case ValueKind::object:
      return "an object";
    default:
      return "of that kind";
  }
}

// The last key of a path.
std::string_view last_key(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// `flavor` of `legs`, from the key outwards.
std::string path_text(std::string_view path, char mark) {
  std::string text = marked(last_key(path), mark);
  while (path.find('/') != std::string_view::npos) {
    path = path.substr(0, path.rfind('/'));
    text += " of " + marked(last_key(path), mark);
  }
  return text;
}

std::string text_of(const KeyHas& has, char mark) {
  if (has.kind) return fmt::format("{} that is {}", path_text(has.key, mark), value_text(has));
  if (has.words.empty()) return path_text(has.key, mark);
  const std::string_view key = last_key(has.key);
  const std::string value =
      fmt::format("{} {}", mark == '"' ? std::string{key} : marked(key, mark), value_text(has));
  return value + path_text(has.key, mark).substr(key.size() + 2);
}

std::string required_text(const std::vector<std::string>& keys) {
  std::vector<std::string> texts;
  for (const std::string& key : keys) texts.push_back(path_text(key, '`'));
  return joined(texts, "and");
}

}  // namespace

KeyRelation requires_keys(KeyHas where, std::vector<std::string> keys, std::string why) {
  return {.any_of = {std::move(where)}, .required = std::move(keys), .why = std::move(why)};
}

KeyRelation requires_without(std::vector<KeyHas> where, std::vector<std::string> keys, std::string why) {
  return {.any_of = std::move(where), .holds = false, .required = std::move(keys), .why = std::move(why)};
}

KeyRelation excludes_keys(KeyHas where, std::vector<std::string> keys, std::string why) {
  KeyRelation relation{.any_of = {std::move(where)}, .why = std::move(why)};
  for (std::string& key : keys) relation.excluded.push_back({std::move(key)});
  return relation;
}

KeyRelation excludes_value(KeyHas where, KeyHas value, std::string why) {
  return {.any_of = {std::move(where)}, .excluded = {std::move(value)}, .why = std::move(why)};
}

KeyRelation only_with(std::vector<KeyHas> where, std::vector<std::string> keys, std::string why) {
  KeyRelation relation{.any_of = std::move(where), .holds = false, .why = std::move(why)};
  for (std::string& key : keys) relation.excluded.push_back({std::move(key)});
  return relation;
}

KeyRelation value_only_with(std::vector<KeyHas> where, KeyHas value, std::string why) {
  return {.any_of = std::move(where), .holds = false, .excluded = {std::move(value)}, .why = std::move(why)};
}

std::string one_of_text(const std::vector<std::string>& words, char mark, const char* last) {
  std::vector<std::string> texts;
  for (const std::string& word : words) texts.push_back(marked(word, mark));
  return joined(texts, last);
}

std::string text_of(const std::vector<KeyHas>& any_of, char mark) {
  std::vector<std::string> there;
  std::vector<std::string> texts;
  for (const KeyHas& has : any_of) {
    const bool is_there = has.words.empty() && !has.kind;
    (is_there ? there : texts).push_back(text_of(has, mark));
  }
  if (!there.empty()) texts.push_back(joined(there, "or"));
  return fmt::format("{}", fmt::join(texts, " or "));
}

std::string value_text(const KeyHas& has) {
  if (has.kind) return noun_of(*has.kind);
  const bool is_flag = !has.words.empty() && (has.words.front() == "true" || has.words.front() == "false");
  return is_flag ? joined(has.words, "or") : one_of_text(has.words, '"');
}

std::string sentence_of(const KeyRelation& relation) {
  const std::string where = text_of(relation.any_of, '`');
  const std::string why = colon(relation.why);
  if (!relation.required.empty()) {
    const std::string keys = required_text(relation.required);
    if (relation.holds) return fmt::format("{} requires {}{}.", where, keys, why);
    return fmt::format("{} {} required without {}{}.", keys, relation.required.size() == 1 ? "is" : "are",
                       where, why);
  }
  std::vector<std::string> texts;
  for (const KeyHas& has : relation.excluded) texts.push_back(text_of(has, '`'));
  const std::string keys = joined(texts, "and");
  if (relation.holds) return fmt::format("{} cannot be combined with {}{}.", keys, where, why);
  return fmt::format("{} {} allowed only with {}{}.", keys, texts.size() == 1 ? "is" : "are", where, why);
}

}  // namespace stockout
