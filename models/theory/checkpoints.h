#pragma once

namespace stockout {

/// How long to work between two checkpoints, and what it costs, when machines die at random: their lives are
/// exponential. All lengths are in one unit of the caller's. An argument out of range, NaN included, is an
/// InvariantError.

/// Young's interval between two checkpoints, sqrt(2 C M), for a checkpoint that takes `write` = C and a mean
/// life M. C >= 0, M > 0. Source: J. W. Young, Comm. ACM 17(9), 1974.
[[nodiscard]] double young_interval(double write, double mean_life);

/// Daly's interval, of higher order: sqrt(2 C M) (1 + sqrt(C / 2M) / 3 + (C / 2M) / 9) - C for C < 2 M, else
/// M. It is work between two checkpoints: the time to write one is not in it. Source: J. T. Daly, Future
/// Generation Computer Systems 22(3), 2006, eq. 37.
[[nodiscard]] double daly_interval(double write, double mean_life);

/// The interval that makes endless work fastest: the least of (exp((I + C) / M) - 1) / I, where
/// 1 - I / M = exp(-(I + C) / M). C > 0. Young and Daly approach it for C much less than M.
[[nodiscard]] double best_interval(double write, double mean_life);

/// A job that writes a checkpoint of length `write` after every `every` of work, none at its end, and starts
/// again after `restart` from the last one when its machine dies.
struct CheckpointedJob {
  double work = 0;       // above 0
  double every = 0;      // above 0; at least `work`: no checkpoint at all
  double write = 0;      // at least 0
  double restart = 0;    // from a start to the first work, the first start too; machines may die in it
  double mean_life = 0;  // of all its machines together, above 0
};

/// How long the job takes on the average, from its first start to its end, if it is started again at once.
/// Work and checkpoints form stretches of s_i = every + write, the last of the work that is left. A stretch
/// begins anew after a death with a restart before it, so it takes M exp(R / M) (exp(s_i / M) - 1), and the
/// first start another M (exp(R / M) - 1):
///   T = M (exp(R / M) - 1) + M exp(R / M) sum_i (exp(s_i / M) - 1).
/// Infinite where that is beyond a double. Source: J. T. Daly, as above (there with a checkpoint at the
/// end, without the first start); A. Duda, Inf. Process. Lett. 16, 1983.
[[nodiscard]] double mean_run_time(const CheckpointedJob& job);

}  // namespace stockout
