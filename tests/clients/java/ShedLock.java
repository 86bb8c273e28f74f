// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
package protocol;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;

/** A client of ShedLock over any of its providers. */
public final class ShedLock implements Protocol.Client {
    /** Whose name the store has. */
    public interface Owner {
        String of(String name);
    }

    private final LockProvider provider;
    private final Owner owner;
    private Optional<SimpleLock> lock = Optional.empty();

    public ShedLock(LockProvider provider, Owner owner) {
        this.provider = provider;
        this.owner = owner;
    }

    @Override public String acquire(String name, long ttlMs) {
        Optional<SimpleLock> taken =
            provider.lock(new LockConfiguration(Instant.now(), name, Duration.ofMillis(ttlMs), Duration.ZERO));
        if (taken.isEmpty())
            return null;
        lock = taken;
        return owner.of(name);
    }

    @Override public boolean renew(long ttlMs) {
        Optional<SimpleLock> longer = lock.get().extend(Duration.ofMillis(ttlMs), Duration.ZERO);
        if (longer.isPresent())
            lock = longer;
        return longer.isPresent();
    }

    /** unlock() doesn't tell whether there was anything to unlock. */
    @Override public boolean release() {
        lock.get().unlock();
        return true;
    }
}
