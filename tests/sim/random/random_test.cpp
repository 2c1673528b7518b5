#include <cmath>

#include <catch2/catch.hpp>

#include "sim/random/law.h"

using namespace stockout;
using namespace std::chrono_literals;

TEST_CASE("The generator is Philox 4x64-10: the known answer for all-zero key and counter", "[random]") {
  // Random123's kat_vectors: philox4x64 10, counter 0 and key 0.
  const r123::Philox4x64::ctr_type out = r123::Philox4x64{}({{0, 0, 0, 0}}, {{0, 0}});
  CHECK(out[0] == 0x16554d9eca36314cULL);
  CHECK(out[1] == 0xdb20fe9d672d0fdcULL);
  CHECK(out[2] == 0xd7e772cee186176bULL);
  CHECK(out[3] == 0x7e68b68aec7ba23bULL);
}

TEST_CASE("Streams differ by each part of their key and repeat for the same", "[random]") {
  const auto first = [](std::uint64_t seed, std::uint64_t replication, Purpose purpose, std::uint64_t entity,
                        std::uint64_t number) {
    return Draw{seed, replication, purpose, entity, number}();
  };
  const std::uint64_t word = first(1, 2, Purpose::work, 3, 4);
  CHECK(word == first(1, 2, Purpose::work, 3, 4));
  CHECK(word != first(2, 2, Purpose::work, 3, 4));
  CHECK(word != first(1, 1, Purpose::work, 3, 4));
  CHECK(word != first(1, 2, Purpose::shape, 3, 4));
  CHECK(word != first(1, 2, Purpose::work, 2, 4));
  CHECK(word != first(1, 2, Purpose::work, 3, 5));
}

TEST_CASE("A draw goes on beyond one block of four words", "[random]") {
  Draw draw{1, 0, Purpose::work, 0, 0};
  std::array<std::uint64_t, 12> words{};
  for (std::uint64_t& word : words) word = draw();
  for (std::size_t i = 1; i < words.size(); ++i) CHECK(words[i] != words[i - 1]);
}

namespace {

double mean_hours(const Law& law, int draws) {
  double sum = 0;
  for (int i = 0; i < draws; ++i) {
    Draw draw{7, 0, Purpose::work, static_cast<std::uint64_t>(i), 0};
    sum += static_cast<double>(law.sample(draw).count()) / 3'600'000;
  }
  return sum / draws;
}

}  // namespace

TEST_CASE("Laws have the means that they state", "[random]") {
  constexpr int kDraws = 100'000;
  const auto check = [](const Law& law, double deviation_hours) {
    const double stated = law.mean_ms() / 3'600'000;
    CHECK(std::abs(mean_hours(law, kDraws) - stated) < 4 * deviation_hours / std::sqrt(kDraws));
  };
  check({.kind = Law::Kind::constant, .a = 2h}, 1e-9);
  check({.kind = Law::Kind::uniform, .a = 1h, .b = 4h}, std::sqrt(9.0 / 12));
  check({.kind = Law::Kind::exponential, .a = 3h}, 3);
  const double variance = (std::exp(1.0) - 1) * std::exp(1.0) * 81;  // lognormal, median 9 h, sigma 1
  check({.kind = Law::Kind::lognormal, .a = 9h, .sigma = 1}, std::sqrt(variance));
}

TEST_CASE("A law's bound is where its tail is cut", "[random]") {
  const Law law{.kind = Law::Kind::lognormal, .a = 3h, .sigma = 0.9, .most = 4h};
  SimDuration most{};
  for (std::uint64_t i = 0; i < 1'000; ++i) {
    Draw draw{7, 0, Purpose::work, i, 0};
    most = std::max(most, law.sample(draw));
  }
  CHECK(most == 4h);
}
