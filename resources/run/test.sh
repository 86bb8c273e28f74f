# shellcheck shell=bash
# SPDX-FileCopyrightText: 2026 The Lockkeeper authors
# SPDX-License-Identifier: GPL-3.0-or-later
# The plain suite (unit, integration and GUI tests), or with --sanitize the unit tests under sanitizers, built without
# any GUI package.
. resources/run/skips.sh

# Adds up the Qt Test totals of a ctest log, and the programs that ended without any (a crash, a time-out).
sum_totals() {
  awk '
    /^Totals: / { passed += $2; failed += $4; skipped += $6 }
    END { printf "%d %d %d\n", passed, failed, skipped }' "$@"
}

# Why tests were skipped, the most frequent reason first.
skip_reasons() {
  sed -nE 's/^SKIP +: [^(]+\([^)]*\) +//p' "$@" | sort | uniq -c | sort -rn | sed -E 's/^ *([0-9]+) /run: \1 skipped: /'
}

# The ten tests that took longest, to be made quicker first.
slowest_tests() {
  sed -nE 's/.* Test +#[0-9]+: ([^ ]+) .*(Passed|Failed) +([0-9.]+) sec.*/\3 \1/p' "$@" | sort -rn |
    sed -nE '1,10s/^([^ ]+) (.*)/run: slow: \2 \1 s/p' # reads to the end: head would break sort's pipe
}

fetch_node() {
  cp tests/clients/node/package.json "$1/"
  (cd "$1" && timeout 120 npm install --no-package-lock --no-audit --no-fund --silent)
}

fetch_java() {
  timeout 300 mvn -q -B -f tests/clients/java/pom.xml dependency:copy-dependencies -DoutputDirectory="$PWD/$1"
}

# Debian's own Python: another one on the PATH may come without venv.
fetch_python() {
  /usr/bin/python3 -m venv "$1" && timeout 300 "$1/bin/pip" install -q -r tests/clients/python/requirements.txt
}

# The clients themselves are compiled each time, as they are part of the tests; it takes seconds.
build_java() {
  rm -rf build/clients/java/classes
  javac -proc:none -nowarn -cp "build/clients/java/*" -d build/clients/java/classes tests/clients/*/*.java
}

build_go() {
  local client
  cp -r tests/clients/go/. build/clients/go/
  for client in tests/clients/*/main.go; do
    client=$(dirname "$client")
    cp -r "$client" build/clients/go/
    (cd build/clients/go && timeout 300 go build -o bin/ "./$(basename "$client")") || return
  done
}

# Fetches foreign lock libraries from npm, Maven, PyPI and the Go proxy, once. If a tool or registry isn't available,
# it prints a line, and the tests of that library skip themselves.
fetch_clients() {
  local clients=build/clients tool
  mkdir -p "$clients"
  for tool in npm mvn go; do
    command -v "$tool" >/dev/null || echo "run: $tool isn't installed: its lock libraries are left out of the tests" >&2
  done
  ! command -v npm >/dev/null || fetch_into "$clients/node" tests/clients/node/package.json "node's lock libraries" fetch_node
  fetch_into "$clients/python" tests/clients/python/requirements.txt "Python's lock libraries" fetch_python
  [[ $(uname -m) != x86_64 || ! -d $clients/python ]] ||
    fetch_into "$clients/mongod" resources/demo/mongod.sha256 "MongoDB's server" fetch_mongod
  if command -v mvn >/dev/null; then
    fetch_into "$clients/java" tests/clients/java/pom.xml "Java's lock libraries" fetch_java
    [[ ! -d $clients/java ]] || build_java >"$clients/java.log" 2>&1 ||
      echo "run: without Java's lock clients ($clients/java.log says why)" >&2
  fi
  if command -v go >/dev/null; then
    mkdir -p "$clients/go"
    build_go >"$clients/go.log" 2>&1 || echo "run: without Go's lock libraries ($clients/go.log says why)" >&2
  fi
}

# Runs the tests of a preset; fails where one of them does.
run_preset() {
  local preset=$1 broken=0
  shift
  if ! ctest --preset "$preset" "$@" >"build/$preset-tests.log" 2>&1; then
    broken=1
    grep -vE '^( *[0-9]+/[0-9]+ Test +#.*Passed|    Start )' "build/$preset-tests.log" | head -n 400 >&2 || true
  fi
  grep -E 'tests passed|tests failed' "build/$preset-tests.log" | sed "s/^/run: $preset: /" >&2 || true
  return "$broken"
}

# Prints the totals of a preset's run as the last line; fails where a test did.
report_preset() {
  local preset=$1 broken=$2 passed failed skipped crashed
  local log=build/$preset/Testing/Temporary/LastTest.log
  read -r passed failed skipped < <(sum_totals "$log")
  skip_reasons "$log" >&2
  slowest_tests "build/$preset-tests.log" >&2
  # A test program that died printed no totals: it still counts.
  crashed=$({ cat "build/$preset/Testing/Temporary/LastTestsFailed.log" 2>/dev/null || true; } | wc -l)
  if [[ $broken -ne 0 && $failed -eq 0 ]]; then
    failed=$((crashed > 0 ? crashed : 1))
  fi
  check_skips "$preset" "$log" || broken=1
  echo "$passed passed, $failed failed, $skipped skipped"
  [[ $broken -eq 0 && $failed -eq 0 && $passed -gt 0 ]]
}

# Builds a preset, waits for the processes given after it, and runs its tests with so many jobs.
test_preset() {
  local preset=$1 jobs=$2 broken=0
  shift 2
  mkdir -p "build/$preset/Testing/Temporary"
  : >"build/$preset/Testing/Temporary/LastTest.log" # totals of this run only
  rm -f "build/$preset/Testing/Temporary/LastTestsFailed.log"
  build_preset "$preset"
  [[ $# -eq 0 ]] || wait "$@"
  run_preset "$preset" -j "$jobs" || broken=1
  report_preset "$preset" "$broken"
}

run_tests() {
  case ${1:-} in
    "")
      need_packages "${packages_build[@]}" "${packages_console[@]}" "${packages_servers[@]}" "${packages_test[@]}"
      fetch_clients & # mostly waits for registries
      test_preset ci 6 $! # most integration tests wait most of the time
      ;;
    --sanitize)
      need_packages "${packages_build[@]}"
      test_preset sanitize "$(nproc)"
      ;;
    *)
      echo "run: unknown option \"$1\" of test. Options: --sanitize." >&2
      return 2
      ;;
  esac
}
