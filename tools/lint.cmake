# What clang-tidy reads, and nobody builds. Most of its time goes to headers, so all files are joined into as few sources
# as their names allow.
file(GLOB_RECURSE lint_sources CONFIGURE_DEPENDS sim/*.cpp models/*.cpp tools/*.cpp)
if(NOT STOCKOUT_PYTHON)
  list(FILTER lint_sources EXCLUDE REGEX "^${PROJECT_SOURCE_DIR}/tools/python/")
endif()
add_library(stockout_lint OBJECT EXCLUDE_FROM_ALL ${lint_sources})
join_sources(stockout_lint 1000)
target_link_libraries(stockout_lint PRIVATE stockout_cli $<TARGET_NAME_IF_EXISTS:pybind11::module>)
target_compile_definitions(stockout_lint PRIVATE STOCKOUT_PAGE_BUNDLE="" STOCKOUT_VERSION="${PROJECT_VERSION}")
