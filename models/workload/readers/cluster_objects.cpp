#include "models/workload/readers/cluster_objects.h"

#include <functional>
#include <set>
#include <string>

#include <fmt/format.h>

#include "sim/io/json_items.h"

namespace stockout {
namespace {

constexpr std::size_t kMostKinds = 20;

// Why objects of other kinds are no jobs of this format.
class OtherKinds {
 public:
  explicit OtherKinds(std::string_view wanted) : wanted_{wanted} {}

  // "" for an object that counts.
  std::string reason(std::string_view kind) {
    if (kind.empty() || kind == wanted_) return {};
    if (kind == "Workload") return "is a Workload: --format kueue reads those of the file, and nothing else";
    if (kind == "Job") return "is a Job: --format kubernetes reads those of the file, and nothing else";
    if (kinds_.size() < kMostKinds) kinds_.emplace(kind.substr(0, 40));
    const auto known = kinds_.find(kind);
    return known == kinds_.end() ? fmt::format("is of another kind than {}", wanted_)
                                 : fmt::format("is a {}, and no {}", *known, wanted_);
  }

 private:
  std::string_view wanted_;
  std::set<std::string, std::less<>> kinds_;
};

}  // namespace

void add_cluster_objects(
    TraceBuilder& builder, std::string_view kind,
    const std::function<RecordedRow(const JsonRow& object, const JsonValue& item)>& row_of) {
  TimeStampReader stamps{"UTC", {.file = builder.columns().file}};
  builder.columns().absolute = true;
  builder.keep({.times = true,
                .outcome = true,
                .team = true,
                .job_class = true,
                .partition = true,
                .machine = true,
                .gpu = true,
                .estimate = true,
                .attempts = true});
  OtherKinds others{kind};
  std::uint64_t number = 0;
  for_each_json_item(builder.columns().file, [&](const JsonValue& item) {
    builder.begin_item(static_cast<std::uint64_t>(item.line), ++number, name_in(item, "metadata.name"));
    builder.read_row([&] {
      const JsonRow object{item, stamps};
      if (const std::string reason = others.reason(object.text("kind")); reason.empty()) {
        builder.add(row_of(object, item));
      } else {
        builder.drop(reason);
      }
    });
    return true;
  });
}

}  // namespace stockout
