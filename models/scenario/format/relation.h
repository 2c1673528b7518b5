#pragma once

#include <string>
#include <vector>

namespace stockout {

// What the keys of one object ask of one another, as data: the reader, the schema and the reference page all
// go by it.

/// Keys of which one excludes the others.
struct KeyGroup {
  std::vector<std::string> keys;
  std::string hint = {};  // what is said if one must be there and none is; may be empty
};

/// A key that is there, or that has one of some words, also by default.
struct KeyHas {
  std::string key;
  std::vector<std::string> words = {};  // of a choice; empty: that the key is there is enough
};

/// Where any of some keys is as said, or where none is, others must or must not be there.
struct KeyRelation {
  std::vector<KeyHas> any_of;
  bool holds = true;  // false: the rest is asked where none of them is as said
  std::vector<std::string> required = {};
  std::vector<std::string> excluded = {};
  std::string why = {};  // what follows a colon; may be empty
};

/// Where the key is as said, others must be there.
[[nodiscard]] KeyRelation requires_keys(KeyHas where, std::vector<std::string> keys, std::string why = {});

/// Where the key is as said, none of the others may be there.
[[nodiscard]] KeyRelation excludes_keys(KeyHas where, std::vector<std::string> keys, std::string why = {});

/// The keys may only be there where one of the others is as said.
[[nodiscard]] KeyRelation only_with(std::vector<KeyHas> where, std::vector<std::string> keys,
                                    std::string why = {});

/// `"trace"`, or `model "calendar" or "reservation"`, with this mark around the keys.
[[nodiscard]] std::string text_of(const std::vector<KeyHas>& any_of, char mark);

/// `"a"`, `"a" or "b"`, `"a", "b" or "c"`.
[[nodiscard]] std::string one_of_text(const std::vector<std::string>& words, char mark,
                                      const char* last = "or");

/// The relation as a sentence of the reference page.
[[nodiscard]] std::string sentence_of(const KeyRelation& relation);

}  // namespace stockout
