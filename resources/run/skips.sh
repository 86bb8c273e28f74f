# shellcheck shell=bash
# SPDX-FileCopyrightText: 2026 The Lockkeeper authors
# SPDX-License-Identifier: GPL-3.0-or-later
# The budget of skipped tests: a test that silently stops running is found by the run that skips more than before.

skips_file=resources/run/skips.txt

# Names this machine in the budget: its system, and the clients that it couldn't fetch ("debian-12",
# "debian-13-without-java-without-go"). A registry that fails must not look like a test that stopped running.
skips_machine() {
  local name clients=build/clients fetched
  name=$(. /etc/os-release && echo "$ID-${VERSION_ID:-testing}")
  for fetched in node python java mongod; do
    [[ -e $clients/$fetched.list ]] || name+=-without-$fetched
  done
  compgen -G "$clients/go/bin/*" >/dev/null || name+=-without-go
  echo "$name"
}

# How many tests each class skipped in a ctest log: lines of a class and a number.
skips_by_class() {
  awk '
    $2 == "Testing:" { class = $3 }
    /^Totals: / && $6 > 0 { skipped[class] += $6 }
    END { for (class in skipped) print class, skipped[class] }' "$1" | LC_ALL=C sort
}

# Fails where a preset's run skipped more tests than this machine's budget allows, of a class or in all, and names the
# classes. LOCKKEEPER_WRITE_SKIPS=1 writes this machine's budget instead.
check_skips() {
  local preset=$1 log=$2 machine over
  machine=$(skips_machine)
  if [[ -n ${LOCKKEEPER_WRITE_SKIPS:-} ]]; then
    {
      grep -v "^$machine $preset " "$skips_file"
      echo "$machine $preset total $(skips_by_class "$log" | awk '{ sum += $2 } END { print sum + 0 }')"
      skips_by_class "$log" | sed "s/^/$machine $preset /"
    } >build/skips.txt
    mv build/skips.txt "$skips_file"
  fi
  if ! grep -q "^$machine $preset " "$skips_file"; then
    echo "run: $skips_file has no budget for $machine: nobody checks how many tests were skipped" >&2
    return 0
  fi
  # Where only the total is known, each class that skipped a test may be the one.
  over=$(skips_by_class "$log" | awk -v machine="$machine" -v preset="$preset" '
    FNR == NR {
      if ($1 == machine && $2 == preset) { allowed[$3] = $4; classes += $3 != "total" }
      next
    }
    { sum += $2 }
    $2 > allowed[$1] + 0 { over = over sprintf(", %s %d (of %d)", $1, $2, allowed[$1]) }
    END {
      if (classes > 0 ? over != "" : sum > allowed["total"]) printf "%d of %d%s", sum, allowed["total"], over
    }' "$skips_file" -)
  [[ -n $over ]] || return 0
  echo "run: more tests were skipped than $skips_file allows $machine ($preset): $over" >&2
  return 1
}
