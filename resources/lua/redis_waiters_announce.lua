-- SPDX-FileCopyrightText: 2026 The Lockkeeper authors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Shows who waits for a lock. KEYS[1] the sorted set beside it, ARGV[1] for how many milliseconds, then each one's
-- id. Whoever didn't say so again in time is removed.
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now))
for i = 2, #ARGV do
  redis.call('ZADD', KEYS[1], string.format('%.0f', now + tonumber(ARGV[1])), ARGV[i])
end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return 1
