#pragma once

namespace stockout {

/// Closed forms for one pool of identical servers and Poisson arrivals. `load` is the offered load in erlang:
/// arrival rate times mean service time. Waits are in mean service times. All take time proportional to
/// `servers` and stay within [0, 1] or the stated range without overflow, whatever the size of the pool. An
/// argument out of range, NaN included, is an InvariantError: who reads a user's number checks it first.

/// Share of arrivals lost by a pool that lets nobody wait (M/G/c/c), for any law of the service time with
/// that mean:
///   B(c) = (a^c / c!) / sum_{k=0..c} a^k / k!,   worked out as B(0) = 1, B(k) = a B(k-1) / (k + a B(k-1)).
/// `servers` >= 0, `load` >= 0. Source: A. K. Erlang, Elektroteknikeren 13, 1917; insensitivity: B. A.
/// Sevastyanov, Theory Probab. Appl. 2, 1957.
[[nodiscard]] double erlang_b(int servers, double load);

/// Share of arrivals that have to wait in a pool with an unlimited queue and exponential service (M/M/c):
///   C = B / ((1 - rho) + rho B),   rho = a / c, B = erlang_b(c, a).
/// `servers` >= 1, 0 <= `load` < `servers`. Source: A. K. Erlang, as above; L. Kleinrock, Queueing Systems I,
/// 1975, 3.5.
[[nodiscard]] double erlang_c(int servers, double load);

/// Mean wait of all arrivals, those that do not wait included, in M/M/c: Wq = C / (c - a).
/// `servers` >= 1, 0 <= `load` < `servers`. Holds for any order of service that does not look at service
/// times.
[[nodiscard]] double mean_wait_mmc(int servers, double load);

/// Mean wait with one server and any law of service (M/G/1, Pollaczek-Khinchine):
///   Wq = rho (1 + s) / (2 (1 - rho)),   s = variance of the service time / square of its mean.
/// 0 <= `load` < 1, `squared_variation` >= 0. Source: F. Pollaczek, Math. Z. 32, 1930.
[[nodiscard]] double mean_wait_mg1(double load, double squared_variation);

/// Mean wait with one server and constant service times (M/D/1): Wq = rho / (2 (1 - rho)). 0 <= `load` < 1.
[[nodiscard]] double mean_wait_md1(double load);

/// Mean waits in mean service times at one exponential server, of arrivals with priority and of the others;
/// nobody is interrupted (M/M/1, non-preemptive). `first` and `second` are their loads, with one law of
/// service:
///   W1 = rho / (1 - a1),   W2 = rho / ((1 - a1) (1 - rho)),   rho = a1 + a2.
/// Loads at least 0, together below 1. Source: A. Cobham, Oper. Res. 2, 1954.
struct PriorityWaits {
  double first = 0;
  double second = 0;
};
[[nodiscard]] PriorityWaits priority_waits_mm1(double first, double second);

/// Waits of arrivals in batches at one exponential server.
struct BatchQueue {
  double has_to_wait = 0;  // share of all jobs that are not served at once
  double mean_wait = 0;    // of all jobs, those that do not wait included
};

/// Poisson batches of X jobs, one exponential server (M^[X]/M/1). `load` is that of all jobs: batches per
/// mean service time times the mean of X. A job is served at once if its batch finds nobody and it is the
/// first:
///   has_to_wait = 1 - (1 - rho) / E[X],   Wq = (1 + E[X^2] / E[X]) / (2 (1 - rho)) - 1.
/// 0 <= `load` < 1, `mean` = E[X] >= 1, `mean_square` = E[X^2] >= mean^2. Source: D. Gross, C. M. Harris,
/// Fundamentals of Queueing Theory, 3.1.
[[nodiscard]] BatchQueue batch_queue_mm1(double load, double mean, double mean_square);

/// Share of arrivals that give up after waiting `patience` mean service times in a queue of exponential
/// servers (M/M/c+D). With p the chance that all servers but one are busy, the wait that an arrival would
/// have has the density a p exp((a - c) x) up to the patience and a p exp(a patience - c x) beyond; the share
/// is the integral beyond, and p makes all chances add up to 1. Patience 0 gives Erlang B. `servers` >= 1,
/// `load` > 0, `patience` >= 0. Source: D. Y. Barrer, Oper. Res. 5, 1957; F. Baccelli and G. Hebuterne,
/// Performance '81.
[[nodiscard]] double abandoned_mmc(int servers, double load, double patience);

/// Outcomes at a queue that arrivals leave when their patience is over.
struct ImpatientQueue {
  double has_to_wait = 0;  // share that finds all servers busy
  double gives_up = 0;     // share that leaves unserved
  double mean_wait = 0;    // of all arrivals, until service or giving up
};

/// A queue of exponential servers whose arrivals have an exponential patience of mean `patience` mean service
/// times (M/M/c+M, Erlang A, Palm's queue). With t = 1 / patience and B = erlang_b(c, a), states with all
/// servers busy have the weights w(k) = product over j = 1..k of a / (c + j t), k = 0, 1, ... waiting; with
/// E = sum w(k) and L = sum k w(k),
///   has_to_wait = B E / (1 - B + B E),   mean_wait = B L / (1 - B + B E) / a,   gives_up = t mean_wait.
/// Patience towards 0 gives Erlang B, towards infinity Erlang C. `servers` >= 1, `load` > 0 and at most 10^8,
/// `patience` > 0, finite. Takes time in proportion to `servers`, and to `load` times `patience` where the
/// load is more than the servers. Source: C. Palm, Tele 1, 1957 (of 1946); A. Mandelbaum, S. Zeltyn, Service
/// Engineering in Action: The Palm/Erlang-A Queue, 2007.
[[nodiscard]] ImpatientQueue erlang_a(int servers, double load, double patience);

/// Mean time until both parts of a job are done, where each job has a part for either of two servers with
/// queues of their own and exponential service (fork-join of two M/M/1 queues):
///   R = (12 - rho) / 8 / (1 - rho).
/// 0 <= `load` < 1, of each server. Source: L. Flatto, S. Hahn, SIAM J. Appl. Math. 44, 1984; R. Nelson, A.
/// N. Tantawi, IEEE Trans. Comput. 37, 1988.
[[nodiscard]] double mean_fork_join(double load);

}  // namespace stockout
