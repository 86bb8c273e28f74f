-- SPDX-FileCopyrightText: 2026 The Lockkeeper authors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Begins every guarded force-release. Each of them is one script, all checks and the write in one atomic
-- operation. A freshness argument is '' (not compared), '<ms>' (exact), '-1' (no deadline), or
-- '~<ms>+<slack>' from servers without PEXPIRETIME: in [ms, ms + slack]. '0': nothing was there then, and no
-- deadline is it.
-- Answers  {word, seconds, microseconds} by this server's clock; word is one of
--          released, holder_changed, already_free, not_expired
local now = redis.call('TIME')

local function in_ms(time)
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end

local now_ms = in_ms(now)

local function answer(word)
  return {word, now[1], now[2]}
end

local function deadline_is(key, seen)
  if seen == '-1' then -- asked as it was read: users have the right to one of the two
    local ends = redis.pcall('PEXPIRETIME', key)
    return (type(ends) == 'number' and ends or redis.call('PTTL', key)) == -1
  end
  if seen == '0' then return false end
  local low, slack = string.match(seen, '^~(%d+)%+(%d+)$')
  if not low then
    return string.format('%.0f', redis.call('PEXPIRETIME', key)) == seen
  end
  -- What came before may have taken its time: long keys are copied for every command.
  local earliest = in_ms(redis.call('TIME'))
  local left = redis.call('PTTL', key)
  local latest = in_ms(redis.call('TIME'))
  if left < 0 then return false end -- guard: some deadline
  if latest + left < tonumber(low) - 2 then return false end -- guard: not sooner
  if earliest + left > tonumber(low) + tonumber(slack) + 2 then return false end -- guard: not later
  return true
end

-- The error where this user may not run the command (words); nil where it may, or where the server can't tell.
local function forbidden(...)
  if redis.acl_check_cmd and not redis.acl_check_cmd(...) then
    return redis.error_reply("NOPERM this user has no permissions to run the '" .. string.lower((...)) ..
                             "' command")
  end
end

-- In a cluster Redisson listens to the channels of the shard alone, where the servers have such (Redis 7, as they have
-- acl_check_cmd); told where this user may.
local function tell_shard(channel, message)
  if redis.acl_check_cmd and redis.acl_check_cmd('SPUBLISH', channel, message) then
    redis.pcall('SPUBLISH', channel, message)
  end
end

