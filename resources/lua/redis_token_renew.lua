-- SPDX-FileCopyrightText: 2026 The Lockkeeper authors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Moves the deadline of one's own lease. KEYS[1] the lock, ARGV[1] one's token, ARGV[2] the new TTL in
-- milliseconds. Answers 1, or 0 where the lease is somebody else's or over.
if redis.call('TYPE', KEYS[1]).ok ~= 'string' then return 0 end
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])
