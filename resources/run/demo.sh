# shellcheck shell=bash
# SPDX-FileCopyrightText: 2026 The Lockkeeper authors
# SPDX-License-Identifier: GPL-3.0-or-later
# The demo: servers, workload, agent and console in one temporary folder that goes with them.

demo_dir=
demo_pids=()

# Starts a program that ends with this script, even if the script is killed.
demo_start() {
  local log=$demo_dir/$1.log
  shift
  setpriv --pdeathsig KILL "$@" >"$log" 2>&1 </dev/null &
  demo_pids+=($!)
}

demo_end() {
  trap - EXIT INT TERM HUP
  local pid
  # Last started, first ended: clients before servers.
  for ((i = ${#demo_pids[@]} - 1; i >= 0; i--)); do
    kill "${demo_pids[i]}" 2>/dev/null || true
  done
  for pid in "${demo_pids[@]}"; do
    for _ in $(seq 50); do
      kill -0 "$pid" 2>/dev/null || break
      sleep 0.1
    done
    kill -9 "$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || true
  done
  [[ -n $demo_dir ]] && rm -rf "$demo_dir"
}

# Removes the folder should this script be killed before it can do so itself.
demo_janitor() {
  setsid bash -c 'tail --pid="$1" -f /dev/null; sleep 1; rm -rf "$2"' lockkeeper-demo-janitor $$ "$demo_dir" \
    >/dev/null 2>&1 </dev/null &
  disown
}

demo_wait() {
  local what=$1 log=$2
  shift 2
  for _ in $(seq 300); do
    "$@" >/dev/null 2>&1 && return 0
    sleep 0.1
  done
  echo "run: $what did not start; the end of its log:" >&2
  tail -n 20 "$demo_dir/$log.log" >&2
  return 1
}

# Prints $1 free TCP ports of the loopback interface that follow each other, one a line.
demo_ports() {
  /usr/bin/python3 - "$1" <<'PY'
import random, socket, sys
count = int(sys.argv[1])
while True:
    first, held = random.randrange(20000, 32000), []
    try:
        for port in range(first, first + count):
            held.append(socket.create_server(("127.0.0.1", port)))
    except OSError:
        continue
    finally:
        for one in held:
            one.close()
    print(*range(first, first + count), sep="\n")
    break
PY
}

# Five servers for Redlock. The last one is stopped for a while again and again, and comes back empty.
demo_redlock() {
  local port ports
  mapfile -t ports < <(demo_ports 5)
  redlock_nodes=$(printf ',127.0.0.1:%s' "${ports[@]}")
  redlock_nodes=${redlock_nodes:1}
  for port in "${ports[@]:0:4}"; do
    demo_start "node-$port" redis-server --bind 127.0.0.1 --port "$port" --save '' --appendonly no --dir "$demo_dir"
  done
  port=${ports[4]}
  demo_start "node-$port" bash -c 'while :; do
    setpriv --pdeathsig KILL redis-server --bind 127.0.0.1 --port "$1" --save "" --appendonly no --dir "$2" & node=$!
    setpriv --pdeathsig KILL sleep "$3"; kill "$node"; wait "$node"; setpriv --pdeathsig KILL sleep "$4"; done' \
    node "$port" "$demo_dir" $((quick == 1 ? 10 : 45)) $((quick == 1 ? 5 : 15))
}

# Fetches the servers of the optional stores, if they aren't installed.
demo_fetch_stores() {
  local wanted=() package
  for package in "${packages_all_stores[@]}"; do
    case $package in
      default-jre-headless) ! command -v java >/dev/null || continue ;;
      maven) ! command -v mvn >/dev/null || continue ;;
      etcd-server) ! command -v etcd >/dev/null || continue ;;
    esac
    wanted+=("$package")
  done
  need_packages "${wanted[@]}"
  mkdir -p build/clients
  [[ $(uname -m) != x86_64 ]] || command -v mongod >/dev/null ||
    fetch_into build/clients/mongod resources/demo/mongod.sha256 "MongoDB's server" fetch_mongod
  compgen -G 'build/clients/java/zookeeper-3*.jar' >/dev/null ||
    fetch_into build/clients/zookeeper resources/demo/zookeeper/pom.xml "ZooKeeper's server" fetch_zookeeper
}

