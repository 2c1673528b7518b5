"""The checks of the sources find what they are for, and nothing in a clean tree."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOLS = pathlib.Path(__file__).resolve().parents[2] / "tools"


class Tree(unittest.TestCase):
    """A source tree of a few files, made anew for each test."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.write("sim/core/time.h", "#pragma once\n")
        self.write("models/theory/queues.h", '#pragma once\n\n#include "sim/core/time.h"\n')

    def write(self, path, text):
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text)

    def run_check(self, script):
        done = subprocess.run([sys.executable, TOOLS / script, self.root], capture_output=True, text=True, check=False)
        self.assertEqual(done.stderr, "")
        self.assertEqual(done.returncode, 1 if done.stdout else 0)
        return done.stdout.splitlines()


class Layers(Tree):
    def test_a_clean_tree_has_nothing_to_say(self):
        self.assertEqual(self.run_check("check_layers.py"), [])

    def test_an_include_against_the_flow_is_named_with_its_line(self):
        self.write("sim/core/rng.h", '#pragma once\n\n#include "models/theory/queues.h"\n')
        self.assertEqual(
            self.run_check("check_layers.py"),
            ["sim/core/rng.h:3: sim/core may not include models/theory/queues.h"],
        )

    def test_measures_may_read_the_world_but_not_the_simulation(self):
        self.write("models/world/world.h", "#pragma once\n")
        self.write("models/simulation/simulate.h", "#pragma once\n")
        self.write(
            "models/measures/measure.cpp",
            '#include "models/world/world.h"\n#include "models/simulation/simulate.h"\n',
        )
        self.assertEqual(
            self.run_check("check_layers.py"),
            ["models/measures/measure.cpp:2: models/measures may not include models/simulation/simulate.h"],
        )

    def test_a_path_that_does_not_begin_at_the_top_is_refused(self):
        self.write("models/theory/queues.cpp", '#include "queues.h"\n')
        self.assertEqual(
            self.run_check("check_layers.py"),
            ['models/theory/queues.cpp:1: "queues.h" is not a path from the top of the project'],
        )

    def test_a_folder_that_nobody_entered_in_the_table_is_refused(self):
        self.write("models/weather/rain.h", '#include "sim/core/time.h"\n')
        self.assertEqual(
            self.run_check("check_layers.py"),
            ["models/weather/rain.h:1: this folder is not in the table of check_layers.py"],
        )


    def test_a_room_of_the_simulation_may_not_include_one_above_it(self):
        self.write("models/simulation/ground/agenda.h", '#pragma once\n\n#include "models/simulation/market/market.h"\n')
        self.write("models/simulation/market/market.h", '#pragma once\n\n#include "models/simulation/ground/agenda.h"\n')
        self.assertEqual(
            self.run_check("check_layers.py"),
            ["models/simulation/ground/agenda.h:3: models/simulation/ground/agenda.h may not include "
             "models/simulation/market/market.h, which stands above it"],
        )

    def test_a_room_that_nobody_entered_in_the_list_is_refused(self):
        self.write("models/simulation/ground/agenda.h", "#pragma once\n")
        self.write("models/simulation/market/attic.cpp", '#include "models/simulation/ground/agenda.h"\n')
        self.assertEqual(
            self.run_check("check_layers.py"),
            ["models/simulation/market/attic.cpp:1: models/simulation/market/attic.cpp is not in the list of rooms of "
             "check_layers.py"],
        )

    def test_a_room_on_another_floor_than_its_own_is_refused(self):
        self.write("models/simulation/ground/agenda.h", "#pragma once\n")
        self.write("models/simulation/ground/market.cpp", '#include "models/simulation/ground/agenda.h"\n')
        self.assertEqual(
            self.run_check("check_layers.py"),
            ["models/simulation/ground/market.cpp:1: models/simulation/ground/market.cpp is not in the list of rooms of "
             "check_layers.py"],
        )


