"""Files whose own names would meet others of that name are compiled apart (tools/joined.cmake); all others as one."""

import pathlib
import subprocess
import tempfile
import unittest

JOINED = pathlib.Path(__file__).resolve().parents[2] / "tools" / "joined.cmake"


def in_namespace(text, own=""):
    """A source or header of the library, with what it keeps to itself."""
    own = f"namespace {{\n{own}\n}}  // namespace\n" if own else ""
    return f"namespace stockout {{\n{own}{text}\n}}  // namespace stockout\n"


TWICE = """constexpr double kMost = 3;
double twice(const double& number,
             bool is_asked) {
  return is_asked ? 2 * number : number;
}"""
SAME_NAMES = {
    "first.cpp": in_namespace("using Json = int;\ndouble first() { return twice(kMost, Json{1} > 0); }", TWICE),
    "second.cpp": in_namespace(
        "using Json = int;\ndouble second() { return twice(kMost, Json{1} > 0); }", TWICE.replace("number", "value")
    ),
    "overload.cpp": in_namespace(
        "using Json = int;\nint overload() { return twice(Json{1}); }", "int twice(int number) {\n  return 2 * number;\n}"
    ),
    "same_number.cpp": in_namespace(
        "int same_number() { return twice(1, false); }",
        "int twice(int number, bool is_asked) {\n  return is_asked ? 2 * number : number;\n}",
    ),
    "value.cpp": in_namespace("auto value() { return twice; }", "struct Box {};\nint twice(const Box&) { return 2; }"),
    "other_alias.cpp": in_namespace("using Json = double;\nJson other() { return 1; }"),
    "text.cpp": "#include <string>\n\n" + in_namespace("using std::string;\nstring text() { return {}; }"),
    "text_as_number.cpp": in_namespace("using string = int;\nstring text_as_number() { return 1; }"),
    "other_kind.cpp": in_namespace("unsigned long kind() { return sizeof(kMost); }", "struct kMost {};"),
}

# A header, whoever defines and whoever calls what it declares, and a file that has such a function for itself.
WORDS = "#pragma once\n\n#include <string>\n#include <string_view>\n\n" + in_namespace(
    "[[nodiscard]] std::string quoted(std::string_view word);\nstruct Word {\n  int length = 0;\n};\nint length_of(const Word& word);"
)
WITH_HEADER = {
    "words.h": WORDS,
    "words.cpp": '#include "words.h"\n\n'
    + in_namespace(
        "std::string quoted(std::string_view word) { return std::string{word}; }\n"
        "int length_of(const Word& word) { return word.length; }"
    ),
    "own.cpp": "#include <string>\n\n"
    + in_namespace(
        'std::string own() { return quoted("x"); }', "std::string quoted(const std::string& word) {\n  return word;\n}"
    ),
}
CALLER = {"words_caller.cpp": '#include "words.h"\n\n' + in_namespace('std::string caller() {\n  return quoted("y");\n}')}
# It includes more headers than the others, and so comes after them.
LATE = {
    "near.h": "#pragma once\n",
    "far.h": '#pragma once\n\n#include "near.h"\n',
    "z_late.cpp": '#include "far.h"\n\n' + WITH_HEADER["own.cpp"].replace("own()", "late()"),
}
OWN_TYPE = {"own_type.cpp": in_namespace("int own_type() { return Word{2}.letters; }", "struct Word {\n  int letters = 0;\n};")}
MEMBER = {
    "z_member.cpp": '#include "words.h"\n\n'
    + in_namespace("struct Member {\n  int name() { return 1; }\n  int both() {\n    return name() + 1;\n  }\n};"
                   "\nint member() { return Member{}.both(); }"),
    "own_name.cpp": in_namespace("int own_name() { return name(); }", "int name() {\n  return 2;\n}"),
}
SHADOWS = {
    f"{name}.cpp": in_namespace(f"int {name}(int x) {{\n  constexpr int kLimit = 3;\n  return x + kLimit;\n}}")
    for name in ("shadow", "shadow_too")
}
SHADOWED = {"limit.cpp": in_namespace("int limit() { return kLimit; }", "constexpr int kLimit = 4;")}


class JoinedSources(unittest.TestCase):
    def join(self, most, *parts):
        """The sets of files that are compiled as one; the library is built."""
        files = {file: text for part in parts for file, text in part.items()}
        sources = [file for file in files if file.endswith(".cpp")]
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for file, text in files.items():
                (folder / file).write_text(text)
            (folder / "CMakeLists.txt").write_text(
                "cmake_minimum_required(VERSION 3.25)\nproject(joined LANGUAGES CXX)\n"
                'set(CMAKE_CXX_STANDARD 20)\nset(CMAKE_CXX_FLAGS "-Wshadow -Werror")\n'
                f"include({JOINED})\nadd_library(joined STATIC {' '.join(sources)})\n"
                "target_include_directories(joined PRIVATE ${CMAKE_SOURCE_DIR})\n"
                f"join_libraries(${{CMAKE_SOURCE_DIR}} {most})\n"
            )
            for arguments in (["-G", "Ninja", "-S", folder, "-B", folder / "build"], ["--build", folder / "build"]):
                done = subprocess.run(["cmake", *arguments], capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            joined = (folder / "build/CMakeFiles/joined.dir/Unity").glob("*.cxx")
            return sorted(sorted(file for file in sources if f"/{file}" in source.read_text()) for source in joined)

    def test_only_files_with_the_same_names_are_apart(self):
        self.assertEqual(
            self.join(32, SAME_NAMES),
            [
                ["first.cpp", "overload.cpp", "text.cpp"],
                ["other_alias.cpp", "other_kind.cpp", "same_number.cpp", "text_as_number.cpp"],
                ["second.cpp"],
                ["value.cpp"],
            ],
        )

    def test_no_joined_source_has_more_files_than_asked(self):
        self.assertEqual(max(map(len, self.join(1, SAME_NAMES))), 1)

    def test_an_own_function_does_not_meet_callers_of_one_that_a_header_declares(self):
        self.assertEqual(self.join(32, WITH_HEADER), [["own.cpp", "words.cpp"]])
        self.assertEqual(self.join(32, WITH_HEADER, CALLER), [["own.cpp", "words.cpp"], ["words_caller.cpp"]])

    def test_an_own_name_does_not_come_after_a_header_that_its_file_does_not_include(self):
        self.assertEqual(self.join(32, {**WITH_HEADER, **LATE, "own.cpp": ""}), [["own.cpp", "words.cpp"], ["z_late.cpp"]])

    def test_an_own_type_does_not_meet_that_of_a_header(self):
        self.assertEqual(self.join(32, WITH_HEADER, OWN_TYPE), [["own.cpp", "own_type.cpp"], ["words.cpp"]])

    def test_a_member_is_no_call_of_an_own_function(self):
        self.assertEqual(self.join(32, WITH_HEADER, MEMBER), [["own.cpp", "own_name.cpp", "words.cpp", "z_member.cpp"]])

    def test_a_constant_inside_a_function_hides_none_of_another_file(self):
        self.assertEqual(self.join(32, SHADOWS), [["shadow.cpp", "shadow_too.cpp"]])
        self.assertEqual(self.join(32, SHADOWS, SHADOWED), [["limit.cpp"], ["shadow.cpp", "shadow_too.cpp"]])


if __name__ == "__main__":
    unittest.main()
