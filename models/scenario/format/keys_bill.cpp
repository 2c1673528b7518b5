#include "models/scenario/format/catalog_names.h"
#include "models/scenario/format/keys.h"

namespace stockout {

const ObjectSpec& commitment_keys() {
  static const ObjectSpec kKeys{
      .name = "commitment",
      .doc =
          "A commitment that exists already. It is paid under every strategy for the part of its term within "
          "the window, and shown as sunk. Each hour it pays for as many machines of its type in its region "
          "as it is for: of those that would cost the on-demand price, reservations first. Then it pays for "
          "machines leased one by one, and for none of a persistent resource. Machines that it pays for cost "
          "nothing more, also after the window, until it ends.",
      .keys =
          {
              required_key("name", text_value(), "unique"),
              required_key("machine", known_value(machine_types()), "which are committed to"),
              required_key("region", known_value(regions()), "where"),
              required_key("count", integer_value(1, kMostMachines, "machines"), "how many"),
              optional_key(
                  "plan", choice_value({"1y", "3y"}),
                  "whose price of `prices_as_of` is paid, and how long it lasts if there is no `end`"),
              optional_key("usd_per_hour", number_value(0, kMostUsd, "$ per machine-hour"),
                           "the price agreed instead"),
              required_key("start", date_value(),
                           "the first day of the term, which may be long before the window"),
              optional_key("end", date_value(), "the first day on which it is over"),
          },
      .exactly_one = {KeyGroup{{"plan", "usd_per_hour"}}},
      .relations = {requires_keys({"usd_per_hour"}, {"end"})}};
  return kKeys;
}

const ObjectSpec& other_cost_keys() {
  static const ObjectSpec kKeys{
      .name = "other_cost",
      .doc =
          "A cost beside the machines: disks, a controller, login nodes, CPU workers, a fee. A credit is negative.",
      .keys =
          {
              required_key("name", text_value(), "unique; its line in the report"),
              optional_key("usd_per_hour", number_value(-kMostUsd, kMostUsd, "$"),
                           "for each hour of the window"),
              optional_key("usd_per_month", number_value(-kMostUsd, kMostUsd, "$"),
                           "for each 730 hours of the window"),
              optional_key("usd_once", number_value(-kMostUsd, kMostUsd, "$"), "once in a run"),
              optional_key("usd_per_job", number_value(-kMostUsd, kMostUsd, "$"),
                           "for each job submitted in the window that started"),
              optional_key("usd_per_gpu_hour", number_value(-kMostUsd, kMostUsd, "$"),
                           "for each GPU-hour that jobs lease, also from held capacity"),
              optional_key("strategies", list_value(text_value(), 1, 1'000), "which pay it; default: all"),
              optional_key("classes", list_value(text_value(), 1, 10'000), "of whose jobs; default: all"),
          },
      .exactly_one = {KeyGroup{
          {"usd_per_hour", "usd_per_month", "usd_once", "usd_per_job", "usd_per_gpu_hour"}}},
      .relations = {only_with({{"usd_per_job"}, {"usd_per_gpu_hour"}}, {"classes"}, "they are about jobs")}};
  return kKeys;
}

}  // namespace stockout
