-- SPDX-FileCopyrightText: 2026 The Lockkeeper authors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Leaves a lock once, and gives it back with the last time: those who wait are told as Redisson tells them.
-- KEYS[1] the lock, ARGV[1] uuid:threadId, ARGV[2] the channel. Answers 1, or 0 where it is somebody else's.
if redis.call('TYPE', KEYS[1]).ok ~= 'hash' then return 0 end
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 0 end
if redis.call('HINCRBY', KEYS[1], ARGV[1], -1) > 0 then return 1 end
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('PUBLISH', ARGV[2], '0')
return 1