class House(Tree):
    def test_a_clean_tree_has_nothing_to_say(self):
        self.assertEqual(self.run_check("check_house.py"), [])

    def test_a_header_without_its_guard_is_found(self):
        self.write("sim/core/ids.h", "int x;\n")
        self.assertEqual(self.run_check("check_house.py"), ["sim/core/ids.h:1: a header begins with #pragma once"])

    def test_a_file_of_401_lines_is_too_long_and_one_of_400_is_not(self):
        self.write("sim/core/long.cpp", "int x;\n" * 401)
        self.write("sim/core/full.cpp", "int x;\n" * 400)
        self.assertEqual(
            self.run_check("check_house.py"),
            ["sim/core/long.cpp:401: 401 lines; a file has at most 400, so it is two things"],
        )

    def test_work_left_undone_is_found(self):
        self.write("sim/core/a.cpp", "// TO" + "DO: think\n")
        self.assertEqual(self.run_check("check_house.py"), ["sim/core/a.cpp:1: unfinished by its own words"])

    def test_trailing_spaces_are_found(self):
        self.write("sim/core/a.cpp", "int x; \n")
        self.assertEqual(self.run_check("check_house.py"), ["sim/core/a.cpp:1: spaces at the end"])

    def test_a_type_that_two_headers_define_is_found(self):
        text = "#pragma once\n\nnamespace stockout {{\n\nclass Later;\n{} Line {{\n}};\n\n}}  // namespace stockout\n"
        self.write("sim/core/kinds.h", text.format("struct"))
        self.write("models/theory/lines.h", text.format("class"))
        self.write("models/theory/rows.h", text.format("class").replace("stockout", "stockout::rows"))
        self.assertEqual(
            self.run_check("check_house.py"), ["models/theory/lines.h:6: sim/core/kinds.h defines stockout::Line too"]
        )

    def test_a_constant_that_two_headers_define_is_found(self):
        text = "#pragma once\n\nnamespace stockout {{\n\ninline constexpr {} kMost = 3;\n\n}}  // namespace stockout\n"
        self.write("sim/core/kinds.h", text.format("std::size_t"))
        self.write("models/theory/lines.h", text.format("double"))
        self.assertEqual(
            self.run_check("check_house.py"), ["models/theory/lines.h:5: sim/core/kinds.h defines stockout::kMost too"]
        )

    def source(self, path, functions):
        header = f'#include "{path[:-3]}h"\n'
        self.write(path, f"{header}\nnamespace stockout {{\n\n{functions}\n}}  // namespace stockout\n")
        return self.run_check("check_house.py")

    def test_a_function_in_a_source_of_another_name_than_its_header_is_found(self):
        self.write("sim/core/rates.h", "#pragma once\n\n[[nodiscard]] std::vector<int> rates(const Law<int>& law,\n    int most);\n")
        self.write("sim/core/laws.h", "#pragma once\n\nclass Law {\n  friend bool operator==(const Law& a, const Law& b);\n};\n")
        laws = "Law::Law(int x)\n    : x_{x} {}\nLaw::~Law() = default;\nbool operator==(const Law& a, const Law& b) {\n}\n"
        rates = "const std::vector<int> rates(const Law<int>& law, int most) {\n  return f(law);\n}\n"
        self.assertEqual(self.source("sim/core/laws.cpp", laws), [])
        self.assertEqual(self.source("sim/core/rates.cpp", rates), [])
        self.assertEqual(
            self.source("sim/core/laws.cpp", laws + rates),
            ["sim/core/laws.cpp:10: sim/core/rates.h declares rates, and is of another name"],
        )
        self.source("sim/core/laws.cpp", "")
        self.assertEqual(
            self.source("sim/core/rates.cpp", laws),
            [f"sim/core/rates.cpp:{line}: sim/core/laws.h declares {name}, and is of another name"
             for line, name in ((5, "Law::Law"), (7, "Law::~Law"), (8, "operator=="))],
        )

    def test_a_function_that_no_header_declares_is_found_unless_it_is_the_files_own(self):
        self.assertEqual(
            self.source("sim/core/a.cpp", "int half(int x) { return x / 2; }\n"),
            ["sim/core/a.cpp:5: no header declares half: it is this file's own"],
        )
        own = "namespace {\n\nint half(int x) {\n  return x / 2;\n}\n\n}  // namespace\n\n"
        rest = 'const auto kHalf = f({\n    "a",\n});\nstatic int third(int x) {\n}\nint fourth(int x);\nint main() {\n}\n'
        self.assertEqual(self.source("sim/core/a.cpp", own + rest), [])

    def test_an_interface_of_several_sources_is_listed(self):
        self.write("tools/stockout/commands.h", "#pragma once\n\nvoid add_run_command(App& app);\n")
        self.assertEqual(self.source("tools/stockout/run_command.cpp", "void add_run_command(App& app) {\n}\n"), [])

    def test_a_source_that_the_readme_above_it_does_not_name_is_found(self):
        self.write("tools/README.md", "| `b` | a file |\n| `abc` | another |\n")
        self.write("tools/x/a.cpp", "int x;\n")
        self.write("tools/x/b.cpp", "int x;\n")
        self.write("tests/support/README.md", "| `b` | a file |\n")
        self.write("tests/support/x/a.cpp", "int x;\n")
        self.assertEqual(
            self.run_check("check_house.py"),
            [
                "tools/x/a.cpp:1: tools/README.md does not list it",
                "tests/support/x/a.cpp:1: tests/support/README.md does not list it",
            ],
        )

    def test_a_message_of_26_words_is_too_long_also_when_it_is_torn(self):
        torn = '"' + "word " * 20 + '"  // a "remark"\n    "' + "word " * 5 + '{}"'
        self.write("tools/a.cpp", f"say('\"', 1);\nsay({torn});\n")
        self.assertEqual(
            self.run_check("check_house.py"),
            ["tools/a.cpp:2: a message of 26 words; at most 25: word word word word word word ..."],
        )

    def test_a_message_ends_at_its_place_its_lines_and_its_sentences(self):
        half = "word " * 15
        self.write("tools/a.cpp", f'say("{half}: {half}\\n{half}. {half}");\nsay("{half}", "{half}");\n// {half * 2}end\n')
        self.write("models/b.cpp", f'run("SELECT {half}, {half}");\n')
        self.assertEqual(self.run_check("check_house.py"), [])

    def test_a_message_that_opens_with_what_is_a_question(self):
        self.write("tools/a.cpp", 'say("What is it? See below.", " it is: what", "/// What it is.");\n/// What it is.\n')
        self.write("models/b.cpp", 'ask("First.\\nWhat it "  // torn\n    "is");\n')
        self.assertEqual(
            self.run_check("check_house.py"),
            ['models/b.cpp:1: a message opens with "What" and asks nothing: What it is ...'],
        )


