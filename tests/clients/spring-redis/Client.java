// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
package clients.springredis;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.integration.redis.util.RedisLockRegistry;
import protocol.Protocol;

/**
 * Spring Integration's RedisLockRegistry; each client is an application with a registry of its own. Those of the kind
 * "lock" try again by themselves, those of the kind "pubsub" sleep on a message.
 */
public class Client implements Protocol.Client {
    private static LettuceConnectionFactory factory;
    private final String kind;
    private RedisLockRegistry registry;
    private long registryTtl;
    private String key;
    private Lock lock;

    private Client(String kind) {
        this.kind = kind;
    }

    private RedisLockRegistry registryFor(long ttlMs) {
        RedisLockRegistry made = new RedisLockRegistry(factory, "spring-redis", ttlMs);
        if (kind.equals("pubsub"))
            made.setRedisLockType(RedisLockRegistry.RedisLockType.PUB_SUB_LOCK);
        return made;
    }

    @Override public String acquire(String name, long ttlMs) throws Exception {
        if (registry == null || registryTtl != ttlMs) { // the lease is the registry's
            registry = registryFor(ttlMs);
            registryTtl = ttlMs;
        }
        Lock wanted = registry.obtain(name);
        if (!wanted.tryLock(50, TimeUnit.MILLISECONDS))
            return null;
        lock = wanted;
        key = name;
        return new StringRedisTemplate(factory).opsForValue().get("spring-redis:" + name);
    }

    @Override public boolean renew(long ttlMs) {
        try {
            registry.renewLock(key);
            return true;
        } catch (IllegalStateException gone) {
            return false;
        }
    }

    @Override public boolean release() {
        try {
            lock.unlock();
            return true;
        } catch (RuntimeException gone) { // ConcurrentModificationException, IllegalStateException
            return false;
        }
    }

    @Override public String await(String name) {
        Lock wanted = registryFor(60_000).obtain(name);
        wanted.lock();
        String owner = new StringRedisTemplate(factory).opsForValue().get("spring-redis:" + name);
        wanted.unlock();
        return owner;
    }

    public static void main(String[] arguments) throws Exception {
        factory = new LettuceConnectionFactory("127.0.0.1", Protocol.port("REDIS_PORT"));
        factory.afterPropertiesSet();
        factory.start();
        Protocol.serve(Client::new);
    }
}
