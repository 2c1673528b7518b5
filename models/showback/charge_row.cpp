#include "models/showback/charge_row.h"

#include "models/billing/cost.h"

namespace stockout {

bool is_committed(const World& world, const ChargeSubject& subject) {
  if (subject.use == ChargeUse::purchase) return false;
  if (subject.commitment) return true;
  return subject.line && commitment_term(world.price_lines[index(*subject.line)].model).has_value();
}

Money effective_cost(const ChargeRow& charge) {
  return charge.subject.use == ChargeUse::purchase ? Money{} : charge.contracted_cost();
}

Money billed_cost(const World& world, const ChargeRow& charge) {
  return is_committed(world, charge.subject) ? Money{} : charge.contracted_cost();
}

}  // namespace stockout
