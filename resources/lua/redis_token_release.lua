-- SPDX-FileCopyrightText: 2026 The Lockkeeper authors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- The guarded force-release of scheme redis.token: all checks and the write in one atomic operation.
-- KEYS[1]  the lock
-- ARGV[1]  the value seen (identity), never empty
-- ARGV[2]  the deadline seen (freshness): '' not compared; '<ms>' exact, '-1' none;
--          '~<ms>+<slack>' from servers without PEXPIRETIME: in [ms, ms + slack]
-- ARGV[3]  '1': the lease must have ended by this server's clock
-- ARGV[4]  '1': check everything, write nothing
-- Answers  {word, seconds, microseconds} by this server's clock; word is one of
--          released, holder_changed, already_free, not_expired
local key, value, freshness = KEYS[1], ARGV[1], ARGV[2]
local now = redis.call('TIME')

local function answer(word)
  return {word, now[1], now[2]}
end

local function deadline_is(seen)
  local low, slack = string.match(seen, '^~(%d+)%+(%d+)$')
  if not low then
    return string.format('%.0f', redis.call('PEXPIRETIME', key)) == seen
  end
  local left = redis.call('PTTL', key)
  local at = tonumber(now[1]) * 1000 + math.floor(tonumber(now[2]) / 1000) + left
  return left >= 0 and at >= tonumber(low) - 2 and at <= tonumber(low) + tonumber(slack) + 2
end

local kind = redis.call('TYPE', key).ok
if kind == 'none' then return answer('already_free') end
if kind ~= 'string' then return answer('holder_changed') end -- guard: type
if redis.call('STRLEN', key) ~= #value then return answer('holder_changed') end -- guard: length
if redis.call('GETRANGE', key, 0, #value - 1) ~= value then return answer('holder_changed') end -- guard: value
if freshness ~= '' and not deadline_is(freshness) then return answer('holder_changed') end -- guard: freshness
-- Redis ends a lease by its own clock before any command sees the key: one that is there hasn't expired.
if ARGV[3] == '1' then return answer('not_expired') end -- guard: expired

if ARGV[4] == '1' then
  if redis.acl_check_cmd and not redis.acl_check_cmd('DEL', key) then
    return redis.error_reply("NOPERM this user has no permissions to run the 'del' command")
  end
  return answer('released')
end
redis.call('DEL', key)
return answer('released')
