# shellcheck shell=bash
# SPDX-FileCopyrightText: 2026 The Lockkeeper authors
# SPDX-License-Identifier: GPL-3.0-or-later
# Formatting and static analysis with the configured rules.

run_lint() {
  need_packages "${packages_build[@]}" "${packages_console[@]}" "${packages_servers[@]}" "${packages_test[@]}" "${packages_lint[@]}"
  git ls-files '*.cpp' '*.h' | xargs clang-format-16 --dry-run -Werror
  build_preset ci
  # The compilers' commands without GCC's precompiled header, which clang-tidy can't read.
  mkdir -p build/lint
  sed -E 's/ -Winvalid-pch -include [^ ]*cmake_pch\.hxx//' build/ci/compile_commands.json >build/lint/compile_commands.json
  local files=("$@")
  [[ ${#files[@]} -eq 0 ]] && mapfile -t files < <(git ls-files 'shared/*.cpp' 'agent/*.cpp' 'app/*.cpp')
  printf '%s\n' "${files[@]}" | xargs -P "$(nproc)" -n 4 clang-tidy-16 -p build/lint --quiet
}