class Prose(Tree):
    """Sentences of Markdown files."""

    LONG = "word " * 25 + "end."
    FULL = "word " * 24 + "end."

    def of(self, text, path="bench/README.md"):
        self.write(path, text)
        return self.run_check("check_house.py")

    def test_a_sentence_of_26_words_is_too_long_and_one_of_25_is_not(self):
        self.assertEqual(
            self.of(f"{self.FULL} {self.FULL}\n\nA line.\nAnother. {self.LONG}\n"),
            ["bench/README.md:4: a sentence of 26 words; at most 25: word word word word word word ..."],
        )

    def test_list_items_headings_and_cells_end_a_sentence(self):
        half = "word " * 15
        self.assertEqual(self.of(f"# {half}\n{half}\n- {half}\n  1. {half}\n\n| {half} | {half} |\n|---|---|\n"), [])

    def test_a_long_cell_is_found(self):
        self.assertEqual(
            self.of(f"| a | b |\n|---|---|\n| short | {self.LONG} |\n"),
            ["bench/README.md:3: a sentence of 26 words; at most 25: word word word word word word ..."],
        )

    def test_code_is_one_word_and_a_link_is_its_text(self):
        link = "[a link](https://example.org/a%20b)"
        self.assertEqual(self.of("word " * 22 + f"`some code\nof five words` {link}.\n"), [])
        self.assertEqual(self.of(f"```text\n{self.LONG}\n```\n\n    {self.LONG}\n<!-- {self.LONG} -->\n"), [])

    def test_names_in_a_list_of_tests_are_counted_one_by_one(self):
        self.assertEqual(self.of(f'- R1.1, R1.2: "{"word " * 20}"; "{"word " * 20}"\n'), [])

    def test_a_sentence_that_opens_with_what_is_a_question(self):
        self.assertEqual(
            self.of("What is it? *What it is.*\n"),
            ['bench/README.md:1: opens with "What" and asks nothing: *What it is.* ...'],
        )

    def test_what_is_generated_or_past_is_not_looked_at(self):
        for path in ("CHANGELOG.md", "scenarios/REFERENCE.md", "tests/golden/a.md", "tools/page/node_modules/a/README.md"):
            self.assertEqual(self.of(self.LONG, path), [], path)


