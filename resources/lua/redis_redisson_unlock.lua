-- SPDX-FileCopyrightText: 2026 The Lockkeeper authors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Leaves a lock once, and gives it back with the last time: those who wait are told as Redisson tells them.
-- KEYS[1] the lock, ARGV[1] uuid:threadId, ARGV[2] the channel, ARGV[3] '1': in a cluster, where Redisson listens to
-- the channel of the shard alone if the servers have such (Redis 7). Answers 1, or 0 where it is somebody else's.
if redis.call('TYPE', KEYS[1]).ok ~= 'hash' then return 0 end
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 0 end
if redis.call('HINCRBY', KEYS[1], ARGV[1], -1) > 0 then return 1 end
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('PUBLISH', ARGV[2], '0')
if ARGV[3] == '1' then redis.pcall('SPUBLISH', ARGV[2], '0') end
return 1
