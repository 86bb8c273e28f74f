-- SPDX-FileCopyrightText: 2026 The Lockkeeper authors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Takes a fair lock where it is free and it is one's turn, or enters it once more; after redis_redisson_queue.lua. Who
-- waits and has it already was given it by an answer that was lost: that counts once.
-- KEYS[4]  the counter of acquisitions, or nothing
-- ARGV[2]  the TTL in milliseconds
-- ARGV[3]  how long a place in the queue is kept beyond its turn, in milliseconds
-- ARGV[4]  '1': who doesn't get the lock stands in the queue
-- Answers as redis_redisson_acquire.lua does.
local wait = tonumber(ARGV[3])
if mine or (kind == 'none' and (not first or first == me)) then
  local fencing = KEYS[4] and redis.call('INCR', KEYS[4]) or 0
  if not mine then
    if first then
      redis.call('LPOP', queue)
      redis.call('ZREM', timeouts, me)
    end
    for _, other in ipairs(redis.call('ZRANGE', timeouts, 0, -1)) do
      redis.call('ZINCRBY', timeouts, -wait, other) -- one turn less to wait for
    end
  end
  if not (mine and ARGV[4] == '1') then redis.call('HINCRBY', lock, me, 1) end
  redis.call('PEXPIRE', lock, ARGV[2])
  return fencing
end

local left = redis.call('PTTL', lock)
if ARGV[4] == '1' and not redis.call('ZSCORE', timeouts, me) then
  local last = redis.call('LINDEX', queue, -1)
  local turn = last and redis.call('ZSCORE', timeouts, last)
  turn = turn and tonumber(turn) or now + math.max(left, 0)
  redis.call('ZADD', timeouts, string.format('%.0f', turn + wait), me)
  redis.call('RPUSH', queue, me)
end
return {left}
