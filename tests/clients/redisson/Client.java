// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
package clients.redisson;

import java.util.concurrent.TimeUnit;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RPermitExpirableSemaphore;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import protocol.Protocol;

/** Redisson's locks: lock, watchdog, fair, spin, fenced, read, write, multi, and permit, a semaphore of one. */
public class Client {
    private static final long kWatchdogMs = 3_000;
    private static RedissonClient redisson;

    private static RLock lockOf(String kind, String name) {
        switch (kind) {
        case "fair":
            return redisson.getFairLock(name);
        case "spin":
            return redisson.getSpinLock(name);
        case "fenced":
            return redisson.getFencedLock(name);
        case "read":
            return redisson.getReadWriteLock(name).readLock();
        case "write":
            return redisson.getReadWriteLock(name).writeLock();
        case "multi":
            return redisson.getMultiLock(redisson.getLock(name), redisson.getLock(name + "-too"));
        default:
            return redisson.getLock(name);
        }
    }

    private static String me() {
        return redisson.getId() + ":" + Thread.currentThread().getId();
    }

    private record Lock(String kind, RLock[] lock) implements Protocol.Client {
        @Override public String acquire(String name, long ttlMs) throws Exception {
            RLock wanted = lockOf(kind, name);
            // Without a lease the watchdog renews.
            if (!(ttlMs == 0 ? wanted.tryLock() : wanted.tryLock(0, ttlMs, TimeUnit.MILLISECONDS)))
                return null;
            lock[0] = wanted;
            return me();
        }

        @Override public boolean release() {
            try {
                lock[0].unlock();
                return true;
            } catch (IllegalMonitorStateException gone) {
                return false;
            }
        }

        @Override public String take(String name) {
            lock[0] = lockOf(kind, name);
            lock[0].lock();
            return me();
        }

        @Override public String await(String name) {
            String owner = take(name);
            release();
            return owner;
        }
    }

    private record Permit(String[] held, RPermitExpirableSemaphore[] semaphore) implements Protocol.Client {
        @Override public String acquire(String name, long ttlMs) throws Exception {
            semaphore[0] = redisson.getPermitExpirableSemaphore(name);
            if (!semaphore[0].isExists())
                semaphore[0].trySetPermits(1);
            String permit = semaphore[0].tryAcquire(0, ttlMs, TimeUnit.MILLISECONDS);
            if (permit != null)
                held[0] = permit;
            return permit;
        }

        @Override public boolean release() {
            return semaphore[0].tryRelease(held[0]);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Config config = new Config();
        config.setLockWatchdogTimeout(kWatchdogMs).setThreads(2).setNettyThreads(2);
        if (Protocol.env("REDIS_CLUSTER_PORT") != null)
            config.useClusterServers().addNodeAddress("redis://127.0.0.1:" + Protocol.env("REDIS_CLUSTER_PORT"))
                .setCheckSlotsCoverage(false).setMasterConnectionMinimumIdleSize(1).setMasterConnectionPoolSize(8)
                .setSubscriptionConnectionMinimumIdleSize(1);
        else
            config.useSingleServer().setAddress("redis://127.0.0.1:" + Protocol.env("REDIS_PORT"))
                .setConnectionMinimumIdleSize(1).setConnectionPoolSize(8)
                .setSubscriptionConnectionMinimumIdleSize(1);
        redisson = Redisson.create(config);
        Protocol.serve(kind -> kind.equals("permit") ? new Permit(new String[1], new RPermitExpirableSemaphore[1])
                                                     : new Lock(kind, new RLock[1]));
    }
}
