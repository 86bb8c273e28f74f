-- SPDX-FileCopyrightText: 2026 The Lockkeeper authors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- The guarded force-release of redis.token and redis.json; after redis_guard.lua.
-- KEYS[1]  the lock
-- ARGV[1]  the value seen, never empty
-- ARGV[2]  the deadline seen (freshness)
-- ARGV[3]  '1': the lease must have ended by this server's clock
-- ARGV[4]  '1': check everything, write nothing
-- ARGV[5]  how the client wakes who waits: 'channel', 'list', 'message'; absent: it doesn't
-- ARGV[6…] these channels, or lists
-- A fourth word of the answer, 'not_woken': released, and who waits sleeps until it tries again by itself.
local key, value, freshness = KEYS[1], ARGV[1], ARGV[2]

local kind = redis.call('TYPE', key).ok
if kind == 'none' then return answer('already_free') end
if kind ~= 'string' then return answer('holder_changed') end -- guard: type
if redis.call('STRLEN', key) ~= #value then return answer('holder_changed') end -- guard: length
if redis.call('GETRANGE', key, 0, #value - 1) ~= value then return answer('holder_changed') end -- guard: value
if freshness ~= '' and not deadline_is(key, freshness) then return answer('holder_changed') end -- guard: freshness
-- Redis ends a lease by its own clock before any command sees the key: one that is there hasn't expired.
if ARGV[3] == '1' then return answer('not_expired') end -- guard: expired

if ARGV[4] == '1' then return forbidden('DEL', key) or answer('released') end
-- Nobody hears of anything before this script has ended. Where it may not delete, nobody is woken.
redis.call('DEL', key)
local woken = true
for at = 6, #ARGV do
  local told
  if ARGV[5] == 'channel' then
    told = redis.pcall('PUBLISH', ARGV[at], key)
  elseif ARGV[5] == 'message' then
    told = redis.pcall('PUBLISH', ARGV[at], string.format('{ "key": "%s", "value": "%s" }', key, value))
  else
    told = redis.pcall('LPUSH', ARGV[at], '1')
    if type(told) == 'number' then told = redis.pcall('PEXPIRE', ARGV[at], 1000) end
  end
  if type(told) == 'table' then woken = false end
end
local released = answer('released')
if not woken then released[4] = 'not_woken' end
return released
