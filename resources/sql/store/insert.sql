-- SPDX-FileCopyrightText: 2026 The Lockkeeper authors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- sql.insert: the row's presence is the lock.

-- [release]
DELETE FROM {table} WHERE {this} AND {guard}

-- [release_check]
SELECT COUNT(*) FROM {table} WHERE {this} AND {guard}

-- [client_release]
DELETE FROM {table} WHERE {include:own}
