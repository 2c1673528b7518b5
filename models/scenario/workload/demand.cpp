#include "models/scenario/workload/demand.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "models/scenario/format/keys.h"
#include "models/workload/arrivals/synthesis.h"

namespace stockout {
namespace {

constexpr SimDuration kMonth = std::chrono::duration_cast<SimDuration>(std::chrono::months{1});
constexpr SimDuration kYear = std::chrono::duration_cast<SimDuration>(std::chrono::years{1});

struct Peak {
  SimTime from{};
  SimTime until{};
  double times = 1;
};

// One key `demand`, of a source or of the scenario, added to what the other has said.
class DemandReader {
 public:
  DemandReader(Draft& draft, std::string who) : draft_{draft}, who_{std::move(who)} {}

  void read(const Node& node) {
    if (node.kind() != ValueKind::object) return add_times(node.as_number());
    add_times(node.number("times"));
    for (const Node& peak : node.list("peaks")) add_peak(peak);
    if (node.has("growth")) add_growth(node.at("growth"));
  }

  // Times and peaks as steps.
  [[nodiscard]] DemandFactor factor() {
    if (peaks_.empty() && times_ == 1) return std::move(factor_);
    std::vector<SimTime> edges{draft_.world().begin};
    for (const Peak& peak : peaks_) edges.insert(edges.end(), {peak.from, peak.until});
    std::ranges::sort(edges);
    for (const SimTime edge : edges) {
      double times = times_;
      for (const Peak& peak : peaks_) {
        if (edge >= peak.from && edge < peak.until) times *= peak.times;
      }
      factor_.steps.push_back({.at = edge, .times = times});
    }
    return std::move(factor_);
  }

 private:
  void add_times(double times) {
    times_ *= times;
    if (times != 1) tell(fmt::format("demand is {:.6g} times what is written", times));
  }

  void add_peak(const Node& node) {
    const Date from = node.date("from");
    const Date until = node.date("until");
    if (until <= from) node.at("until").fail("must be later than \"from\"");
    const Peak peak{.from = draft_.calendar.time(from, {}),
                    .until = draft_.calendar.time(until, {}),
                    .times = node.number("times")};
    if (peak.until <= kStart || peak.from >= draft_.world().window_end)
      draft_.warn(fmt::format("{}: the peak \"{}\" lies outside the window", who_, node.text("name")));
    peaks_.push_back(peak);
    tell(fmt::format("\"{}\", {} to {}: {:.6g} times the demand", node.text("name"), to_text(from),
                     to_text(until - std::chrono::days{1}), peak.times));
  }

  void add_growth(const Node& node) {
    const bool linear = node.text("form") == "linear";
    Growth growth{.form = linear ? Growth::Form::linear : Growth::Form::compound,
                  .rate = node.number("percent") / 100,
                  .period = node.text("per") == "year" ? kYear : kMonth};
    growth.from = node.has("from") ? draft_.calendar.time(node.date("from"), {}) : draft_.calendar.origin();
    tell(fmt::format("demand grows by {:.6g} % a {} from {}, {}: {:.4g} times at the end of the window",
                     node.number("percent"), node.text("per"),
                     node.has("from") ? node.text("from") : "the start", node.text("form"),
                     growth.at(draft_.world().window_end)));
    factor_.growths.push_back(growth);
  }

  void tell(const std::string& what) { draft_.assume(fmt::format("{}: {}", who_, what)); }

  Draft& draft_;
  std::string who_;
  double times_ = 1;
  std::vector<Peak> peaks_;
  DemandFactor factor_;
};

}  // namespace

DemandFactor build_demand_factor(Draft& draft, const SourceTerms& source) {
  DemandReader reader{draft, source.name};
  for (const Node& node : {source.node, draft.root}) {
    if (node.has("demand")) reader.read(node.at("demand"));
  }
  DemandFactor factor = reader.factor();
  const double most = factor.most(kStart, draft.world().window_end);
  if (!(most <= kMostCopies)) {
    const Node& where = source.node.has("demand") ? source.node : draft.root;
    where.at("demand").fail(fmt::format(
        "demand of \"{}\" comes to {:.4g} times what is written; at most {:.15g} can be simulated",
        source.name, most, kMostCopies));
  }
  return factor;
}

}  // namespace stockout
