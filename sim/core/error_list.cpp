#include "sim/core/error_list.h"

namespace stockout {

void ErrorList::add(const InputError& error) {
  all_ = all_ ? InputError{*all_, error} : error;
  is_cut_ = is_cut_ || 1 + all_->others().size() > most_;
  all_->keep(most_);
  count_ = 1 + all_->others().size();
}

void ErrorList::raise() const {
  if (!all_ && is_incomplete_) throw ReportedAlready{};
  if (!all_) return;
  if (!is_cut_) throw InputError{*all_};
  throw InputError{*all_,
                   InputError{{.file = all_->where().file}, "there may be more errors: mend these first"}};
}

}  // namespace stockout
