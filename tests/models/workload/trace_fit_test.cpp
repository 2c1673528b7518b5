// Fits to traces that were made from known laws: what was put in comes out, within the standard error of the
// estimate.

#include <algorithm>
#include <cmath>
#include <sstream>

#include <catch2/catch.hpp>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "models/workload/arrivals/arrivals.h"
#include "models/workload/fit/trace_fit.h"
#include "sim/core/error.h"
#include "tests/support/scenarios/small_scenario.h"
#include "tools/stockout/commands.h"
#include "tools/stockout/traces/fit_json.h"

using namespace stockout;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;

namespace {

constexpr std::int64_t kMonday = 1'785'715'200'000;  // 2026-08-03 00:00 UTC
constexpr std::int64_t kHourMs = 3'600'000;
constexpr auto kWeek = 168h;

std::vector<Job> jobs_of(const SyntheticDemand& made) {
  const Demand demand = made;
  const auto cursor = open_demand(demand, SourceId{0}, {.seed = 20'261'121});
  std::vector<Job> jobs;
  std::vector<Job> batch(256);
  for (std::size_t count = cursor->next(batch); count > 0; count = cursor->next(batch))
    jobs.insert(jobs.end(), batch.begin(), batch.begin() + static_cast<std::ptrdiff_t>(count));
  return jobs;
}

std::vector<std::int64_t> arrivals_of(const SyntheticDemand& demand) {
  std::vector<std::int64_t> at;
  for (const Job& job : jobs_of(demand)) at.push_back(kMonday + (job.submit - kStart).count());
  return at;
}

// Office hours five times as busy, Saturdays and Sundays half.
SyntheticDemand office_demand(SimDuration length, DemandFactor factor = {}) {
  PoissonArrivals arrivals{.peak_per_hour = 40, .intensity = {}};
  for (int hour = 0; hour < 168; ++hour) {
    const bool open = hour % 24 >= 9 && hour % 24 < 18;
    arrivals.intensity.push_back((open ? 1.0 : 0.2) * (hour / 24 < 5 ? 1.0 : 0.5));
  }
  return {.arrivals = arrivals,
          .until = kStart + length,
          .shapes = {{.weight = 1, .shape = ShapeId{0}}},
          .work = {.a = 1h},
          .factor = std::move(factor)};
}

const std::vector<LocalOffset> kUtc{{.from_ms = kMonday, .offset_ms = 0}};

std::vector<SimDuration> sorted_sample(const Law& law, std::size_t count) {
  std::vector<SimDuration> lengths;
  for (std::size_t i = 0; i < count; ++i) {
    Draw draw{20'261'121, 0, Purpose::work, i, 0};
    lengths.push_back(std::max(law.sample(draw), SimDuration{1}));
  }
  std::ranges::sort(lengths);
  return lengths;
}

std::string run_trace(const std::string& arguments) {
  std::ostringstream out;
  std::ostringstream err;
  Console console{.out = out, .err = err};
  CLI::App app;
  add_trace_command(app, console);
  app.parse("trace " + arguments);
  return out.str();
}

}  // namespace

TEST_CASE("A fit finds rate and profiles of a Poisson source, and calls it one", "[trace]") {
  const SyntheticDemand demand = office_demand(20 * kWeek);
  const auto arrivals = arrivals_of(demand);
  const RateFit fit = fit_rate(arrivals, kUtc);
  const double hours_a_day = 9 + 15 * 0.2;
  const double per_week = 40 * hours_a_day * 6;
  CHECK(std::abs(fit.per_week - per_week) < 4 * std::sqrt(per_week / 20));
  for (std::size_t hour = 0; hour < 24; ++hour) {
    const double share = (hour >= 9 && hour < 18 ? 1.0 : 0.2) / hours_a_day;
    CHECK(std::abs(fit.hour_profile[hour] - 24 * share) <
          4.5 * 24 * share / std::sqrt(20 * per_week * share));
  }
  CHECK(std::abs(fit.day_profile[2] - 7.0 / 6) < 4.5 * 7 / 6 / std::sqrt(20 * per_week / 6));
  CHECK(std::abs(fit.day_profile[6] - 3.5 / 6) < 4.5 * 3.5 / 6 / std::sqrt(20 * per_week / 12));
  CHECK(std::abs(fit.hour_dispersion - 1) < 4 * std::sqrt(2.0 / (20 * 168)));
  CHECK(std::abs(fit.day_dispersion - 1) < 4 * std::sqrt(2.0 / (20 * 7)));
  CHECK(std::abs(fit.chi_square - fit.degrees) < 4 * std::sqrt(2 * fit.degrees));
  REQUIRE(fit.growth);
  CHECK(!fit.growth->is_significant());
}

