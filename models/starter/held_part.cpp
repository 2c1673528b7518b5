#include "models/starter/held_part.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace stockout {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr std::size_t kMostRemarks = 20;

class HeldWriter {
 public:
  HeldWriter(const std::optional<InventoryPart>& existing, const std::vector<StarterSupply>& supplies,
             const Catalog& catalog, Date start, Date end)
      : existing_{existing}, supplies_{supplies}, catalog_{catalog}, start_{start}, end_{end} {}

  HeldPart write() {
    add_commitments();
    add_existing_reservations();
    add_reservation_to_try();
    return std::move(part_);
  }

 private:
  void add_commitments();
  void add_existing_reservations();
  void add_reservation_to_try();

  [[nodiscard]] OrderedJson listed(const char* key) const {
    return existing_ && existing_->json.contains(key) ? existing_->json.at(key) : OrderedJson::array();
  }
  [[nodiscard]] const MachineType& machine_of(const OrderedJson& item) const {
    return catalog_.machine(*catalog_.find_machine(item.at("machine").get<std::string>()));
  }
  [[nodiscard]] bool has_price(const OrderedJson& item, const char* place, PriceModel model) const {
    const Place& where = *catalog_.find_place(item.at(place).get<std::string>());
    const MachineId machine = *catalog_.find_machine(item.at("machine").get<std::string>());
    return static_cast<bool>(catalog_.price(machine, where.region, model, catalog_.latest()));
  }
  [[nodiscard]] const StarterSupply* supply_of(const MachineType& machine) const;
  [[nodiscard]] std::string why_off(const OrderedJson& commitment) const;
  [[nodiscard]] std::string why_not_held(const OrderedJson& reservation) const;
  void add_existing(OrderedJson reservation);
  void add_unknown_begin(OrderedJson reservation);
  [[nodiscard]] std::string ask_about(const OrderedJson& reservation) const;
  void say_remarks(CommentedJson& list, std::string_view kind) const;
  [[nodiscard]] const StarterSupply* main_supply() const;
  [[nodiscard]] std::string free_name() const;

  const std::optional<InventoryPart>& existing_;
  const std::vector<StarterSupply>& supplies_;
  const Catalog& catalog_;
  Date start_;
  Date end_;
  HeldPart part_;
  std::vector<std::string> names_ = {};  // of reservations that exist
  std::vector<std::string> held_ = {};   // of those that jobs can use
  std::int64_t held_gpus_ = 0;           // of the main type
};

// The jobs that can run on the machine; nullptr: there are none.
const StarterSupply* HeldWriter::supply_of(const MachineType& machine) const {
  const auto found = std::ranges::find_if(supplies_, [&](const StarterSupply& supply) {
    return (supply.demand.jobs > 0 || supply.demand.peak_gpus > 0) &&
           supply.demand.gpu == catalog_.gpu_name(machine.gpu);
  });
  return found == supplies_.end() ? nullptr : &*found;
}

// What the scenario has not of the objects of a kind.
void HeldWriter::say_remarks(CommentedJson& list, std::string_view kind) const {
  if (!existing_) return;
  std::size_t said = 0;
  for (const std::string& line : existing_->left_out) {
    const bool is_commitment = line.starts_with("commitment ");
    if (is_commitment == (kind == "commitments") && ++said <= kMostRemarks) list.say(line + '.');
  }
  if (said > kMostRemarks)
    list.say(fmt::format("{} remarks more: `stockout reservations import` has all.", said - kMostRemarks));
}

std::string HeldWriter::why_off(const OrderedJson& commitment) const {
  const bool is_long = commitment.at("plan") == "3y";
  const std::string region = commitment.at("region").get<std::string>();
  if (!Catalog::offers(*catalog_.find_place(region), machine_of(commitment).family))
    return fmt::format("the catalogue has no such machine in {}", region);
  if (!has_price(commitment, "region", is_long ? PriceModel::cud_3y : PriceModel::cud_1y))
    return "the catalogue has no price of it: put \"usd_per_hour\" in the place of \"plan\"";
  return {};
}

void HeldWriter::add_commitments() {
  CommentedJson& list = part_.commitments;
  for (const OrderedJson& commitment : listed("commitments")) {
    CommentedJson item = CommentedJson::item(commitment);
    if (const std::string why = why_off(commitment); !why.empty())
      item.say(fmt::format("ASK: {}.", why)).off();
    list.add(std::move(item));
  }
  if (!list.inner.empty())
    list.say("Those that exist. They are paid under every strategy, at the list's price of their plan.");
  say_remarks(list, "commitments");
  if (!list.inner.empty()) return;
  const GpuMarket& market = supplies_.front().market;
  list.value = OrderedJson::array({OrderedJson{{"name", "existing"},
                                               {"machine", market.machine},
                                               {"region", market.region},
                                               {"count", 1},
                                               {"start", to_text(start_)},
                                               {"plan", "1y"}}});
  list.say(
          "ASK: which commitments do you have already, and until when? They are paid under every strategy. "
          "`stockout init --from` takes the list of `gcloud compute commitments list --format=json` too.")
      .off();
}

