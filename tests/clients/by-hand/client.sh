#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Lockkeeper authors
# SPDX-License-Identifier: GPL-3.0-or-later
# Layouts of clients whose languages the tests don't have: Symfony's Lock (PHP) and sidekiq-unique-jobs from 7 on (Ruby),
# with the commands that these run. The line protocol is that of tests/support/foreign_client.h.
declare -A lock me

cli() {
  redis-cli -s "$REDIS_SOCKET" "$@"
}

# The writer's mark has the holder's score, and the key ends with it. ARGV: the token, milliseconds.
put="local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if (redis.call('ZSCORE', KEYS[1], ARGV[1]) and 1 or 0) ~= tonumber(ARGV[3]) or
   (ARGV[3] == '0' and redis.call('ZCARD', KEYS[1]) > 0) then return 0 end
redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1], now + ARGV[2], '__write__')
return redis.call('PEXPIREAT', KEYS[1], now + ARGV[2])"

id_of() { # a lock object keeps its token, a job its id
  case $1 in
  symfony) head -c 32 /dev/urandom | base64 ;;
  *) head -c 12 /dev/urandom | od -An -tx1 | tr -d ' \n' ;;
  esac
}

symfony() { # VERB KEY TTL
  case $1 in
  acquire) cli EVAL "$put" 1 "$2" "${me[$who]}" "$3" 0 ;;
  renew) cli EVAL "$put" 1 "$2" "${me[$who]}" "$3" 1 ;;
  release) cli EVAL "local mine = redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('ZREM', KEYS[1], '__write__')
return mine" 1 "$2" "${me[$who]}" ;;
  esac
}

sidekiq() { # lasts until it is given back
  local key=uniquejobs:$2:LOCKED
  case $1 in
  acquire) cli EVAL "if redis.call('HLEN', KEYS[1]) > 0 then return 0 end
return redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])" 1 "$key" "${me[$who]}" "${EPOCHREALTIME/,/.}" ;;
  release) cli HDEL "$key" "${me[$who]}" ;;
  esac
}

echo ready
while read -r who verb name ttl; do
  kind=${who%%#*}
  [[ -n ${me[$who]} ]] || me[$who]=$(id_of "$kind")
  case $verb in
  acquire)
    if [[ $($kind acquire "$name" "$ttl") == 1 ]]; then
      lock[$who]=$name
      echo "acquired ${me[$who]}"
    else
      echo held
    fi
    ;;
  renew) [[ $($kind renew "${lock[$who]}" "$name") == 1 ]] && echo renewed || echo lost ;;
  release) [[ $($kind release "${lock[$who]}") == 1 ]] && echo released || echo lost ;;
  esac
done
