#pragma once

namespace stockout {

/// How many machines to reserve when what does not fit goes on demand. Jobs of one machine come at random
/// (Poisson), `load` at a time on the average if all run at once, for any law of their length. Reserved
/// machines cost `reserved` a unit of time whether used or not, those on demand `on_demand` while used. Both
/// prices above 0 and finite, 0 <= `load` <= 10^8. An argument out of range is an InvariantError.
struct ReserveChoice {
  double load = 0;
  double reserved = 0;
  double on_demand = 0;
};

/// Cost of `machines` reserved ones with all the rest, in a unit of time, if a job stays where it started:
///   cost(R) = r R + p a B(R, a),   B = erlang_b,
/// since the reserved machines are a loss system and what they refuse runs on demand. `machines` >= 0.
[[nodiscard]] double cost_of_kept_places(int machines, const ReserveChoice& choice);

/// The number that makes it least: the first R whose next machine would not work for its price,
///   a (B(R, a) - B(R + 1, a)) <= r / p,
/// as what the next machine carries falls with R. Source: K. Moe's principle of improvement, in A. Jensen,
/// Moe's Principle, 1950; convexity of B in R: E. J. Messerli, Bell Syst. Tech. J. 51, 1972.
[[nodiscard]] int reserve_of_kept_places(const ReserveChoice& choice);

/// The same if jobs on demand moved to a reserved machine as soon as one is free. The number N of jobs that
/// run is Poisson with mean a, and what exceeds R is on demand:
///   cost(R) = r R + p E max(N - R, 0)   <= cost_of_kept_places(R),
/// since on reserved machines there are never more than min(N, R), where jobs keep their place too.
/// `machines` >= 0.
[[nodiscard]] double cost_of_moved_places(int machines, const ReserveChoice& choice);

/// The number that makes that least, the newsvendor's: the first R with P(N > R) <= r / p.
/// Source: F. Y. Edgeworth 1888; K. J. Arrow, T. Harris, J. Marschak, Econometrica 19, 1951.
[[nodiscard]] int reserve_of_moved_places(const ReserveChoice& choice);

}  // namespace stockout
