-- SPDX-FileCopyrightText: 2026 The Lockkeeper authors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- The statements that read any mapped table, in any dialect. `-- [name]` begins a statement.
-- shared/stores/sql/tables/statements.h fills in and documents the placeholders in braces.

-- The clock is a one-row table, so that the server reads it once a statement instead of once a row.
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

-- The rows that may be held, found through the index of the deadlines: those whose deadline hadn't passed `ttl_us`
-- (negative) ago, and those without one. A single statement, so that all rows are of one moment.
-- [held]
{include:row}{by_expiry} -- ?expires_at
WHERE {locks} AND ({col:expires_at} >= {later:expires_at} OR {col:expires_at} IS NULL) LIMIT {bind:limit} -- ?expires_at

-- [nameless]
{include:row} WHERE {nameless} LIMIT {bind:limit} -- ?name

-- [one]
{include:row} WHERE {this}{status}

-- The statements of a lock client. It recognizes its own row by the generated id, by the token in the holder's or
-- request's column, or by the exact time of acquisition, never by the name alone.
-- [own]
{this} {own_row}

-- [free]
{this} AND ({is_free})

-- [client_exists]
SELECT 1 FROM {table} WHERE {this}

-- [client_insert]
INSERT INTO {table} ({columns}) VALUES ({values}){returning}

-- [client_insert_fenced]
INSERT INTO {table} ({columns}) VALUES ({values}){returning}{fence} -- ?id

-- [client_fence]
SELECT {bytes:version} FROM {table} WHERE {include:own} -- ?version

-- [client_renew]
UPDATE {table} SET {renewal} WHERE {include:own}

-- [client_still_held]
SELECT 1 FROM {table} WHERE {include:own}