class Classes(Tree):
    """Fields and methods of classes in the engine."""

    def of(self, members, path="models/simulation/room.h", head="class Room final {"):
        self.write(path, f"#pragma once\n\n{head}\n" + "".join(f"  {line}\n" for line in members) + "};\n")
        return self.run_check("check_classes.py")

    FIELDS = [f"std::function<int(int)> field_{i};  // of it; and more" for i in range(12)]
    METHODS = [f"[[nodiscard]] int method_{i}(int x = 0) const {{ return x; }}" for i in range(25)]

    def test_12_fields_and_25_methods_are_not_too_many(self):
        self.assertEqual(self.of(self.METHODS + self.FIELDS), [])

    def test_a_field_more_is_found(self):
        for more in ("std::vector<int> more{1, 2};", "int more = f(1);", "std::map<int,", "static int more;"):
            lines = [more, "         int> more = {};"] if more.endswith(",") else [more]
            self.assertEqual(
                self.of(self.FIELDS + lines),
                ["models/simulation/room.h:3: Room has 13 fields; at most 12: some of them are a part with a name"],
                more,
            )

    def test_a_method_more_is_found(self):
        for more in (["bool operator<(const Room& other) const;"], ["template <typename T>", "T more() {", "  f();", "}"]):
            self.assertEqual(
                self.of(self.METHODS + more, "models/orchestrators/kueue/room.cpp", "struct Room : Hall<int>,\n    House {"),
                ["models/orchestrators/kueue/room.cpp:3: Room has 26 methods; at most 25: it is two things"],
                more,
            )

    def test_types_constants_and_how_it_is_made_do_not_count(self):
        apart = ["static constexpr int kMost = 3;", "using Rows = int;", "enum class Kind { a, b };", "explicit Room(int x)"]
        apart += ["    : field_1{x} {}", "~Room();", "Room& operator=(const Room&) = delete;"]
        apart += ["struct Part {"] + [f"  int part_{i};" for i in range(12)] + ["};"]
        self.assertEqual(self.of(apart + self.METHODS + self.FIELDS), [])

    def test_a_class_in_a_class_is_counted_for_itself(self):
        self.assertEqual(
            self.of(["struct Part {"] + [f"  {line}" for line in self.FIELDS] + ["  int more;", "};"]),
            ["models/simulation/room.h:4: Part has 13 fields; at most 12: some of them are a part with a name"],
        )

    def test_other_folders_are_not_looked_at(self):
        self.assertEqual(self.of(self.FIELDS * 2, "models/scenario/room.h"), [])


class Contract(Tree):
    RULES = (
        "# The contract\n\n## 1. Time\n\n- **R1.1** A run begins.\n- **R1.2** A run ends.\n\n"
        'Tests:\n\n- R1.1, R1.2: "A run\n  begins"; "A run ends"\n'
    )
    ONE_RULE_MORE = RULES.replace("\n\nTests", "\n- **R1.3** A run is long.\n\nTests")

    def setUp(self):
        super().setUp()
        tests = 'TEST_CASE("A run begins", "[rules]") {}\nTEST_CASE("A run ends", "[rules]") {}\n'
        self.write("tests/models/simulation/rules/run_test.cpp", tests)
        self.write("tests/support/reference/run.cpp", "/// R1.1\n")
        self.write("models/simulation/README.md", self.RULES)

    def check(self, *problems):
        self.assertEqual(self.run_check("check_contract.py"), list(problems))

    def test_a_clean_tree_has_nothing_to_say(self):
        self.check()

    def test_rules_are_numbered_in_order(self):
        self.write("models/simulation/README.md", self.RULES.replace("R1.2", "R1.3"))
        self.check("models/simulation/README.md:6: R1.3 does not follow R1.1")

    def test_a_number_that_is_used_twice_is_found(self):
        self.write("models/simulation/README.md", self.RULES.replace("R1.2", "R1.1"))
        self.check("models/simulation/README.md:6: R1.1 does not follow R1.1")

    def test_a_test_that_is_not_there_is_found(self):
        self.write("tests/models/simulation/rules/run_test.cpp", 'TEST_CASE("A run ends", "[rules]") {}\n')
        self.check('models/simulation/README.md:10: no test is called "A run begins"')

    def test_a_rule_whose_neighbours_alone_name_tests_is_found(self):
        self.write("models/simulation/README.md", self.ONE_RULE_MORE)
        self.check("models/simulation/README.md:7: R1.3 names no test that holds it")

    def test_a_number_without_a_test_beside_it_is_found(self):
        self.write("models/simulation/README.md", self.ONE_RULE_MORE + "- R1.3: by random worlds\n")
        self.check("models/simulation/README.md:7: R1.3 names no test that holds it")

    def test_tests_of_a_number_that_is_no_rule_are_found(self):
        self.write("models/simulation/README.md", self.RULES + '- R1.3: "A run ends"\n')
        self.check("models/simulation/README.md:12: the contract has no R1.3")

    def test_a_rule_that_is_played_but_not_there_is_found(self):
        self.write("tests/support/reference/run.cpp", "/// R2.1\n")
        self.check("tests/support/reference/run.cpp:1: the contract has no R2.1")


if __name__ == "__main__":
    unittest.main()
