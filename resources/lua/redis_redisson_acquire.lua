-- SPDX-FileCopyrightText: 2026 The Lockkeeper authors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Takes a lock as Redisson does, or enters it once more. KEYS[1] the lock, KEYS[2] the counter of a fenced lock or
-- nothing, ARGV[1] uuid:threadId, ARGV[2] the TTL in milliseconds. Answers the fencing token, 0 without one; or a
-- list where somebody else holds the lock: what is left of the lease in milliseconds, -1 for ever.
if redis.call('EXISTS', KEYS[1]) == 1 then
  if redis.call('TYPE', KEYS[1]).ok ~= 'hash' or redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then
    return {redis.call('PTTL', KEYS[1])}
  end
end
local fencing = KEYS[2] and redis.call('INCR', KEYS[2]) or 0 -- first, so that an error takes nothing
redis.call('HINCRBY', KEYS[1], ARGV[1], 1)
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return fencing
