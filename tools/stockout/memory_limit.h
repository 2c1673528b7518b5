#pragma once

namespace stockout {

/// Lets this process allocate no more than the memory that is free on the machine now, swap included, and
/// than its control group may have. What does not fit is then std::bad_alloc and a message, instead of the
/// end of the program by the operating system, which says nothing. Leaves a lower limit as it is, and does
/// nothing where the free memory is not known.
void limit_memory();

}  // namespace stockout
