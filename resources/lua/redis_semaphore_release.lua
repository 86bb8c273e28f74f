-- SPDX-FileCopyrightText: 2026 The Lockkeeper authors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- The guarded force-release of one permit of redis.semaphore; after redis_guard.lua. Of Redisson's semaphores
-- the permit goes back to the counter, and waiters are told, as by Redisson's own release.
-- KEYS[1]  the sorted set
-- ARGV[1]  the member
-- ARGV[2]  the score seen (freshness); '' not compared
-- ARGV[3]  '1': the permit must have run out by this server's clock
-- ARGV[4]  '1': check everything, write nothing
-- ARGV[5]  milliseconds from the score to the deadline, at least
-- ARGV[6]  Redisson: the channel; Symfony: the member that marks who is there alone, by the same score
-- ARGV[7]  Redisson: the counter, in the same slot
-- ARGV[8]  Redisson: where it may be instead
local key, member = KEYS[1], ARGV[1]
local lease = tonumber(ARGV[5])

-- Whoever took or refreshed a permit last has given the whole set the lease of its clients from then on, and
-- that permit its time as the score: it may be longer than the given one. A year: the score is no such time.
local function seen_lease()
  local ends = redis.pcall('PEXPIRETIME', key)
  if type(ends) ~= 'number' then
    local left = redis.call('PTTL', key)
    ends = left > 0 and in_ms(redis.call('TIME')) + left or -1
  end
  local newest = tonumber(redis.call('ZRANGE', key, -1, -1, 'WITHSCORES')[2])
  if ends < 0 or ends - newest > 31622400000 then return lease end
  return math.max(lease, ends - newest, ends - now_ms)
end

local kind = redis.call('TYPE', key).ok
if kind == 'none' then return answer('already_free') end
if kind ~= 'zset' then return answer('holder_changed') end -- guard: type
local score = redis.call('ZSCORE', key, member)
if not score then return answer('already_free') end -- guard: member
if ARGV[2] ~= '' and score ~= ARGV[2] then return answer('holder_changed') end -- guard: freshness
if ARGV[3] == '1' and not ARGV[6] then lease = seen_lease() end -- guard: lease
if ARGV[3] == '1' and tonumber(score) + lease > now_ms then return answer('not_expired') end -- guard: expired

local counter = ARGV[7]
if ARGV[8] and redis.call('TYPE', counter).ok ~= 'string' and redis.call('TYPE', ARGV[8]).ok == 'string' then
  counter = ARGV[8]
end
if counter then
  local kind_of_counter = redis.call('TYPE', counter).ok
  if kind_of_counter ~= 'string' and kind_of_counter ~= 'none' then return answer('holder_changed') end -- guard: counter
end

if ARGV[4] == '1' then
  return forbidden('ZREM', key, member) or (counter and (forbidden('INCR', counter) or
         forbidden('PUBLISH', ARGV[6], '1'))) or answer('released')
end
if not counter then
  if ARGV[6] and redis.call('ZSCORE', key, ARGV[6]) == score then redis.call('ZREM', key, ARGV[6]) end
  redis.call('ZREM', key, member)
  return answer('released')
end
-- All or nothing, also where a right is missing that the server can't be asked about.
local value = redis.call('INCR', counter)
local told = redis.pcall('PUBLISH', ARGV[6], string.format('%.0f', value))
local taken = redis.pcall('ZREM', key, member)
for _, reply in ipairs({told, taken}) do
  if type(reply) == 'table' and reply.err then
    redis.call('DECR', counter)
    if taken == 1 then redis.call('ZADD', key, score, member) end
    return reply
  end
end
tell_shard(ARGV[6], string.format('%.0f', value))
return answer('released')
