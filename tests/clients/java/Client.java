// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RPermitExpirableSemaphore;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/**
 * Client KIND PORT: Redisson's locks, told on standard input what to do, a command a line.
 *   acquire NAME TTL_MS    answers "acquired OWNER" or "held"
 *   enter                  acquires once more: "entered"
 *   wait NAME              another thread waits for it: "waiting", and "got" once it has it
 *   release                answers "released" or "lost"
 * KIND: lock, fair, read, write, permit
 */
public class Client {
    private static RedissonClient redisson;
    private static String kind;
    private static RLock lock;
    private static RPermitExpirableSemaphore semaphore;
    private static String permit;

    private static RLock lockNamed(String name) {
        switch (kind) {
        case "fair":
            return redisson.getFairLock(name);
        case "read":
            return redisson.getReadWriteLock(name).readLock();
        case "write":
            return redisson.getReadWriteLock(name).writeLock();
        default:
            return redisson.getLock(name);
        }
    }

    private static String acquire(String name, long ttl) throws Exception {
        if (kind.equals("permit")) {
            semaphore = redisson.getPermitExpirableSemaphore(name);
            semaphore.trySetPermits(3);
            permit = semaphore.tryAcquire(0, ttl, TimeUnit.MILLISECONDS);
            return permit;
        }
        lock = lockNamed(name);
        if (!lock.tryLock(0, ttl, TimeUnit.MILLISECONDS))
            return null;
        return redisson.getId() + ":" + Thread.currentThread().getId();
    }

    private static String release() {
        try {
            if (semaphore != null)
                return semaphore.tryRelease(permit) ? "released" : "lost";
            lock.unlock();
            return "released";
        } catch (IllegalMonitorStateException gone) {
            return "lost";
        }
    }

    private static void waitFor(String name) {
        CompletableFuture.runAsync(() -> {
            RLock other = lockNamed(name);
            other.lock();
            System.out.println("got " + redisson.getId() + ":" + Thread.currentThread().getId());
            other.unlock();
        });
        System.out.println("waiting");
    }

    public static void main(String[] arguments) throws Exception {
        kind = arguments[0];
        Config config = new Config();
        config.useSingleServer().setAddress("redis://127.0.0.1:" + arguments[1])
            .setConnectionMinimumIdleSize(2).setConnectionPoolSize(4);
        redisson = Redisson.create(config);
        System.out.println("ready");
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] words = line.trim().split(" ");
            if (words[0].equals("acquire")) {
                String owner = acquire(words[1], Long.parseLong(words[2]));
                System.out.println(owner == null ? "held" : "acquired " + owner);
            } else if (words[0].equals("enter")) {
                lock.lock();
                System.out.println("entered");
            } else if (words[0].equals("wait")) {
                waitFor(words[1]);
            } else if (words[0].equals("release")) {
                System.out.println(release());
            }
        }
        System.exit(0);
    }
}
