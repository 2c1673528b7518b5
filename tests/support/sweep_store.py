"""Reads the store of a sweep as a stranger to the program would, with sqlite3."""

import pathlib
import shutil
import sqlite3
import tempfile

Rows = list[tuple]


def finished_points(store: pathlib.Path) -> dict[int, Rows]:
    """What the store holds of each finished point: its own row and those of its results. Empty if there is none yet."""
    if not store.exists():
        return {}
    connection = sqlite3.connect(f"{store.absolute().as_uri()}?mode=rw", uri=True, timeout=60)
    try:
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
    connection = sqlite3.connect(store, timeout=60)
    with connection:
        connection.execute("UPDATE points SET fingerprint = fingerprint || '*' WHERE fingerprint NOT LIKE '%*'")
    (marked,) = connection.execute("SELECT count(*) FROM points WHERE fingerprint LIKE '%*'").fetchone()
    connection.close()
    return marked


def remove_marks(store: pathlib.Path) -> int:
    """Returns how many points had one."""
    connection = sqlite3.connect(store, timeout=60)
    with connection:
        removed = connection.execute("UPDATE points SET fingerprint = rtrim(fingerprint, '*') WHERE fingerprint LIKE '%*'").rowcount
    connection.close()
    return removed