TEST_CASE("A fit finds growth, and the rate at the beginning", "[trace]") {
  // 8 % a month over 30 weeks. The variance of the slope of log counts is 1 / (N * variance of time in
  // months).
  const SyntheticDemand demand = office_demand(
      30 * kWeek, {.growths = {{.rate = 0.08,
                                .period = std::chrono::duration_cast<SimDuration>(std::chrono::months{1})}}});
  const auto arrivals = arrivals_of(demand);
  const RateFit fit = fit_rate(arrivals, kUtc);
  REQUIRE(fit.growth);
  CHECK(fit.growth->is_significant());
  const double months = 30 * 7 / 30.436875;
  const double error = std::sqrt(12 / (static_cast<double>(arrivals.size()) * months * months));
  CHECK(std::abs(std::log1p(fit.growth->per_month) - std::log(1.08)) < 4 * error);
  CHECK(fit.per_week == Approx(40 * 12 * 6).epsilon(4 * error * months));
  CHECK(std::abs(fit.hour_dispersion - 1) < 4 * std::sqrt(2.0 / (30 * 168)));
}

TEST_CASE("Bursts are not taken for Poisson, and their ups and downs not for growth", "[trace]") {
  std::vector<std::int64_t> bursts;
  for (const std::int64_t at :
       arrivals_of(office_demand(20 * kWeek, {.steps = {{.at = kStart, .times = 0.05}}})))
    bursts.insert(bursts.end(), 20, at);
  const RateFit fit = fit_rate(bursts, kUtc);
  // A compound Poisson process of batches of 20 has a dispersion of 20.
  CHECK(fit.hour_dispersion > 15);
  CHECK(fit.hour_dispersion < 25);
  REQUIRE(fit.growth);
  CHECK(!fit.growth->is_significant());
}

TEST_CASE("Hours of a fit are local ones through a change of clocks", "[trace]") {
  const std::int64_t october = 1'793'404'800'000;  // 2026-10-31 00:00 UTC
  const auto offsets = local_offsets("America/Los_Angeles", {}, october, october + 240 * kHourMs);
  REQUIRE(offsets.size() == 2);
  CHECK(offsets[0].offset_ms == -7 * kHourMs);
  CHECK(offsets[1].offset_ms == -8 * kHourMs);
  CHECK(offsets[1].from_ms == october + 33 * kHourMs);
  CHECK(local_offsets("-08:00", {}, october, october + 1).at(0).offset_ms == -8 * kHourMs);
  CHECK_THROWS_AS(local_offsets("Mars", {}, october, october + 1), InputError);
  std::vector<std::int64_t> noons;
  for (int job = 0; job < 200; ++job) {
    const int day = job / 20;
    noons.push_back(october + (day * 24 + (day < 1 ? 19 : 20)) * kHourMs);
  }
  const RateFit fit = fit_rate(noons, offsets);
  CHECK(fit.hour_profile[12] == Approx(24));
}

