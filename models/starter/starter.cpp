#include "models/starter/starter.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "models/starter/held_part.h"
#include "models/starter/history_source.h"
#include "models/starter/market.h"
#include "models/starter/standard_strategies.h"
#include "sim/core/duration_text.h"
#include "sim/core/error.h"
#include "sim/io/time_stamp.h"

namespace stockout {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr std::int64_t kMsOfDay = 86'400'000;
constexpr std::int64_t kMostDays = 366;  // of the window
constexpr std::int64_t kTemplateDays = 14;
constexpr std::int64_t kLeastHosts = 16;
constexpr std::int64_t kMostHosts = 20'000;
constexpr std::int64_t kPeaksOfPool = 4;  // a pool holds so many times what the planner had at once
constexpr double kLoad = 0.8;             // of the other tenants

// The day in a zone on which an instant falls.
Date local_day(const std::string& zone, std::int64_t unix_ms) {
  TimeStampReader reader{zone, {.file = "command line", .pointer = "--zone"}};
  Date day = std::chrono::floor<std::chrono::days>(
                 std::chrono::sys_time<std::chrono::milliseconds>{std::chrono::milliseconds{unix_ms}}) +
             std::chrono::days{1};
  while (reader.parse(stockout::to_text(day)).value_or(unix_ms) > unix_ms) day -= std::chrono::days{1};
  return day;
}

class Starter {
 public:
  Starter(const StarterQuestion& question, const Catalog& catalog)
      : question_{question}, catalog_{catalog}, file_{CommentedJson::object("")} {
    find_supplies();
    find_window();
    held_ = held_part(question_.findings.existing, supplies_, catalog_, start_,
                      start_ + std::chrono::days{days_});
  }

  std::string text() {
    add_head();
    add_goal();
    add_assumptions();
    add_workload();
    add_pools();
    add_bill();
    add_strategies();
    return to_text(file_);
  }

 private:
  void find_supplies();
  void find_window();
  void add_head();
  void add_goal();
  void add_assumptions();
  void add_workload();
  void add_pools();
  void add_bill();
  void add_strategies();
  [[nodiscard]] OrderedJson on_all_pools(const std::string& key, double factor) const;
  [[nodiscard]] std::vector<GpuMarket> markets() const;
  [[nodiscard]] OrchestratorName orchestrator() const;
  [[nodiscard]] std::string zone() const {
    return question_.findings.histories.empty() ? "UTC" : question_.findings.histories.front().zone;
  }

