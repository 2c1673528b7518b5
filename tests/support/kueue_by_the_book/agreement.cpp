#include "tests/support/kueue_by_the_book/agreement.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "models/orchestrators/kueue/cycle.h"
#include "models/orchestrators/kueue/fair_share.h"
#include "tests/support/kueue_by_the_book/flavors.h"
#include "tests/support/kueue_by_the_book/shares.h"

namespace stockout::test::by_the_book {
namespace {

using kueue::CellId;
using kueue::NodeId;
using kueue::Workload;

// By what they are about.
using Answers = std::map<std::string, std::string>;

std::string first_difference(const Answers& library, const Answers& book) {
  std::set<std::string> keys;
  for (const auto& [key, answer] : library) keys.insert(key);
  for (const auto& [key, answer] : book) keys.insert(key);
  for (const std::string& key : keys) {
    const auto ours = library.find(key);
    const auto other = book.find(key);
    const std::string a = ours == library.end() ? "(nothing)" : ours->second;
    const std::string b = other == book.end() ? "(nothing)" : other->second;
    if (a != b) return fmt::format("{}\n  library: {}\n  by the book: {}\n", key, a, b);
  }
  return {};
}

Book book_of(const RandomCluster& cluster) {
  Book book{.objects = &cluster.objects, .settings = &cluster.settings};
  for (const Workload& holder : cluster.holders) book.holders.push_back(&holder);
  return book;
}

// The library's ledger with those who hold quota.
struct Stage {
  explicit Stage(const RandomCluster& cluster) : objects{cluster.objects}, settings{cluster.settings} {
    ledger.rebuild(objects);
    for (const Workload& holder : cluster.holders) ledger.hold(holder);
    const Book book = book_of(cluster);
    for (const auto& [name, queue] : objects.cluster_queues) {
      if (book.is_open(name)) open.insert(name);
    }
  }
  [[nodiscard]] kueue::Scene scene() { return {ledger, objects, settings, nullptr, &open}; }
  [[nodiscard]] NodeId node(const Node& one) {
    return one.is_queue ? *ledger.tree().queue(one.name) : *ledger.tree().cohort(one.name);
  }
  [[nodiscard]] CellId cell(const Cell& one) { return ledger.tree().cell(one.flavor, one.resource); }

