# shellcheck shell=bash
# SPDX-FileCopyrightText: 2026 The Lockkeeper authors
# SPDX-License-Identifier: GPL-3.0-or-later
# Configure and build by preset. Nothing is rebuilt without need.

# A checkout uses the objects that another one has compiled. The compiler itself lists the includes of a
# file, so that ccache preprocesses nothing.
export CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1 CCACHE_IGNOREOPTIONS='--param=ggc*'
export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime

build_preset() {
  local preset=$1
  shift
  mkdir -p build
  local log=build/$preset.log
  echo "run: building ($preset)" >&2
  local configure=(cmake --preset "$preset" "-DLOCKKEEPER_WERROR=${LOCKKEEPER_WERROR:-OFF}")
  if ! { "${configure[@]}" && cmake --build --preset "$preset" "$@"; } >"$log" 2>&1; then
    grep -E -A8 'error|FAILED|CMake Error' "$log" | head -n 80 >&2 || true
    echo "run: the build failed; the whole log is $log" >&2
    return 1
  fi
}
