# shellcheck shell=bash
# SPDX-FileCopyrightText: 2026 The Lockkeeper authors
# SPDX-License-Identifier: GPL-3.0-or-later
# The demo of a fleet: two agents forward to a private PostgreSQL, and a hub speaks for both.

# Sets `postgres_as`, which runs a program as an ordinary user: PostgreSQL refuses to run as root.
demo_find_postgres() {
  postgres_bin=$(printf '%s\n' /usr/lib/postgresql/*/bin | sort -V | tail -n 1)
  postgres_as=()
  [[ $(id -u) -ne 0 ]] || postgres_as=(setpriv --reuid=nobody --regid=nogroup --clear-groups)
}

# The hub's database, with a role for each agent and one for the hub.
demo_database() {
  local folder=$demo_dir/postgresql agent postgres_bin postgres_as
  demo_find_postgres
  mkdir "$folder"
  if [[ $(id -u) -eq 0 ]]; then
    chmod 711 "$demo_dir"
    chown nobody:nogroup "$folder"
  fi
  if ! "${postgres_as[@]}" "$postgres_bin/initdb" -D "$folder/data" -U hub_owner -A trust -E UTF8 --locale=C.UTF-8 --no-sync \
    >"$demo_dir/initdb.log" 2>&1; then
    echo "run: initdb failed:" >&2
    tail -n 20 "$demo_dir/initdb.log" >&2
    return 1
  fi
  demo_start postgresql "${postgres_as[@]}" "$postgres_bin/postgres" -D "$folder/data" -k "$folder" \
    -c listen_addresses= -c fsync=off -c shared_buffers=32MB
  demo_wait PostgreSQL postgresql "$postgres_bin/pg_isready" -q -h "$folder" -U hub_owner -d postgres
  demo_sql postgres -c 'CREATE DATABASE lockkeeper' >/dev/null
  "$bin/lockkeeper-agent" hub --init "$(demo_database_url hub_owner)" >"$demo_dir/hub-init.log" 2>&1
  for agent in dc1 dc2; do
    demo_sql lockkeeper -c "CREATE ROLE $agent LOGIN; GRANT lockkeeper_agent TO $agent;
      SELECT lockkeeper.add_agent('$agent', '$agent')" >/dev/null
  done
  demo_sql lockkeeper -c 'CREATE ROLE hub LOGIN; GRANT lockkeeper_reader TO hub' >/dev/null
}

demo_sql() {
  psql -X -q -v ON_ERROR_STOP=1 -h "$demo_dir/postgresql" -U hub_owner -d "$@"
}

demo_database_url() {
  echo "postgresql:///lockkeeper?host=$demo_dir/postgresql&user=$1"
}

# An agent's part of a fleet: where it forwards to, and the hub that it trusts.
demo_join_fleet() {
  cat >>"$demo_dir/$1.toml" <<TOML

[[forward]]
url = "$(demo_database_url "$1")"

[[trusted_hub]]
user = "$(id -un)"
key = "$demo_dir/hub/hub-identity.key.pub"
TOML
}

demo_hub() {
  cat >"$demo_dir/hub.toml" <<TOML
[agent]
name = "hub"
data_dir = "$demo_dir/hub"
listen = ["local:$demo_dir/hub.sock"]

[hub]
url = "$(demo_database_url hub)"

  [[hub.agent]]
  name = "dc1"
  url = "local:$demo_dir/dc1.sock"

  [[hub.agent]]
  name = "dc2"
  url = "local:$demo_dir/dc2.sock"
TOML
  demo_start hub "$bin/lockkeeper-agent" --hub --config "$demo_dir/hub.toml"
  demo_wait "the hub" hub test -S "$demo_dir/hub.sock"
}

# Two agents: one for Redis, one for the databases. The hub comes first, because it makes its key.
demo_fleet() {
  demo_database
  demo_hub
  demo_configure dc1
  demo_redis_sources dc1
  demo_join_fleet dc1
  demo_start_agent dc1
  demo_configure dc2
  demo_sql_source dc2
  demo_other_sources dc2
  demo_join_fleet dc2
  demo_start_agent dc2
}