TEST_CASE("A trace of one job, or of one instant, has a rate and no more", "[trace]") {
  const std::vector<std::int64_t> one{kMonday + 5};
  const RateFit fit = fit_rate(one, kUtc);
  CHECK(fit.hours == 1);
  CHECK(fit.per_week == Approx(168));
  CHECK(!fit.covers_day);
  CHECK(!fit.growth);
  CHECK(fit.hour_dispersion == 0);
  const std::vector<std::int64_t> instant(1'000, kMonday - 5);
  CHECK(fit_rate(instant, {{{.from_ms = kMonday - 5, .offset_ms = 0}}}).per_week == Approx(168'000));
}

TEST_CASE("A few jobs over years have no profile, no growth and no chi-square", "[trace]") {
  const std::vector<std::int64_t> few{kMonday, kMonday + 1'000 * 24 * kHourMs,
                                      kMonday + 11'000 * 24 * kHourMs};
  const RateFit fit = fit_rate(few, kUtc);
  CHECK(!fit.growth);
  CHECK(!fit.covers_day);
  CHECK(!fit.covers_week);
  CHECK(fit.degrees == 0);
  CHECK(fit.per_week == Approx(3 * 168 / (11'000 * 24 + 1.0)));
}

TEST_CASE("The law that made the lengths is the one found, with its parameters", "[trace]") {
  constexpr std::size_t kCount = 20'000;
  const double root = std::sqrt(static_cast<double>(kCount));
  const auto best = [](const Law& law) {
    const auto sample = sorted_sample(law, kCount);
    const auto fits = fit_laws(sample);
    REQUIRE(fits.size() >= 3);
    CHECK(fits.front().law.kind == law.kind);
    CHECK(fits.front().distance < 2.15 / std::sqrt(static_cast<double>(kCount)));
    CHECK(chosen_law(sample, fits).kind == law.kind);
    return fits.front().law;
  };
  const auto hours = [](SimDuration length) { return static_cast<double>(length.count()) / 3'600'000; };
  CHECK(std::abs(hours(best({.kind = Law::Kind::exponential, .a = 3h}).a) - 3) < 4 * 3 / root);
  const Law lognormal = best({.kind = Law::Kind::lognormal, .a = 2h, .sigma = 1.5});
  CHECK(std::abs(lognormal.sigma - 1.5) < 4 * 1.5 / root / std::sqrt(2.0));
  CHECK(std::abs(std::log(hours(lognormal.a) / 2)) < 4 * 1.5 / root);
  // The standard error of the shape of a Weibull law is 0.78 of it by the root of the number.
  const Law weibull = best({.kind = Law::Kind::weibull, .a = 5h, .sigma = 0.6});
  CHECK(std::abs(weibull.sigma - 0.6) < 4 * 0.78 * 0.6 / root);
  const Law pareto = best({.kind = Law::Kind::pareto, .a = 1min, .sigma = 1.2});
  CHECK(std::abs(pareto.sigma - 1.2) < 4 * 1.2 / root);
  CHECK(std::abs(hours(pareto.a) * 60 - 1) < 0.01);
}

TEST_CASE("Lengths that follow no law keep their own quantiles, and equal ones are constant", "[trace]") {
  std::vector<SimDuration> two(1'000, 1min);
  two.resize(2'000, 5h);
  const Law law = chosen_law(two, fit_laws(two));
  REQUIRE(law.kind == Law::Kind::empirical);
  CHECK(law.quantiles->front().length == 1min);
  CHECK(law.quantiles->back().length == 5h);
  CHECK(law.mean_ms() == Approx((60'000 + 5 * 3'600'000.0) / 2).epsilon(0.05));
  const std::vector<SimDuration> equal(10, 7min);
  CHECK(fit_laws(equal).empty());
  CHECK(chosen_law(equal, {}).kind == Law::Kind::constant);
  CHECK(chosen_law(equal, {}).a == 7min);
}

TEST_CASE("trace fit prints a block that a scenario reads, as much demand as the trace", "[trace][command]") {
  const test::ScenarioLoader loader;
  std::string csv = "submit,duration,gpus,user\n";
  for (int job = 0; job < 600; ++job) {
    csv += std::to_string(job * 3'000 + job % 7 * 100) + "," + std::to_string(60 + job * job % 977) + "," +
           (job % 6 == 0 ? "3" : "1") + "," + (job % 2 == 0 ? "ann" : "bob") + "\n";
  }
  const std::string trace = loader.folder().file("jobs.csv", csv);
  const std::string out = loader.folder().path("workload.json");
  const std::string text =
      run_trace("fit " + trace + " --gpus-per-node 1 --gpu generic --name made --out " + out);
  CHECK_THAT(text, Contains("600 in 20.8 days"));
  CHECK_THAT(text, Contains("2, the busiest with 50.0 %"));
  CHECK_THAT(text, Contains("1 GPU     500  Weibull"));
  std::ifstream file{out};
  const std::string block{std::istreambuf_iterator<char>{file}, {}};
  const Scenario scenario = loader.small({{"/workload", block}, {"/window", "20d"}});
  REQUIRE(scenario.world.sources.size() == 2);
  CHECK(scenario.world.sources[0].name == "made, 1 GPU");
  const auto& big = std::get<SyntheticDemand>(scenario.world.sources[1].demand);
  CHECK(scenario.world.shapes[index(big.shapes.at(0).shape)].nodes == 3);
  CHECK(big.users == 2);
  std::uint64_t jobs = 0;
  for_each_recorded_job(scenario.world, 0, [&](std::uint64_t, const Job&) { ++jobs; });
  CHECK(std::abs(static_cast<double>(jobs) - 600 * 20 / 20.8) < 4 * std::sqrt(600.0));
  CHECK_THAT(run_trace("fit " + trace), Contains("\n\"workload\": [\n"));
}

namespace {

// Jobs of a class, machine or GPU type and team, evenly over the hours from one to another.
std::string rows_of(const std::string& words, int jobs, int from_hour, int until_hour) {
  std::string rows;
  for (int job = 0; job < jobs; ++job) {
    const int at = from_hour * 3'600 + job * (until_hour - from_hour) * 3'600 / jobs;
    rows += std::to_string(at) + "," + std::to_string(600 + job) + ",1,u" + std::to_string(job % 3) + "," +
            words + "\n";
  }
  return rows;
}

// Four weeks. The jobs of `tune` come in the first two alone.
std::string kinds_of_jobs() {
  return "submit,duration,gpus,user,class,machine,gpu,team\n" +
         rows_of("train,a2-highgpu-1g,,red", 336, 0, 672) + rows_of("tune,,L4,red", 112, 0, 336) +
         rows_of("train,a2-highgpu-1g,,blue", 30, 0, 672) +
         rows_of("train,a2-highgpu-1g,,green", 25, 0, 672) + rows_of("odd,,x100,red", 10, 0, 672) +
         rows_of("even,,,", 12, 0, 672);
}

}  // namespace

TEST_CASE("Each kind of jobs has a fit of its own, and those of few jobs have one together", "[trace]") {
  const test::ScratchFolder folder;
  const Trace trace = read_trace(folder.file("jobs.csv", kinds_of_jobs()), TraceFormat::csv);
  const FitOptions options{.by = {FitBy::job_class, FitBy::machine, FitBy::team}};
  const TraceFit fit = fit_trace(trace, std::vector<LocalOffset>{{}}, options, Catalog::embedded());
  REQUIRE(fit.kinds.size() == 5);
  const FittedKind& train = fit.kinds[0];
  CHECK((train.job_class == "train" && train.machine == "a2-highgpu-1g" && train.team == "red"));
  CHECK((train.jobs == 336 && train.few == 0 && train.users == 3));
  const FittedKind& tune = fit.kinds[1];
  CHECK((tune.job_class == "tune" && tune.gpu == "L4" && tune.machine.empty()));
  CHECK(tune.rate.per_week == Approx(28).epsilon(0.01));
  const FittedKind& teams = fit.kinds[2];
  CHECK((teams.job_class == "train" && teams.machine == "a2-highgpu-1g" && teams.team.empty()));
  CHECK((teams.jobs == 55 && teams.few == 2));
  // Few jobs, and still not one kind: they would run on each other's machines.
  const FittedKind& even = fit.kinds[3];
  CHECK((even.job_class == "even" && even.gpu.empty() && even.jobs == 12 && even.few == 1));
  const FittedKind& odd = fit.kinds[4];
  CHECK((odd.job_class == "odd" && odd.gpu == "x100" && odd.jobs == 10 && odd.few == 1));

  const TraceFit one = fit_trace(trace, std::vector<LocalOffset>{{}}, {}, Catalog::embedded());
  REQUIRE(one.kinds.size() == 1);
  CHECK(one.kinds[0].jobs == trace.size());
  CHECK(one.kinds[0].rate.per_week == one.rate.per_week);
}

TEST_CASE("Kinds of few jobs keep the words that all of them share", "[trace]") {
  const test::ScratchFolder folder;
  const auto kinds_of = [&](const std::string& rows, const std::vector<FitBy>& by) {
    const Trace trace =
        read_trace(folder.file("jobs.csv", "submit,duration,gpus,user,class,machine,gpu,team\n" + rows),
                   TraceFormat::csv);
    return fit_trace(trace, std::vector<LocalOffset>{{}}, {.by = by}, Catalog::embedded()).kinds;
  };
  const std::vector<FitBy> all{FitBy::job_class, FitBy::machine, FitBy::team};
  const auto teams = kinds_of(
      rows_of("a,a3-highgpu-8g,,vision", 10, 0, 48) + rows_of("a,a3-highgpu-8g,,nlp", 10, 0, 48), all);
  REQUIRE(teams.size() == 1);
  CHECK((teams[0].job_class == "a" && teams[0].machine == "a3-highgpu-8g" && teams[0].team.empty()));
  CHECK(name_of_kind(teams[0]) == "a, a3-highgpu-8g, others");
  const auto one = kinds_of(
      rows_of("a,a3-highgpu-8g,,vision", 60, 0, 48) + rows_of("b,a3-highgpu-8g,,nlp", 10, 0, 48), all);
  REQUIRE(one.size() == 2);
  CHECK(name_of_kind(one[1]) == "b, a3-highgpu-8g, nlp");
  // What tells no kinds apart is kept if all jobs have it.
  const auto by_team = kinds_of(rows_of("a,a3-highgpu-8g,,vision", 60, 0, 48), {FitBy::team});
  CHECK(name_of_kind(by_team[0]) == "a, a3-highgpu-8g, vision");
  const auto classes = kinds_of(rows_of("a,,L4,vision", 30, 0, 48) + rows_of("b,,L4,vision", 30, 0, 48) +
                                    rows_of("a,,T4,vision", 30, 0, 48),
                                all);
  REQUIRE(classes.size() == 2);
  CHECK((classes[0].gpu == "L4" && classes[0].job_class.empty() && classes[0].team == "vision"));
  CHECK((classes[1].gpu == "T4" && classes[1].job_class == "a"));
}

TEST_CASE("A fit writes types as the catalogue calls them, and says which it cannot", "[trace][command]") {
  const test::ScratchFolder folder;
  const std::string trace = folder.file(
      "jobs.csv", "submit,duration,gpus,user,class,machine,gpu,team\n" + rows_of("c,,h100,t", 60, 0, 48) +
                      rows_of("c,,a100,t", 60, 0, 48) + rows_of("c,,x100,t", 60, 0, 48) +
                      rows_of("c,node7,v100,t", 60, 0, 48) + rows_of("c,,L4|h100,t", 60, 0, 48));
  const std::string text = run_trace("fit " + trace);
  CHECK_THAT(text, Contains(R"("h100" is taken for H100-80GB)"));
  CHECK_THAT(text, Contains(R"("v100" is taken for A100-40GB, the nearest with a known price)"));
  CHECK_THAT(text, Contains(R"("x100" is none of the catalogue: say which with --names x100=TYPE)"));
  CHECK_THAT(text, Contains(R"("L4|h100": the block has the first)"));
  for (const char* gpu : {"H100-80GB", "A100-80GB", "A100-40GB", "L4"})
    CHECK_THAT(text, Contains("\"gpu\": \"" + std::string{gpu} + '"'));
  CHECK_THAT(text, !Contains(R"("gpu": "x100")"));
  const std::string said = run_trace("fit " + trace + " --names x100=a3-highgpu-8g,h100=H200 --gpu B200");
  CHECK_THAT(said, Contains(R"("machine": "a3-highgpu-8g")"));
  CHECK_THAT(said, Contains(R"("gpu": "H200")"));
  CHECK_THAT(said, !Contains(R"("gpu": "B200")"));
  CHECK_THAT(run_trace("fit " + trace + " --gpu B200"), Contains(R"("gpu": "B200")"));
  CHECK_THAT(run_trace("fit " + trace + " --by class"), Contains("300 jobs are of several types"));
  CHECK_THROWS_WITH(run_trace("fit " + trace + " --names h200=L4"), Contains("no job of the trace has"));
  CHECK_THROWS_WITH(run_trace("fit " + trace + " --names h100=L5"), Contains("L4"));
  CHECK_THROWS_WITH(run_trace("fit " + trace + " --names h100"), Contains("must be NAME=TYPE"));
}

TEST_CASE("A fitted workload keeps class and machine, and as many users as the trace has",
          "[trace][command]") {
  const test::ScenarioLoader loader;
  const std::string trace = loader.folder().file("jobs.csv", kinds_of_jobs());
  const std::string out = loader.folder().path("workload.json");
  const std::string text = run_trace("fit " + trace + " --gpu L4 --out " + out);
  CHECK_THAT(text, Contains("Kinds of jobs, a fit each"));
  CHECK_THAT(text, Contains("Kinds of fewer than 50 jobs: 4."));
  std::ifstream file{out};
  const std::string block{std::istreambuf_iterator<char>{file}, {}};
  const std::string scenario = R"({"name": "made", "start": "2026-08-03", "window": "28d", "prices_as_of":
 "2026-07-30", "workload": )" + block +
                               R"(,
 "pools": [{"family": "a2-highgpu", "place": "us-central1-a", "hosts": 8},
           {"family": "g2-standard", "place": "us-central1-a", "hosts": 8}],
 "strategies": [{"name": "first", "legs": [{"model": "on_demand"}]}]})";
  const std::string made = loader.folder().path("made.csv");
  run_trace("synth " + loader.folder().file("made.json", scenario) + " --out " + made);
  const Trace again = read_trace(made, TraceFormat::csv);
  const TraceFit fit = fit_trace(again, std::vector<LocalOffset>{{}},
                                 {.by = {FitBy::job_class, FitBy::machine}}, Catalog::embedded());
  REQUIRE(fit.kinds.size() >= 3);
  const FittedKind& train = fit.kinds[0];
  CHECK((train.job_class == "train" && train.machine == "a2-highgpu-1g"));
  CHECK(std::abs(static_cast<double>(train.jobs) - 391) < 4 * std::sqrt(391.0));
  const FittedKind& tune = fit.kinds[1];
  CHECK((tune.job_class == "tune" && tune.gpu == "L4"));
  std::vector<std::string> users = again.user.names;  // those of all kinds are the same three people
  std::ranges::sort(users);
  CHECK(users == std::vector<std::string>{"jobs 1", "jobs 2", "jobs 3"});
  CHECK_THAT(run_trace("fit " + trace), !Contains("\"gpu\": \"x100\""));
}

TEST_CASE("Teams that share nobody have users of their own in a fit", "[trace][command]") {
  const test::ScratchFolder folder;
  std::string rows = "submit,duration,gpus,user,class,team\n";
  for (int job = 0; job < 1200; ++job) {
    const bool is_red = job % 2 == 0;
    rows += fmt::format("{},600,1,{}{},{},{}\n", job * 3600, is_red ? "r" : "b", job / 4 % (is_red ? 2 : 3),
                        job % 4 < 2 ? "train" : "tune", is_red ? "red" : "blue");
  }
  const std::string text = run_trace("fit " + folder.file("jobs.csv", rows));
  CHECK_THAT(text, Contains("\"users\": 2,\n   \"user_names\": \"jobs, red\""));
  CHECK_THAT(text, Contains("\"users\": 3,\n   \"user_names\": \"jobs, blue\""));
  const std::string by_user = run_trace("fit " + folder.path("jobs.csv") + " --by class,user");
  CHECK_THAT(by_user, Contains("\"users\": 1,\n   \"user_names\": \"jobs, r0\""));
}
