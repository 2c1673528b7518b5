#include "models/catalog/explain.h"

// The sentences that tell a planner why the catalogue cannot serve a request, and what to do.

#include <algorithm>

#include <fmt/format.h>

namespace stockout {

namespace {

constexpr std::size_t kMostNames = 12;

std::string list(const std::vector<std::string>& names) {
  if (names.size() <= kMostNames) return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format("{} and {} more", fmt::join(names.begin(), names.begin() + kMostNames, ", "),
                     names.size() - kMostNames);
}

bool sold(const MachineType& machine, Offer offer) {
  return machine.accepts[static_cast<std::size_t>(offer)];
}

std::vector<std::string> offers_of(const MachineType& machine) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < kOfferNames.size(); ++i) {
    if (machine.accepts[i]) names.emplace_back(kOfferNames[i]);
  }
  return names;
}

std::vector<std::string> family_sold_as(const Catalog& catalog, std::string_view family, Offer offer) {
  std::vector<std::string> names;
  for (const MachineType& machine : catalog.machines()) {
    if (machine.family == family && sold(machine, offer)) names.push_back(machine.name);
  }
  return names;
}

std::vector<std::string> regions_priced(const Catalog& catalog, MachineId machine, PriceModel model) {
  std::vector<std::string> names;
  for (const PriceRow& row : catalog.prices()) {
    if (row.machine == machine && row.model == model && (names.empty() || names.back() != row.region)) {
      names.push_back(row.region);
    }
  }
  return names;
}

std::vector<std::string> models_priced(const Catalog& catalog, MachineId machine, std::string_view region,
                                       Date day) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < kWaysToBuy.size(); ++i) {
    if (catalog.price(machine, region, static_cast<PriceModel>(i), day)) names.emplace_back(kWaysToBuy[i]);
  }
  return names;
}

}  // namespace

std::string why_not(const Catalog& catalog, MachineId id, Offer offer) {
  const MachineType& machine = catalog.machine(id);
  if (sold(machine, offer)) return {};
  const auto offer_name = kOfferNames[static_cast<std::size_t>(offer)];
  const auto offers = offers_of(machine);
  const bool is_known = !machine.not_known[static_cast<std::size_t>(offer)];
  std::string text =
      fmt::format("{} is not {}sold {}", machine.name, is_known ? "" : "known to be ", offer_name);
  text += offers.empty() ? ", nor in any other way" : fmt::format(" (only {})", list(offers));
  const auto others = family_sold_as(catalog, machine.family, offer);
  if (!others.empty())
    text += fmt::format("; of its family {} {}", list(others), others.size() == 1 ? "is" : "are");
  return text;
}

std::string why_not(const Catalog& catalog, const Place& place, std::string_view family) {
  if (Catalog::offers(place, family)) return {};
  const auto places = catalog.places_with(family);
  if (places.empty())
    return fmt::format("{} is not known to have {}, and no other place is", place.name, family);
  std::vector<std::string> near;
  for (const std::string& name : places) {
    if (catalog.find_place(name)->region == place.region) near.push_back(name);
  }
  if (!near.empty())
    return fmt::format("{} is not known to have {}; in its region, use {}", place.name, family, list(near));
  return fmt::format("{} is not known to have {}; places that have it: {}", place.name, family, list(places));
}

std::string why_no_price(const Catalog& catalog, MachineId id, std::string_view region, PriceModel model,
                         Date day) {
  const PriceLookup found = catalog.price(id, region, model, day);
  if (found) return {};
  const auto model_name = kPriceModelNames[static_cast<std::size_t>(model)];
  std::string text = fmt::format("no {} price of {} in {} as of {}", model_name, catalog.machine(id).name,
                                 region, to_text(day));
  if (found.first) {
    return text + fmt::format(": the earliest is of {}; use that day or a later one, or give your own price",
                              to_text(*found.first));
  }
  text += ": the catalogue has none of any day";
  const auto regions = regions_priced(catalog, id, model);
  if (!regions.empty()) text += fmt::format("; it has one for {}", list(regions));
  const auto models = models_priced(catalog, id, region, day);
  if (!models.empty()) text += fmt::format("; here it has {}", list(models));
  return text + "; give your own price";
}

}  // namespace stockout
