#include "models/scenario/workload/job_sets.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "models/scenario/format/fill.h"
#include "models/scenario/format/known_names.h"

namespace stockout {
namespace {

class JobSetsOfSources {
 public:
  JobSetsOfSources(Draft& draft, std::span<const SourceTerms> terms) : draft_{draft}, terms_{terms} {
    for (const SourceTerms& source : terms) names_.push_back(source.name);
  }

  void build() {
    for (std::size_t i = 0; i < terms_.size(); ++i) {
      if (terms_[i].node.has("with")) join(i);
    }
    for (std::size_t i = 0; i < terms_.size(); ++i) {
      if (terms_[i].node.has("job_set")) read_rule(i);
      if (terms_[i].node.has("after")) check_after(terms_[i].node);
    }
    if (draft_.world().has_sets())
      draft_.assume(
          "job sets: each job asks for its machines alone, also of queued provisioning, which takes one "
          "kind of pod a request. Machines that wait for others are paid; a restart keeps the machines "
          "that are left");
  }

 private:
  std::vector<Source>& sources() { return draft_.world().sources; }
  static SourceId id_of(std::size_t source) { return SourceId{static_cast<std::uint16_t>(source)}; }

  void join(std::size_t source) {
    const Node with = terms_[source].node.at("with");
    const std::size_t first = find_name(with, "source", names_);
    for (const char* key : {"with", "after"}) {
      if (terms_[first].node.has(key))
        with.fail(
            fmt::format("\"{}\" comes \"{}\" another source itself: name one whose jobs come of themselves",
                        names_[first], key));
    }
    if (terms_[first].node.has("retry"))
      terms_[first].node.at("retry").fail("cannot be combined with sets of jobs: \"max_restarts\" says it");
    check_classes(with);
    sources()[first].set = SetMember{.first = id_of(first), .rule = {}};
    sources()[source].set = SetMember{.first = id_of(first), .rule = {}};
    std::get<SyntheticDemand>(sources()[source].demand).work = work_of(sources()[first].demand);
  }

  // A job that its group holds back would be missed by the others of its set, and what a set does when a
  // worker exits is not here.
  void check_classes(const Node& with) {
    for (const JobClass& job_class : draft_.world().classes) {
      if (job_class.exits.any())
        with.fail(fmt::format("cannot be combined with \"exits\" of class \"{}\"", job_class.name));
      if (job_class.parallel > 0)
        with.fail(fmt::format("cannot be combined with \"parallel\" of class \"{}\"", job_class.name));
    }
  }

  // How long its jobs are; of a trace their mean, which counts for the size of a run alone.
  static Law work_of(const Demand& first) {
    if (const auto* synthetic = std::get_if<SyntheticDemand>(&first)) return synthetic->work;
    const std::vector<SimDuration>& work = std::get<TraceDemand>(first).jobs->work;
    const auto sum = std::reduce(work.begin(), work.end(), SimDuration{});
    return {.a = sum / std::max<std::int64_t>(1, std::ssize(work))};
  }

  void read_rule(std::size_t source) {
    const Node node = terms_[source].node.at("job_set");
    auto& set = sources()[source].set;
    if (!set) node.fail(fmt::format("no source is \"with\" \"{}\"", names_[source]));
    fill(set->rule, node);
    set->rule.in_place = node.text("restart") == "in_place";
  }

  void check_after(const Node& node) {
    for (const Node& before : node.list("after")) {
      if (terms_[find_name(before, "source", names_)].node.has("with"))
        before.fail("is with another source: name that one, whose jobs end as these do");
    }
  }

  Draft& draft_;
  std::span<const SourceTerms> terms_;
  std::vector<std::string> names_;
};

}  // namespace

void build_job_sets(Draft& draft, std::span<const SourceTerms> terms) {
  JobSetsOfSources{draft, terms}.build();
}

}  // namespace stockout
