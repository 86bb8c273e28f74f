#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Lockkeeper authors
# SPDX-License-Identifier: GPL-3.0-or-later
# Typical scripts with redis-cli: a constant value, the host's name, or a value without an expiry. None of them checks
# the value before it deletes the key. The line protocol is that of tests/support/foreign_client.h.
declare -A lock

cli() {
  redis-cli -s "$REDIS_SOCKET" "$@"
}

value_of() {
  case $1 in
  constant) echo true ;;
  *) echo web-01 ;;
  esac
}

echo ready
while read -r who verb name ttl; do
  value=$(value_of "${who%%#*}")
  case $verb in
  acquire)
    expiry=(PX "$ttl")
    [[ $who == forever* ]] && expiry=()
    if [[ $(cli SET "$name" "$value" NX "${expiry[@]}") == OK ]]; then
      lock[$who]=$name
      echo "acquired $value"
    else
      echo held
    fi
    ;;
  renew) [[ $(cli PEXPIRE "${lock[$who]}" "$name") == 1 ]] && echo renewed || echo lost ;;
  release) [[ $(cli DEL "${lock[$who]}") == 1 ]] && echo released || echo lost ;;
  esac
done
