-- SPDX-FileCopyrightText: 2026 The Lockkeeper authors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- What every mapped table of locks is read by, in any dialect. `-- [name]` begins a statement. What stands
-- in braces is filled in by shared/stores/sql/statements.h, which also documents it.

-- The clock is a table of one row so that it is read once a statement and not computed for each row.
-- [row]
SELECT {row} FROM (SELECT {now_us} AS lockkeeper_now_us) AS lockkeeper_clock, {table}

-- [first_page]
{include:row} WHERE {locks} ORDER BY {order} LIMIT {bind:limit}

-- [next_page]
{include:row} WHERE {after} AND {locks} ORDER BY {order} LIMIT {bind:limit}

-- [first_page_like]
{include:row} WHERE {like} AND {locks} ORDER BY {order} LIMIT {bind:limit}

-- [next_page_like]
{include:row} WHERE {after} AND {like} AND {locks} ORDER BY {order} LIMIT {bind:limit}

-- [one]
{include:row} WHERE {this} AND {locks}
