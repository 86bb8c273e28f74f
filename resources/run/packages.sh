# shellcheck shell=bash
# SPDX-FileCopyrightText: 2026 The Lockkeeper authors
# SPDX-License-Identifier: GPL-3.0-or-later
# The Debian packages that each command needs, and how they get onto the machine.

packages_build=(g++ cmake ninja-build pkg-config ccache mold
  qt6-base-dev libqt6sql6-mysql libqt6sql6-psql libqt6sql6-sqlite
  libhiredis-dev libtomlplusplus-dev libmongoc-dev libzookeeper-st-dev libcli11-dev libcurl4-openssl-dev libyaml-cpp-dev libexpected-dev libjemalloc-dev libmariadb-dev libpq-dev libsqlite3-dev libssl-dev libsodium-dev libpam0g-dev libzstd-dev zlib1g-dev)
packages_console=(qt6-charts-dev libqt6opengl6-dev qt6-tools-dev qt6-tools-dev-tools qt6-l10n-tools qt6-svg-dev
  libqt6svg6 qtkeychain-qt6-dev qt6-translations-l10n qt6-qpa-plugins fonts-dejavu-core fonts-noto-cjk)
packages_servers=(redis-server mariadb-server-core mariadb-client-core python3 python3-redis python3-pymysql util-linux)
packages_test=(iproute2 etcd-server etcd-client libcurl4 xvfb xauth openssl openssh-client openssh-server procps postgresql pgbouncer
  fish zsh python3-psycopg2 python3-venv prometheus prometheus-alertmanager python3-aiosmtpd)
packages_fleet=(postgresql)
packages_all_stores=(etcd-server python3-venv default-jre-headless maven)
packages_lint=(clang-format-16 clang-tidy-16)

as_root() {
  if [[ $(id -u) -eq 0 ]]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    echo "run: these packages are missing and sudo isn't installed. As root: apt-get install ${missing[*]}" >&2
    exit 1
  fi
}

is_installed() {
  [[ $(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
}

# Debian starts and enables a server's unit when its package is installed. The demo and the tests run
# private servers, so a server that this script installs is stopped and disabled.
keep_off() {
  local server=$1
  if [[ -d /run/systemd/system ]]; then
    as_root systemctl disable --quiet --now "$server.service" >&2 || true
  elif command -v deb-systemd-helper >/dev/null; then
    # It requires the name of the calling package.
    as_root env DPKG_MAINTSCRIPT_PACKAGE="$server" deb-systemd-helper disable "$server.service" >&2 || true
    as_root update-rc.d "$server" disable >&2 || true
  fi
}

install_quietly() {
  local policy=/usr/sbin/policy-rc.d ours=no server
  local -A unit_of=([redis-server]=redis-server [postgresql]=postgresql [openssh-server]=ssh [etcd-server]=etcd
    [pgbouncer]=pgbouncer [prometheus]=prometheus [prometheus-alertmanager]=prometheus-alertmanager)
  local -a fresh=()
  for server in "${!unit_of[@]}"; do
    is_installed "$server" || fresh+=("$server")
  done
  if [[ ! -e $policy ]]; then
    ours=yes
    printf '#!/bin/sh\nexit 101\n' | as_root tee "$policy" >/dev/null
    as_root chmod 755 "$policy"
  fi
  local status=0
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >&2 || status=$?
  [[ $ours == yes ]] && as_root rm -f "$policy"
  for server in "${fresh[@]}"; do
    is_installed "$server" && keep_off "${unit_of[$server]}"
  done
  return $status
}

need_packages() {
  missing=()
  local package
  for package in "$@"; do
    is_installed "$package" || missing+=("$package")
  done
  [[ ${#missing[@]} -eq 0 ]] && return
  if ! command -v apt-get >/dev/null; then
    echo "run: this needs Debian 12 or 13 (apt-get); packages: ${missing[*]}" >&2
    exit 1
  fi
  echo "run: installing ${missing[*]}" >&2
  as_root apt-get update -qq >&2
  install_quietly "${missing[@]}"
}
