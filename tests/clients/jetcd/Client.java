// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
package clients.jetcd;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.lease.LeaseKeepAliveResponse;
import io.etcd.jetcd.support.CloseableClient;
import io.etcd.jetcd.support.Observers;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import protocol.Protocol;

/** jetcd's lock and election; each client has a lease of its own, of two seconds, that it keeps alive. */
public class Client {
    private static ByteSequence bytes(String text) {
        return ByteSequence.from(text, StandardCharsets.UTF_8);
    }

    public static void main(String[] arguments) throws Exception {
        Protocol.serve(kind -> {
            io.etcd.jetcd.Client etcd = io.etcd.jetcd.Client.builder().endpoints("http://" + Protocol.env("ETCD")).build();
            long lease = etcd.getLeaseClient().grant(2).get().getID();
            CloseableClient alive =
                etcd.getLeaseClient().keepAlive(lease, Observers.<LeaseKeepAliveResponse>builder().build());
            boolean elects = kind.equals("election");
            return new Protocol.Client() {
                private ByteSequence key;
                private io.etcd.jetcd.election.LeaderKey leader;
                private final CloseableClient kept = alive;

                private CompletableFuture<Void> taken(String name) {
                    if (elects)
                        return etcd.getElectionClient()
                            .campaign(bytes(name), lease, bytes("node-1"))
                            .thenAccept(response -> leader = response.getLeader());
                    return etcd.getLockClient().lock(bytes(name), lease).thenAccept(response -> key = response.getKey());
                }

                private String take(String name, long ms) throws Exception {
                    CompletableFuture<Void> wanted = taken(name);
                    try {
                        wanted.get(ms, TimeUnit.MILLISECONDS);
                    } catch (TimeoutException held) {
                        wanted.cancel(true);
                        return null;
                    }
                    return Long.toHexString(lease);
                }

                public String acquire(String name, long ttlMs) throws Exception {
                    return take(name, 5_000);
                }

                public boolean release() throws Exception {
                    if (elects)
                        etcd.getElectionClient().resign(leader).get();
                    else
                        etcd.getLockClient().unlock(key).get();
                    return true;
                }

                public String take(String name) throws Exception {
                    return take(name, 60_000);
                }
            };
        });
    }
}
