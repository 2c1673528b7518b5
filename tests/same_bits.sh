#!/usr/bin/env bash
# same_bits.sh PROGRAM PROGRAM...: builds of one source report the same, byte for byte, whatever the compiler and its
# options. A report holds every measure and the fingerprint of every run.
set -euo pipefail
scenarios=$(dirname "${BASH_SOURCE[0]}")/../scenarios
reports=$(mktemp -d)
trap 'rm -r "$reports"' EXIT

for scenario in by-hand quickstart; do
  for program in "$@"; do
    "$program" compare "$scenarios/$scenario.json" --replications 1 --by class --format json >"$reports/this"
    if [[ $program == "$1" ]]; then
      mv "$reports/this" "$reports/first"
    elif ! diff "$reports/first" "$reports/this"; then
      printf '%s: %s and %s differ\n' "$scenario" "$1" "$program" >&2
      exit 1
    fi
  done
  printf '%s: %d builds, one report\n' "$scenario" "$#"
done
