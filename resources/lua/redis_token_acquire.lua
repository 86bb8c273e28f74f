-- SPDX-FileCopyrightText: 2026 The Lockkeeper authors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Takes a lock as SET NX PX does, and counts the acquisition. KEYS[1] the lock, KEYS[2] its counter, ARGV[1] one's
-- token, ARGV[2] the TTL in milliseconds. Answers the fencing token, or a list where somebody holds the lock: what is
-- left of the lease in milliseconds, -1 for ever.
if redis.call('EXISTS', KEYS[1]) == 1 then return {redis.call('PTTL', KEYS[1])} end
-- First, so that an error takes nothing. A new counter begins at the time in microseconds: above all that one that was
-- lost, or has ended, can have reached.
local fencing = redis.call('INCR', KEYS[2])
if fencing == 1 then
  local now = redis.call('TIME')
  fencing = tonumber(now[1]) * 1000000 + tonumber(now[2])
  redis.call('SET', KEYS[2], string.format('%.0f', fencing), 'PX', 604800000)
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return fencing
