# With sanitizers most code is compiled for longer than it runs. What only reads and writes is not optimised then; what
# simulates, fits and adds up keeps the level of its preset.
foreach(library scenario_format scenario_draft scenario_supply scenario_workload scenario_buying scenario starter inventory
    baseline sweep showback repricing assumptions launch table page report kueue_cases slurm_replay cli)
  target_compile_options(stockout_${library} PRIVATE -O0)
endforeach()
