-- SPDX-FileCopyrightText: 2026 The Lockkeeper authors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Leaves a fair lock once, and gives it back with the last time, or leaves its queue: the first of that is told; after
-- redis_redisson_queue.lua. ARGV[2] the channel, ARGV[3] as in redis_redisson_unlock.lua, ARGV[4] how long a place is
-- kept beyond its turn, in milliseconds. Answers 1, or 0 where the lock is somebody else's or free.
if not mine then
  leave_queue(tonumber(ARGV[4]))
  if kind == 'none' then wake_first(ARGV[2], ARGV[3]) end -- its lease ran out, or who left was told that it is free
  return 0
end
if redis.call('HINCRBY', lock, me, -1) > 0 then return 1 end
redis.call('HDEL', lock, me)
wake_first(ARGV[2], ARGV[3])
return 1
