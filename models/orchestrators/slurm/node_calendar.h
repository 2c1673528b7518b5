#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/orchestrators/slurm/node_set.h"
#include "sim/core/time.h"

namespace stockout::slurm {

/// Number of a promise of nodes, as its maker counts them.
using PromiseId = std::uint32_t;

/// For how long nodes are held, and to whom they are promised after that. A node is promised to one at a
/// time.
class NodeCalendar {
 public:
  /// Nobody's number.
  static constexpr PromiseId kNobody = ~PromiseId{0};

  /// Who asks for nodes at the same time: any `count` of `among`, for `length`, not before `from`. The nodes
  /// that are promised to `who` already, from `promised` on, count as free.
  struct Request {
    const NodeSet& among;
    int count = 1;
    SimDuration length{};
    SimTime from{};
    PromiseId who = kNobody;
    const NodeSet& own;
    SimTime promised = kNever;
  };
  /// The earliest time for a request, and all nodes that are free then for its length; kNever if there are
  /// too few at any time.
  struct Opening {
    SimTime at = kNever;
    NodeSet nodes;
  };

  explicit NodeCalendar(std::size_t nodes);

  [[nodiscard]] Opening earliest(const Request& request);

  /// The nodes, which are free then, are promised to `who`.
  void promise(PromiseId who, const NodeSet& nodes, SimTime begin, SimTime end);
  /// The nodes, which were promised from `begin` on, no longer are.
  void release(const NodeSet& nodes, SimTime begin);
  /// The node is held until then, by who runs there. Those promised the node for an earlier time are added to
  /// `displaced`: the caller releases them.
  void hold(NodeIndex node, SimTime until, std::vector<PromiseId>& displaced);
  /// Nobody could have been promised the node until now.
  void add(NodeIndex node) { has_grown(node, 0); }
  /// All who are promised the node are added to `promised`.
  void list(NodeIndex node, std::vector<PromiseId>& promised) const;

  /// How often free time has grown. It is kept where, until that is forgotten.
  [[nodiscard]] std::uint64_t growths() const { return grown_; }
  [[nodiscard]] bool has_growths() const { return !growths_.empty(); }
  /// The first time at which the request could find other nodes than it was promised, because some free time
  /// has grown since there were `seen` growths; kNever: `earliest` comes to what it came to then.
  [[nodiscard]] SimTime may_differ(const Request& request, std::uint64_t seen);
  /// The first growths, until there were so many, are forgotten.
  void forget(std::uint64_t until);

 private:
  // The first of a node is who holds it. Behind each is free time until the next, behind the last for ever.
  struct Booking {
    SimTime begin{};
    SimTime end{};
    PromiseId who = kNobody;
  };
  struct FreeTime {
    SimTime begin{};
    SimTime end{};
  };
  struct Growth {
    std::uint64_t number = 0;
    NodeIndex node = 0;
    FreeTime grown;
    SimDuration longest{};  // no free time that has a part of it is longer, but for one that grew later
  };

  [[nodiscard]] FreeTime behind(NodeIndex node, std::size_t booking) const;
  [[nodiscard]] SimTime first_fit(NodeIndex node, const Request& request, SimTime from, SimTime until) const;
  [[nodiscard]] std::size_t last_before(NodeIndex node, SimTime at) const;
  void has_grown(NodeIndex node, std::size_t booking);
  [[nodiscard]] SimTime serves(const Growth& growth, const Request& request) const;
  void look_again(Growth& growth, SimTime now) const;

  std::vector<std::vector<Booking>> nodes_;  // by node, in order of time
  std::vector<Growth> growths_;
  std::uint64_t grown_ = 0;
  std::vector<SimTime> soonest_;  // a heap, kept for its memory
};

}  // namespace stockout::slurm
