#include "models/orchestrators/kueue/fair_tournament.h"

#include <map>
#include <optional>

#include "models/orchestrators/kueue/fair_share.h"
#include "models/orchestrators/kueue/ordering.h"

namespace stockout::kueue {
namespace {

class Tournament {
 public:
  Tournament(const Scene& scene, const std::vector<Entry>& entries) : scene_{scene}, entries_{entries} {
    const NodeId root = scene.tree().root(entries.front().queue);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (scene.tree().root(entries[i].queue) == root) enter(i);
    }
  }

  [[nodiscard]] std::size_t winner_below(NodeId node) const {
    const auto entry = entry_of_.find(node);
    if (entry != entry_of_.end()) return entry->second;
    std::optional<Contestant> best;
    for (const NodeId child : contested_.at(node)) {
      Contestant contestant = contestant_of(child, winner_below(child));
      if (!best || beats(contestant, *best)) best = std::move(contestant);
    }
    return best->entry;
  }

 private:
  struct Contestant {
    std::size_t entry = 0;
    FairShare share = {};
    bool borrows = false;  // any of what it asks for
  };

  void enter(std::size_t place) {
    NodeId node = entries_[place].queue;
    entry_of_[node] = place;
    for (auto up = scene_.tree().parent(node); up; up = scene_.tree().parent(node)) {
      contested_[*up].insert(node);
      node = *up;
    }
  }

  // The share of the node with what the entry asks for.
  [[nodiscard]] Contestant contestant_of(NodeId node, std::size_t place) const {
    const Entry& entry = entries_[place];
    scene_.tree().add(entry.queue, entry.assignment.usage);
    Contestant contestant{.entry = place, .share = fair_share(scene_.tree(), node)};
    scene_.tree().remove(entry.queue, entry.assignment.usage);
    contestant.borrows = contestant.share.borrows_any(entry.assignment.usage);
    return contestant;
  }

  [[nodiscard]] bool beats(const Contestant& a, const Contestant& b) const {
    const Settings& settings = scene_.settings;
    const Head& own = entries_[a.entry].head;
    const Head& rival = entries_[b.entry].head;
    if (settings.gates.has(Gate::prioritize_preemptors) && own.is_preemptor != rival.is_preemptor) {
      return own.is_preemptor;
    }
    if (settings.gates.has(Gate::prioritize_non_borrowing) && a.borrows != b.borrows) return !a.borrows;
    const auto order = compare(a.share, b.share);
    if (order != 0) return order < 0;
    const Workload& first = *own.workload;
    const Workload& second = *rival.workload;
    if (settings.gates.has(Gate::priority_sorting_within_cohort)) {
      const std::int64_t priority = effective_priority(first, settings.gates);
      const std::int64_t other = effective_priority(second, settings.gates);
      if (priority != other) return priority > other;
    }
    return queue_order_time(first, settings) < queue_order_time(second, settings);
  }

  const Scene& scene_;
  const std::vector<Entry>& entries_;
  std::map<NodeId, std::size_t> entry_of_;        // by queue
  std::map<NodeId, std::set<NodeId>> contested_;  // cohort -> children with entries below
};

}  // namespace

std::size_t tournament_winner(const Scene& scene, const std::vector<Entry>& entries) {
  return Tournament{scene, entries}.winner_below(scene.tree().root(entries.front().queue));
}

}  // namespace stockout::kueue
