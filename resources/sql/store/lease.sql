-- SPDX-FileCopyrightText: 2026 The Lockkeeper authors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- sql.lease: a row per lock that stays; a holder, a time or a flag distinguishes held from free.

-- [release]
UPDATE {table} SET {writes} WHERE {this} AND {guard}

-- [release_check]
SELECT COUNT(*) FROM {table} WHERE {this} AND {guard}

-- [client_take]
UPDATE {table} SET {take} WHERE {include:free}

-- [client_release]
UPDATE {table} SET {writes} WHERE {include:own}
