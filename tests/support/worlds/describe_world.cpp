#include "tests/support/worlds/describe_world.h"

#include <algorithm>

#include <fmt/format.h>

namespace stockout::test {
namespace {

std::string ms(SimDuration length) {
  return length == kForever ? "for ever" : fmt::format("{} ms", length.count());
}
std::string ms(SimTime at) { return at == kNever ? "never" : fmt::format("{}", (at - kStart).count()); }

std::string text(const Law& law) {
  if (!law.is_random()) return ms(law.a);
  return fmt::format("law {} of {}, {}, sigma {}, most {}", static_cast<int>(law.kind), ms(law.a), ms(law.b),
                     law.sigma, ms(law.most));
}

std::string text(const Pool& pool) {
  std::string out = fmt::format("{}: {} (ageing {} ppm), reclaims {}", pool.name,
                                kDisciplineNames[static_cast<std::size_t>(pool.discipline)], pool.ageing_ppm,
                                kReclaimRuleNames[static_cast<std::size_t>(pool.reclaim)]);
  for (const CapacitySource& source : pool.capacity) {
    out += "; for";
    for (std::size_t c = 0; c < kLeaseClasses; ++c) {
      if (source.classes[c]) out += fmt::format(" {}", kLeaseClassNames[c]);
    }
    out += ":";
    if (source.chain != nullptr) {
      out += fmt::format(" a chain of {} levels up to {} GPUs, ticks of {}", source.chain->levels.size(),
                         most_gpus(source).count(), ms(source.chain->tick));
    }
    for (const CapacityStep& step : source.steps)
      out += fmt::format(" {} from {}", step.gpus.count(), ms(step.at));
  }
  for (const FaultRule& rule : pool.faults) {
    out += fmt::format("; fault after {}, notice {}, repair {}", text(rule.life), ms(rule.notice),
                       text(rule.repair));
  }
  if (pool.flex_before_on_demand) out += "; flex before on-demand";
  if (pool.hold_for_head) out += "; holds for the head";
  if (pool.placement) {
    out +=
        fmt::format("; {} hosts of {}, {} a block, {}", pool.placement->hosts, pool.placement->host_gpus,
                    pool.placement->block_hosts, kFillNames[static_cast<std::size_t>(pool.placement->fill)]);
  }
  return out + "\n";
}

std::string text(const HeldPool& held) {
  std::string out =
      text(held.pool) +
      fmt::format("  {} machines, {} GPUs of pool {} from {} until {}, retry every {}{}{}; lines {} and {}\n",
                  held.machines.count(), held.gpus.count(), index(held.landlord), ms(held.from),
                  ms(held.until), ms(held.retry_every), held.added_supply ? ", added supply" : "",
                  held.share ? ", shared" : "", index(held.line), index(held.sublet));
  if (held.booking) {
    out += fmt::format("  booked: decided {}, gathers {}, accepted {} ppm, bookable {} ppm\n",
                       ms(held.booking->decided), ms(held.booking->gather), held.booking->accept_ppm,
                       held.booking->bookable_ppm);
  }
  if (held.scaling) {
    out +=
        fmt::format("  elastic: at least {}, idle after {}, after one was added {}, cold start {}, as {}\n",
                    held.scaling->least.count(), ms(held.scaling->idle_after), ms(held.scaling->after_add),
                    text(held.scaling->cold_start),
                    kLeaseClassNames[static_cast<std::size_t>(held.scaling->lease_class)]);
    for (const LeastStep& step : held.scaling->steps)
      out += fmt::format("    at least {} from {}\n", step.least.count(), ms(step.at));
  }
  return out;
}

std::string text(const Part& part) {
  return fmt::format("{} x {} GPUs of {}", part.machines, part.gpus,
                     part.line.is_none() ? "no line" : fmt::format("line {}", index(part.line.value())));
}

std::string text(const Candidate& candidate) {
  std::string out =
      fmt::format("pool {} {} GPUs ({} unused; {}, {})", index(candidate.pool), candidate.gpus.count(),
                  candidate.unused.count(), text(candidate.parts[0]), text(candidate.parts[1]));
  if (candidate.rate_ppm != 1'000'000) out += fmt::format(" at {} ppm", candidate.rate_ppm);
  if (candidate.least != 0) out += fmt::format(" at least {} machines", candidate.least);
  return out;
}

std::string text(const Leg& leg) {
  const Policy& row = leg.policy;
  std::string out = fmt::format(
      "  {} {}{}{}, limit {}, max wait {}, notice {}, retries {} every {}, restarts {}, at most {}, "
      "provisioning {}, start-up {}{}{}, machines at most {}, lifetime {}\n",
      leg.label, row.name, row.admission == Admission::queue ? " queues" : " at once",
      row.held ? " held" : "", ms(leg.limit), ms(row.max_wait), ms(row.notice), row.retries,
      ms(row.retry_interval), row.restarts, ms(row.run_max), text(row.provisioning), text(row.start_up),
      leg.keep ? ", keep" : "", row.chains ? ", chains" : "", row.machines_max, text(row.lifetime));
  if (row.health.takes > SimDuration::zero() || row.health.fails_ppm > 0) {
    out += fmt::format("    health test takes {}, fails {} ppm, replaced in {}\n", ms(row.health.takes),
                       row.health.fails_ppm, ms(row.health.replace));
  }
  if (row.fault_restarts) out += fmt::format("    {} restarts after faults\n", *row.fault_restarts);
  if (row.worker_restarts != 5 || row.exit_restarts != 3)
    out += fmt::format("    restarts of workers {}, after their exits {}\n", row.worker_restarts,
                       row.exit_restarts);
  if (row.open_max > 0) out += fmt::format("    at most {} open requests\n", row.open_max);
  if (leg.race == Race::first_boot) out += "    first boot\n";
  if (leg.compact != Compact::no)
    out += leg.compact == Compact::block ? "    in one block\n" : "    in neighbouring blocks\n";
  if (leg.partial) {
    out += fmt::format("    partial, gathers for {} every {}{}{}\n", ms(leg.partial->gather),
                       ms(leg.partial->interval), leg.partial->recreates ? ", anew after losses" : "",
                       leg.partial->works_on ? ", at work meanwhile" : "");
  }
  if (leg.node_group) {
    out += fmt::format("    node groups back off for at most {}, forget after {}\n", ms(leg.node_group->most),
                       ms(leg.node_group->forget_after));
  }
  if (leg.pods) {
    out += fmt::format("    pods come {} late, are waited for {}, asked for {} later\n",
                       text(leg.pods->after), ms(leg.pods->hold), ms(leg.pods->again));
  }
  if (leg.spread != Spread::any_single_zone)
    out += fmt::format("    spread: {}\n", kSpreadNames[static_cast<std::size_t>(leg.spread)]);
  for (std::size_t c = 0; c < leg.classes.size(); ++c) {
    if (!leg.classes[c]) out += fmt::format("    not for class {}\n", c);
  }
  for (std::size_t s = 0; s < leg.candidates.size(); ++s) {
    out += fmt::format("    shape {}:", s);
    for (const Candidate& candidate : leg.candidates[s]) out += fmt::format(" {},", text(candidate));
    out += "\n";
  }
  return out;
}

std::string text(const Strategy& strategy) {
  std::string out = fmt::format("strategy {}, holds", strategy.name);
  for (const PoolId held : strategy.held) out += fmt::format(" {}", index(held));
  if (strategy.resubmission) {
    const Resubmission& again = *strategy.resubmission;
    out += fmt::format("; resubmits after {}, office {} to {}, until {}", ms(again.after),
                       ms(again.office_from), ms(again.office_to), ms(again.give_up_after));
  }
  if (strategy.deadline_rule) {
    out += fmt::format("; by deadline, tick {}, overhead {}", ms(strategy.deadline_rule->tick),
                       ms(strategy.deadline_rule->overhead));
  }
  if (strategy.cheapest_first) out += "; cheapest first";
  out += "\n";
  for (const Leg& leg : strategy.legs) out += text(leg);
  return out;
}

std::string text(const JobColumns& jobs, std::size_t i) {
  std::string out =
      fmt::format("  at {} work {} shape {} class {} user {}", ms(jobs.submit[i]), jobs.work[i].count(),
                  index(jobs.shape[i]), index(jobs.job_class[i]), index(jobs.user[i]));
  if (!jobs.row.empty()) out += fmt::format(" row {}", jobs.row[i]);
  if (!jobs.estimate.empty() && jobs.estimate[i] != kForever)
    out += fmt::format(" estimate {}", ms(jobs.estimate[i]));
  if (!jobs.max_wait.empty() && jobs.max_wait[i] != kForever)
    out += fmt::format(" waits {}", ms(jobs.max_wait[i]));
  if (!jobs.deadline.empty() && jobs.deadline[i] != kForever)
    out += fmt::format(" deadline {}", ms(jobs.deadline[i]));
  if (!jobs.group.empty() && jobs.group[i] != 0) out += fmt::format(" group {}", jobs.group[i]);
  for (const JobLink& link : jobs.links) {
    if (link.row != (jobs.row.empty() ? i : jobs.row[i])) continue;
    out += fmt::format(" link {} on row {}, {} at once", static_cast<int>(link.kind), link.on, link.at_once);
  }
  return out + "\n";
}

std::string text(const Source& source) {
  std::string out = fmt::format("{}{}\n", source.name, source.background ? ", background" : "");
  if (const auto* trace = std::get_if<TraceDemand>(&source.demand)) {
    for (std::size_t i = 0; i < trace->jobs->size(); ++i) out += text(*trace->jobs, i);
  }
  if (source.step) {
    out += fmt::format("of pipelines of source {}{}{}{}, after", index(source.step->first),
                       source.step->by_group ? ", by group" : "",
                       source.step->ends_with_failure ? ", ending with a failure" : "",
                       source.step->begins_anyway ? ", beginning anyway" : "");
    for (const SourceId before : source.step->after) out += fmt::format(" {}", index(before));
    const StepRetry& retry = source.step->retry;
    out += fmt::format("; tried again {} times, after {}, times {} ppm up to {}\n", retry.times,
                       ms(retry.first), retry.factor_ppm, ms(retry.most));
  }
  if (source.set) {
    const JobSetRule& rule = source.set->rule;
    out += fmt::format("of sets of source {}: hold {}, again {}, {} restarts{}\n", index(source.set->first),
                       ms(rule.hold), ms(rule.again), rule.restarts, rule.in_place ? ", in place" : "");
  }
  for (std::size_t i = 0; i < source.tenants.size(); ++i) {
    out += fmt::format("weight {} ", source.tenant_weights[i]) + text(source.tenants[i]);
  }
  return out;
}

std::string text(const QuotaBucket& quota) {
  std::string out = "quota";
  for (std::size_t i = 0; i < kLeaseClasses; ++i) {
    out += fmt::format(", {} in pools", kLeaseClassNames[i]);
    for (const bool counts : quota.pools[i]) out += counts ? " 1" : " 0";
  }
  out += ", machines";
  for (const std::int64_t units : quota.units) out += fmt::format(" {}", units);
  for (const QuotaStep& step : quota.steps) out += fmt::format(", {} from {}", step.limit, ms(step.at));
  return out + "\n";
}

std::string text(const QuotaRule& rule) {
  return fmt::format("short of quota: {}, taken at {}, back-off {} to {}\n",
                     kWhenShortNames[static_cast<std::size_t>(rule.when_short)],
                     kQuotaTakenNames[static_cast<std::size_t>(rule.taken_at)], ms(rule.back_off_first),
                     ms(rule.back_off_most));
}

std::string text(const KueueCluster& cluster, const Strategy& strategy) {
  std::string out = "Kueue, flavors of legs:";
  for (const Leg& leg : strategy.legs) out += " " + leg.flavor;
  for (const auto& [name, queue] : cluster.objects.cluster_queues) {
    out += fmt::format("\n{} in \"{}\", preempts {} {}:", name, queue.cohort,
                       static_cast<int>(queue.preemption.within_queue),
                       static_cast<int>(queue.preemption.reclaim_within_cohort));
    for (const kueue::ResourceGroup& group : queue.groups)
      for (const kueue::FlavorQuotas& each : group.flavors)
        for (const auto& [resource, quota] : each.quotas)
          out += fmt::format(" {} {} {}", each.flavor, quota.nominal.count(), resource);
    for (const kueue::RequiredCheck& check : queue.checks) out += ", check " + check.name;
  }
  for (const PodRequest& each : cluster.requests)
    out += fmt::format("\n{} {} for each GPU", each.per_gpu.count(), each.resource);
  for (const PartialAdmission& each : cluster.partial)
    out += fmt::format("\nfewer pods: at least {}, or {} ppm", each.min_count, each.min_share_ppm);
  if (const auto& pods = cluster.settings.pods_ready)
    out += fmt::format("\npods ready in {}, back-off {}", ms(pods->timeout), ms(pods->backoff_base));
  return out + "\n";
}

std::string text(const SlurmCluster& cluster, const Strategy& strategy) {
  std::string out = "Slurm, partitions of legs:";
  for (const Leg& leg : strategy.legs) out += " " + leg.partition;
  for (const slurm::Partition& each : cluster.configuration.partitions) {
    out += fmt::format("\n{} of {} nodes from {}, tier {}, at most {}, resumed in {}", each.name,
                       each.nodes.size(), each.nodes.front(), each.priority_tier, ms(each.max_time),
                       ms(each.power.value_or(slurm::PowerSave{}).resume_timeout));
  }
  const slurm::Settings& settings = cluster.configuration.settings;
  out +=
      fmt::format("\nbackfill {}, preempts by {} mode {}, requeued after {}, sync {}",
                  static_cast<int>(settings.backfill_type), static_cast<int>(settings.preemption.type),
                  static_cast<int>(settings.preemption.mode), ms(settings.requeue_delay), ms(cluster.sync));
  for (const slurm::Node& node : cluster.configuration.nodes)
    out += fmt::format("\nnode of {} GPUs{}", node.gpus, node.cloud ? ", elastic" : "");
  return out + "\n";
}

}  // namespace

std::string describe_world(const World& world) {
  const auto cheapest_first = [](const Strategy& strategy) { return strategy.cheapest_first; };
  bool prices_matter = cheapest_first(world.strategies.back());
  for (const Source& source : world.sources) {
    prices_matter |= std::any_of(source.tenants.begin(), source.tenants.end(), cheapest_first);
  }
  std::string out =
      fmt::format("{}: from {}, window ends {}, {}", world.name, ms(world.begin), ms(world.window_end),
                  world.end == RunEnd::time ? "end: time" : "drained for " + ms(world.drain_limit));
  out += fmt::format(", grid {}, {}{}, billed by {} at least {}\n", ms(world.grid),
                     world.ties == Ties::starts_first ? "starts first" : "releases first",
                     world.hold_end == HoldEnd::last_start ? ", held until the last start" : "",
                     ms(world.billing.step), ms(world.billing.least));
  out += fmt::format("start date {} ms, local time", world.start_date.time_since_epoch().count());
  for (const OffsetStep& step : world.utc_offsets)
    out += fmt::format(" +{} from {}", ms(step.offset), ms(step.at));
  out += "\n";
  for (std::size_t c = 0; c < world.classes.size(); ++c) {
    const JobClass& job_class = world.classes[c];
    out += fmt::format("class {}: checkpoint every {} for {}{}, reload {}, {} at a time\n", c,
                       ms(job_class.checkpoint_every), ms(job_class.checkpoint_cost),
                       job_class.checkpoint_in_notice ? ", a last one in the notice" : "",
                       ms(job_class.reload), job_class.parallel);
    const WorkerExits& exits = job_class.exits;
    if (exits.any())
      out += fmt::format("  its workers exit after {}, {} ppm of them, {} ppm for good\n", text(exits.after),
                         exits.share_ppm, exits.permanent_ppm);
  }
  for (std::size_t s = 0; s < world.shapes.size(); ++s) {
    const Shape& shape = world.shapes[s];
    out += fmt::format("shape {}: {} x {} + {}", s, shape.nodes, shape.gpus_per_node, shape.tail_gpus);
    out += shape.of_nodes > 0 ? fmt::format(" of {} nodes\n", shape.of_nodes) : "\n";
  }
  for (const Pool& pool : world.pools) out += text(pool);
  for (const HeldPool& held : world.held) out += text(held);
  for (std::size_t i = 0; prices_matter && i < world.price_lines.size(); ++i) {
    out += fmt::format("line {} costs", i);
    for (const PriceStep& step : world.price_lines[i].steps) {
      out += fmt::format(" {} from {}", step.contracted.count(), ms(step.from));
    }
    if (const auto fee = world.price_lines[i].fee) out += fmt::format(", on top line {}", index(*fee));
    out += "\n";
  }
  for (const QuotaBucket& quota : world.quotas) out += text(quota);
  if (!world.quotas.empty()) out += text(world.strategies.back().quota);
  if (world.kueue) out += text(*world.kueue, world.strategies.back());
  if (world.slurm) out += text(*world.slurm, world.strategies.back());
  for (const Source& source : world.sources) out += text(source);
  out += text(world.strategies.back());
  return out;
}

}  // namespace stockout::test
