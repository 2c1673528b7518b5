#include "models/scenario/workload/pipelines.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/depth_first_search.hpp>
#include <boost/range/iterator_range.hpp>

#include "models/scenario/format/fill.h"
#include "models/scenario/format/known_names.h"

namespace stockout {
namespace {

// Sources, with an edge from each to those that it follows.
using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;
using Vertex = Graph::vertex_descriptor;

constexpr std::size_t kNone = ~std::size_t{0};

// Depth first: the path from where a search began, the first cycle, and the sources so that each comes
// behind all that it follows.
struct Search : boost::dfs_visitor<> {
  std::vector<Vertex>* path;
  std::vector<Vertex>* cycle;
  std::vector<Vertex>* order;

  void discover_vertex(Vertex at, const Graph& /*graph*/) { path->push_back(at); }
  void finish_vertex(Vertex at, const Graph& /*graph*/) {
    path->pop_back();
    order->push_back(at);
  }
  void back_edge(Graph::edge_descriptor edge, const Graph& graph) {
    if (!cycle->empty()) return;
    const Vertex again = target(edge, graph);
    cycle->assign(std::ranges::find(*path, again), path->end());
    cycle->push_back(again);
  }
};

class Pipelines {
 public:
  Pipelines(Draft& draft, std::span<const SourceTerms> terms)
      : draft_{draft}, terms_{terms}, graph_{terms.size()}, first_(terms.size(), kNone) {
    for (const SourceTerms& source : terms) names_.push_back(source.name);
  }

  void build() {
    for (std::size_t i = 0; i < terms_.size(); ++i) add_edges(i);
    for (const Vertex source : in_order()) find_first(source);
    for (std::size_t i = 0; i < terms_.size(); ++i) {
      if (out_degree(i, graph_) > 0) add_steps(i);
    }
    for (std::size_t i = 0; i < terms_.size(); ++i) {
      check_failure_policy(i);
      add_retry(i);
    }
    if (!draft_.root.has("classes")) return;
    for (const auto& [name, node] : draft_.root.at("classes").entries()) check_parallel(name, node);
  }

 private:
  void add_edges(std::size_t source) {
    if (!terms_[source].node.has("after")) return;
    for (const Node& before : terms_[source].node.list("after")) {
      const std::size_t number = find_name(before, "source", names_);
      if (edge(source, number, graph_).second) before.fail("is named twice");
      add_edge(source, number, graph_);
    }
  }

  std::vector<Vertex> in_order() const {
    std::vector<Vertex> path;
    std::vector<Vertex> cycle;
    std::vector<Vertex> order;
    Search search;
    search.path = &path;
    search.cycle = &cycle;
    search.order = &order;
    depth_first_search(graph_, boost::visitor(search));
    if (cycle.empty()) return order;
    std::vector<std::string> names;
    for (const Vertex source : cycle) names.push_back(fmt::format("\"{}\"", names_[source]));
    terms_[cycle.front()].node.at("after").fail(
        fmt::format("steps of a pipeline follow one another in a cycle: {}", fmt::join(names, " after ")));
  }

  // The source that begins the pipelines of this one, which comes behind all that it follows.
  void find_first(Vertex source) {
    first_[source] = source;
    for (const Vertex before : followed_by(source)) {
      const std::size_t first = first_[before];
      if (first_[source] == source) first_[source] = first;
      if (first_[source] == first) continue;
      terms_[source].node.at("after").fail(
          fmt::format("belongs to two pipelines, which come at different times: one begins with \"{}\", one "
                      "with \"{}\"",
                      names_[first_[source]], names_[first]));
    }
  }

  std::vector<Vertex> followed_by(Vertex source) const {
    const auto edges = boost::make_iterator_range(out_edges(source, graph_));
    std::vector<Vertex> sources;
    std::ranges::transform(edges, std::back_inserter(sources),
                           [&](auto each) { return target(each, graph_); });
    return sources;
  }

  // Of a source that follows others, and of the one that begins its pipelines.
  void add_steps(std::size_t source) {
    const Node& node = terms_[source].node;
    PipelineStep& step = step_of(source);
    for (const Vertex before : followed_by(source)) step.after.push_back(id_of(before));
    step.begins_anyway = node.flag("begins_anyway");
    const Node& begins = terms_[first_[source]].node;
    PipelineStep& first = step_of(first_[source]);
    first.by_group = comes_in_groups(begins, "schedule") || comes_in_groups(begins, "poisson");
    first.ends_with_failure = begins.text("failure_policy") == "fast";
  }

  void check_failure_policy(std::size_t source) const {
    const Node& node = terms_[source].node;
    if (node.has("failure_policy") && !draft_.world().sources[source].step)
      node.at("failure_policy").fail("has no effect: no source follows this one");
  }

  void add_retry(std::size_t source) {
    if (!terms_[source].node.has("retry")) return;
    const Node rule = terms_[source].node.at("retry");
    auto& step = draft_.world().sources[source].step;
    if (!step) rule.fail("is for steps of pipelines: this source follows none, and none follows it");
    StepRetry& retry = step->retry;
    fill(retry, rule);
    retry.factor_ppm = std::llround(rule.number("factor") * 1e6);
    if (retry.most < retry.first) rule.at("most").fail("must be at least \"pause\"");
  }

  // A limit for jobs of a group, of a class of which all jobs are further steps.
  void check_parallel(const std::string& job_class, const Node& node) const {
    bool is_of_steps = false;
    for (const SourceTerms& source : terms_) {
      const bool is_of_class =
          (source.node.has("class") ? source.node.text("class") : source.name) == job_class;
      const bool follows = source.node.has("after");
      is_of_steps = is_of_steps || (is_of_class && follows);
      if (source.node.has("trace") || (is_of_class && !follows)) return;
    }
    if (!node.has("parallel") || !is_of_steps) return;
    node.at("parallel")
        .fail("has no effect: all jobs of the class follow others, and a pipeline has one of each step");
  }

  static bool comes_in_groups(const Node& source, const char* arrivals) {
    return source.has(arrivals) && source.at(arrivals).flag("grouped");
  }

  PipelineStep& step_of(std::size_t source) {
    auto& step = draft_.world().sources[source].step;
    if (!step) step = PipelineStep{.first = id_of(first_[source]), .after = {}};
    return *step;
  }

  static SourceId id_of(std::size_t source) { return SourceId{static_cast<std::uint16_t>(source)}; }

  Draft& draft_;
  std::span<const SourceTerms> terms_;
  std::vector<std::string> names_;
  Graph graph_;
  std::vector<std::size_t> first_;  // by source
};

}  // namespace

void build_pipelines(Draft& draft, std::span<const SourceTerms> terms) { Pipelines{draft, terms}.build(); }

}  // namespace stockout
