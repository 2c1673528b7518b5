"""Reads the store of a sweep as a stranger to the program would, with sqlite3."""

import pathlib
import shutil
import sqlite3
import struct
import tempfile

Rows = list[tuple]


def cell_bytes(cell: object) -> bytes:
    if cell is None:
        return b"n"
    if isinstance(cell, int):
        return b"i" + struct.pack("<q", cell)
    if isinstance(cell, float):
        return b"r" + struct.pack("<d", cell)
    text = str(cell).encode()
    return b"t" + struct.pack("<Q", len(text)) + text


def check_sum(rows: Rows) -> str:
    """FNV-1a of what models/sweep/README.md says."""
    value = 0xCBF29CE484222325
    for byte in b"".join(cell_bytes(cell) for row in rows for cell in row):
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return f"{value:016x}"


def change_points(store: pathlib.Path, change: str) -> int:
    """Changes points with their check sums, as the program would have written them. Returns how many."""
    connection = sqlite3.connect(store, timeout=60)
    with connection:
        changed = connection.execute(change).rowcount
        for row in connection.execute("SELECT * FROM points").fetchall():
            results = connection.execute("SELECT * FROM results WHERE point = ? ORDER BY strategy_number", row[:1]).fetchall()
            connection.execute("UPDATE check_sums SET fnv1a = ? WHERE point = ?", (check_sum([row, *results]), row[0]))
    connection.close()
    return changed


def finished_points(store: pathlib.Path) -> dict[int, Rows]:
    """What the store holds of each finished point: its own row and those of its results. Empty if there is none yet.

    All of it is read at one instant, since a sweep may be adding points.
    """
    if not store.exists():
        return {}
    connection = sqlite3.connect(f"{store.absolute().as_uri()}?mode=rw", uri=True, timeout=60, isolation_level=None)
    try:
        connection.execute("BEGIN")
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'points'").fetchall():
            return {}
        points = {row[0]: [row] for row in connection.execute("SELECT * FROM points ORDER BY point")}
        for row in sorted(connection.execute("SELECT * FROM results"), key=lambda row: row[:2]):
            points[row[0]].append(row)
        return points
    finally:
        connection.close()


def finished_points_of_a_copy(store: pathlib.Path) -> dict[int, Rows]:
    """The same of a store whose process is dead: what that left half-done is left for the program to clear up."""
    with tempfile.TemporaryDirectory() as folder:
        for part in store.parent.glob(f"{store.name}*"):  # its journal too
            shutil.copy(part, folder)
        return finished_points(pathlib.Path(folder) / store.name)


def mark_points(store: pathlib.Path) -> int:
    """Marks what is finished: a point that is done again loses its mark. Returns how many are marked."""
    change_points(store, "UPDATE points SET fingerprint = fingerprint || '*' WHERE fingerprint NOT LIKE '%*'")
    connection = sqlite3.connect(store, timeout=60)
    (marked,) = connection.execute("SELECT count(*) FROM points WHERE fingerprint LIKE '%*'").fetchone()
    connection.close()
    return marked


def remove_marks(store: pathlib.Path) -> int:
    """Returns how many points had one."""
    return change_points(store, "UPDATE points SET fingerprint = rtrim(fingerprint, '*') WHERE fingerprint LIKE '%*'")
