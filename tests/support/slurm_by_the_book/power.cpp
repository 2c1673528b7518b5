#include <algorithm>

#include "tests/support/slurm_by_the_book/book.h"

namespace stockout::by_the_book {
namespace {

using slurm::Event;
using slurm::JobState;

std::vector<JobId> jobs_on(const Book& book, NodeIndex node) {
  std::vector<JobId> found;
  for (JobId id = 0; id < book.jobs.size(); ++id) {
    if (contains(book.jobs[id].nodes, node)) found.push_back(id);
  }
  return found;
}

void become(Book& book, NodeIndex node, NodeState state) {
  book.nodes[node].state = state;
  book.nodes[node].since = book.now;
  book.nodes[node].idle_since = book.now;
  change(book);
}

bool downs_on_idle(const Book& book, NodeIndex node) {
  const auto& all = book.cluster.partitions;
  return std::any_of(all.begin(), all.end(), [&](const slurm::Partition& one) {
    return one.power_down_on_idle && contains(one.nodes, node);
  });
}

void power_down(Book& book, NodeIndex node) {
  tell_node(book, Event::Kind::power_down, node);
  become(book, node, NodeState::powering_down);
}

}  // namespace

// The largest of its partitions.
slurm::PowerSave power_rules(const Book& book, NodeIndex node) {
  std::optional<slurm::PowerSave> rules;
  for (const slurm::Partition& one : book.cluster.partitions) {
    if (!contains(one.nodes, node)) continue;
    const slurm::PowerSave other = one.power.value_or(book.cluster.settings.power);
    if (!rules) rules = other;
    rules->suspend_time = std::max(rules->suspend_time, other.suspend_time);
    rules->suspend_timeout = std::max(rules->suspend_timeout, other.suspend_timeout);
    rules->resume_timeout = std::max(rules->resume_timeout, other.resume_timeout);
  }
  return rules.value_or(book.cluster.settings.power);
}

void power_up_for_jobs(Book& book) {
  for (const BookJob& job : book.jobs) {
    if (job.state != JobState::configuring) continue;
    for (const NodeIndex node : job.nodes) {
      if (book.nodes[node].state != NodeState::off) continue;
      become(book, node, NodeState::powering_up);
      tell_node(book, Event::Kind::power_up, node);
    }
  }
}

bool is_idle_too_long(const Book& book, NodeIndex node) {
  const BookNode& here = book.nodes[node];
  if (!book.cluster.nodes[node].cloud || here.state != NodeState::up || !jobs_on(book, node).empty())
    return false;
  const SimDuration wait = power_rules(book, node).suspend_time;
  return wait != kForever && book.now >= here.idle_since + wait;
}

void leave_node(Book& book, NodeIndex node) {
  book.nodes[node].idle_since = book.now;
  const bool is_idle_cloud = book.cluster.nodes[node].cloud && book.nodes[node].state == NodeState::up &&
                             jobs_on(book, node).empty();
  if (is_idle_cloud && downs_on_idle(book, node)) power_down(book, node);
}

void come_up(Book& book, NodeIndex node) {
  if (book.nodes[node].state != NodeState::powering_up) return;
  become(book, node, NodeState::up);
  for (const JobId id : jobs_on(book, node)) {
    const Nodes& all = book.jobs[id].nodes;
    const bool are_up = std::all_of(all.begin(), all.end(),
                                    [&](NodeIndex each) { return book.nodes[each].state == NodeState::up; });
    if (book.jobs[id].state == JobState::configuring && are_up) run(book, id);
  }
  if (jobs_on(book, node).empty()) leave_node(book, node);
}

void set_down(Book& book, NodeIndex node, SimTime back) {
  become(book, node, NodeState::down);
  tell_node(book, Event::Kind::node_down, node);
  book.nodes[node].back = back;
  for (const JobId id : jobs_on(book, node)) lose_nodes(book, id);
}

void restore(Book& book, NodeIndex node) {
  if (book.nodes[node].state == NodeState::down)
    become(book, node, book.cluster.nodes[node].cloud ? NodeState::off : NodeState::up);
}

void look_at_nodes(Book& book) {
  for (NodeIndex node = 0; node < book.nodes.size(); ++node) {
    const BookNode here = book.nodes[node];
    const slurm::PowerSave rules = power_rules(book, node);
    if (here.state == NodeState::powering_down && book.now >= here.since + rules.suspend_timeout) {
      become(book, node, NodeState::off);
    } else if (here.state == NodeState::powering_up && book.now >= here.since + rules.resume_timeout) {
      set_down(book, node, kNever);
    } else if (here.state == NodeState::down && book.now >= here.back) {
      restore(book, node);
    } else if (is_idle_too_long(book, node)) {
      power_down(book, node);
    }
  }
}

}  // namespace stockout::by_the_book