  const StarterQuestion& question_;
  const Catalog& catalog_;
  CommentedJson file_;
  std::vector<StarterSupply> supplies_;
  HeldPart held_;
  Date start_{};
  std::int64_t days_ = kTemplateDays;
  bool keeps_dates_ = false;
};

void Starter::find_supplies() {
  const Findings& findings = question_.findings;
  std::vector<std::string> regions;  // those that the planner uses
  for (const FoundHistory& history : findings.histories)
    regions.insert(regions.end(), history.places.begin(), history.places.end());
  for (const EffectivePrice& price : findings.prices) regions.push_back(price.region);
  std::vector<GpuDemand> demands = findings.gpus;
  if (const StarterTemplate* made_up = question_.made_up) {
    demands.push_back({.gpu = std::string{made_up->gpu},
                       .mean_gpus = static_cast<double>(made_up->mean_gpus),
                       .peak_gpus = made_up->peak_gpus,
                       .largest = made_up->largest,
                       .smallest = made_up->smallest});
  }
  for (const GpuDemand& demand : demands) {
    StarterSupply supply{.demand = demand, .market = market_of(catalog_, demand.gpu, regions)};
    if (!supply.market.any()) {
      throw InputError{{.file = "catalogue"}, fmt::format("has no price of {} anywhere", demand.gpu)};
    }
    const std::int64_t gpus =
        std::max<std::int64_t>(demand.peak_gpus * kPeaksOfPool, 2 * std::int64_t{demand.largest});
    supply.hosts = std::clamp((gpus + supply.market.machine_gpus - 1) / supply.market.machine_gpus,
                              kLeastHosts, kMostHosts);
    supplies_.push_back(std::move(supply));
  }
}

// Recent histories stay on their dates; old ones begin on a day whose prices are known, of the same weekday.
void Starter::find_window() {
  constexpr std::int64_t kRecentDays = 400;
  start_ = catalog_.latest() + std::chrono::days{1};
  const auto weekday = [](Date day) { return std::chrono::weekday{day}.iso_encoding(); };
  const auto& histories = question_.findings.histories;
  unsigned first_weekday = 1;
  if (!histories.empty()) {
    std::int64_t first = histories.front().first_ms;
    std::int64_t last = histories.front().last_ms;
    bool is_absolute = true;
    std::int64_t longest = 0;
    for (const FoundHistory& history : histories) {
      is_absolute = is_absolute && history.absolute;
      first = std::min(first, history.first_ms);
      last = std::max(last, history.last_ms);
      longest = std::max(longest, history.last_ms - history.first_ms);
    }
    const Date first_day = local_day(zone(), is_absolute ? first : 0);
    keeps_dates_ = is_absolute && first_day >= start_ - std::chrono::days{kRecentDays};
    if (is_absolute) first_weekday = weekday(first_day);
    if (keeps_dates_) start_ = first_day;
    days_ = keeps_dates_ ? (local_day(zone(), last) - first_day).count() + 1 : longest / kMsOfDay + 1;
    days_ = std::clamp<std::int64_t>(days_, 1, kMostDays);
  }
  while (!keeps_dates_ && weekday(start_) != first_weekday) start_ += std::chrono::days{1};
}

std::vector<GpuMarket> Starter::markets() const {
  std::vector<GpuMarket> all;
  for (const StarterSupply& supply : supplies_) all.push_back(supply.market);
  return all;
}

OrchestratorName Starter::orchestrator() const {
  const auto& histories = question_.findings.histories;
  const bool is_vertex =
      !histories.empty() && std::ranges::all_of(histories, [](const FoundHistory& history) {
        return history.format == TraceFormat::vertex;
      });
  return is_vertex ? OrchestratorName::vertex : OrchestratorName::gke;
}

void Starter::add_head() {
  file_.say(fmt::format("Made by: {}", question_.made_by));
  file_.say(
      "It runs as it is: stockout validate FILE, then stockout compare FILE. Lines with ASK are questions that "
      "nothing in your files answers; scenarios/REFERENCE.md explains every key.");
  file_.add(CommentedJson::member("name", question_.name));
  file_.add(CommentedJson::member("question",
                                  question_.made_up != nullptr
                                      ? std::string{question_.made_up->question}
                                      : "What would the same jobs have waited, lost and cost under each way "
                                        "of buying GPUs?"));
  file_.add(CommentedJson::member("start", stockout::to_text(start_)));
  CommentedJson time_zone = CommentedJson::member("time_zone", zone());
  time_zone.say("Of opening hours, peaks and daily swings.");
  if (std::ranges::any_of(question_.findings.histories, &FoundHistory::is_zone_guessed))
    time_zone.say(
        "ASK: of which zone are the times of your files? They do not say it, and UTC is taken: if it is another, "
        "all peaks lie hours off. Make the file again with `stockout init --zone Europe/Berlin` or the like.");
  file_.add(std::move(time_zone));
  file_.add(CommentedJson::member("window", fmt::format("{}d", days_)));
  file_.add(CommentedJson::member("warm_up", "7d").say("So long other tenants run before the window."));
  file_.add(CommentedJson::member("replications", 3).say("More of them make the intervals narrower."));
}

void Starter::add_goal() {
  std::optional<SimDuration> recorded;
  for (const FoundHistory& history : question_.findings.histories)
    recorded = std::max(recorded, history.wait_p95);
  CommentedJson goal = CommentedJson::member("goal", {{"wait_p", 95}, {"at_most", "4h"}});
  goal.say("ASK: which wait can you live with? Strategies are ranked by cost among those that keep it.");
  if (recorded)
    goal.say(fmt::format("In the history 95 % of the jobs started within {}.", format_duration(*recorded)));
  file_.add(std::move(goal));
}

OrderedJson Starter::on_all_pools(const std::string& key, double factor) const {
  OrderedJson changes = OrderedJson::object();
  for (std::size_t i = 0; i < supplies_.size(); ++i) {
    const std::string pointer = fmt::format("/pools/{}/{}", i, key);
    if (key == "hosts") {
      changes[pointer] =
          std::max<std::int64_t>(1, std::llround(static_cast<double>(supplies_[i].hosts) * factor));
    } else {
      changes[pointer] = std::round(kLoad * factor * 100) / 100;
    }
  }
  return changes;
}

void Starter::add_assumptions() {
  file_.add(CommentedJson::member("assumptions",
                                  {"The size of the pools and the load of other tenants are unknown: "
                                   "every number under \"pools\" is a guess",
                                   "Jobs that were cancelled or failed ran as long as they were meant to"}));
  CommentedJson rules = CommentedJson::list("alternatives");
  rules.say("How much hangs on what is unknown: `stockout compare FILE --assumptions` tries each of these.");
  rules.add(CommentedJson::item({{"rule", "size of the pools"},
                                 {"choices",
                                  {{{"name", "half as large"}, {"set", on_all_pools("hosts", 0.5)}},
                                   {{"name", "twice as large"}, {"set", on_all_pools("hosts", 2)}}}}}));
  rules.add(CommentedJson::item({{"rule", "load of other tenants"},
                                 {"choices",
                                  {{{"name", "low"}, {"set", on_all_pools("tenants/load", 0.75)}},
                                   {{"name", "high"}, {"set", on_all_pools("tenants/load", 1.25)}}}}}));
  file_.add(std::move(rules));
}

void Starter::add_workload() {
  CommentedJson workload = CommentedJson::list("workload");
  if (question_.made_up != nullptr) {
    for (CommentedJson& source : template_sources(*question_.made_up)) workload.add(std::move(source));
  }
  const auto& histories = question_.findings.histories;
  for (std::size_t i = 0; i < histories.size(); ++i) {
    const std::string gpu =
        histories[i].has_unnamed ? std::string{kDefaultGpu} : question_.findings.gpus.front().gpu;
    const std::string name = histories.size() == 1 ? "jobs" : fmt::format("jobs {}", i + 1);
    workload.add(history_source(histories[i], name, question_.files[i], gpu, keeps_dates_));
  }
  file_.add(std::move(workload));
  if (question_.made_up != nullptr) file_.add(holiday_question(start_));
  for (const FoundHistory& history : histories) {
    if (!history.quiet_days.empty()) file_.add(holiday_calendar(history.quiet_days));
  }
}

void Starter::add_pools() {
  CommentedJson pools = CommentedJson::list("pools");
  pools.say(
      "ASK: how many hosts does the provider have there, and how busy are they? Unknown to all but the provider: "
      "here a pool is four times what your jobs had at once, and 80 % busy with other tenants.");
  for (const StarterSupply& supply : supplies_) {
    const GpuMarket& market = supply.market;
    OrderedJson mix = OrderedJson::object();
    if (market.on_demand) mix["on_demand"] = 65;
    if (market.flex_start) mix["flex_start"] = 20;
    if (market.spot) mix["spot"] = 15;
    CommentedJson pool = CommentedJson::object("");
    pool.say(fmt::format("{}: your jobs had {} GPUs at once, and {:.1f} on average.", market.gpu,
                         supply.demand.peak_gpus, supply.demand.mean_gpus));
    pool.add(CommentedJson::member("family", market.family));
    pool.add(CommentedJson::member("place", market.region));
    pool.add(CommentedJson::member("machine", market.machine));
    pool.add(CommentedJson::member("hosts", supply.hosts).say("unknown"));
    pool.add(CommentedJson::member("tenants", {{"load", kLoad}, {"mix", std::move(mix)}}).say("unknown"));
    pools.add(std::move(pool));
  }
  file_.add(std::move(pools));
  file_.add(CommentedJson::member("models", {{"all", {{"start_up", {{"uniform", {"5min", "10min"}}}}}}})
                .say("ASK: how long from a machine being granted to the job working?"));
}

// Prices from the export, and what is held already.
void Starter::add_bill() {
  if (!question_.findings.prices.empty()) {
    OrderedJson prices = OrderedJson::array();
    for (const EffectivePrice& price : question_.findings.prices) {
      prices.push_back({{"machine", catalog_.machine(price.machine).name},
                        {"region", price.region},
                        {"model", kPriceModelNames[static_cast<std::size_t>(price.model)]},
                        {"usd_per_hour", std::round(price.usd_per_hour() * 1e6) / 1e6},
                        {"label", question_.findings.prices_label}});
      if (!question_.findings.prices_day.empty()) prices.back()["as_of"] = question_.findings.prices_day;
    }
    CommentedJson list = CommentedJson::member("prices", std::move(prices));
    list.say(
        "As they were charged, discounts and credits included. Keep the lines that you want to plan with.");
    for (const std::string& remark : question_.findings.prices_remarks) list.say(remark + '.');
    file_.add(std::move(list));
  } else {
    file_.add(CommentedJson::member(
                  "prices", OrderedJson::array({OrderedJson{
                                {"model", "on_demand"}, {"factor", 0.88}, {"label", "our discount"}}}))
                  .say("ASK: do you have a discount? List prices are used.")
                  .off());
  }
  file_.add(held_.commitments);
  if (!held_.reservations.inner.empty()) file_.add(held_.reservations);
}

void Starter::add_strategies() {
  CommentedJson strategies = CommentedJson::list("strategies");
  strategies.say("The ways of buying that are compared.");
  for (CommentedJson& strategy : standard_strategies(markets(), held_.choices, catalog_, orchestrator()))
    strategies.add(std::move(strategy));
  file_.add(std::move(strategies));
}

}  // namespace

std::string starter_text(const StarterQuestion& question, const Catalog& catalog) {
  return Starter{question, catalog}.text();
}

}  // namespace stockout
