#!/usr/bin/env python3
"""Holds the house rules that a look at the text can hold. Usage: check_house.py ROOT; prints `file:line: ...`, exit 1."""

import pathlib
import re
import sys
from collections.abc import Iterator

LONGEST_FILE = 400
LONGEST_SENTENCE = 25
TOPS = ("sim", "models", "tools", "tests", "bench")
CODE = (".h", ".cpp", ".py", ".sh", ".cmake", ".txt")
PROSE = ("", "sim", "models", "scenarios", "tools", "tests", "bench")
GENERATED = ("CHANGELOG.md", "REFERENCE.md")  # the first is a list of the past, the second comes from the keys' own docs
UNFINISHED = re.compile(r"\b(" + "|".join(("TO" + "DO", "FIX" + "ME", "X" + "XX", "HA" + "CK")) + r")\b")
OPENS_BLOCK = re.compile(r"\s*((?:[-*+]|\d+\.)\s|\||#)")
LIST_MARKER = re.compile(r"^\s*(?:(?:[-*+]|\d+\.)\s|#+\s)")
INLINE_CODE = re.compile(r"(?s)(`+).+?\1")
COMMENT = re.compile(r"<!--.*?-->")
LINK = re.compile(r"(?s)!?\[([^\]]*)\](\([^)]*\))")
SENTENCE_END = re.compile(r"[.!?][\"')\]*]*\s+")
TESTS_OF_RULES = re.compile(r"- R\d+\.\d+[,:]")
NAME_END = re.compile(r";\s+")  # of a list of tests, whose names are sentences
TABLE_CELL_END = re.compile(r"[.!?][\"')\]*]*\s+|\|")
MESSAGES = ("sim", "models", "tools")
# A string literal, or something else that may hold a quotation mark, or anything but a blank.
TOKEN = re.compile(r'''(?s)"((?:[^"\\\n]|\\.)*)"|//[^\n]*|'(?:[^'\\]|\\.)'|R"(\w*)\(.*?\)\2"|[^\s"'/]+|/''')
MESSAGE_END = re.compile(r"(?<=[.!?:])[\"')]*\s+|(?:\\n)+")  # before a colon is a place, or a name for the rest
NAMESPACE = re.compile(r"namespace ([\w:]+) \{")
TYPE = re.compile(r"(?:enum class|enum|class|struct) (\w+)[^;]*$")
CONSTANT = re.compile(r"inline constexpr [^=({]*?\b(k[A-Z]\w*)\b")
SQL = re.compile(r"(?:CREATE|INSERT|SELECT|UPDATE|DELETE|PRAGMA)\b")
# Headers whose functions are in sources of other names, each with the reason.
SEVERAL_SOURCES = {
    "models/catalog/catalog_reader.h": "a class that reads several files: a source for some of them",
    "models/scenario/format/keys.h": "a table for each object of a scenario file",
    "models/scenario/scenario.h": "the door of its rooms, the last of which reads a scenario",
    "models/supply/availability_files.h": "a reader for each kind of file",
    "models/workload/trace_builder.h": "a class of two halves: what each row says, what all of them make",
    "models/workload/readers/trace_formats.h": "a reader for each format",
    "tools/kueue/kueue_case.h": "a runner for each kind of case",
    "tools/kueue/scenario_run.h": "a class of two halves: what steps do, what they expect",
    "tools/stockout/commands.h": "a function for each command",
}
COMMENT_OR_TEXT = re.compile(r'''(?s)//[^\n]*|"(?:[^"\\\n]|\\.)*"|R"(\w*)\(.*?\)\1"''')
TEMPLATE_ARGUMENTS = re.compile(r"(?<!operator)<[^<>]*>")
NOT_EXTERNAL = re.compile(r"(?:namespace|using|template|static|inline|constexpr|enum|class|struct|friend|static_assert)\b")
FUNCTION_NAME = re.compile(r"((?:\w+::)*(?:operator(?:\(\)|[^\s\w(]+| \w+)|~?\w+))\(")


