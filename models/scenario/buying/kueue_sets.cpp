#include "models/scenario/buying/kueue_sets.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "models/scenario/buying/job_sets.h"

namespace stockout {
namespace {

/// Those that go with jobs of other classes in one set.
class SetChecker {
 public:
  explicit SetChecker(Draft& draft) : draft_{draft}, world_{draft.world()} {}

  void check() const {
    for (const Node& node : draft_.root.list("workload")) {
      if (node.has("with")) check_source(node);
    }
  }

 private:
  void check_source(const Node& node) const {
    const auto source = std::ranges::find(world_.sources, node.text("name"), &Source::name);
    const std::vector<ClassId> firsts = classes_of(world_.sources[index(source->set->first)]);
    for (const ClassId own : classes_of(*source)) {
      for (const ClassId first : firsts) check_pair(node.at("with"), first, own);
    }
  }

  void check_pair(const Node& with, ClassId first, ClassId own) const {
    const JobClass& a = world_.classes[index(first)];
    const JobClass& b = world_.classes[index(own)];
    if (a.priority != b.priority)
      with.fail(
          fmt::format("joins jobs of one workload of Kueue, which has one priority: class \"{}\" has {}, "
                      "and class \"{}\" has {}",
                      a.name, a.priority, b.name, b.priority));
    for (std::size_t user = 0; user < std::max<std::size_t>(1, world_.users.size()); ++user) {
      const UserId id{static_cast<std::uint32_t>(user)};
      const std::string& of_first = world_.kueue->local_queue_of(first, id);
      const std::string& of_own = world_.kueue->local_queue_of(own, id);
      if (of_first != of_own)
        with.fail(
            fmt::format("joins jobs of one workload of Kueue, which has one local queue: class \"{}\" goes "
                        "to \"{}\", and class \"{}\" to \"{}\"",
                        a.name, of_first, b.name, of_own));
    }
  }

  Draft& draft_;
  const World& world_;
};

// The classes that it names, or all.
bool is_for_sets_alone(const World& world, const PartialAdmission& entry) {
  for (std::size_t i = 0; i < world.classes.size(); ++i) {
    const ClassId job_class{static_cast<std::uint16_t>(i)};
    const bool takes = entry.jobs.classes.empty() || entry.jobs.classes[i];
    if (takes && !is_class_of_sets(world, job_class)) return false;
  }
  return true;
}

}  // namespace

bool is_class_of_sets(const World& world, ClassId job_class) {
  return std::ranges::any_of(world.sources, [&](const Source& source) {
    const std::vector<ClassId> classes = source.set ? classes_of(source) : std::vector<ClassId>{};
    return std::ranges::find(classes, job_class) != classes.end();
  });
}

void check_sets_under_kueue(Draft& draft) {
  const World& world = draft.world();
  if (!world.has_sets()) return;
  SetChecker{draft}.check();
  if (!world.kueue->partial.empty() &&
      std::ranges::all_of(world.kueue->partial,
                          [&](const PartialAdmission& entry) { return is_for_sets_alone(world, entry); }))
    draft.warn("kueue: \"partial_admission\" has no effect on sets of jobs, which need all their pods");
  draft.assume(
      "Kueue: a set of jobs is one workload, with a pod set and a flavor for each job; machines without GPUs "
      "take quota by their vCPUs");
}

}  // namespace stockout
