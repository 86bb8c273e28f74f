// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
package clients.shedlockjedis;

import net.javacrumbs.shedlock.provider.redis.jedis4.JedisLockProvider;
import protocol.Protocol;
import protocol.ShedLock;
import redis.clients.jedis.JedisPool;
import redis.clients.jedis.JedisPooled;

/** ShedLock on Redis by Jedis: the value names time and host. */
public class Client {
    public static void main(String[] arguments) throws Exception {
        JedisPool pool = new JedisPool("127.0.0.1", Protocol.port("REDIS_PORT"));
        JedisPooled reader = new JedisPooled("127.0.0.1", Protocol.port("REDIS_PORT"));
        Protocol.serve(kind -> new ShedLock(new JedisLockProvider(pool, "jedis"),
                                            name -> reader.get("job-lock:jedis:" + name)));
    }
}
