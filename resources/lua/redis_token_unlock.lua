-- SPDX-FileCopyrightText: 2026 The Lockkeeper authors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Gives one's own lease back. KEYS[1] the lock, ARGV[1] one's token. Answers 1, or 0 where the lease is
-- somebody else's or over.
-- ARGV[2]  how the lock's other clients wake who waits: 'channel', 'list', 'message'; absent: they don't
-- ARGV[3…] these channels, or lists. What can't be told is left: the lock is free all the same.
if redis.call('TYPE', KEYS[1]).ok ~= 'string' then return 0 end
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[1])
for at = 3, #ARGV do
  if ARGV[2] == 'channel' then
    redis.pcall('PUBLISH', ARGV[at], KEYS[1])
  elseif ARGV[2] == 'message' then
    redis.pcall('PUBLISH', ARGV[at], string.format('{ "key": "%s", "value": "%s" }', KEYS[1], ARGV[1]))
  elseif type(redis.pcall('LPUSH', ARGV[at], '1')) == 'number' then
    redis.pcall('PEXPIRE', ARGV[at], 1000)
  end
end
return 1