std::string HeldWriter::why_not_held(const OrderedJson& reservation) const {
  if (!machine_of(reservation).accepts[static_cast<std::size_t>(Offer::reservation)])
    return "The catalogue knows of no reservations of such machines";
  if (reservation.contains("until") && reservation.at("until").get<std::string>() <= to_text(start_))
    return "It is over before the first day";
  if (reservation.contains("from") && reservation.at("from").get<std::string>() >= to_text(end_))
    return "It begins after the last day";
  if (!has_price(reservation, "place", PriceModel::on_demand))
    return "ASK: the catalogue has no on-demand price of it there; add one under \"prices\"";
  return {};
}

// The question about it that lists leave open; empty: none.
std::string HeldWriter::ask_about(const OrderedJson& reservation) const {
  const auto ask = existing_->asks.find(reservation.at("name").get<std::string>());
  return ask == existing_->asks.end() ? std::string{} : fmt::format("ASK: {}.", ask->second);
}

void HeldWriter::add_existing(OrderedJson reservation) {
  const MachineType& machine = machine_of(reservation);
  const StarterSupply* const supply = supply_of(machine);
  reservation["added_supply"] = true;
  if (supply != nullptr && supply->demand.smallest < machine.gpus.count()) reservation["share"] = true;
  names_.push_back(reservation.at("name").get<std::string>());
  CommentedJson item = CommentedJson::item(reservation);
  if (const std::string why = why_not_held(reservation); !why.empty()) {
    item.say(why + '.').off();
  } else if (supply == nullptr) {
    item.say("No job here runs on these, and so no strategy holds them.");
  } else {
    if (const std::string ask = ask_about(reservation); !ask.empty()) item.say(ask);
    held_.push_back(names_.back());
    const bool is_there = !reservation.contains("from") || reservation.at("from") <= to_text(start_);
    if (supply == main_supply() && is_there)
      held_gpus_ += reservation.at("count").get<std::int64_t>() * machine.gpus.count();
  }
  part_.reservations.add(std::move(item));
}

// Shown as it would stand there, for the planner to complete.
void HeldWriter::add_unknown_begin(OrderedJson reservation) {
  reservation["added_supply"] = true;
  names_.push_back(reservation.at("name").get<std::string>());
  part_.reservations.add(CommentedJson::item(reservation).say(ask_about(reservation)).off());
}

// They are there, whatever room the guessed pools have.
void HeldWriter::add_existing_reservations() {
  CommentedJson& list = part_.reservations;
  for (const OrderedJson& reservation : listed("reservations")) add_existing(reservation);
  if (existing_) {
    for (const OrderedJson& reservation : existing_->begins_when) add_unknown_begin(reservation);
  }
  if (list.inner.empty()) {
    say_remarks(list, "reservations");
    return;
  }
  list.say("Those that exist, beside the pools. A strategy that names them in its legs holds and pays them.");
  say_remarks(list, "reservations");
  if (!held_.empty()) part_.choices.push_back({.label = "what is held", .names = held_});
}

// Of the types that are sold for a year the one with most work.
const StarterSupply* HeldWriter::main_supply() const {
  const auto main =
      std::ranges::find_if(supplies_, [](const StarterSupply& one) { return one.market.reserved_1y; });
  return main == supplies_.end() ? nullptr : &*main;
}

std::string HeldWriter::free_name() const {
  std::string name = "reserved";
  while (std::ranges::find(names_, name) != names_.end()) name += " more";
  return name;
}

void HeldWriter::add_reservation_to_try() {
  const StarterSupply* const main = main_supply();
  if (main == nullptr) return;
  const GpuMarket& market = main->market;
  const auto busy_gpus = static_cast<std::int64_t>(main->demand.mean_gpus);
  const std::int64_t busy = (busy_gpus - held_gpus_) / market.machine_gpus;
  if (busy < 1 && !held_.empty()) return;
  const std::int64_t count = std::clamp<std::int64_t>(busy, 1, main->hosts / 2);
  OrderedJson json{{"name", free_name()},
                   {"machine", market.machine},
                   {"place", market.region},
                   {"count", count},
                   {"commitment", "1y"}};
  if (main->demand.smallest < market.machine_gpus) json["share"] = true;
  HeldTogether choice{.label = fmt::format("{} reserved", count), .names = {json.at("name")}};
  if (!held_.empty()) {
    choice.label = fmt::format("what is held and {} more reserved", count);
    choice.names.insert(choice.names.begin(), held_.begin(), held_.end());
  }
  part_.choices.push_back(std::move(choice));
  CommentedJson& list = part_.reservations;
  CommentedJson item = CommentedJson::item(std::move(json));
  if (list.inner.empty()) {
    list.say(
        "Machines that strategies may hold: as many as your jobs had busy on average. Another number is another "
        "strategy. ASK: which reservations do you have already? `stockout init --from` takes the list of `gcloud "
        "compute reservations list --format=json` too.");
  } else {
    item.say("Not there yet: as many as your jobs had busy on average beyond those that exist.");
  }
  list.add(std::move(item));
}

}  // namespace

HeldPart held_part(const std::optional<InventoryPart>& existing, const std::vector<StarterSupply>& supplies,
                   const Catalog& catalog, Date start, Date end) {
  return HeldWriter{existing, supplies, catalog, start, end}.write();
}

}  // namespace stockout