# MongoDB, etcd and ZooKeeper, each where its server is on the machine and lockkeeper-agent was built with it.
demo_other_stores() {
  local ports jars mongod
  mapfile -t ports < <(demo_ports 4)
  mongod=$(command -v mongod || echo "$root/build/clients/mongod/mongod")
  if [[ -x $mongod ]]; then
    mkdir "$demo_dir/mongodb"
    mongodb_url=mongodb://127.0.0.1:${ports[0]}/app
    demo_start mongodb "$mongod" --dbpath "$demo_dir/mongodb" --port "${ports[0]}" --bind_ip 127.0.0.1 --nounixsocket \
      --wiredTigerCacheSizeGB 0.25
  fi
  if command -v etcd >/dev/null; then
    etcd_url=etcd://127.0.0.1:${ports[1]}
    demo_start etcd etcd --data-dir "$demo_dir/etcd" --listen-client-urls "http://127.0.0.1:${ports[1]}" \
      --advertise-client-urls "http://127.0.0.1:${ports[1]}" --listen-peer-urls "http://127.0.0.1:${ports[2]}" \
      --initial-advertise-peer-urls "http://127.0.0.1:${ports[2]}" --initial-cluster "default=http://127.0.0.1:${ports[2]}"
  fi
  for jars in "$root/build/clients/java" "$root/build/clients/zookeeper"; do
    compgen -G "$jars/zookeeper-3*.jar" >/dev/null && command -v java >/dev/null || continue
    printf '%s\n' tickTime=500 maxClientCnxns=0 admin.enableServer=false '4lw.commands.whitelist=*' \
      clientPortAddress=127.0.0.1 "clientPort=${ports[3]}" "dataDir=$demo_dir/zookeeper" >"$demo_dir/zoo.cfg"
    zookeeper_url=zookeeper://127.0.0.1:${ports[3]}
    demo_start zookeeper java -Xmx128m -XX:-UsePerfData -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp "$jars/*" \
      org.apache.zookeeper.server.ZooKeeperServerMain "$demo_dir/zoo.cfg"
    break
  done
}

# A source of an agent's configuration with one lock set: the agent, the source's name, URL, whether it is pushed, and the
# set's lines.
demo_source() {
  local agent=$1 name=$2 url=$3 push=$4
  shift 4
  [[ -n $url ]] || return 0
  {
    printf '\n[[source]]\nname = "%s"\nurl = "%s"\npoll_ms = 500\npush = %s\n\n  [[source.locks]]\n' "$name" "$url" "$push"
    printf '  %s\n' "$@"
  } >>"$demo_dir/$agent.toml"
}

demo_servers() {
  redis-server --version >/dev/null
  demo_start redis redis-server --port 0 --unixsocket "$demo_dir/redis.sock" --unixsocketperm 700 --save '' \
    --appendonly no --dir "$demo_dir" --daemonize no
  cp "$root/resources/demo/init.sql" "$demo_dir/init.sql"
  local as=() ; [[ $(id -u) -eq 0 ]] && as=(--user=root)
  # --force: a machine whose own name can't be looked up will do.
  if ! mariadb-install-db --no-defaults "${as[@]}" --datadir="$demo_dir/mysql" --tmpdir="$demo_dir" --skip-test-db --force \
    --skip-name-resolve --auth-root-authentication-method=normal >"$demo_dir/install.log" 2>&1; then
    echo "run: mariadb-install-db failed:" >&2
    tail -n 20 "$demo_dir/install.log" >&2
    return 1
  fi
  demo_start mariadb mariadbd --no-defaults "${as[@]}" --datadir="$demo_dir/mysql" --tmpdir="$demo_dir" --skip-networking \
    --socket="$demo_dir/mysql.sock" --pid-file="$demo_dir/mysql.pid" --init-file="$demo_dir/init.sql" \
    --innodb-buffer-pool-size=32M --innodb-log-file-size=8M --skip-log-bin --innodb-status-output-locks=ON \
    --performance-schema=ON --performance-schema-instrument='transaction=ON' \
    --performance-schema-consumer-events-transactions-current=ON
  demo_redlock
  demo_other_stores
  demo_wait Redis redis redis-cli -s "$demo_dir/redis.sock" ping
  demo_wait MariaDB mariadb mariadb --no-defaults -S "$demo_dir/mysql.sock" -uapp -pdemo app -e 'SELECT 1 FROM fem_shedlock'
}

# Begins the configuration of an agent.
demo_configure() {
  cat >"$demo_dir/$1.toml" <<TOML
[agent]
name = "$1"
data_dir = "$demo_dir/$1"
listen = ["local:$demo_dir/$1.sock"]
TOML
}

