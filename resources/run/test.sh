# shellcheck shell=bash
# SPDX-FileCopyrightText: 2026 The Lockkeeper authors
# SPDX-License-Identifier: GPL-3.0-or-later
# The whole suite: the unit tests under sanitizers, built without any GUI package, and all others plain.

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

# Lock libraries of other people, for tests that skip themselves without: from npm, Maven, PyPI and the Go proxy, each
# fetched once, and left out with a line where its tool or its registry is away.
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

run_tests() {
  need_packages "${packages_build[@]}" "${packages_console[@]}" "${packages_servers[@]}" "${packages_test[@]}"
  fetch_clients & # waits for registries, mostly
  local broken=0 fetching=$!
  local logs=(build/{integration,sanitize}/Testing/Temporary/LastTest.log)
  mkdir -p build/{integration,sanitize}/Testing/Temporary
  : | tee "${logs[@]}" # of this run only
  rm -f build/{integration,sanitize}/Testing/Temporary/LastTestsFailed.log
  build_preset integration
  wait "$fetching"
  # Integration tests wait for most of their time, six at once; the unit tests, sanitized, are built and run beside them.
  (renice -n 3 -p "$BASHPID" >/dev/null && build_preset sanitize -j "$(nproc)" && run_preset sanitize -j 2) &
  run_preset integration -j 6 || broken=1
  wait $! || broken=1

  local passed failed skipped crashed
  read -r passed failed skipped < <(sum_totals "${logs[@]}")
  skip_reasons "${logs[@]}" >&2
  slowest_tests build/{integration,sanitize}-tests.log >&2
  # A test program that died printed no totals: it still counts.
  crashed=$({ cat build/{integration,sanitize}/Testing/Temporary/LastTestsFailed.log 2>/dev/null || true; } | wc -l)
  if [[ $broken -ne 0 && $failed -eq 0 ]]; then
    failed=$((crashed > 0 ? crashed : 1))
  fi
  echo "$passed passed, $failed failed, $skipped skipped"
  [[ $broken -eq 0 && $failed -eq 0 && $passed -gt 0 ]]
}
