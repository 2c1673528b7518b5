#include "tools/report/recommend/orders.h"

#include <algorithm>

#include <fmt/format.h>

#include "models/billing/cost.h"

namespace stockout {
namespace {

// A name as Compute Engine takes it: small letters, digits and hyphens, a letter first (RFC 1035).
std::string resource_name(const std::string& name) {
  std::string text;
  for (const char c : name) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    const bool is_digit = c >= '0' && c <= '9';
    if (is_letter || (is_digit && !text.empty())) {
      text += is_letter ? static_cast<char>(c | 0x20) : c;
    } else if (!text.empty() && text.back() != '-') {
      text += '-';
    }
  }
  constexpr std::size_t kLongest = 62;
  text.resize(std::min(text.size(), kLongest));
  while (!text.empty() && text.back() == '-') text.pop_back();
  return text.empty() ? "reservation" : text;
}

// https://cloud.google.com/sdk/gcloud/reference/compute/reservations/create
std::string reservation_command(const World& world, const HeldPool& held) {
  return fmt::format(
      "gcloud compute reservations create {} --machine-type={} --vm-count={} --zone={} "
      "--require-specific-reservation",
      resource_name(held.pool.name), world.machines[index(held.machine)].name, held.machines.count(),
      held.pool.place);
}

}  // namespace

std::vector<std::string> order_lines(const RecommendationReport& report) {
  std::vector<std::string> lines;
  const Purchase& best = report.purchase(report.best());
  const World& world = report.purchases.scenario(best).world;
  for (const PoolId id : world.strategies[best.strategy].held) {
    const HeldPool& held = world.held_pool(id);
    const PriceLine& line = world.price_lines[index(held.line)];
    const auto term = commitment_term(line.model);
    if (held.booking || held.scaling) {
      lines.push_back(fmt::format("\"{}\": {} {} in {}, as the scenario describes it.", held.pool.name,
                                  held.machines.count(), world.machines[index(held.machine)].name,
                                  held.pool.place));
      continue;
    }
    lines.push_back(reservation_command(world, held));
    if (!term) continue;
    lines.push_back(fmt::format(
        "Then a {}-year commitment for the same machines in {}, with \"{}\" attached: GPUs require that.",
        *term / std::chrono::days{365}, line.region, resource_name(held.pool.name)));
  }
  return lines;
}

}  // namespace stockout
