# shellcheck shell=bash disable=SC2034
# What tools/quickstart, tools/test and .ci/run share: Debian packages, configuring, building. Sourced, never run.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cores=$(nproc)

# One line a package: its Debian 12 name, and why it is needed. NAME/COMMAND: only where there is no such command, since
# it may be there from elsewhere.
build_packages='
g++                        compiler
cmake                      configures the build
ninja-build                runs the build
nlohmann-json3-dev         JSON: scenarios, catalogue
libcli11-dev               command line
libfmt-dev                 formatted text
libboost-dev               distributions, statistics
libboost-iostreams-dev     gzip traces
zlib1g-dev                 gzip traces
libeigen3-dev              linear algebra
librandom123-dev           counter-based random numbers
libtbb-dev                 one simulation a core
libhowardhinnant-date-dev  calendar and time zones
libsqlite3-dev             results of sweeps
libsqlitecpp-dev           results of sweeps
libyaml-cpp-dev            objects of a Kubernetes cluster
tzdata                     the time zones themselves
nodejs/node                bundles what the report page runs in a browser
npm/npm                    its packages
ca-certificates            npm fetches over https'
test_packages='
catch2                     test cases
chromium                   shows the report page to its tests
python3                    layer check and other checks of the sources
python3-jsonschema         checks scenarios against their schema
python3-yaml               checks what is pasted into Kubernetes and GitHub
mandoc                     checks the manual page
zsh                        checks its completion'
python_packages='
pybind11-dev               binds the Python module
python3-dev                what it is built with
python3-numpy              its arrays
python3-pandas             its results'

say() { printf '%s\n' "$@"; }

# die CODE LINE...
die() {
  local code=$1
  shift
  printf '%s\n' "$@" >&2
  exit "$code"
}

# logged LOG COMMAND...: runs the command with its output in LOG, whose end is shown when the command fails.
logged() {
  local log=$1
  shift
  mkdir -p "$(dirname "$log")"
  "$@" >"$log" 2>&1 </dev/null && return 0
  tail -n 40 "$log" >&2
  die 1 "failed: $*" "All of its output is in $log"
}

# The lines of a package list that are missing, each with the plain name of its package.
missing_packages() {
  local installed entry why name
  installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' | sed -n 's/^installed //p')
  while read -r entry why; do
    name=${entry%/*}
    if [[ -z $entry ]] || grep -qxF -- "$name" <<<"$installed"; then continue; fi
    if [[ $entry == */* ]] && command -v "${entry#*/}" >/dev/null; then continue; fi
    printf '%-26s %s\n' "$name" "$why"
  done <<<"$1"
}

# apt_install NAME...: the package lists are fetched only where they are absent or turn out to be stale.
apt_install() {
  local log=$root/build/apt.log
  local apt=(env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=120)
  [[ $(id -u) -eq 0 ]] || apt=(sudo -n "${apt[@]}")
  local install=("${apt[@]}" install --yes --no-install-recommends "$@")
  mkdir -p "$root/build"
  "${apt[@]}" install --simulate "$@" >"$log" 2>&1 </dev/null &&
    "${install[@]}" >"$log" 2>&1 </dev/null && return 0
  logged "$log" "${apt[@]}" update
  logged "$log" "${install[@]}"
}

# ensure_packages LIST: installs what is missing and asks nothing; exits 2 where it may not install.
ensure_packages() {
  local missing names
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    die 2 'This is made for Debian 12. Elsewhere, install what these Debian packages hold:' "${1#$'\n'}" \
      'then build with: cmake --preset release && cmake --build --preset release'
  fi
  missing=$(missing_packages "$1")
  [[ -n $missing ]] || return 0
  mapfile -t names < <(awk '{print $1}' <<<"$missing")
  if [[ $(id -u) -ne 0 ]] && ! sudo -n true 2>/dev/null; then
    die 2 'These Debian packages are needed, and cannot be installed without root or passwordless sudo:' \
      "$missing" "Install them, then run this again: sudo apt-get install ${names[*]}"
  fi
  say 'Installing the Debian packages that are missing:' "$missing"
  apt_install "${names[@]}"
}

# configure PRESET OPTION...: with ccache where there is one.
configure() {
  if command -v ccache >/dev/null; then set -- "$@" -DCMAKE_CXX_COMPILER_LAUNCHER=ccache; fi
  logged "$root/build/$1.configure.log" cmake -S "$root" --preset "$@"
}

# build PRESET [TARGET...]
build() {
  local preset=$1
  shift
  if [[ $# -gt 0 ]]; then set -- --target "$@"; fi
  cmake --build "$root/build/$preset" --parallel "$cores" "$@"
}

# run_tests PRESET [CTEST ARGUMENT...]: ends with one line that counts. Where the shared data is, no test may miss it.
run_tests() {
  local dir=$root/build/$1 status=0 report total failed skipped
  report=$dir/tests.xml
  shift
  if [[ -d $root/../shared ]]; then export STOCKOUT_REQUIRE_SHARED=1; fi
  rm -f "$report" "$dir/tests.summary"
  ctest --test-dir "$dir" --parallel "$cores" --output-on-failure --no-tests=error \
    --output-junit "$(basename "$report")" "$@" || status=$?
  [[ -s $report ]] || return "$status"
  read -r total failed skipped < <(sed -nE '1,8s/^\t(tests|failures|skipped)="([0-9]+)"$/\2/p' "$report" | xargs)
  say "slowest, seconds:"
  sed -nE 's/^\t<testcase name="([^"]*)".* time="([0-9.]+)".*$/\2  \1/p' "$report" | sort -rn | head -n 10 || true
  say "$((total - failed - skipped)) passed, $failed failed, $skipped skipped" | tee "$dir/tests.summary"
  [[ $status -eq 0 ]]
}
