#include "models/scenario/format/keys.h"

namespace stockout {

KeySpec exits_key() {
  return optional_key("exits", object_value(exits_keys()), "how its own code fails; default: not");
}

const ObjectSpec& exits_keys() {
  static const ObjectSpec kKeys{
      .name = "exits",
      .doc =
          "How the code of a job fails by itself. One worker runs on each machine of the job. A worker that "
          "exits begins again on its machine, `worker_restarts` of the model times for each. Then the job "
          "begins another attempt, `exit_restarts` times. Then it fails, whatever legs are left. A gang "
          "works as one: all lose what is not in a checkpoint.",
      .keys = {
          required_key("after", length_value(),
                       "from the begin of work, of each worker; an exponential law is a rate per hour"),
          default_key("share", number_above(0, 1, "share"), "1",
                      "of workers that begin, or begin again; the others run to the end"),
          default_key("permanent", number_value(0, 1, "share"), "0",
                      "of exits: beginning again would be of no use, and the job fails at once"),
      }};
  return kKeys;
}

}  // namespace stockout
