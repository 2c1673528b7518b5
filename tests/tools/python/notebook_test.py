#!/usr/bin/env python3
"""Runs the code cells of a notebook, in its folder, and compares their outputs with those that it shows; exit 1 if they differ.
Usage: notebook_test.py NOTEBOOK [--update]; --update writes them into it. Jupyter runs the same cells, but its packages are many."""

import ast
import contextlib
import io
import json
import os
import pathlib
import sys


def shown(value) -> dict:
    """What Jupyter shows of the value of a cell's last line."""
    data = {"text/plain": repr(value).splitlines(keepends=True)}
    if hasattr(value, "_repr_html_"):
        data["text/html"] = value._repr_html_().splitlines(keepends=True)
    return data


def run_cell(source: str, number: int, namespace: dict) -> list:
    """Its outputs, as a notebook keeps them."""
    body = ast.parse(source).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(ast.Module(body, []), f"cell {number}", "exec"), namespace)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), namespace)
    outputs = []
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": printed.getvalue().splitlines(keepends=True)})
    if value is not None:
        outputs.append({"data": shown(value), "execution_count": number, "metadata": {}, "output_type": "execute_result"})
    return outputs


def main(path: pathlib.Path, update: bool) -> int:
    notebook = json.loads(path.read_text(encoding="utf-8"))
    os.chdir(path.parent)
    namespace: dict = {"__name__": "__main__"}
    different = []
    for number, cell in enumerate((cell for cell in notebook["cells"] if cell["cell_type"] == "code"), start=1):
        outputs = run_cell("".join(cell["source"]), number, namespace)
        if cell["outputs"] != outputs:
            different.append(number)
            print(f"{path}: cell {number} shows what it does not give now:\n{json.dumps(outputs, indent=1)}")
        cell["outputs"], cell["execution_count"] = outputs, number
    if update:
        path.write_text(json.dumps(notebook, indent=1, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")
    return 1 if different and not update else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve(), "--update" in sys.argv[2:]))
