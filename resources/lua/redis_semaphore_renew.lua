-- SPDX-FileCopyrightText: 2026 The Lockkeeper authors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Refreshes a permit that hasn't run out. KEYS[1] the sorted set, ARGV[1] the identifier, ARGV[2] how long a permit
-- lasts in milliseconds. Answers 1, or 0 where it is gone.
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
if redis.call('TYPE', KEYS[1]).ok ~= 'zset' then return 0 end
local score = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not score or tonumber(score) + tonumber(ARGV[2]) <= now then return 0 end
redis.call('ZADD', KEYS[1], string.format('%.0f', now), ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
