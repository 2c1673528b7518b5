#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace stockout {

// What the keys of an object, and of the objects within it, ask of one another, as data: the reader, the
// schema and the reference page all go by it. A key that would have no effect is refused wherever it stands.
// A relation names the values that are, if it is to let the others through: a default that is written out
// says what happens anyway.

enum class ValueKind : std::uint8_t;  // in spec.h

/// Keys of which one excludes the others.
struct KeyGroup {
  std::vector<std::string> keys;
  std::string hint = {};  // what is said if one must be there and none is; may be empty
};

/// A key that is there, that has one of some words, or whose value is of a kind. It may be a path down to
/// objects within: "legs/flavor" is `flavor` of any of the `legs`.
struct KeyHas {
  std::string key;
  std::vector<std::string> words = {};  // of a choice, or true or false; empty: that it is there is enough
  std::optional<ValueKind> kind = {};   // of a value that may be of several
};

/// Where any of some keys is as said, also by default, or where none is, others must or must not be there.
struct KeyRelation {
  std::vector<KeyHas> any_of;
  bool holds = true;                       // false: the rest is asked where none of them is as said
  std::vector<std::string> required = {};  // of a path: each of the objects that it leads to has the key
  std::vector<KeyHas> excluded = {};       // as written: a default excludes nothing
  std::string why = {};                    // what follows a colon; may be empty
};

/// Where the key is as said, others must be there.
[[nodiscard]] KeyRelation requires_keys(KeyHas where, std::vector<std::string> keys, std::string why = {});

/// Where none of some keys is as said, others must be there.
[[nodiscard]] KeyRelation requires_without(std::vector<KeyHas> where, std::vector<std::string> keys,
                                           std::string why);

/// Where the key is as said, none of the others may be there.
[[nodiscard]] KeyRelation excludes_keys(KeyHas where, std::vector<std::string> keys, std::string why = {});

/// Where the key is as said, the other may not have this value.
[[nodiscard]] KeyRelation excludes_value(KeyHas where, KeyHas value, std::string why = {});

/// The keys may only be there where one of the others is as said.
[[nodiscard]] KeyRelation only_with(std::vector<KeyHas> where, std::vector<std::string> keys,
                                    std::string why = {});

/// A key may only have this value where one of the others is as said.
[[nodiscard]] KeyRelation value_only_with(std::vector<KeyHas> where, KeyHas value, std::string why = {});

/// `"trace"`, `model "calendar" or "reservation"`, or `"flavor" of "legs"`, with this mark around the keys.
[[nodiscard]] std::string text_of(const std::vector<KeyHas>& any_of, char mark);

/// The value alone: `"first_boot"`, `true`, `a list`. Empty: any value.
[[nodiscard]] std::string value_text(const KeyHas& has);

/// `"a"`, `"a" or "b"`, `"a", "b" or "c"`.
[[nodiscard]] std::string one_of_text(const std::vector<std::string>& words, char mark,
                                      const char* last = "or");

/// The relation as a sentence of the reference page.
[[nodiscard]] std::string sentence_of(const KeyRelation& relation);

}  // namespace stockout
