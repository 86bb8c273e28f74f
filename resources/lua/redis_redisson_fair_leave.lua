-- SPDX-FileCopyrightText: 2026 The Lockkeeper authors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Leaves the queue of a fair lock; after redis_redisson_queue.lua. ARGV[2] the channel, ARGV[3] how long a place is
-- kept beyond its turn, in milliseconds, ARGV[4] as ARGV[3] in redis_redisson_unlock.lua. Answers 1.
local behind = false
for _, other in ipairs(redis.call('LRANGE', queue, 0, -1)) do
  if behind then redis.call('ZINCRBY', timeouts, -tonumber(ARGV[3]), other) end
  behind = behind or other == me
end
redis.call('ZREM', timeouts, me)
redis.call('LREM', queue, 0, me)
if kind == 'none' and first == me then wake_first(ARGV[2], ARGV[4]) end -- it may have been told that the lock is free
return 1
