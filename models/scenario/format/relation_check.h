#pragma once

#include <set>
#include <string>

#include "models/scenario/format/node.h"
#include "models/scenario/format/relation.h"
#include "sim/core/error_list.h"

namespace stockout {

/// Holds objects against the relations between their keys. What breaks one goes to the errors, at the key
/// that may not be there or the object that lacks one, and among the pointers of what is unreadable.
class RelationCheck {
 public:
  using Pointers = std::set<std::string, std::less<>>;

  RelationCheck(ErrorList& errors, Pointers& unreadable) : errors_{errors}, unreadable_{unreadable} {}

  /// Every relation of an object, but for those about values that are wrong themselves.
  void check(const Node& object);

 private:
  /// An object, and a key of it that a path leads to.
  struct Place;

  [[nodiscard]] static std::vector<Place> places(const Node& object, std::string_view path);
  [[nodiscard]] static bool is_as_said(const Place& place, const KeyHas& has);
  [[nodiscard]] static std::vector<KeyHas> said_of(const Node& object, const std::vector<KeyHas>& any_of);
  [[nodiscard]] static bool is_on_path(std::string_view wrong, const Node& object, std::string_view path);
  [[nodiscard]] bool is_readable(const Node& object, std::string_view path) const;
  [[nodiscard]] bool is_readable(const Node& object, const KeyRelation& relation) const;

  void check(const Node& object, const KeyRelation& relation);
  void require(const Node& object, const KeyRelation& relation, const std::string& where);
  void exclude(const Node& object, const KeyRelation& relation, const std::string& where);

  ErrorList& errors_;
  Pointers& unreadable_;
};

}  // namespace stockout
