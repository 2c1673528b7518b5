#include "models/scenario/format/keys.h"

namespace stockout {

const ObjectSpec& alternative_rule_keys() {
  static const ObjectSpec kKeys{
      .name = "alternative_rule",
      .doc =
          "A rule that is not public. The scenario as written takes it one way; each choice is another. They "
          "are tried one at a time, never several together.",
      .keys = {
          required_key("rule", text_value(), "in a few words; unique"),
          required_key("choices", list_value(object_value(alternative_keys()), 1, 20),
                       "how it may be, other than as written"),
      }};
  return kKeys;
}

const ObjectSpec& alternative_keys() {
  static const ObjectSpec kKeys{
      .name = "alternative",
      .doc = "Values in the place of others.",
      .keys = {
          required_key("name", text_value(), "in a few words; unique in the scenario"),
          required_key(
              "set", table_of(any_value()),
              "the value in the place of a JSON pointer into this file, as with `--set`. Within `billing`, "
              "`models`, `other_costs`, `pools`, `prices`, `quota`, `reservations`, `strategies` (not their "
              "names), `tenants` and `warm_up`"),
      }};
  return kKeys;
}

}  // namespace stockout
