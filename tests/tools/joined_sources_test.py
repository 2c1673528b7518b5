"""Files that declare the same local name are compiled apart (tools/joined.cmake); all others as one."""

import pathlib
import subprocess
import tempfile
import unittest

JOINED = pathlib.Path(__file__).resolve().parents[2] / "tools" / "joined.cmake"

SAME = """namespace stockout {
using Json = int;
namespace {
constexpr double kMost = 3;
double twice(const double& number,
             bool is_asked) {
  return is_asked ? 2 * number : number;
}
}  // namespace
double NAME() { return twice(kMost, Json{1} > 0); }
}  // namespace stockout
"""
FILES = {
    "first.cpp": SAME.replace("NAME", "first"),
    "second.cpp": SAME.replace("NAME", "second").replace("number", "value"),
    "overload.cpp": "namespace stockout {\nusing Json = int;\nnamespace {\nint twice(Json number) {\n"
    "  return 2 * number;\n}\n}  // namespace\nint overload() { return twice(1); }\n}  // namespace stockout\n",
    "other_alias.cpp": "namespace stockout {\nusing Json = double;\nJson other() { return 1; }\n}  // namespace stockout\n",
    "other_kind.cpp": "namespace stockout {\nnamespace {\nstruct kMost {};\n}  // namespace\n"
    "unsigned long kind() { return sizeof(kMost); }\n}  // namespace stockout\n",
}


class JoinedSources(unittest.TestCase):
    def join(self, most):
        """The sets of files that are compiled as one; the library is built."""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for file, text in FILES.items():
                (folder / file).write_text(text)
            (folder / "CMakeLists.txt").write_text(
                "cmake_minimum_required(VERSION 3.25)\nproject(joined LANGUAGES CXX)\n"
                f"include({JOINED})\nadd_library(joined STATIC {' '.join(FILES)})\njoin_libraries(${{CMAKE_SOURCE_DIR}} {most})\n"
            )
            for arguments in (["-G", "Ninja", "-S", folder, "-B", folder / "build"], ["--build", folder / "build"]):
                done = subprocess.run(["cmake", *arguments], capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            sources = (folder / "build/CMakeFiles/joined.dir/Unity").glob("*.cxx")
            return sorted(sorted(file for file in FILES if f"/{file}" in source.read_text()) for source in sources)

    def test_only_files_with_the_same_names_are_apart(self):
        self.assertEqual(self.join(32), [["first.cpp", "overload.cpp"], ["other_alias.cpp", "other_kind.cpp"], ["second.cpp"]])

    def test_no_joined_source_has_more_files_than_asked(self):
        self.assertEqual(max(map(len, self.join(1))), 1)


if __name__ == "__main__":
    unittest.main()
