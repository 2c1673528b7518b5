#include "tools/stockout/prices/catalog_listing.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "models/consumption/orchestrator_rules.h"
#include "models/consumption/orchestrator_states.h"
#include "sim/core/error.h"
#include "sim/core/unknown_name.h"
#include "tools/table/wrap_text.h"
#include "tools/table/write_text.h"

namespace stockout {

namespace {

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

bool is_wanted(const Catalog& catalog, const CatalogQuery& query, const MachineType& machine) {
  if (!query.gpus.empty() && std::ranges::find(query.gpus, machine.gpu) == query.gpus.end()) return false;
  return query.place.empty() || Catalog::offers(*catalog.find_place(query.place), machine.family);
}

std::string region_of(const Catalog& catalog, const CatalogQuery& query) {
  return query.place.empty() ? std::string{} : catalog.find_place(query.place)->region;
}

std::string offers_of(const MachineType& machine) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < kOfferNames.size(); ++i) {
    if (machine.accepts[i]) names.emplace_back(kOfferNames[i]);
    if (machine.not_known[i]) names.push_back(fmt::format("{}?", kOfferNames[i]));
  }
  return fmt::format("{}", fmt::join(names, " "));
}

std::size_t regions_with(const Catalog& catalog, const MachineType& machine) {
  return static_cast<std::size_t>(std::ranges::count_if(catalog.places(), [&](const Place& place) {
    return place.name == place.region && Catalog::offers(place, machine.family);
  }));
}

/// Wordings with a number each, in the order in which they are first met.
class Footnotes {
 public:
  std::size_t number(const std::string& wording) {
    const auto found = std::ranges::find(wordings_, wording);
    if (found != wordings_.end()) return static_cast<std::size_t>(found - wordings_.begin()) + 1;
    wordings_.push_back(wording);
    return wordings_.size();
  }

  [[nodiscard]] std::string text(const TextLayout& layout) const {
    std::string text;
    for (std::size_t i = 0; i < wordings_.size(); ++i)
      text += wrap_text(fmt::format("[{}] {}", i + 1, wordings_[i]), layout.table_width, "");
    return text;
  }

 private:
  std::vector<std::string> wordings_;
};

std::string wording(const Catalog& catalog, const std::string& source, const std::string& note) {
  const std::string& text = catalog.sources().find(source)->second;
  return note.empty() ? text : fmt::format("{}. From: {}", note, text);
}

std::string since(const ValidityRow& row) {
  if (row.never) return "never";
  const std::string from = row.from ? to_text(*row.from) : "always";
  return row.until ? fmt::format("{} until {}", from, to_text(*row.until)) : from;
}

// The models of the catalogue's lines, each once.
std::vector<std::string> models_of(const Catalog& catalog) {
  std::vector<std::string> models;
  for (const ValidityRow& row : catalog.validity()) {
    if (row.with.empty() && std::ranges::find(models, row.model) == models.end()) models.push_back(row.model);
  }
  return models;
}

Cell since(const Catalog& catalog, const std::string& model, std::size_t orchestrator, Footnotes& notes) {
  for (const ValidityRow& row : catalog.validity()) {
    if (row.model != model || !row.with.empty() || static_cast<std::size_t>(row.orchestrator) != orchestrator)
      continue;
    return fmt::format(
        "{} [{}]", since(row),
        notes.number(fmt::format("{}. {}", row.confidence, wording(catalog, row.source, row.note))));
  }
  return {};
}

std::string list_pairs(const Catalog& catalog, Footnotes& notes, const TextLayout& layout) {
  Relation pairs{.title = "Two models together"};
  pairs.add_columns(kText, {"orchestrator", "model", "with", "for one", "allowed"});
  for (const ValidityRow& row : catalog.validity()) {
    if (row.with.empty()) continue;
    const std::string text = fmt::format("{}. {}", row.confidence, wording(catalog, row.source, row.note));
    pairs.add({kOrchestratorNames[static_cast<std::size_t>(row.orchestrator)], row.model, row.with,
               row.for_request ? "request" : "job", fmt::format("{} [{}]", since(row), notes.number(text))});
  }
  return write_section(pairs, layout);
}

