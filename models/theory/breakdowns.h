#pragma once

#include <vector>

namespace stockout {

/// By k = 0 .. `machines`, the share of time in which k of them are broken, when each works for a life of
/// mean `life`, is repaired in a time of mean `repair` without waiting for anybody, and works again at once:
///   P(k) = binomial(n, k) q^k (1 - q)^(n - k),   q = repair / (life + repair),
/// for any laws of life and repair, as machines do not know of one another. `machines` >= 0, `life` > 0,
/// `repair` >= 0, both finite; out of range is an InvariantError. Source: machine repair with a repairer each
/// (C. Palm, Ind. Norden 1947; D. R. Cox, Renewal Theory, 1962, 7.2).
[[nodiscard]] std::vector<double> machines_down(int machines, double life, double repair);

}  // namespace stockout
