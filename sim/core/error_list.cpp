#include "sim/core/error_list.h"

namespace stockout {

void ErrorList::add(const InputError& error) {
  all_ = all_ ? InputError{*all_, error} : error;
  count_ = 1 + all_->others().size();
}

void ErrorList::raise() const {
  if (all_) throw InputError{*all_};
}

}  // namespace stockout
