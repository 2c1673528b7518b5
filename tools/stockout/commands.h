#pragma once

#include <CLI/CLI.hpp>

#include "tools/stockout/terminal/console.h"

namespace stockout {

// Each adds one command to the program: its options, help and examples, and the callback that does it once
// the command line is read. The callback throws InputError for bad input; main() turns that into exit code 2.
// `console` must outlive `app`.

/// `stockout init --from FILE --out SCENARIO`: a first scenario, with comments.
CLI::App* add_init_command(CLI::App& app, Console& console);

/// `stockout compare SCENARIO`: every strategy over the same workload, side by side.
CLI::App* add_compare_command(CLI::App& app, Console& console);

/// `stockout run SCENARIO --strategy NAME`: one strategy, with the record of every job if asked.
CLI::App* add_run_command(CLI::App& app, Console& console);

/// `stockout recommend SCENARIO`: what to buy, among all that the scenario leaves open.
CLI::App* add_recommend_command(CLI::App& app, Console& console);

/// `stockout calibrate SCENARIO --observed FILE`: which worlds agree with a history.
CLI::App* add_calibrate_command(CLI::App& app, Console& console);

/// `stockout backtest SCENARIO --observed FILE --split DATE`: how far off are the waits after that day?
CLI::App* add_backtest_command(CLI::App& app, Console& console);

/// `stockout check SCENARIO --baseline FILE`: whether it still measures the same.
CLI::App* add_check_command(CLI::App& app, Console& console);

/// `stockout sweep SWEEP --store FILE`: a scenario at many points, into a database.
CLI::App* add_sweep_command(CLI::App& app, Console& console);

/// `stockout sweep merge OUT SHARD...`: the stores of all shards as one.
CLI::App* add_sweep_merge_command(CLI::App& sweep, Console& console);

/// `stockout sweep export STORE`: what a store holds as text.
CLI::App* add_sweep_export_command(CLI::App& sweep, Console& console);

/// `stockout report STORE`: a sweep or a record as a page for the browser.
CLI::App* add_report_command(CLI::App& app, Console& console);

/// `stockout validate SCENARIO`: reads and checks a scenario, simulates nothing.
CLI::App* add_validate_command(CLI::App& app, Console& console);

/// `stockout trace info|audit|fit|synth`: what a trace file holds, and made-up ones like it.
CLI::App* add_trace_command(CLI::App& app, Console& console);

/// `stockout trace audit FILE`: what is wrong with a trace, before anyone simulates it.
CLI::App* add_trace_audit_command(CLI::App& trace, Console& console);

/// `stockout trace fit FILE`: random demand that resembles a trace, and how well.
CLI::App* add_trace_fit_command(CLI::App& trace, Console& console);

/// `stockout trace synth SCENARIO`: the jobs of a replication as a trace file.
CLI::App* add_trace_synth_command(CLI::App& trace, Console& console);

/// `stockout supply fit FILE` and `stockout supply score FILE`: measured availability as a chain of levels.
CLI::App* add_supply_command(CLI::App& app, Console& console);

/// `stockout catalog`: machines, places and prices.
CLI::App* add_catalog_command(CLI::App& app, Console& console);

/// `stockout price RECORD`: what recorded runs cost at other prices.
CLI::App* add_price_command(CLI::App& app, Console& console);

/// `stockout prices FILE`: effective prices out of a billing export.
CLI::App* add_prices_command(CLI::App& app, Console& console);

/// `stockout catalog cheapest SCENARIO`: on which GPU the work of a scenario's jobs costs least.
CLI::App* add_cheapest_command(CLI::App& catalog, Console& console);

/// `stockout reservations import FILE`: reservations and commitments that exist already, out of lists of
/// gcloud.
CLI::App* add_reservations_command(CLI::App& app, Console& console);

/// `stockout kueue conform FILE` and `stockout kueue import FILE`: recorded decisions of Kueue against the
/// model of it, and the queues of a cluster.
CLI::App* add_kueue_command(CLI::App& app, Console& console);

/// `stockout slurm replay JOBS --conf FILE` and `stockout slurm import FILE`: jobs through the model of Slurm
/// alone, and a cluster as its configuration describes it.
CLI::App* add_slurm_command(CLI::App& app, Console& console);

/// `stockout completion bash|zsh`: scripts that complete command lines.
CLI::App* add_completion_command(CLI::App& app, Console& console);

/// `stockout manual`: the manual page.
CLI::App* add_manual_command(CLI::App& app, Console& console);

}  // namespace stockout
