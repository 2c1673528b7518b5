#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "models/history/timeline.h"
#include "models/world/world.h"

namespace stockout {

/// Which run a timeline is of.
struct TraceOrigin {
  std::string scenario;  // its file, as the user named it
  std::size_t strategy = 0;
  std::uint64_t replication = 0;
  std::string version;  // of the program
};

/// The part that a timeline left out, as a sentence for people; empty if all of it is.
[[nodiscard]] std::string left_out_text(const Timeline& timeline);

/// Writes a timeline in the Chrome trace-event format, JSON object form, piece by piece: what ui.perfetto.dev
/// and chrome://tracing open. Source: "Trace Event Format", Google, 2016, with what the readers add to it.
/// Times are whole microseconds from the start of the window.
///
/// A process (`pid`) is where jobs wait, or a pool; a thread (`tid`) a lane of it. Slices are complete events
/// ("X"), which on one lane follow each other and never overlap; what happens at one time is an instant ("i")
/// of its lane, or of its process where it has none; levels are counters ("C"): every change, or, of a level
/// that changes too often, its mean over equal bins, which the name says. Names of processes, lanes and their
/// order are metadata ("M"). A name longer than 100 bytes is cut.
void write_trace_events(const World& world, const Timeline& timeline, const TraceOrigin& origin,
                        const std::function<void(std::string_view)>& write);

}  // namespace stockout
