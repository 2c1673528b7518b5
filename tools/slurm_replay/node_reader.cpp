#include "tools/slurm_replay/node_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <set>
#include <utility>

#include "sim/io/line_reader.h"
#include "tools/slurm_replay/host_list.h"

namespace stockout::slurm {
namespace {

constexpr std::size_t kMostNodes = 100'000;
constexpr std::int64_t kMostCpus = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kMostGpusOfNode = 1024;
constexpr std::size_t kLongestType = 100;
constexpr std::size_t kMostInSets = 10'000'000;  // nodes, over all sets

// Keys that say how a node is reached, or what the model has not: they change nothing of who starts when.
constexpr std::array<std::string_view, 7> kOfNoNode{"nodehostname", "nodeaddr", "port",     "realmemory",
                                                    "tmpdisk",      "reason",   "bcastaddr"};
constexpr std::array<std::string_view, 10> kOfNode{
    "boards", "sockets", "socketsperboard", "corespersocket", "threadspercore",
    "cpus",   "procs",   "weight",          "state",          "gres"};

enum class NodeState : std::uint8_t { usable, cloud, unusable };

NodeState state_of(const ConfField& state) {
  constexpr std::array<std::string_view, 5> kUsable{"UNKNOWN", "IDLE", "ALLOCATED", "ERROR", "MIXED"};
  constexpr std::array<std::string_view, 2> kUnusable{"DOWN", "FUTURE"};
  const auto is_state = [&](std::string_view word) { return is_same_word(state.value, word); };
  if (std::ranges::any_of(kUsable, is_state)) return NodeState::usable;
  if (std::ranges::any_of(kUnusable, is_state)) return NodeState::unusable;
  if (begins_with_word(state.value, "CLOUD")) return NodeState::cloud;
  if (begins_with_word(state.value, "DRAIN") || begins_with_word(state.value, "FAIL"))
    return NodeState::unusable;
  state.fail("UNKNOWN, CLOUD, FUTURE, DOWN, DRAIN or FAIL");
}

// "gpu:4", "gpu:a100:4", "gpu:a100:2,gpu:h100:2"; none for what is no GPU
std::optional<GpusOfType> gpus_in(const std::string& item, const ConfField& gres) {
  std::vector<std::string> words = split_words(item.substr(0, item.find('(')), ':');
  std::erase_if(words, [](const std::string& word) { return is_same_word(word, "no_consume"); });
  if (words.empty() || !is_same_word(words.front(), "gpu")) return std::nullopt;
  ConfField count = gres;
  count.value = words.size() == 1 ? "1" : words.back();
  if (words.size() == 3 && words[1].size() > kLongestType)
    gres.fail(fmt::format("a type of GPUs with at most {} characters", kLongestType));
  return GpusOfType{.type = words.size() == 3 ? words[1] : "",
                    .count = count.whole_number(0, kMostGpusOfNode)};
}

}  // namespace

NodeReader::Keys NodeReader::keys_of(const ConfLine& line) {
  Keys keys;
  for (const ConfField& field : line) {
    if (field.is("NodeName")) continue;
    std::string key = in_lower_case(field.key);
    if (key == "features") key = "feature";
    const bool is_feature = key == "feature";  // jobs that ask for one are not modelled
    if (is_feature || std::ranges::find(kOfNode, key) != kOfNode.end()) keys.insert_or_assign(key, field);
    const auto gres = key == "gres" ? split_words(field.value, ',') : std::vector<std::string>{};
    const bool is_other_gres =
        std::ranges::any_of(gres, [&](const std::string& item) { return !gpus_in(item, field); });
    const bool is_known =
        std::ranges::find(kOfNoNode, key) != kOfNoNode.end() || (keys.contains(key) && !is_feature);
    if (is_other_gres || !is_known) cluster_.not_modelled.push_back(at_line(field.where, field.key));
  }
  return keys;
}

void NodeReader::read(const ConfLine& line) {
  Keys keys = keys_of(line);
  keys.insert(defaults_.begin(), defaults_.end());  // what the line says stays
  if (is_same_word(line.front().value, "DEFAULT"))
    defaults_ = std::move(keys);
  else
    add_nodes(line.front(), keys);
}

void NodeReader::add_nodes(const ConfField& names, const Keys& keys) {
  Node node;
  node.cpus = cpus_of(names, keys);
  NodeLine from{.where = names.where};
  if (const auto state = keys.find("state"); state != keys.end()) {
    const NodeState is = state_of(state->second);
    if (is == NodeState::unusable) return leave_out(names, state->second);
    node.cloud = is == NodeState::cloud;
  }
  if (const auto weight = keys.find("weight"); weight != keys.end())
    node.weight = weight->second.whole_number(1, kMostCpus);
  if (const auto feature = keys.find("feature"); feature != keys.end())
    from.features = std::make_shared<std::vector<std::string>>(split_words(feature->second.value, ','));
  if (const auto gres = keys.find("gres"); gres != keys.end()) {
    for (const std::string& item : split_words(gres->second.value, ',')) {
      if (const auto gpus = gpus_in(item, gres->second)) from.gpus.push_back(*gpus);
    }
    if (from.gpus.size() > kMostTypes)
      gres->second.fail(fmt::format("a list with at most {} types of GPUs", kMostTypes));
  }
  for (const GpusOfType& gpus : from.gpus) {
    node.gpus += static_cast<int>(gpus.count);
    if (gpus.type.empty()) continue;
    from.gpu_type += (from.gpu_type.empty() ? "" : ",") + gpus.type;
  }
  for (std::string& name : read_host_list(names.value, kMostNodes - numbers_.size(), names.where)) {
    const auto number = static_cast<NodeIndex>(cluster_.configuration.nodes.size());
    if (!numbers_.emplace(name, number).second)
      throw InputError{names.where, fmt::format("there is already a node {}", in_quotes(name))};
    cluster_.configuration.nodes.push_back(node);
    cluster_.configuration.nodes.back().name = std::move(name);
    cluster_.node_lines.push_back(from);
  }
}

void NodeReader::leave_out(const ConfField& names, const ConfField& state) {
  for (const std::string& name : read_host_list(names.value, kMostNodes - numbers_.size(), names.where)) {
    if (!numbers_.emplace(name, std::nullopt).second)
      throw InputError{names.where, fmt::format("there is already a node {}", in_quotes(name))};
  }
  cluster_.notes.push_back(
      at_line(names.where,
              fmt::format("nodes {} are left out: State={} gives them no job", names.value, state.value)));
}

// As slurmctld takes them: CPUs are those that are written if they are as many as sockets, cores or threads.
int NodeReader::cpus_of(const ConfField& names, const Keys& keys) {
  const auto number = [&](std::string_view key, std::int64_t most) -> std::optional<std::int64_t> {
    const auto found = keys.find(key);
    if (found == keys.end()) return std::nullopt;
    return found->second.whole_number(1, most);
  };
  const std::int64_t boards = number("boards", 1024).value_or(1);
  const std::int64_t cores = number("corespersocket", 1024).value_or(1);
  const std::int64_t threads = number("threadspercore", 64).value_or(1);
  const auto procs = number("procs", kMostCpus);
  const auto written = keys.contains("cpus") ? number("cpus", kMostCpus) : procs;
  const auto of_board = number("socketsperboard", 1024);
  std::int64_t sockets = number("sockets", 1024).value_or(0);
  if (of_board) {
    sockets = boards * *of_board;
  } else if (sockets == 0) {
    const bool fills_sockets = written && *written % (cores * threads) == 0;
    sockets = fills_sockets ? *written / (cores * threads) : boards;
  }
  const std::int64_t all = sockets * cores * threads;
  if (all > kMostCpus)
    throw InputError{names.where, fmt::format("has {} CPUs, but at most {} are supported", all, kMostCpus)};
  if (!written) return static_cast<int>(all);
  if (*written == sockets || *written == sockets * cores || *written == all)
    return static_cast<int>(*written);
  cluster_.notes.push_back(
      at_line(names.where, fmt::format("CPUs={} are neither the sockets of {}, nor their cores, nor their "
                                       "threads: Slurm takes {}",
                                       *written, names.value, all)));
  return static_cast<int>(all);
}

void NodeReader::read_set(const ConfLine& line) {
  const ConfField& name = line.front();
  Set set{.where = name.where, .place = sets_.size()};
  for (const ConfField& field : line) {
    if (field.is("Nodes"))
      set.definition.nodes = field;
    else if (field.is("Feature"))
      set.definition.feature = field.value;
    else if (!field.is("NodeSet"))
      cluster_.not_modelled.push_back(at_line(field.where, field.key));
  }
  if (!sets_.emplace(name.value, std::move(set)).second)
    throw InputError{name.where, fmt::format("there is already a node set {}", in_quotes(name.value))};
}

void NodeReader::check(const std::string& file) const {
  if (numbers_.empty()) throw InputError{{.file = file}, "names no node (NodeName=...)"};
  if (cluster_.configuration.nodes.empty())
    throw InputError{{.file = file},
                     "names no node that a job may have: they are FUTURE, DOWN, DRAIN or FAIL"};
}

std::optional<NodeIndex> NodeReader::number_of(const std::string& name, const ConfField& field) const {
  const auto found = numbers_.find(name);
  if (found == numbers_.end())
    throw InputError{field.where, fmt::format("there is no node {}", in_quotes(name))};
  return found->second;
}

// Blanks in a list in quotes are commas, and several are one.
std::vector<std::string> NodeReader::names_in(const ConfField& list) const {
  const auto separates = [](char c) { return c == ',' || c == ' ' || c == '\t'; };
  std::string text;
  for (const char c : list.value) {
    if (!separates(c))
      text += c;
    else if (!text.empty() && text.back() != ',')
      text += ',';
  }
  if (text.ends_with(',')) text.pop_back();
  return read_host_list(text, kMostNodes, list.where);
}

std::vector<NodeIndex> NodeReader::nodes_of(const Set& set) const {
  std::vector<NodeIndex> nodes;
  if (set.definition.nodes) nodes = nodes_in(*set.definition.nodes, set.place + 1);
  const std::string& feature = set.definition.feature;
  if (feature.empty()) return nodes;
  const std::vector<NodeIndex>& featured = by_feature_.at(feature);
  nodes.insert(nodes.end(), featured.begin(), featured.end());
  return nodes;
}

// Of the features that sets name. Nodes of one line share theirs.
void NodeReader::find_features() {
  for (const auto& [name, set] : sets_)
    if (!set.definition.feature.empty()) by_feature_[set.definition.feature];
  const std::vector<std::string>* known = nullptr;
  std::set<std::vector<NodeIndex>*> of_line;
  std::size_t all = 0;
  for (NodeIndex i = 0; i < cluster_.node_lines.size(); ++i) {
    const NodeLine& line = cluster_.node_lines[i];
    if (!line.features) continue;
    if (line.features.get() != known) {
      of_line.clear();
      for (const std::string& feature : *line.features)
        if (const auto named = by_feature_.find(feature); named != by_feature_.end())
          of_line.insert(&named->second);
      known = line.features.get();
    }
    for (std::vector<NodeIndex>* nodes : of_line) nodes->push_back(i);
    all += of_line.size();
    check_size(all, line.where);
  }
}

void NodeReader::check_size(std::size_t all, const SourceRef& where) {
  if (all > kMostInSets)
    throw InputError{where, fmt::format("sets of nodes have more than {} nodes in all", kMostInSets)};
}

// Sets may name those that come later in the file, so the last is known first. One that nothing uses may be
// wrong.
void NodeReader::resolve_sets() {
  std::vector<Set*> in_order(sets_.size());
  for (auto& [name, set] : sets_) in_order[set.place] = &set;
  find_features();
  std::size_t all = 0;
  for (auto set = in_order.rbegin(); set != in_order.rend(); ++set) {
    try {
      (*set)->members = nodes_of(**set);
    } catch (const InputError& error) {
      (*set)->problem = error;
    }
    all += (*set)->members.size();
    check_size(all, (*set)->where);
  }
}

std::vector<NodeIndex> NodeReader::nodes_in(const ConfField& list, std::size_t first_set) const {
  std::vector<NodeIndex> nodes;
  if (is_same_word(list.value, "ALL")) {
    for (NodeIndex i = 0; i < cluster_.configuration.nodes.size(); ++i) nodes.push_back(i);
    return nodes;
  }
  for (const std::string& name : names_in(list)) {
    const auto set = sets_.find(name);
    if (set != sets_.end() && set->second.place >= first_set) {
      if (set->second.problem) throw InputError{*set->second.problem};
      const std::vector<NodeIndex>& members = set->second.members;
      nodes.insert(nodes.end(), members.begin(), members.end());
    } else if (const auto number = number_of(name, list)) {
      nodes.push_back(*number);
    }
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

}  // namespace stockout::slurm
