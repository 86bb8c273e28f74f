-- SPDX-FileCopyrightText: 2026 The Lockkeeper authors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- The guarded force-release of a permit of redis.semaphore that is a field of a hash; after redis_guard.lua.
-- KEYS[1]  the hash
-- ARGV[1]  the field
-- ARGV[2]  the hash's deadline seen (freshness)
-- ARGV[3]  '1': the lease must have ended by this server's clock
-- ARGV[4]  '1': check everything, write nothing
-- ARGV[5]  the value seen
-- ARGV[6]  the list on which who waits sleeps, in the same slot; '': there is none
-- A fourth word of the answer, 'not_woken': released, and who waits sleeps until it tries again by itself.
local key, field, freshness = KEYS[1], ARGV[1], ARGV[2]

local kind = redis.call('TYPE', key).ok
if kind == 'none' then return answer('already_free') end
if kind ~= 'hash' then return answer('holder_changed') end -- guard: type
local value = redis.call('HGET', key, field)
if not value then return answer('already_free') end -- guard: field
if value ~= ARGV[5] then return answer('holder_changed') end -- guard: value
if freshness ~= '' and not deadline_is(key, freshness) then return answer('holder_changed') end -- guard: freshness
-- Redis ends the hash by its own clock before any command sees it.
if ARGV[3] == '1' then return answer('not_expired') end -- guard: expired

if ARGV[4] == '1' then return forbidden('HDEL', key, field) or answer('released') end
-- Nobody hears of it before this script has ended. A list that can't be written undoes nothing.
redis.call('HDEL', key, field)
local told
if ARGV[6] ~= '' then
  told = redis.pcall('LPUSH', ARGV[6], '1')
  if type(told) == 'number' then told = redis.pcall('PEXPIRE', ARGV[6], 5000) end
end
local released = answer('released')
if type(told) == 'table' then released[4] = 'not_woken' end
return released
