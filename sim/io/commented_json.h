#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace stockout {

/// A value of a JSON file that people read and edit: with comments above it, each a line that begins with
/// `//`. Readers with JsonLimits::written_by_hand take such files.
struct CommentedJson {
  /// A member of an object. The value is written on one line where it fits.
  static CommentedJson member(std::string key, nlohmann::ordered_json value);
  /// An item of a list.
  static CommentedJson item(nlohmann::ordered_json value);
  /// An object or a list, to be filled with what stands in it; `key` is empty for an item of a list.
  static CommentedJson object(std::string key);
  static CommentedJson list(std::string key);

  /// One more thought above it. Line ends and controls of the text become blanks.
  CommentedJson& say(std::string_view text);
  CommentedJson& add(CommentedJson inner);
  /// It stands in the file as a comment, for whoever wants to switch it on.
  CommentedJson& off();

  std::vector<std::string> comments = {};
  std::string key = {};
  nlohmann::ordered_json value = {};  // where `inner` is empty
  std::vector<CommentedJson> inner = {};
  bool is_off = false;
};

/// The text of a file with the object, lines of at most 100 characters where values allow that.
[[nodiscard]] std::string to_text(const CommentedJson& object);

}  // namespace stockout
