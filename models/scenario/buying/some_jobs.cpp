#include "models/scenario/buying/some_jobs.h"

#include "models/scenario/format/known_names.h"

namespace stockout {
namespace {

// By number, those that are named; of none: no list, which is all.
std::vector<bool> chosen(const Node& owner, const char* key, const char* what,
                         const std::vector<std::string>& all) {
  if (!owner.has(key)) return {};
  std::vector<bool> some(all.size());
  for (const Node& node : owner.list(key)) some[find_name(node, what, all)] = true;
  return some;
}

}  // namespace

SomeJobs read_some_jobs(const Draft& draft, const Node& node) {
  return {.classes = chosen(node, "classes", "job class", draft.classes.names()),
          .users = chosen(node, "users", "user", draft.users.names())};
}

}  // namespace stockout
