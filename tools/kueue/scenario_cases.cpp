#include "tools/kueue/kueue_case.h"
namespace stockout::kueue {
void run_scenario(const KueueCase&, Differences&) { throw NotModelled{"scenarios"}; }
}