# The sources in Redis, of one agent.
demo_redis_sources() {
  cat >>"$demo_dir/$1.toml" <<TOML

[[alert]]
name = "the nightly scheduler is gone"
when = "absent"
source = "orders-redis"
match = "sync:nightly-scheduler"
threshold = "20s"

[[liveness]]
name = "payout workers"
source = "orders-redis"
match = "lock:payout:*"
holder = '(?<pid>[0-9]+)@(?<host>[^:]+):[0-9a-f]+'
process = "{pid}"

[[source]]
name = "orders-redis"
url = "redis+unix://$demo_dir/redis.sock?db=0"
poll_ms = 250
push = true

  [[source.locks]]
  scheme = "redis.token"
  match = "lock:*"
  no_expiry_after = "8s"
  break = "unsafe"        # also the key that has no expiry: see force-release.md

  [[source.locks]]
  scheme = "redis.json"
  match = "sync:*"

  [[source.locks]]
  scheme = "redis.redisson"
  match = "printer:*"

  [[source.locks]]
  scheme = "redis.redisson"
  match = "catalog:*"

  [[source.locks]]
  scheme = "redis.semaphore"
  match = "semaphore:*"
  lease = "15s"

[[source]]
name = "payments-redlock"
url = "redlock://$redlock_nodes"
poll_ms = 500
push = true

  [[source.locks]]
  scheme = "redis.redlock"
  match = "payment:*"
TOML
  [[ $failover == no ]] || cat >>"$demo_dir/$1.toml" <<TOML

[[source]]
name = "sessions-ha"
url = "redis+sentinel://127.0.0.1:$sentinel_port/sessions"
poll_ms = 250

  [[source.locks]]
  scheme = "redis.token"
  match = "lock:*"
TOML
}

# The source in MariaDB, of one agent.
demo_sql_source() {
  cat >>"$demo_dir/$1.toml" <<TOML

[[source]]
name = "jobs-db"
url = "mysql+unix://$demo_dir/mysql.sock?db=app&user=lockkeeper"
password = "env:LOCKKEEPER_DEMO_PASSWORD"
poll_ms = 500

  [[source.locks]]
  scheme = "sql.shedlock"
  table = "fem_shedlock"

  [[source.locks]]
  scheme = "sql.insert"
  table = "distribute_lock"
  name = "resource_id"
  id = "id"
  acquired_at = "create_time"
  lease = "20s"
  reaper = "expired"
  reaper_delay = "10s"
  reaper_dry_run = true

  [[source.locks]]
  preset = "t-tag-lock"

  [[source.locks]]
  preset = "optimistic-lock"

  [[source.locks]]
  scheme = "sql.row"
  table = "row_lock"

  [[source.locks]]
  scheme = "sql.row"
  table = "stock"
TOML
}

demo_other_sources() {
  demo_source "$1" billing-mongodb "$mongodb_url" false 'preset = "mongodb-shedlock"'
  demo_source "$1" deploy-etcd "$etcd_url" true 'scheme = "etcd.lease"' 'match = "locks/*"'
  demo_source "$1" search-zookeeper "$zookeeper_url" true 'scheme = "zookeeper.sequence"' 'match = "/locks/*"'
}

demo_start_agent() {
  LOCKKEEPER_DEMO_PASSWORD=demo demo_start "$1" "$bin/lockkeeper-agent" --config "$demo_dir/$1.toml"
  demo_wait "the agent $1" "$1" test -S "$demo_dir/$1.sock"
}

demo_agent() {
  demo_configure demo
  demo_redis_sources demo
  demo_sql_source demo
  demo_other_sources demo
  demo_start_agent demo
}

