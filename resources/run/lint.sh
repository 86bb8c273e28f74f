# shellcheck shell=bash
# SPDX-FileCopyrightText: 2026 The Lockkeeper authors
# SPDX-License-Identifier: GPL-3.0-or-later
# Formatting and static analysis with the configured rules.

# Lines by folder, and the longest classes by the lines of their sources.
measure_tree() {
  echo "run: production lines by folder"
  git ls-files 'shared/*.cpp' 'shared/*.h' 'agent/*.cpp' 'agent/*.h' 'app/*.cpp' 'app/*.h' | xargs wc -l |
    awk '$2 != "total" { all += $1; files++; sub("/[^/]*$", "", $2); lines[$2] += $1; count[$2]++ }
      END { for (f in lines) printf "%7d lines %4d files  %s\n", lines[f], count[f], f
            printf "%7d lines %4d files  in all\n", all, files }' | sort -k5
  echo "run: the longest classes: lines of their members' bodies, and the files that these stand in"
  git ls-files 'shared/*.cpp' 'agent/*.cpp' 'app/*.cpp' |
    xargs awk '/^[A-Za-z].*[A-Z][A-Za-z0-9]*::~?[A-Za-z]+\(/ && !/;$/ {
        name = $0; sub(/\(.*/, "", name); sub(/::~?[A-Za-z]+$/, "", name); sub(/.*[ *&]/, "", name); class = name; from = FNR }
      /^}/ && class != "" { lines[class] += FNR - from + 1
        if (!((class, FILENAME) in seen)) { seen[class, FILENAME] = 1; files[class]++ }
        class = "" }
      END { for (c in lines) printf "%7d lines %4d files  %s\n", lines[c], files[c], c }' | sort -rn | sed -n 1,15p
}

run_lint() {
  need_packages "${packages_build[@]}" "${packages_console[@]}" "${packages_servers[@]}" "${packages_test[@]}" "${packages_lint[@]}"
  measure_tree
  resources/run/type_names
  git ls-files '*.cpp' '*.h' | xargs clang-format-16 --dry-run -Werror
  # Each file by itself, its syntax alone: a unity build hides an include that is missing.
  cmake --preset lint >build/lint.log 2>&1 && ninja -C build/lint -t targets all |
    sed -n 's/: CXX_COMPILER__.*//p' | xargs ninja -C build/lint >>build/lint.log 2>&1 || {
    grep -E 'error|warning' build/lint.log >&2 || tail -n 20 build/lint.log >&2
    return 1
  }
  [[ ${1:-} == --quick ]] && return
  local files=("$@")
  [[ ${#files[@]} -eq 0 ]] && mapfile -t files < <(git ls-files 'shared/*.cpp' 'agent/*.cpp' 'app/*.cpp')
  printf '%s\n' "${files[@]}" | xargs -P "$(nproc)" -n 4 clang-tidy-16 -p build/lint --quiet
}
