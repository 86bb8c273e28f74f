-- SPDX-FileCopyrightText: 2026 The Lockkeeper authors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Asks whether this user may do in a script what a force-release does. Does none of it. Answers 1, 0, or -1
-- from servers before Redis 7, which can't tell.
-- KEYS[1]  a key of the lock set
-- ARGV[1]  what: 'remove' the key, 'take' a member out of it, 'drop' a field of it, 'return' a permit, 'tell' a channel, 'push' to
--          a list
-- ARGV[2]  the channel, or list
if not redis.acl_check_cmd then return -1 end
local command = {
  remove = {'DEL', KEYS[1]},
  take = {'ZREM', KEYS[1], 'member'},
  drop = {'HDEL', KEYS[1], 'field'},
  ['return'] = {'INCR', KEYS[1]},
  tell = {'PUBLISH', ARGV[2] or '', '0'},
  push = {'LPUSH', ARGV[2] or '', '1'},
}
return redis.acl_check_cmd(unpack(command[ARGV[1]])) and 1 or 0
