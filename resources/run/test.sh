# shellcheck shell=bash
# SPDX-FileCopyrightText: 2026 The Lockkeeper authors
# SPDX-License-Identifier: GPL-3.0-or-later
# The whole suite: all tests, and the unit tests again under sanitizers, built without any GUI package.

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
  sed -nE 's/.* Test +#[0-9]+: ([^ ]+) .*(Passed|Failed) +([0-9.]+) sec.*/\3 \1/p' "$@" | sort -rn | head -n 10 |
    sed -E 's/^([^ ]+) (.*)/run: slow: \2 \1 s/'
}

# Lock libraries of other people, for tests that skip themselves without: fetched where npm and Maven are there.
fetch_clients() {
  local clients=build/clients
  command -v npm >/dev/null ||
    echo "run: npm isn't installed: redlock and redis-semaphore are left out of the tests" >&2
  command -v mvn >/dev/null || echo "run: mvn isn't installed: Redisson is left out of the tests" >&2
  if command -v npm >/dev/null && [[ ! -d $clients/node/node_modules ]]; then
    mkdir -p "$clients/node"
    cp tests/clients/node/package.json "$clients/node/"
    (cd "$clients/node" && timeout 120 npm install --no-package-lock --no-audit --no-fund --silent) \
      >"$clients/node.log" 2>&1 || { rm -rf "$clients/node"; echo "run: without node's lock libraries" >&2; }
  fi
  if command -v mvn >/dev/null && [[ ! -d $clients/java ]]; then
    mkdir -p "$clients"
    timeout 300 mvn -q -B -f tests/clients/java/pom.xml dependency:copy-dependencies \
      -DoutputDirectory="$PWD/$clients/java" >"$clients/java.log" 2>&1 ||
      { rm -rf "$clients/java"; echo "run: without Redisson" >&2; }
  fi
}

run_tests() {
  need_packages "${packages_build[@]}" "${packages_console[@]}" "${packages_servers[@]}" "${packages_test[@]}"
  fetch_clients
  local broken=0 logs=() preset
  for preset in ci sanitize; do
    build_preset "$preset"
    rm -f "build/$preset/Testing/Temporary/LastTest.log"
    if ! ctest --preset "$preset" >"build/$preset-tests.log" 2>&1; then
      broken=1
      grep -vE '^( *[0-9]+/[0-9]+ Test +#.*Passed|    Start )' "build/$preset-tests.log" | head -n 400 >&2
    fi
    grep -E 'tests passed|tests failed' "build/$preset-tests.log" | sed "s/^/run: $preset: /" >&2 || true
    logs+=("build/$preset/Testing/Temporary/LastTest.log")
  done

  local passed failed skipped crashed
  read -r passed failed skipped < <(sum_totals "${logs[@]}")
  skip_reasons "${logs[@]}" >&2
  slowest_tests build/{ci,sanitize}-tests.log >&2
  # A test program that died printed no totals: it still counts.
  crashed=$({ cat build/{ci,sanitize}/Testing/Temporary/LastTestsFailed.log 2>/dev/null || true; } | wc -l)
  if [[ $broken -ne 0 && $failed -eq 0 ]]; then
    failed=$((crashed > 0 ? crashed : 1))
  fi
  echo "$passed passed, $failed failed, $skipped skipped"
  [[ $broken -eq 0 && $failed -eq 0 && $passed -gt 0 ]]
}
