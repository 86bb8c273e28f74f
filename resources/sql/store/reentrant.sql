-- SPDX-FileCopyrightText: 2026 The Lockkeeper authors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- sql.reentrant: a row per lock that stays; the same request may take it again and counts how often.

-- [release]
UPDATE {table} SET {writes} WHERE {this} AND {guard}

-- [release_check]
SELECT COUNT(*) FROM {table} WHERE {this} AND {guard}

-- [client_take]
UPDATE {table} SET {take} WHERE {include:free}

-- [client_release]
UPDATE {table} SET {writes} WHERE {include:own}

-- Before the first row of a lock is inserted, in the same transaction, one of up to 100 slot rows: two inserts
-- into one gap would wait for each other.
-- [client_slot]
SELECT 1 FROM {table} WHERE {this} {for_update}

-- The same request again, which has to give it back as often.
-- [client_enter]
UPDATE {table} SET {col:count} = {col:count} + 1, {renewal} WHERE {include:own} AND NOT ({is_free})

-- [client_leave]
UPDATE {table} SET {col:count} = {col:count} - 1 WHERE {include:own} AND {col:count} > 1
