-- SPDX-FileCopyrightText: 2026 The Lockkeeper authors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Asks whether this user may delete KEYS[1] in a script. Writes nothing. Answers 1, 0, or -1 from servers
-- before Redis 7, which can't tell.
if not redis.acl_check_cmd then return -1 end
return redis.acl_check_cmd('DEL', KEYS[1]) and 1 or 0
