#pragma once

#include <string>
#include <string_view>

#include "sim/core/error.h"

namespace date {
class time_zone;
}

namespace stockout {

/// The rules of the IANA time zone `name`, as this machine has them. Throws InputError at `where` for a name
/// that is none, for "localtime", which is another zone on another machine, for a file of the time zone data
/// that is damaged, and if the machine has no such data.
[[nodiscard]] const date::time_zone& find_time_zone(const std::string& name, const SourceRef& where);

/// How the bytes of a compiled time zone (TZif, RFC 8536) are damaged, in words; empty: they are not. What
/// this lets through, the library that reads them bears.
[[nodiscard]] std::string damage_of_zone(std::string_view bytes);

}  // namespace stockout
