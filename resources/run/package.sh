# shellcheck shell=bash
# SPDX-FileCopyrightText: 2026 The Lockkeeper authors
# SPDX-License-Identifier: GPL-3.0-or-later
# Debian packages of what users run.

run_package() {
  need_packages "${packages_build[@]}" "${packages_console[@]}" dpkg-dev file
  build_preset package
  cpack --config build/package/CPackConfig.cmake -B build/packages >build/packages.log 2>&1 || {
    tail -n 40 build/packages.log >&2
    return 1
  }
  rm -rf build/packages/_CPack_Packages
  ls build/packages/*.deb
}
