-- SPDX-FileCopyrightText: 2026 The Lockkeeper authors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- The guarded force-release of redis.redisson; after redis_guard.lua. Waiters are woken as Redisson's own
-- unlock wakes them: '0' on the lock's channel, and on that of the fair queue's first.
-- KEYS[1]  the lock
-- ARGV[1]  the deadline seen (freshness)
-- ARGV[2]  '1': the lease must have ended by this server's clock
-- ARGV[3]  '1': check everything, write nothing
-- ARGV[4]  the channel
-- ARGV[5]  the fair lock's queue, in the same slot; not among KEYS, so that it need not be writable
-- ARGV[6]  the mode of a read-write lock: 'read', 'write'; '' of any other
-- ARGV[7…] field and count, of every holder seen: at least one
local key, freshness, channel, queue, mode = KEYS[1], ARGV[1], ARGV[4], ARGV[5], ARGV[6]

local kind = redis.call('TYPE', key).ok
if kind == 'none' then return answer('already_free') end
if kind ~= 'hash' then return answer('holder_changed') end -- guard: type
local fields = (#ARGV - 6) / 2
if mode ~= '' then
  fields = fields + 1
  if redis.call('HGET', key, 'mode') ~= mode then return answer('holder_changed') end -- guard: mode
end
if redis.call('HLEN', key) ~= fields then return answer('holder_changed') end -- guard: holders
for at = 7, #ARGV, 2 do
  if redis.call('HGET', key, ARGV[at]) ~= ARGV[at + 1] then return answer('holder_changed') end -- guard: holder and count
end
if freshness ~= '' and not deadline_is(key, freshness) then return answer('holder_changed') end -- guard: freshness
-- Redis ends a lease by its own clock before any command sees the key: one that is there hasn't expired.
if ARGV[2] == '1' then return answer('not_expired') end -- guard: expired

if ARGV[3] == '1' then
  return forbidden('DEL', key) or forbidden('PUBLISH', channel, '0') or answer('released')
end
-- Nobody hears of it before this script has ended: the write comes last, so that no error can follow it.
redis.call('PUBLISH', channel, '0')
tell_shard(channel, '0')
if redis.call('TYPE', queue).ok == 'list' then
  local first = channel .. ':' .. redis.call('LINDEX', queue, 0)
  redis.call('PUBLISH', first, '0')
  tell_shard(first, '0')
end
redis.call('DEL', key)
return answer('released')
