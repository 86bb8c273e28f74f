-- SPDX-FileCopyrightText: 2026 The Lockkeeper authors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Gives one's own permit back. KEYS[1] the sorted set, ARGV[1] the identifier. Answers 1, or 0 where it is gone.
if redis.call('TYPE', KEYS[1]).ok ~= 'zset' then return 0 end
return redis.call('ZREM', KEYS[1], ARGV[1])
