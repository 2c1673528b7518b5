# cmake -DROOT=project "-DSOURCES=/a_test.cpp;/b_test.cpp" -DOUTPUT=joined.cpp -P join.cmake
# Test files as one source: the headers of all, then each file in a namespace of its own, so that helpers of two files
# may share a name. What a file includes again is skipped (#pragma once).
foreach(source IN LISTS SOURCES)
  file(STRINGS ${source} included REGEX "^#include ")
  list(APPEND headers ${included})
  file(RELATIVE_PATH path ${ROOT} ${source})
  string(MAKE_C_IDENTIFIER ${path} name)
  string(APPEND tests "namespace ${name} {\n#include \"${path}\"\n}\n")
endforeach()
list(REMOVE_DUPLICATES headers)
list(JOIN headers "\n" headers)
file(WRITE ${OUTPUT} "${headers}\n${tests}")
