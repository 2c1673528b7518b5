# cmake -DROOT=project "-DSOURCES=/a_test.cpp;/b_test.cpp" -DOUTPUT=joined.cpp -P join.cmake
# Test files as one source: the headers of all, then each file in a namespace of its own, so that helpers of two files
# may share a name. What a file includes again is skipped (#pragma once). The tests' own code is compiled without
# optimisation, which takes a quarter off the time; what it calls is optimised, also out of headers.
foreach(source IN LISTS SOURCES)
  file(STRINGS ${source} included REGEX "^#include ")
  list(APPEND headers ${included})
  file(RELATIVE_PATH path ${ROOT} ${source})
  string(MAKE_C_IDENTIFIER ${path} name)
  string(APPEND tests "namespace ${name} {\n#include \"${path}\"\n}\n")
endforeach()
list(REMOVE_DUPLICATES headers)
list(JOIN headers "\n" headers)
set(plain "#ifdef __clang__\n#pragma clang optimize off\n#else\n#pragma GCC optimize(\"O0\")\n#endif")
file(WRITE ${OUTPUT} "${headers}\n${plain}\n${tests}")