run_demo() {
  local shot= headless=no failover=no all_stores=no fleet=no quick=0 sentinel_port= redlock_nodes= extra=() ports=() bin=
  local mongodb_url= etcd_url= zookeeper_url= later=
  while [[ $# -gt 0 ]]; do
    case $1 in
      --shot)
        [[ -n ${2:-} ]] || { echo "run: --shot needs a file name." >&2; exit 2; }
        shot=$(realpath -m "$2")
        shift
        ;;
      --headless) headless=yes ;;
      --failover) failover=yes ;;
      --all-stores) all_stores=yes ;;
      --fleet) fleet=yes ;;
      --quick) quick=1 ;;
      --bin)
        [[ -d ${2:-} ]] || { echo "run: --bin needs the folder of programs that are built." >&2; exit 2; }
        bin=$(realpath "$2")
        shift
        ;;
      --) shift; extra=("$@"); break ;;
      *) echo "run: unknown option \"$1\" of demo. Options: --shot FILE.png, --headless, --failover, --all-stores, --fleet, --quick, --bin FOLDER, -- (options of the console)." >&2; exit 2 ;;
    esac
    shift
  done
  if [[ -z $shot && $headless == no && -z ${DISPLAY:-}${WAYLAND_DISPLAY:-} ]]; then
    echo "run: there is no display. Use ./run demo --shot FILE.png or ./run demo --headless." >&2
    exit 1
  fi
  if [[ -z $bin ]]; then
    need_packages "${packages_build[@]}" "${packages_console[@]}" "${packages_servers[@]}"
    [[ $fleet == no ]] || need_packages "${packages_fleet[@]}"
    bin=$root/build/demo/bin
    # Builds the console first. The shell follows while the user looks at the console.
    local face=lockkeeper
    [[ $headless == no ]] || face=lockkeeperctl
    build_preset demo --target lockkeeper-agent lockkeeper-workload "$face"
    [[ -n $shot || $headless == yes ]] || later=lockkeeperctl
  fi
  [[ $all_stores == no ]] || demo_fetch_stores
  demo_dir=$(mktemp -d "${TMPDIR:-/tmp}/lockkeeper-demo.XXXXXX")
  trap demo_end EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP
  demo_janitor
  if [[ -z ${XDG_RUNTIME_DIR:-} ]]; then
    export XDG_RUNTIME_DIR=$demo_dir/runtime # else Qt makes a folder of its own, and leaves it
    mkdir -m 700 "$XDG_RUNTIME_DIR"
  fi
  demo_servers
  demo_start third-party /usr/bin/python3 "$root/resources/demo/third_party.py" "$demo_dir/redis.sock"
  demo_start readers-writer /usr/bin/python3 "$root/resources/demo/readers_writer.py" "$demo_dir/redis.sock"
  if [[ $failover == yes ]]; then
    mapfile -t ports < <(demo_ports 3)
    sentinel_port=${ports[0]}
    mkdir "$demo_dir/failover"
    demo_start failover /usr/bin/python3 "$root/resources/demo/failover.py" "$demo_dir/failover" "$sentinel_port" \
      $((quick == 1 ? 5 : 25))
  fi
  LOCKKEEPER_DEMO_PASSWORD=demo demo_start sql-sessions /usr/bin/python3 "$root/resources/demo/sql_sessions.py" "$demo_dir/mysql.sock"
  demo_start workload env LOCKKEEPER_DEMO_PASSWORD=demo "$bin/lockkeeper-workload" \
    --redis "redis+unix://$demo_dir/redis.sock?db=0" --mysql "mysql+unix://$demo_dir/mysql.sock?db=app&user=app" \
    --redlock "redlock://$redlock_nodes" ${mongodb_url:+--mongodb "$mongodb_url"} ${etcd_url:+--etcd "$etcd_url"} \
    ${zookeeper_url:+--zookeeper "$zookeeper_url"}
  if [[ $fleet == yes ]]; then
    demo_fleet
    export LOCKKEEPER_AGENT=local:$demo_dir/hub.sock
  else
    demo_agent
    export LOCKKEEPER_AGENT=local:$demo_dir/demo.sock
  fi
  [[ -z $later ]] || demo_start "build-$later" nice ninja -C "$root/build/demo" "$later"
  [[ -n $shot ]] || echo "run: the agent listens; in another terminal${later:+, once it is built}: $bin/lockkeeperctl --agent $LOCKKEEPER_AGENT locks" >&2
  if [[ $headless == yes ]]; then
    echo "run: Ctrl-C ends everything" >&2
    wait "${demo_pids[-1]}"
  elif [[ -n $shot ]]; then
    QT_QPA_PLATFORM=${QT_QPA_PLATFORM:-offscreen} setpriv --pdeathsig KILL "$bin/lockkeeper" \
      --settings "$demo_dir/console.ini" --shot "$shot" --shot-after 12000 --select lock:payout:batch-7 \
      "${extra[@]}"
    echo "run: wrote $shot" >&2
  else
    setpriv --pdeathsig KILL "$bin/lockkeeper" --settings "$demo_dir/console.ini" "${extra[@]}" &
    demo_pids+=($!)
    wait $!
  fi
}
