#include "models/scenario/format/fill.h"
#include "models/scenario/format/keys.h"
#include "models/world/world.h"

namespace stockout {

const ObjectSpec& job_set_keys() {
  static const ObjectSpec kKeys{
      .name = "job_set",
      .doc =
          "Sets of jobs: each job of the source, with one of every source that is `with` it. They ask for "
          "machines one by one, and machines that wait for others are paid. All work begins when the last of "
          "them is ready. If one loses its machines, all begin anew from their last checkpoints, and the "
          "others keep theirs. If one fails, all do.",
      .keys = {
          filling(&JobSetRule::restarts,
                  default_key("max_restarts", integer_value(0, 1'000'000), "0",
                              "so often a set may begin anew; then it fails (JobSet: maxRestarts)")),
          default_key("restart", choice_value({"recreate", "in_place"}), "recreate",
                      "whether machines that are left start up again (JobSet: Recreate, BlockingRecreate) or "
                      "not (InPlaceRestart); a checkpoint is loaded in any case"),
          filling(&JobSetRule::hold,
                  default_key("hold", duration_or_forever(), "forever",
                              "so long machines that are up wait for those of the other jobs; then all are "
                              "given back. Under Kueue a booking of queued provisioning lasts 10min")),
          filling(&JobSetRule::again, default_key("again", duration_at_least(kShortestPause), "1min",
                                                  "from then until the set asks again")),
      }};
  return kKeys;
}

}  // namespace stockout
