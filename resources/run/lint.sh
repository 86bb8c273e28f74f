# shellcheck shell=bash
# SPDX-FileCopyrightText: 2026 The Lockkeeper authors
# SPDX-License-Identifier: GPL-3.0-or-later
# Formatting and static analysis with the configured rules.

run_lint() {
  need_packages "${packages_build[@]}" "${packages_console[@]}" "${packages_servers[@]}" "${packages_test[@]}" "${packages_lint[@]}"
  git ls-files '*.cpp' '*.h' | xargs clang-format-16 --dry-run -Werror
  mkdir -p build
  cmake --preset lint >build/lint.log
  # The generated sources, without compiling anything.
  ninja -C build/lint -t targets all | sed -n 's/^\([a-z_]*_autogen\):.*/\1/p' | xargs ninja -C build/lint >>build/lint.log
  local files=("$@")
  [[ ${#files[@]} -eq 0 ]] && mapfile -t files < <(git ls-files 'shared/*.cpp' 'agent/*.cpp' 'app/*.cpp')
  printf '%s\n' "${files[@]}" | xargs -P "$(nproc)" -n 4 clang-tidy-16 -p build/lint --quiet
}