// A catalogue of one's own may lack a source of the program's rules.
std::string source_wording(const Catalog& catalog, std::string_view source) {
  const auto found = catalog.sources().find(source);
  return found == catalog.sources().end() ? std::string{source} : found->second;
}

std::string rule_wording(const Catalog& catalog, const Evidence& from) {
  const std::string note = from.note.empty() ? "" : fmt::format("{}. From: ", from.note);
  return fmt::format("{}. {}{}", from.confidence, note, source_wording(catalog, from.source));
}

std::string list_rules(const Catalog& catalog, Footnotes& notes, const TextLayout& layout) {
  Relation rules{.title = "Rules that an orchestrator gives to a leg"};
  rules.add_columns(kText, {"orchestrator", "model", "key", "value", "kind", "source"});
  for (const OrchestratorRule& rule : orchestrator_rules()) {
    const std::string_view model = rule.model.empty() ? "all" : rule.model;
    rules.add({kOrchestratorNames[static_cast<std::size_t>(rule.orchestrator)], model, rule.sets.key,
               value_text(rule), kRuleKindNames[static_cast<std::size_t>(rule.kind)],
               fmt::format("[{}]", notes.number(rule_wording(catalog, rule.from)))});
  }
  return write_section(rules, layout) +
         wrap_text(
             "usual: its user may set another. own: of itself it does no more, and a scenario that asks for "
             "more is warned. enforced: the provider refuses more.",
             layout.table_width, "");
}

// The models whose jobs have a name of their own.
std::string asked_under(const StateName& state) {
  std::vector<std::string_view> models;
  for (const Policy& row : policy_table()) {
    if (state.by_resize_request && row.by_resize_request) models.push_back(row.name);
  }
  return fmt::format("{}", fmt::join(models, ", "));
}

std::string list_states(const Catalog& catalog, Footnotes& notes, const TextLayout& layout) {
  Relation states{.title = "Names of a job's states, by orchestrator"};
  states.add_columns(kText, {"orchestrator", "model", "job", "state", "source"});
  for (const StateName& state : state_names()) {
    states.add({kOrchestratorNames[static_cast<std::size_t>(state.orchestrator)], asked_under(state),
                kJobFateNames[static_cast<std::size_t>(state.fate)], state.name,
                fmt::format("[{}]", notes.number(rule_wording(catalog, state.from)))});
  }
  return write_section(states, layout);
}

std::vector<Cell> cells_of(const Catalog& catalog, const PriceRow& price, Date date, Footnotes& notes) {
  const MachineType& machine = catalog.machine(price.machine);
  const double usd = static_cast<double>(price.price.count()) / 1e9;
  return {machine.name,
          price.region,
          kPriceModelNames[static_cast<std::size_t>(price.model)],
          usd,
          machine.has_gpus ? Cell{usd / static_cast<double>(machine.gpus.count())} : Cell{},
          to_text(price.as_of),
          (date - price.as_of).count(),
          price.confidence,
          fmt::format("[{}]", notes.number(wording(catalog, price.source, price.note)))};
}

/// The prices of one day: of each machine, region and model the latest row that is not later.
std::vector<const PriceRow*> prices_on(const Catalog& catalog, const CatalogQuery& query) {
  const std::string region = region_of(catalog, query);
  std::vector<const PriceRow*> chosen;
  for (const PriceRow& row : catalog.prices()) {
    if (!is_wanted(catalog, query, catalog.machine(row.machine)) || (!region.empty() && row.region != region))
      continue;
    if (catalog.price(row.machine, row.region, row.model, query.date).row == &row) chosen.push_back(&row);
  }
  return chosen;
}

