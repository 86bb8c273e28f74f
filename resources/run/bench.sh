# shellcheck shell=bash
# SPDX-FileCopyrightText: 2026 The Lockkeeper authors
# SPDX-License-Identifier: GPL-3.0-or-later
# The benchmarks. Each prints a table, and JSON lines that are gathered in build/bench.jsonl.

run_benchmarks() {
  need_packages "${packages_build[@]}" "${packages_console[@]}" "${packages_servers[@]}"
  build_preset bench
  local wanted=("$@") program name area
  [[ ${#wanted[@]} -eq 0 ]] && wanted=(redis sql mongodb etcd zookeeper engine journal protocol models agents reaper locks hub)
  [[ " ${wanted[*]} " == *" hub "* ]] && need_packages postgresql
  : >build/bench.jsonl
  for area in "${wanted[@]}"; do
    local found=no
    for program in build/bench/bench/"$area"/bench_*; do
      [[ -x $program ]] || continue
      found=yes
      name=$(basename "$program")
      echo "== $name" >&2
      # The foreign clients and MongoDB's server that ./run test has fetched; see its environment.
      QT_QPA_PLATFORM=offscreen LOCKKEEPER_SOURCE=$root MONGOC_DISABLE_SHM=1 "$program" |
        tee >(grep '^{' >>build/bench.jsonl)
    done
    [[ $found == yes ]] || { echo "run: no benchmark \"$area\"." >&2; exit 2; }
  done
  echo "run: the figures as JSON lines are in build/bench.jsonl" >&2
}
