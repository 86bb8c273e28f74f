-- SPDX-FileCopyrightText: 2026 The Lockkeeper authors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Replaces a value that was seen. KEYS[1] the lock, ARGV[1] the value seen, empty for no key; ARGV[2] the new one,
-- ARGV[3] its TTL in milliseconds. Answers 1, or 0 where something else is there.
local kind = redis.call('TYPE', KEYS[1]).ok
if ARGV[1] == '' then
  if kind ~= 'none' then return 0 end
else
  if kind ~= 'string' then return 0 end
  if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1