std::string without_price(const Catalog& catalog, const CatalogQuery& query,
                          const std::vector<const PriceRow*>& rows, const TextLayout& layout) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < catalog.machines().size(); ++i) {
    const MachineId id{static_cast<std::uint16_t>(i)};
    const bool priced = std::ranges::any_of(rows, [&](const PriceRow* row) { return row->machine == id; });
    if (!priced && is_wanted(catalog, query, catalog.machine(id))) names.push_back(catalog.machine(id).name);
  }
  return names.empty()
             ? ""
             : wrap_text(fmt::format("No price known: {}.", fmt::join(names, ", ")), layout.table_width, "");
}

}  // namespace

std::vector<GpuTypeId> gpus_named(const Catalog& catalog, const std::string& text) {
  std::vector<GpuTypeId> beginning;
  for (std::size_t i = 0; i < catalog.gpu_types().size(); ++i) {
    const GpuTypeId id{static_cast<std::uint16_t>(i)};
    if (lower(catalog.gpu_types()[i]) == lower(text)) return {id};
    if (!text.empty() && lower(catalog.gpu_types()[i]).starts_with(lower(text))) beginning.push_back(id);
  }
  if (beginning.empty()) {
    throw InputError{{.file = "command line", .pointer = "--gpu"},
                     unknown_name("GPU type", text, catalog.gpu_types(), 20)};
  }
  return beginning;
}

std::string list_machines(const Catalog& catalog, const CatalogQuery& query, const TextLayout& layout) {
  Relation machines{};
  machines.add_columns(kText, {"machine"});
  machines.add_columns(kWhole, {"GPUs"});
  machines.add_columns(kText, {"GPU"});
  machines.add_columns(kCount, {"GB each", "vCPUs", "RAM GB", "regions"});
  machines.add_columns(kText, {"sold as", "note"});
  for (const MachineType& machine : catalog.machines()) {
    if (machine.name == kGeneric || !is_wanted(catalog, query, machine)) continue;
    machines.add({machine.name, machine.has_gpus ? machine.gpus.count() : 0, catalog.gpu_name(machine.gpu),
                  machine.gpu_memory_gb, machine.vcpus, machine.memory_gb, regions_with(catalog, machine),
                  offers_of(machine), machine.note});
  }
  if (machines.empty()) return "No machine of this GPU type is known there.\n";
  return write_text(machines, layout) + "A question mark: not known.\n";
}

std::string list_prices(const Catalog& catalog, const CatalogQuery& query, const TextLayout& layout) {
  const auto chosen = prices_on(catalog, query);
  Footnotes notes;
  Relation prices{};
  prices.add_columns(kText, {"machine", "region", "model"});
  prices.add_columns(kUnitPrice, {"$/machine-h", "$/GPU-h"});
  prices.add_columns(kText, {"as of"});
  prices.add_columns(kWhole, {"days old"});
  prices.add_columns(kText, {"known", "source"});
  for (const PriceRow* price : chosen) prices.add(cells_of(catalog, *price, query.date, notes));
  std::string text = chosen.empty() ? "" : write_text(prices, layout);
  text += without_price(catalog, query, chosen, layout);
  return text + (chosen.empty() ? "" : "\n") + notes.text(layout);
}

std::string list_orchestrators(const Catalog& catalog, const TextLayout& layout) {
  if (catalog.validity().empty()) return "The catalogue has no orchestrators.csv.\n";
  Footnotes notes;
  Relation models{.columns = {name_column("model")}};
  for (const std::string_view name : kOrchestratorNames)
    models.columns.push_back(name_column(std::string{name}));
  for (const std::string& model : models_of(catalog)) {
    std::vector<Cell> cells{model};
    for (std::size_t i = 0; i < kOrchestratorNames.size(); ++i)
      cells.emplace_back(since(catalog, model, i, notes));
    models.add(std::move(cells));
  }
  // One after another, as the footnotes are numbered.
  std::string text = write_text(models, layout);
  text += list_pairs(catalog, notes, layout);
  text += list_rules(catalog, notes, layout);
  text += list_states(catalog, notes, layout);
  return text + '\n' + notes.text(layout);
}

}  // namespace stockout
