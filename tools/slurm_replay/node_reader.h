#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/slurm_replay/conf_line.h"
#include "tools/slurm_replay/conf_reader.h"

namespace stockout::slurm {

/// Reads the lines NodeName and NodeSet into a cluster. Each key that a line has not is that of the last
/// NodeName=DEFAULT above which had it. Nodes that no job may have (FUTURE, DOWN, DRAIN, FAIL) are left out.
class NodeReader {
 public:
  explicit NodeReader(ClusterFile& cluster) : cluster_{cluster} {}

  /// A line that begins with NodeName, or with NodeSet. Throws InputError.
  void read(const ConfLine& line);
  void read_set(const ConfLine& line);
  /// After all nodes and sets. Throws InputError if they have too many nodes.
  void resolve_sets();
  /// Throws InputError if there is no node that jobs may have.
  void check(const std::string& file) const;

  /// None: no job may have it. Throws InputError at `field` for what is no node.
  [[nodiscard]] std::optional<NodeIndex> number_of(const std::string& name, const ConfField& field) const;
  /// The nodes of a list of names of nodes and node sets, or ALL, in the order of the file. Sets are
  /// resolved.
  [[nodiscard]] std::vector<NodeIndex> nodes_in(const ConfField& list) const { return nodes_in(list, 0); }

 private:
  using Keys = std::map<std::string, ConfField, std::less<>>;  // by key, in small letters
  struct SetDefinition {
    std::optional<ConfField> nodes = std::nullopt;
    std::string feature = {};
  };
  struct Set {
    SourceRef where = {};
    std::size_t place = 0;  // in the file, among sets
    SetDefinition definition = {};
    // Once the sets are resolved:
    std::vector<NodeIndex> members = {};
    std::optional<InputError> problem = std::nullopt;  // why it has none
  };

  [[nodiscard]] Keys keys_of(const ConfLine& line);
  void add_nodes(const ConfField& names, const Keys& keys);
  void leave_out(const ConfField& names, const ConfField& state);
  [[nodiscard]] int cpus_of(const ConfField& names, const Keys& keys);
  [[nodiscard]] std::vector<std::string> names_in(const ConfField& list) const;
  [[nodiscard]] std::vector<NodeIndex> nodes_in(const ConfField& list, std::size_t first_set) const;
  [[nodiscard]] std::vector<NodeIndex> nodes_of(const Set& set) const;
  void find_features();
  static void check_size(std::size_t all, const SourceRef& where);

  ClusterFile& cluster_;
  Keys defaults_ = {};
  std::map<std::string, std::optional<NodeIndex>, std::less<>> numbers_ = {};  // none: left out
  std::map<std::string, Set, std::less<>> sets_ = {};                          // by name
  std::map<std::string, std::vector<NodeIndex>, std::less<>> by_feature_ = {};
};

}  // namespace stockout::slurm
