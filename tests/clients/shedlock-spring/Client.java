// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
package clients.shedlockspring;

import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import protocol.Protocol;
import protocol.ShedLock;

/** ShedLock on Redis by Spring Data: the value names time and host. */
public class Client {
    public static void main(String[] arguments) throws Exception {
        LettuceConnectionFactory factory = new LettuceConnectionFactory("127.0.0.1", Protocol.port("REDIS_PORT"));
        factory.afterPropertiesSet();
        factory.start();
        StringRedisTemplate reader = new StringRedisTemplate(factory);
        Protocol.serve(kind -> new ShedLock(new RedisLockProvider(factory, "spring"),
                                            name -> reader.opsForValue().get("job-lock:spring:" + name)));
    }
}