  const kueue::Configuration& objects;
  const kueue::Settings& settings;
  kueue::Ledger ledger;
  std::set<std::string> open;
};

std::set<Node> nodes_of(const Book& book) {
  std::set<Node> nodes;
  for (const auto& [name, queue] : book.objects->cluster_queues) {
    nodes.insert(queue_node(name));
    for (const Node& above : book.ancestors(queue_node(name))) nodes.insert(above);
  }
  for (const auto& [name, cohort] : book.objects->cohorts) nodes.insert({.is_queue = false, .name = name});
  return nodes;
}

std::set<Cell> cells_of(const Book& book) {
  std::set<Cell> cells;
  for (const Node& node : nodes_of(book)) cells.merge(book.cells(node));
  return cells;
}

constexpr const char* kQuota = "quota {} local {} available {} at most {} used {} borrows {}";

std::string level_text(int height, bool is_part) { return fmt::format("{} {}", height, is_part); }

void ask_for_levels(const Book& book, Stage& stage, const Node& queue, const Cell& cell, Answers& library,
                    Answers& answers) {
  const kueue::QuotaTree& tree = stage.ledger.tree();
  for (const std::int64_t amount : {0, 1, 3, 6, 12}) {
    const std::string key =
        fmt::format("level of {} more {} of {} in {}", amount, cell.resource, cell.flavor, queue.name);
    const kueue::CoveringSubtree ours =
        kueue::covering_subtree(tree, stage.node(queue), stage.cell(cell), kueue::Amount{amount});
    const Book::Level other = book.level(queue.name, cell, amount);
    library[key] = level_text(ours.height, ours.is_part);
    answers[key] = level_text(other.height, other.is_part);
  }
}

std::string share_text(double weighted, bool is_infinite, std::size_t borrowed) {
  return fmt::format("{:.9f} infinite {} of {} cells", is_infinite ? 0 : weighted, is_infinite, borrowed);
}

void ask_for_quota(const Book& book, Stage& stage, const Node& node, const Cell& cell, Answers& library,
                   Answers& answers) {
  const kueue::QuotaTree& tree = stage.ledger.tree();
  const NodeId id = stage.node(node);
  const CellId number = stage.cell(cell);
  const std::string key =
      fmt::format("{} of {} in {}{}", cell.resource, cell.flavor, node.is_queue ? "" : "cohort ", node.name);
  library[key] =
      fmt::format(kQuota, tree.subtree_quota(id, number).count(), tree.local_available(id, number).count(),
                  tree.available(id, number).count(), tree.potentially_available(id, number).count(),
                  tree.usage(id, number).count(), tree.borrows(id, number, kueue::Amount{1}));
  answers[key] = fmt::format(kQuota, book.subtree_quota(node, cell), book.local_available(node, cell),
                             book.available(node, cell), book.potentially_available(node, cell),
                             book.usage(node, cell), book.borrows(node, cell, 1));
  if (node.is_queue) ask_for_levels(book, stage, node, cell, library, answers);
}

// Wants what the workload asks for, of some flavor of its queue. Which flavor, and what is contested, follows
// from `way`.
Wish some_wish(const RandomCluster& cluster, const Workload& workload, std::size_t way) {
  Wish wish{.who = &workload, .queue = workload.cluster_queue};
  for (const kueue::PodSet& pod_set : workload.spec.pod_sets) {
    for (const kueue::ResourceGroup& group : cluster.objects.cluster_queues.at(wish.queue).groups) {
      const std::string& flavor = group.flavors[way % group.flavors.size()].flavor;
      for (const auto& [resource, amount] : pod_set.requests) {
        if (!group.covers(resource) || amount == kueue::Amount{}) continue;
        wish.amounts[{flavor, resource}] += amount.count() * pod_set.count;
      }
    }
  }
  std::size_t number = way / 3;
  for (const auto& [cell, amount] : wish.amounts) {
    if (number++ % 2 == 0) wish.contested.insert(cell);
  }
  return wish;
}

}  // namespace

std::string differences_in_quota(const RandomCluster& cluster) {
  const Book book = book_of(cluster);
  Stage stage{cluster};
  Answers library;
  Answers answers;
  for (const Node& node : nodes_of(book)) {
    for (const Cell& cell : cells_of(book)) ask_for_quota(book, stage, node, cell, library, answers);
    const kueue::FairShare ours = kueue::fair_share(stage.ledger.tree(), stage.node(node));
    const Share other = share_of(book, node);
    const std::string key = fmt::format("share of {}{}", node.is_queue ? "" : "cohort ", node.name);
    library[key] = share_text(ours.weighted(), ours.is_infinite(), ours.borrowed.size());
    answers[key] = share_text(other.weighted(), other.is_infinite(), other.borrowed.size());
  }
  for (const Workload& workload : cluster.incoming) {
    const Node queue = queue_node(workload.cluster_queue);
    const Amounts more = some_wish(cluster, workload, 0).amounts;
    kueue::Usage usage;
    for (const auto& [cell, amount] : more) kueue::add_to(usage, stage.cell(cell), kueue::Amount{amount});
    const kueue::FairShare ours = kueue::fair_share(stage.ledger.tree(), stage.node(queue), usage);
    const Share other = share_of(book.with(queue.name, more), queue);
    const std::string key = fmt::format("share of {} with {}", queue.name, workload.name);
    library[key] = share_text(ours.weighted(), ours.is_infinite(), ours.borrowed.size());
    answers[key] = share_text(other.weighted(), other.is_infinite(), other.borrowed.size());
  }
  return first_difference(library, answers);
}

namespace {

std::string leavers_text(const std::vector<Leaver>& leaving) {
  std::set<std::string> names;
  for (const Leaver& one : leaving) names.insert(one.workload->name + ' ' + one.reason);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string victims_text(const Stage& stage, const std::vector<kueue::Victim>& victims) {
  std::set<std::string> names;
  for (const kueue::Victim& one : victims)
    names.insert(stage.ledger.workload(one.workload).name + ' ' + one.reason);
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

std::string differences_in_victims(const RandomCluster& cluster) {
  const Book book = book_of(cluster);
  Stage stage{cluster};
  Answers library;
  Answers answers;
  for (const Workload& workload : cluster.incoming) {
    for (std::size_t way = 0; way < 6; ++way) {
      const Wish wish = some_wish(cluster, workload, way);
      kueue::Claim claim{.preemptor = &workload, .queue = *stage.ledger.tree().queue(wish.queue)};
      for (const auto& [cell, amount] : wish.amounts) claim.want(stage.cell(cell), kueue::Amount{amount});
      for (const Cell& cell : wish.contested) claim.contested.push_back(stage.cell(cell));
      const std::string key = fmt::format("who leaves for {} (way {})", workload.name, way);
      library[key] = victims_text(stage, kueue::find_victims(stage.scene(), claim));
      answers[key] = leavers_text(leavers(book, wish));
    }
  }
  return first_difference(library, answers);
}

namespace {

constexpr const char* kChoice = " {}={} outlook {} level {} tried {}";
constexpr const char* kAttempt = " | tried {}: {} level {} {}";

std::string plan_text(const Plan& plan, const std::string& reason) {
  std::string text = fmt::format("{} level {} {}", static_cast<int>(plan.result()), plan.level, reason);
  for (const PodSetChoice& pod_set : plan.pod_sets) {
    text += fmt::format("; {} x {}{}", pod_set.count, pod_set.name, pod_set.failed ? " failed" : "");
    for (const auto& [resource, one] : pod_set.flavors) {
      text += fmt::format(kChoice, resource, one.flavor, one.outlook == Outlook::fit ? "fit" : "preempt",
                          one.level, one.tried);
    }
    for (const Attempt& one : pod_set.attempts)
      text += fmt::format(kAttempt, one.flavor, static_cast<int>(one.outlook), one.level, one.reason);
  }
  return text;
}

int outlook_of(const kueue::FlavorAttempt& attempt) {
  if (attempt.mode == kueue::Mode::fit) return 4;
  return attempt.prospect ? static_cast<int>(*attempt.prospect) : 0;
}

std::string assignment_text(const kueue::Assignment& assignment) {
  const int result = assignment.mode() == kueue::Mode::fit      ? 2
                     : assignment.mode() == kueue::Mode::no_fit ? 0
                                                                : 1;
  std::string text = fmt::format("{} level {} {}", result, assignment.borrow, assignment.reason);
  for (const kueue::PodSetAssignment& pod_set : assignment.pod_sets) {
    text += fmt::format("; {} x {}{}", pod_set.count, pod_set.name, pod_set.failed ? " failed" : "");
    for (const auto& [resource, one] : pod_set.flavors) {
      text += fmt::format(kChoice, resource, one.flavor, one.mode == kueue::Mode::fit ? "fit" : "preempt",
                          one.borrow, one.tried);
    }
    for (const kueue::FlavorAttempt& one : pod_set.attempts)
      text += fmt::format(kAttempt, one.flavor, outlook_of(one), one.borrow, one.reason);
  }
  return text;
}

}  // namespace

std::string differences_in_nominations(const RandomCluster& cluster) {
  const Book book = book_of(cluster);
  Stage stage{cluster};
  Answers library;
  Answers answers;
  for (const Workload& workload : cluster.incoming) {
    kueue::Entry entry{.head = {.workload = &workload},
                       .queue = *stage.ledger.tree().queue(workload.cluster_queue)};
    kueue::nominate(stage.scene(), entry, nullptr);
    const Nomination other = nominate(book, {.workload = &workload});
    const bool is_no_fit = other.plan.result() == Result::no_fit;
    const std::string reason = is_no_fit ? other.plan.reason(book.rules(workload.cluster_queue)) : "";
    library["nomination of " + workload.name] =
        assignment_text(entry.assignment) + "; leave: " + victims_text(stage, entry.victims);
    answers["nomination of " + workload.name] =
        plan_text(other.plan, reason) + "; leave: " + leavers_text(other.leaving);
  }
  return first_difference(library, answers);
}

}  // namespace stockout::test::by_the_book
