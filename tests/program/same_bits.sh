#!/usr/bin/env bash
# same_bits.sh PROGRAM PROGRAM...: builds of one source write the same, byte for byte, whatever the compiler and its
# options: reports, which hold every measure and the fingerprint of every run, and pages with all their charts.
set -euo pipefail
scenarios=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../../scenarios")
mapfile -t programs < <(realpath "$@")
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
cd "$folder"

# same WHAT ARGUMENT...: with these arguments every program writes the same file `this`.
same() {
  local what=$1 program
  shift
  for program in "${programs[@]}"; do
    "$program" "$@" >/dev/null
    if [[ $program == "${programs[0]}" ]]; then
      mv this first
    elif ! cmp first this; then
      printf '%s: %s and %s differ\n' "$what" "${programs[0]}" "$program" >&2
      exit 1
    fi
  done
  printf '%s: %d builds, the same bytes\n' "$what" "${#programs[@]}"
}

for scenario in by-hand quickstart; do
  same "$scenario" compare "$scenarios/$scenario.json" --replications 1 --by class --format json --output this
  same "page of $scenario" compare "$scenarios/$scenario.json" --replications 2 --report this
done
"${programs[0]}" sweep "$scenarios/sweeps/quickstart-load.json" --store sweep.sqlite >/dev/null
same "page of a sweep" report sweep.sqlite --output this
"${programs[0]}" compare "$scenarios/quickstart.json" --record record.sqlite >/dev/null
same "page of a record" report record.sqlite --output this
