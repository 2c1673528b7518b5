#pragma once

#include <boost/functional/hash.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace stockout::slurm {

/// Number of a node in the configuration, from 0.
using NodeIndex = std::uint32_t;

/// Some of a cluster's nodes, a bit each. Two sets that are combined are of one cluster.
class NodeSet {
 public:
  NodeSet() = default;
  explicit NodeSet(std::size_t nodes) : words_((nodes + kBits - 1) / kBits) {}

  void insert(NodeIndex node) { words_[node / kBits] |= bit(node); }
  void erase(NodeIndex node) { words_[node / kBits] &= ~bit(node); }
  void clear() { std::fill(words_.begin(), words_.end(), 0); }
  [[nodiscard]] bool contains(NodeIndex node) const { return (words_[node / kBits] & bit(node)) != 0; }

  [[nodiscard]] int size() const {
    int count = 0;
    for (const std::uint64_t word : words_) count += std::popcount(word);
    return count;
  }
  [[nodiscard]] bool empty() const {
    return std::all_of(words_.begin(), words_.end(), [](std::uint64_t word) { return word == 0; });
  }
  [[nodiscard]] bool is_subset_of(const NodeSet& other) const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if ((words_[i] & ~other.words_[i]) != 0) return false;
    }
    return true;
  }
  [[nodiscard]] bool overlaps(const NodeSet& other) const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if ((words_[i] & other.words_[i]) != 0) return true;
    }
    return false;
  }
  /// Whether all that is in `a` and `b` is in this set and in `other` too.
  [[nodiscard]] bool holds_common(const NodeSet& other, const NodeSet& a, const NodeSet& b) const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if ((a.words_[i] & b.words_[i] & ~(words_[i] & other.words_[i])) != 0) return false;
    }
    return true;
  }
  NodeSet& operator&=(const NodeSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words_[i];
    return *this;
  }
  NodeSet& operator|=(const NodeSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
    return *this;
  }
  NodeSet& operator-=(const NodeSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= ~other.words_[i];
    return *this;
  }
  /// Calls visit(node) for each that is in `other` too, in the order of their numbers.
  template <typename Visit>
  void for_each_common(const NodeSet& other, Visit visit) const {
    for (std::size_t i = 0; i < words_.size(); ++i) visit_word(i, words_[i] & other.words_[i], visit);
  }
  [[nodiscard]] std::size_t hash() const { return boost::hash_range(words_.begin(), words_.end()); }
  friend bool operator==(const NodeSet&, const NodeSet&) = default;

  /// Calls visit(node) for each, in the order of their numbers.
  template <typename Visit>
  void for_each(Visit visit) const {
    for (std::size_t i = 0; i < words_.size(); ++i) visit_word(i, words_[i], visit);
  }
  /// All of them, in the order of their numbers.
  [[nodiscard]] std::vector<NodeIndex> list() const {
    std::vector<NodeIndex> nodes;
    for_each([&](NodeIndex node) { nodes.push_back(node); });
    return nodes;
  }

 private:
  static constexpr std::size_t kBits = 64;
  template <typename Visit>
  static void visit_word(std::size_t at, std::uint64_t word, Visit& visit) {
    for (; word != 0; word &= word - 1)
      visit(static_cast<NodeIndex>(at * kBits + static_cast<std::size_t>(std::countr_zero(word))));
  }
  static std::uint64_t bit(NodeIndex node) { return std::uint64_t{1} << (node % kBits); }

  std::vector<std::uint64_t> words_;
};

}  // namespace stockout::slurm
