# Most code is compiled for longer than it runs. What only reads and writes is optimised less in a release, and with
# sanitizers not at all. What simulates, fits and adds up keeps the level of its preset.
if(STOCKOUT_SANITIZE)
  set(level -O0)
  set(quiet "")
else()
  set(quiet $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)  # at -O1 g++ 12 sees it in optionals that hold nothing
  set(level $<$<CONFIG:Release>:-O1>)
endif()
foreach(library scenario_format scenario_draft scenario_supply scenario_workload scenario_buying scenario starter inventory
    baseline sweep showback repricing assumptions launch table page report kueue_cases slurm_replay cli)
  target_compile_options(stockout_${library} PRIVATE ${level} ${quiet})
endforeach()
