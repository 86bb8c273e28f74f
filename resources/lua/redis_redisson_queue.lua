-- SPDX-FileCopyrightText: 2026 The Lockkeeper authors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Begins the scripts of Redisson's fair lock: whose place in the queue has run out by the server's clock leaves it.
-- KEYS[1]  the lock
-- KEYS[2]  its queue, a list of uuid:threadId
-- KEYS[3]  until when each of them keeps its place in milliseconds, a sorted set
-- ARGV[1]  uuid:threadId of who asks
local lock, queue, timeouts, me = KEYS[1], KEYS[2], KEYS[3], ARGV[1]
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)

local first = redis.call('LINDEX', queue, 0)
while first do
  local ends = redis.call('ZSCORE', timeouts, first)
  if not ends or tonumber(ends) > now then break end
  redis.call('ZREM', timeouts, first)
  redis.call('LPOP', queue)
  first = redis.call('LINDEX', queue, 0)
end

local kind = redis.call('TYPE', lock).ok
local mine = kind == 'hash' and redis.call('HEXISTS', lock, me) == 1

-- Who stands behind comes so much sooner: `wait` is how long each place is kept beyond its turn.
local function leave_queue(wait)
  if not redis.call('ZSCORE', timeouts, me) then return end
  local behind = false
  for _, other in ipairs(redis.call('LRANGE', queue, 0, -1)) do
    if behind then redis.call('ZINCRBY', timeouts, -wait, other) end
    behind = behind or other == me
  end
  redis.call('ZREM', timeouts, me)
  redis.call('LREM', queue, 0, me)
end

-- Each thread that waits has a channel of its own. `shards` '1': see redis_redisson_unlock.lua.
local function wake_first(channel, shards)
  local next = redis.call('LINDEX', queue, 0)
  if not next then return end
  redis.call('PUBLISH', channel .. ':' .. next, '0')
  if shards == '1' then redis.pcall('SPUBLISH', channel .. ':' .. next, '0') end
end

