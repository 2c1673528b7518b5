#include "tests/support/scenarios/run_account.h"

#include <algorithm>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "models/simulation/simulate.h"

namespace stockout::test {
namespace {

constexpr std::size_t kMostNames = 900;
constexpr std::size_t kPrefix = 4;  // "899_"

std::string old_name(const std::string& name) {
  const bool is_new = name.size() > kPrefix && name[kPrefix - 1] == '_' && name[0] >= '0' && name[0] <= '9';
  return is_new ? name.substr(kPrefix) : name;
}

std::int64_t ms(SimTime at) { return at == kNever ? -1 : (at - kStart).count(); }

class AccountMaker {
 public:
  AccountMaker(const World& world, const std::string& strategy) : world_{world} {
    const auto is_it = [&](const Strategy& one) { return old_name(one.name) == strategy; };
    const auto found = std::ranges::find_if(world.strategies, is_it);
    strategy_ = static_cast<std::size_t>(found - world.strategies.begin());
    replication_ = world.seed % 3;
    for_each_recorded_job(world, replication_, [&](std::uint64_t, const Job& job) {
      sources_.push_back(job.source);
      const std::string name = fmt::format("{} {}", old_name(world.sources[index(job.source)].name), job.row);
      jobs_.push_back(fmt::format("{} {}", name, ++copies_[name]));
    });
  }

  RunAccount make() {
    Logs logs{.on_lease = [this](const LeaseRow& lease) { tell(lease); }};
    logs.on_pool = [this](const PoolChange& change) { look_for_ties(change); };
    logs.on_job = [this](const JobChange& change) { act(change.job, change.at); };
    const RunRecord record = simulate(world_, strategy_, replication_, logs);
    for (std::uint64_t i = 0; i < record.jobs.size(); ++i) tell(i, record.jobs.at(i));
    for (const UsageKey key : record.usage.keys()) tell(key, record.usage);
    for (std::size_t p = 0; p < world_.pool_count(); ++p) tell(p, record.pools[p]);
    for (std::size_t i = 0; i < world_.held.size(); ++i)
      account_.lines["held since " + old_name(world_.held[i].pool.name)] =
          fmt::format("{}", ms(record.held_since[i]));
    account_.lines["run"] = fmt::format("ends {}, holds to {}", ms(record.end), ms(record.hold_end));
    return std::move(account_);
  }

 private:
  [[nodiscard]] std::string pool_name(PoolId id) const { return old_name(world_.pool(id).name); }

  void tell(const LeaseRow& lease) {
    act(lease.job, lease.granted);
    act(lease.job, lease.ended);
    account_.lines[fmt::format("lease of job {}: attempt {} in {} at {}", jobs_[lease.job], lease.attempt,
                               pool_name(lease.pool), ms(lease.granted))] =
        fmt::format("leg {}, {} GPUs, running {}, ended {}, lost {}{}", lease.leg, lease.gpus.count(),
                    ms(lease.running), ms(lease.ended), lease.lost.count(),
                    lease.preempted ? ", preempted" : "");
  }

  void tell(std::uint64_t number, const JobOutcome& job) {
    account_.lines["job " + jobs_[number]] = fmt::format(
        "{} in leg {}, released {}, granted {}, finished {}, start delay {}, leased {}, lost {}, preempted "
        "{}",
        kFinalStateNames[static_cast<std::size_t>(job.state)], job.leg, ms(job.released), ms(job.first_grant),
        ms(job.finished), job.start_delay.count(), job.leased.count(), job.lost.count(), job.preemptions);
  }

  void tell(UsageKey key, const UsageLedger& usage) {
    const PriceLine& line = world_.price_lines[index(key.line)];
    std::string text =
        fmt::format("useful {} redone {} overhead {} unused {} idle {}", usage.split(key).useful.count(),
                    usage.split(key).redone.count(), usage.split(key).overhead.count(),
                    usage.split(key).unused.count(), usage.split(key).idle.count());
    for (const UsageHour& hour : usage.hours(key))
      text += fmt::format(" [{}: {} {}]", hour.hour, hour.used.count(), hour.billed.count());
    for (const PriceStep& step : line.steps)
      text += fmt::format(" ({}: {} {})", ms(step.from), step.list.count(), step.contracted.count());
    account_.lines[fmt::format("usage of {} in {}, {}, {}", world_.machines[index(line.machine)].name,
                               pool_name(line.pool), kPriceModelNames[static_cast<std::size_t>(line.model)],
                               whose(key, line))] = text;
  }

  /// Held capacity is booked under the first user and class, whoever that is.
  [[nodiscard]] std::string whose(UsageKey key, const PriceLine& line) const {
    if (line.charge == Charge::held) return "held";
    return fmt::format("{} by {} of {}", line.charge == Charge::direct ? "leased" : "sublet",
                       old_name(world_.users[index(key.user)]),
                       old_name(world_.classes[index(key.job_class)].name));
  }

  void tell(std::size_t number, const PoolTotals& pool) {
    std::string text = fmt::format("capacity {} leased {} most waiting {} phantom {} {} hosts {} {} {}",
                                   pool.capacity.count(), pool.leased.count(), pool.peak_waiting,
                                   pool.phantom_waiting.count(), pool.phantom_leased.count(),
                                   pool.host_free.count(), pool.host_stranded.count(), pool.misfits);
    for (const ClassTotals& one : pool.classes)
      text += fmt::format(" [{} {} {} {} {} {} {} {}]", one.requests, one.grants, one.refusals, one.withdrawn,
                          one.preemptions, one.faults, one.leased.count(), one.leased_by_tenants.count());
    account_.lines["pool " + pool_name(PoolId{static_cast<std::uint16_t>(number)})] = text;
  }

  /// Requests, and what is reclaimed. A grant is told with its lease.
  void look_for_ties(const PoolChange& change) {
    const bool is_of_pool =
        change.what == PoolChange::What::capacity || change.what == PoolChange::What::leased;
    if (!is_of_pool && change.holder == Holder::job) act(change.job, change.at);
  }

  void act(std::uint64_t job, SimTime at) {
    const auto [first, _] = who_acts_.emplace(at, sources_[job]);
    account_.is_tied = account_.is_tied || first->second != sources_[job];
  }

  const World& world_;
  std::size_t strategy_ = 0;
  std::uint64_t replication_ = 0;
  std::vector<SourceId> sources_;  // by recorded job
  std::vector<std::string> jobs_;  // their names
  std::map<std::string, int> copies_;
  std::map<SimTime, SourceId> who_acts_;  // at each instant, one of those
  RunAccount account_;
};

}  // namespace

RunAccount account_of(const World& world, const std::string& strategy) {
  return AccountMaker{world, strategy}.make();
}

std::string differences(const RunAccount& before, const RunAccount& after) {
  std::string found;
  for (const auto& [what, text] : before.lines) {
    const auto same = after.lines.find(what);
    const std::string now = same == after.lines.end() ? "nothing" : same->second;
    if (now != text) found += fmt::format("{}\n  before: {}\n  after:  {}\n", what, text, now);
  }
  for (const auto& [what, text] : after.lines) {
    if (what.starts_with("job ") && !before.lines.contains(what))
      found += fmt::format("{}\n  before: nothing\n  after:  {}\n", what, text);
  }
  return found;
}

std::string renamed(const std::string& name, std::size_t number) {
  return fmt::format("{}_{}", kMostNames - 1 - number, name);
}

}  // namespace stockout::test
