-- SPDX-FileCopyrightText: 2026 The Lockkeeper authors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Asks whether this user may do in a script what a force-release does. Does none of it. Answers 1, 0, or -1
-- from servers before Redis 7, which can't tell. An error, where the server hasn't got the command.
-- KEYS[1]  a key of the lock set
-- ARGV[1]  what: 'remove' the key, 'take' a member out of it, 'drop' a field of it, 'return' a permit, 'tell' a channel, 'push' to
--          a list
-- ARGV[2]  the channel, or list
local command = {
  remove = {'DEL', KEYS[1]},
  take = {'ZREM', KEYS[1], 'member'},
  drop = {'HDEL', KEYS[1], 'field'},
  ['return'] = {'INCR', KEYS[1]},
  tell = {'PUBLISH', ARGV[2] or '', '0'},
  push = {'LPUSH', ARGV[2] or '', '1'},
}
-- Without arguments it does nothing; the answer tells whether there is such a command.
local bare = redis.pcall(command[ARGV[1]][1])
if type(bare) == 'table' and bare.err and string.find(string.lower(bare.err), 'unknown') then
  return redis.error_reply('ERR unknown command ' .. command[ARGV[1]][1])
end
if not redis.acl_check_cmd then return -1 end
return redis.acl_check_cmd(unpack(command[ARGV[1]])) and 1 or 0
