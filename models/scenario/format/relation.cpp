#include "models/scenario/format/relation.h"

#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace stockout {
namespace {

std::string colon(const std::string& why) { return why.empty() ? "" : ": " + why; }

}  // namespace

KeyRelation requires_keys(KeyHas where, std::vector<std::string> keys, std::string why) {
  return {.any_of = {std::move(where)}, .required = std::move(keys), .why = std::move(why)};
}

KeyRelation excludes_keys(KeyHas where, std::vector<std::string> keys, std::string why) {
  return {.any_of = {std::move(where)}, .excluded = std::move(keys), .why = std::move(why)};
}

KeyRelation only_with(std::vector<KeyHas> where, std::vector<std::string> keys, std::string why) {
  return {.any_of = std::move(where), .holds = false, .excluded = std::move(keys), .why = std::move(why)};
}

std::string one_of_text(const std::vector<std::string>& words, char mark, const char* last) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? fmt::format(" {} ", last) : ", ";
    text += fmt::format("{0}{1}{0}", mark, words[i]);
  }
  return text;
}

std::string text_of(const std::vector<KeyHas>& any_of, char mark) {
  std::vector<std::string> there;
  std::vector<std::string> texts;
  for (const KeyHas& has : any_of) {
    if (has.words.empty()) {
      there.push_back(has.key);
      continue;
    }
    const std::string key = mark == '"' ? has.key : fmt::format("{0}{1}{0}", mark, has.key);
    texts.push_back(fmt::format("{} {}", key, one_of_text(has.words, '"')));
  }
  if (!there.empty()) texts.push_back(one_of_text(there, mark));
  return fmt::format("{}", fmt::join(texts, " or "));
}

std::string sentence_of(const KeyRelation& relation) {
  const std::string where = text_of(relation.any_of, '`');
  const std::string why = colon(relation.why);
  if (!relation.required.empty())
    return fmt::format("{} requires {}{}.", where, one_of_text(relation.required, '`', "and"), why);
  const bool one = relation.excluded.size() == 1;
  const std::string keys = one_of_text(relation.excluded, '`', "and");
  if (relation.holds) return fmt::format("{} cannot be combined with {}{}.", keys, where, why);
  return fmt::format("{} {} allowed only with {}{}.", keys, one ? "is" : "are", where, why);
}

}  // namespace stockout