def problems(path: pathlib.Path) -> Iterator[tuple[int, str]]:
    """(line, what is wrong) of one file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    if path.suffix == ".h" and "#pragma once" not in lines:
        yield 1, "a header begins with #pragma once"
    if path.suffix in (".h", ".cpp", ".py") and len(lines) > LONGEST_FILE:
        yield LONGEST_FILE + 1, f"{len(lines)} lines; a file has at most {LONGEST_FILE}, so it is two things"
    for number, line in enumerate(lines, start=1):
        if UNFINISHED.search(line):
            yield number, "unfinished by its own words"
        if line != line.rstrip():
            yield number, "spaces at the end"


def blocks(text: str) -> Iterator[tuple[int, str]]:
    """(line, text) of each paragraph, list item, heading and table row of a Markdown file, without its code blocks."""
    start, block, fenced = 0, [], False
    for number, line in enumerate((*text.splitlines(), ""), start=1):
        fence = line.lstrip().startswith("```")
        fenced ^= fence
        heading = bool(block) and block[0].startswith("#")
        apart = fence or fenced or heading or not line.strip() or OPENS_BLOCK.match(line)
        if block and apart:
            yield start, "\n".join(block)
            block = []
        indented = line.startswith("    ") and not block
        if fence or fenced or indented or not line.strip():
            continue
        if not block:
            start = number
        block.append(line.strip())


def sentences(block: str) -> Iterator[tuple[int, str]]:
    """(lines after the block's first, text) of each sentence. Inline code is one word, a link is its text."""
    block = INLINE_CODE.sub(lambda code: "x" + "\n" * code.group().count("\n"), block)
    block = COMMENT.sub("", block)
    block = LINK.sub(lambda link: link.group(1) + "\n" * link.group(2).count("\n"), block)
    ends = TABLE_CELL_END if block.startswith("|") else NAME_END if TESTS_OF_RULES.match(block) else SENTENCE_END
    start = 0
    for end in (*(match.end() for match in ends.finditer(block)), len(block)):
        yield block[:start].count("\n"), LIST_MARKER.sub("", block[start:end])
        start = end


def idle(words: list[str]) -> bool:
    """Whether a sentence opens with a clause where a noun would do. A question may."""
    return bool(words) and words[0].strip("*_") == "What" and not any("?" in word for word in words)


def prose_problems(path: pathlib.Path) -> Iterator[tuple[int, str]]:
    """(line, what is wrong) of one Markdown file."""
    for line, block in blocks(path.read_text(encoding="utf-8")):
        for after, sentence in sentences(block):
            words = [word for word in sentence.split() if any(letter.isalnum() for letter in word)]
            if len(words) > LONGEST_SENTENCE:
                start = " ".join(words[:6])
                yield line + after, f"a sentence of {len(words)} words; at most {LONGEST_SENTENCE}: {start} ..."
            if idle(words):
                yield line + after, f"opens with \"What\" and asks nothing: {' '.join(words[:6])} ..."


def texts(source: str) -> Iterator[tuple[int, str]]:
    """(line, text) of each string of C++ code, the literals of which may be several in a row."""
    start, text = 0, None
    for token in TOKEN.finditer(source):
        if token.group(1) is not None:
            start, text = (token.start(), token.group(1)) if text is None else (start, text + token.group(1))
        elif text is not None and not token.group().startswith("//"):
            yield source[:start].count("\n") + 1, text
            text = None


def message_problems(path: pathlib.Path) -> Iterator[tuple[int, str]]:
    """(line, what is wrong) with what a source says to people."""
    for line, text in texts(path.read_text(encoding="utf-8")):
        for sentence in MESSAGE_END.split("" if SQL.match(text) else text):
            words = sentence.split()
            if sum("{}" in word or any(map(str.isalnum, word)) for word in words) > LONGEST_SENTENCE:
                yield line, f"a message of {len(words)} words; at most {LONGEST_SENTENCE}: {' '.join(words[:6])} ..."
            if idle(words):
                yield line, f"a message opens with \"What\" and asks nothing: {' '.join(words[:6])} ..."


def unlisted(root: pathlib.Path) -> Iterator[tuple[pathlib.Path, int, str]]:
    """(file, line, what is wrong) of sources that no README of their folder, or else of the nearest above, names."""
    for path in (path for path in code(root, (*MESSAGES, "tests/support")) if path.suffix in (".h", ".cpp")):
        pages = (folder / "README.md" for folder in path.parents if folder.is_relative_to(root))
        page = next((page for page in pages if page.exists()), None)
        if page and not re.search(rf"[`/]{re.escape(path.stem)}[`./]", page.read_text(encoding="utf-8")):
            yield path, 1, f"{page.relative_to(root).as_posix()} does not list it"


def named_twice(root: pathlib.Path) -> Iterator[tuple[pathlib.Path, int, str]]:
    """Types and constants that another header of the same namespace defines too: a program may hold one of them only."""
    first: dict[tuple[str, str], pathlib.Path] = {}
    for path in (path for path in code(root, MESSAGES) if path.suffix == ".h"):
        namespace = ""
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if opened := NAMESPACE.match(line):
                namespace = opened[1]
            if (defined := TYPE.match(line) or CONSTANT.match(line)) and first.setdefault((namespace, defined[1]), path) != path:
                other = first[namespace, defined[1]].relative_to(root).as_posix()
                yield path, number, f"{other} defines {namespace}::{defined[1]} too"


def external_functions(source: str) -> Iterator[tuple[int, str]]:
    """(line, name) of each function that a source defines for others, as clang-format lays them out."""
    text = COMMENT_OR_TEXT.sub(lambda found: "\n" * found.group().count("\n"), source)
    spaces, start, head = [], 0, ""
    for number, line in enumerate(text.splitlines(), start=1):
        if opened := re.match(r"namespace ?([\w:]*) ?\{", line):
            spaces.append(opened[1])
        elif line == "}  " and spaces:  # before its comment
            spaces.pop()
        elif head or (line[:1].isalpha() and "" not in spaces and not NOT_EXTERNAL.match(line)):
            start, head = start if head else number, head + line + " "
        if head and line.endswith(("{", "}", ";")):
            while head != (head := TEMPLATE_ARGUMENTS.sub("", head)):
                pass
            name = FUNCTION_NAME.search(head)
            is_defined = not line.endswith(";") or line.endswith("= default;")
            is_value = name and " = " in head[:name.start()]
            if is_defined and name and not is_value and name[1] != "main" and not name[1].isupper():
                yield start, name[1]
            head = ""


def declares(header: str, name: str) -> bool:
    """Whether a header declares a function, or has the class that it is a member of."""
    owner, *member = name.split("::")
    if member:
        return re.search(rf"(?m)^(?:struct|class) {owner}\b[^;]*$", header) is not None
    return re.search(rf"(?m)^(?: +friend |(?=[^\s/#}}]))(?:[^\n]*[\s*&>])?{re.escape(name)}\(", header) is not None


def declared_elsewhere(root: pathlib.Path) -> Iterator[tuple[pathlib.Path, int, str]]:
    """Functions whose source has not the name of the header that declares them: who looks for them opens that one."""
    headers = {path: path.read_text(encoding="utf-8") for path in code(root, MESSAGES) if path.suffix == ".h"}
    several = [text for path, text in headers.items() if path.relative_to(root).as_posix() in SEVERAL_SOURCES]
    for path in (path for path in code(root, MESSAGES) if path.suffix == ".cpp"):
        source = path.read_text(encoding="utf-8")
        here = [headers.get(path.with_suffix(".h"), ""), *several]
        for number, name in external_functions(source):
            if any(declares(text, name) for text in here) or ("::" in name and declares(source, name)):
                continue
            other = next((header for header, text in headers.items() if declares(text, name)), None)
            file = other and other.relative_to(root).as_posix()
            wrong = f"{file} declares {name}, and is of another name" if file else f"no header declares {name}: it is this file's own"
            yield path, number, wrong


def markdown(root: pathlib.Path) -> Iterator[pathlib.Path]:
    """All pages that people wrote."""
    for top in PROSE:
        for path in sorted((root / top).rglob("*.md") if top else root.glob("*.md")):
            apart = {"golden", "node_modules", "build"}.intersection(path.relative_to(root).parts)
            if not apart and path.name not in GENERATED:
                yield path


def code(root: pathlib.Path, tops: tuple[str, ...] = TOPS) -> Iterator[pathlib.Path]:
    """All sources, but what tests compare with."""
    for path in (p for top in tops for p in sorted((root / top).rglob("*"))):
        if path.suffix in CODE and "golden" not in path.parts and "corpus" not in path.parts:
            yield path


def main(root: pathlib.Path) -> int:
    messages = (path for path in code(root, MESSAGES) if path.suffix in (".h", ".cpp"))
    found = [*unlisted(root), *named_twice(root), *declared_elsewhere(root)]
    for looked, paths in ((problems, code(root)), (message_problems, messages), (prose_problems, markdown(root))):
        found += ((path, number, wrong) for path in paths for number, wrong in looked(path))
    for path, number, wrong in found:
        print(f"{path.relative_to(root).as_posix()}:{number}: {wrong}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
