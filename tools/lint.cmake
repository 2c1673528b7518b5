# What clang-tidy reads, and nobody builds. Most of its time goes to headers, so the folders of a line are joined into one
# source: they share no name in an anonymous namespace. Folders that are in no line are joined as well.
set(lint_1 sim models/consumption models/execution models/record models/simulation models/supply models/theory models/world)
set(lint_2 models/assumptions models/baseline models/catalog models/experiment models/workload)
set(lint_3 models/measures models/scenario models/sweep)
set(lint_4 models/billing models/bound models/repricing)
set(lint_5 tools/page tools/report)
set(lint_6 tools/stockout)

file(GLOB_RECURSE lint_rest CONFIGURE_DEPENDS sim/*.cpp models/*.cpp tools/*.cpp)
foreach(line RANGE 1 6)
  list(JOIN lint_${line} "|" folders)
  set(sources ${lint_rest})
  list(FILTER sources INCLUDE REGEX "^${PROJECT_SOURCE_DIR}/(${folders})/")
  list(FILTER lint_rest EXCLUDE REGEX "^${PROJECT_SOURCE_DIR}/(${folders})/")
  set(lint_${line} ${sources})
endforeach()

foreach(name 1 2 3 4 5 6 rest)
  if(lint_${name})
    add_library(stockout_lint_${name} OBJECT EXCLUDE_FROM_ALL ${lint_${name}})
    set_target_properties(stockout_lint_${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
    target_link_libraries(stockout_lint_${name} PRIVATE stockout_cli)
    target_compile_definitions(stockout_lint_${name} PRIVATE
      STOCKOUT_PAGE_BUNDLE="" STOCKOUT_VERSION="${PROJECT_VERSION}")
  endif()
endforeach()
