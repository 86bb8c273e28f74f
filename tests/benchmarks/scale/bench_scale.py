#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Lockkeeper authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a console and lockkeeperctl cost with many locks, against a real Redis server.

  bench_scale.py --bin build/bench/bin --locks 1000000 --rate 2000 [--views locks,overview] [--listing] [--keep]

With --keep the servers stay, and --use FOLDER works on with them: a million locks take the agent a while to file.

Starts a private redis-server, an agent that is pushed to, and for each view a console (under Xvfb unless
DISPLAY is set); a writer takes so many locks over a second. Prints a JSON line a measurement: resident and
peak memory in MB, CPU as seconds of the process a second of wall time.
"""
import argparse, contextlib, json, os, shutil, signal, socket, sqlite3, subprocess, sys, tempfile, threading, time

TICKS = os.sysconf("SC_CLK_TCK")


def cpu_of(pid):
    fields = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def memory_of(pid):
    status = dict(line.split(":", 1) for line in open(f"/proc/{pid}/status") if ":" in line)
    return {name: int(status[key].split()[0]) // 1024 for name, key in (("rss_mb", "VmRSS"), ("peak_mb", "VmHWM"))}


def command(*words):
    return b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(w), w) for w in words)


def take(number, token):
    return command(b"SET", b"lock:%d" % number, b"%s" % token, b"PX", b"7200000")


class Writer(threading.Thread):
    """Takes `rate` locks over a second, in fifty small batches."""

    def __init__(self, path, locks, rate):
        super().__init__(daemon=True)
        self.link = socket.socket(socket.AF_UNIX)
        self.link.connect(path)
        self.locks, self.rate, self.written, self.ended = locks, rate, 0, threading.Event()

    def run(self):
        start, first = time.monotonic(), time.time_ns()  # no token of an earlier run: that would be a renewal
        while not self.ended.wait(0.02):
            due = int((time.monotonic() - start) * self.rate)
            batch = [take(n * 7919 % self.locks, b"taken-%020d" % (first + n)) for n in range(self.written, due)]
            self.link.sendall(b"".join(batch))
            left = 5 * len(batch)
            while left > 0:
                left -= len(self.link.recv(left))
            self.written = due


def fill(path, locks):
    pipe = subprocess.Popen(["redis-cli", "-s", path, "--pipe"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    for number in range(locks):
        pipe.stdin.write(take(number, b"first-%020d" % number))
    pipe.stdin.close()
    if pipe.wait() != 0:
        sys.exit("bench_scale: redis-cli --pipe failed")


def wait_until(condition, seconds, what):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            sys.exit(f"bench_scale: {what} didn't come within {seconds} s")
        time.sleep(0.2)


def settled(pid):
    """A function that is true once the process has used little CPU for three seconds, and no more memory: on a
    busy machine little CPU alone may be all that it gets."""
    seen = []

    def quiet():
        seen.append((time.monotonic(), cpu_of(pid), memory_of(pid)["rss_mb"]))
        old = [one for one in seen if one[0] < seen[-1][0] - 3]
        return bool(old) and seen[-1][1] - old[-1][1] < 1.0 and seen[-1][2] <= old[-1][2] + 2
    return quiet


class Bench:
    def __init__(self, options):
        self.options, self.started = options, []
        self.folder = options.use or tempfile.mkdtemp(prefix="lk-scale-")
        self.redis, self.agent = f"{self.folder}/redis.sock", f"local:{self.folder}/agent.sock"

    def start(self, *words, **kept):
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, **kept)
        self.started.append(process)
        return process

    def stop(self):
        if self.options.keep or self.options.use:
            self.started = [one for one in self.started if one.args[0] == "Xvfb"]
            print(f"bench_scale: the servers' folder is {self.folder}", file=sys.stderr)
        for process in reversed(self.started):
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
        if not self.options.keep and not self.options.use:
            shutil.rmtree(self.folder)

    def program(self, name):
        return os.path.join(self.options.bin, name)

    def ctl(self, *words):
        done = subprocess.run([self.program("lockkeeperctl"), "--agent", self.agent, "--json", *words],
                              capture_output=True)
        return done.stdout

    def whole(self):
        line = self.ctl("status")
        return bool(line) and all(s["counts"]["total"] == self.options.locks and s["mode"] == "push"
                                  for s in json.loads(line)["sources"])

    def servers(self):
        self.start("redis-server", "--port", "0", "--unixsocket", self.redis, "--save", "", "--appendonly", "no",
                   "--dir", self.folder, "--notify-keyspace-events", "KA")
        wait_until(lambda: os.path.exists(self.redis), 10, "the Redis server")
        fill(self.redis, self.options.locks)
        with open(f"{self.folder}/agent.toml", "w") as file:
            file.write(f'[agent]\nname = "scale"\ndata_dir = "{self.folder}"\nlisten = ["local:agent.sock"]\n'
                       f'[[source]]\nname = "redis"\nurl = "redis+unix://{self.redis}?db=0"\npush = true\n'
                       '[[source.locks]]\nscheme = "redis.token"\nmatch = "lock:*"\nstuck_after = "10m"\n')
        self.start(self.program("lockkeeper-agent"), "--config", f"{self.folder}/agent.toml", "--log-level", "warning")
        self.first_pass(time.monotonic(), self.started[-1].pid)

    def first_pass(self, start, agent):
        """From the agent's start until each lock's first event is filed."""
        def filed():
            try:
                with contextlib.closing(sqlite3.connect(f"file:{self.folder}/journal.db?mode=ro", uri=True)) as journal:
                    return (journal.execute("SELECT max(seq) FROM events").fetchone()[0] or 0) >= self.options.locks
            except sqlite3.Error:
                return False  # it isn't there yet
        wait_until(filed, 1800, "the first pass")
        self.tell(first_pass_s=round(time.monotonic() - start, 1), agent_cpu_s=round(cpu_of(agent), 1))

    def attach(self):
        """Waits for the agent to know all."""
        wait_until(self.whole, 1800, "the whole table")
        pids = subprocess.run(["pgrep", "-f", f"{self.folder}/agent.toml"], capture_output=True).stdout.split()
        self.agent_pid = int(pids[0])
        wait_until(settled(self.agent_pid), 900, "a quiet agent")

    def display(self):
        environment = dict(os.environ, QT_QPA_PLATFORM="xcb")
        if "DISPLAY" not in os.environ:
            number = 90 + os.getpid() % 400
            self.start("Xvfb", f":{number}", "-screen", "0", "1400x900x24", "-nolisten", "tcp",
                       stderr=subprocess.DEVNULL)
            wait_until(lambda: os.path.exists(f"/tmp/.X11-unix/X{number}"), 10, "the X server")
            environment["DISPLAY"] = f":{number}"
        return environment

    def console(self, view, environment):
        settings = f"{self.folder}/{view}.ini"
        with open(settings, "w") as file:
            file.write(f"[ui]\ndefault_view={view}\n")
        console = self.start(self.program("lockkeeper"), "--agent", self.agent, "--settings", settings,
                             "--log-level", "warning", env=environment)
        # A busy agent takes its time before the first page, in which the console is quiet as well.
        whole = 50 + 500 * self.options.locks // 2**20
        wait_until(lambda: memory_of(console.pid)["rss_mb"] >= whole, 900, "the console's table")
        wait_until(settled(console.pid), 600, "a quiet console")
        quiet = memory_of(console.pid)
        writer = Writer(self.redis, self.options.locks, self.options.rate)
        writer.start()
        time.sleep(5)
        pids = {"console": console.pid, "agent": self.agent_pid}
        before, wall, written = {n: cpu_of(p) for n, p in pids.items()}, time.monotonic(), writer.written
        if self.options.profile:
            subprocess.run(["perf", "record", "-g", "-F", "499", "-o", self.options.profile, "-p", str(console.pid),
                            "--", "sleep", str(self.options.seconds)], stderr=subprocess.DEVNULL)
        else:
            time.sleep(self.options.seconds)
        wall = time.monotonic() - wall
        share = {f"{n}_cpu": round((cpu_of(p) - before[n]) / wall, 3) for n, p in pids.items()}
        self.tell(view=view, rate=round((writer.written - written) / wall), **share, quiet_mb=quiet["rss_mb"],
                  **memory_of(console.pid))
        writer.ended.set()
        writer.join()
        console.terminate()
        console.wait()

    def listing(self):
        """Time and memory of `lockkeeperctl --json locks`, and the agent's part in it."""
        agent, wall = cpu_of(self.agent_pid), time.monotonic()
        with open(f"{self.folder}/locks.jsonl", "wb") as out:
            ctl = subprocess.Popen([self.program("lockkeeperctl"), "--agent", self.agent, "--json", "locks"], stdout=out)
            usage = os.wait4(ctl.pid, 0)[2]
        wall = time.monotonic() - wall
        with open(f"{self.folder}/locks.jsonl", "rb") as lines:
            count = sum(1 for _ in lines)
        self.tell(listing=count, wall_s=round(wall, 2), client_cpu_s=round(usage.ru_utime + usage.ru_stime, 2),
                  agent_cpu_s=round(cpu_of(self.agent_pid) - agent, 2), peak_mb=usage.ru_maxrss // 1024)

    def tell(self, **figures):
        print(json.dumps({"locks": self.options.locks, **figures, "load": os.getloadavg()[0]}), flush=True)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--bin", default="build/bench/bin")
    options.add_argument("--locks", type=int, default=100000)
    options.add_argument("--rate", type=int, default=5000)
    options.add_argument("--seconds", type=int, default=20)
    options.add_argument("--views", default="locks,overview")
    options.add_argument("--listing", action="store_true")
    options.add_argument("--keep", action="store_true")
    options.add_argument("--use", metavar="FOLDER")
    options.add_argument("--profile", help="writes what perf records of the console to this file")
    bench = Bench(options.parse_args())
    try:
        if not bench.options.use:
            bench.servers()
        bench.attach()
        if bench.options.listing:
            bench.listing()
        environment = bench.display() if bench.options.views else {}
        for view in filter(None, bench.options.views.split(",")):
            bench.console(view, environment)
    finally:
        bench.stop()


if __name__ == "__main__":
    main()
