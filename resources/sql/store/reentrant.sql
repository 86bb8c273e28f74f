-- SPDX-FileCopyrightText: 2026 The Lockkeeper authors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- sql.reentrant: a row per lock that stays; the same request may take it again and counts how often.

-- [release]
UPDATE {table} SET {writes} WHERE {this} AND {guard}

-- [release_check]
SELECT COUNT(*) FROM {table} WHERE {this} AND {guard}
