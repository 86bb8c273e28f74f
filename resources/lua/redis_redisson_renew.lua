-- SPDX-FileCopyrightText: 2026 The Lockkeeper authors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- What the watchdog of Redisson does. KEYS[1] the lock, ARGV[1] uuid:threadId, ARGV[2] the new TTL in
-- milliseconds. Answers 1, or 0 where the lock is somebody else's or free.
if redis.call('TYPE', KEYS[1]).ok ~= 'hash' then return 0 end
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])
