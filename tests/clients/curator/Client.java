// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
package clients.curator;

import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.framework.recipes.locks.InterProcessReadWriteLock;
import org.apache.curator.framework.recipes.locks.InterProcessSemaphoreV2;
import org.apache.curator.framework.recipes.locks.Lease;
import org.apache.curator.retry.RetryOneTime;
import protocol.Protocol;

/** Curator's lock, read, write and semaphore (of two); each client has a session of its own. */
public class Client {
    private interface Lock {
        boolean acquire(long ms) throws Exception;

        void release() throws Exception;
    }

    private static Lock of(InterProcessMutex mutex) {
        return new Lock() {
            public boolean acquire(long ms) throws Exception {
                return mutex.acquire(ms, TimeUnit.MILLISECONDS);
            }

            public void release() throws Exception {
                mutex.release();
            }
        };
    }

    private static Lock of(InterProcessSemaphoreV2 semaphore) {
        return new Lock() {
            private Lease lease;

            public boolean acquire(long ms) throws Exception {
                lease = semaphore.acquire(ms, TimeUnit.MILLISECONDS);
                return lease != null;
            }

            public void release() {
                semaphore.returnLease(lease);
            }
        };
    }

    private static Lock lockOf(CuratorFramework curator, String kind, String name) {
        switch (kind) {
        case "read":
            return of(new InterProcessReadWriteLock(curator, name).readLock());
        case "write":
            return of(new InterProcessReadWriteLock(curator, name).writeLock());
        case "semaphore":
            return of(new InterProcessSemaphoreV2(curator, name, 2));
        default:
            return of(new InterProcessMutex(curator, name));
        }
    }

    public static void main(String[] arguments) throws Exception {
        Protocol.serve(kind -> {
            CuratorFramework curator =
                CuratorFrameworkFactory.newClient(Protocol.env("ZOOKEEPER"), 2_000, 5_000, new RetryOneTime(100));
            curator.start();
            curator.blockUntilConnected();
            return new Protocol.Client() {
                private Lock lock;

                private String take(String name, long ms) throws Exception {
                    Lock wanted = lockOf(curator, kind, name);
                    if (!wanted.acquire(ms))
                        return null;
                    lock = wanted;
                    return "0x" + Long.toHexString(curator.getZookeeperClient().getZooKeeper().getSessionId());
                }

                public String acquire(String name, long ttlMs) throws Exception {
                    return take(name, 200);
                }

                public boolean release() throws Exception {
                    lock.release();
                    return true;
                }

                public String take(String name) throws Exception {
                    return take(name, 60_000);
                }
            };
        });
    }
}
