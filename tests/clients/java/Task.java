// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
package protocol;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Work that holds a lock from when it begins until it is told to end. */
public final class Task {
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);

    /** Called by the library, within its lock. */
    public void run() {
        begun.countDown();
        try {
            mayEnd.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    public void markEnded() {
        ended.countDown();
    }

    public boolean begins() throws InterruptedException {
        return begun.await(10, TimeUnit.SECONDS);
    }

    public void end() {
        mayEnd.countDown();
    }

    public boolean ends() throws InterruptedException {
        end();
        return ended.await(10, TimeUnit.SECONDS);
    }

    public boolean hasEnded() {
        return ended.getCount() == 0;
    }

    public boolean hasBegun() {
        return begun.getCount() == 0;
    }
}
