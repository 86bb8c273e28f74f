-- SPDX-FileCopyrightText: 2026 The Lockkeeper authors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- The statements of sql.shedlock, in any dialect. `-- [name]` begins a statement. What stands in braces is
-- filled in by shared/stores/sql/statements.h, which also documents it; nothing else is ever put into the
-- text. A line that ends in `-- @term` is one term of the guard.

-- The clock is a table of one row so that it is read once a statement and not computed for each row.
-- [row]
SELECT {shown:name}, {raw:expires_at}, {raw:acquired_at}, {shown:holder}, lockkeeper_now_us
       {odd:expires_at} {odd:acquired_at}
FROM (SELECT {now_us} AS lockkeeper_now_us) AS lockkeeper_clock, {table}

-- [first_page]
{include:row}
ORDER BY {col:name} LIMIT {bind:limit}

-- [next_page]
{include:row}
WHERE {col:name} > {key:name:after}
ORDER BY {col:name} LIMIT {bind:limit}

-- [first_page_like]
{include:row}
WHERE {like}
ORDER BY {col:name} LIMIT {bind:limit}

-- [next_page_like]
{include:row}
WHERE {col:name} > {key:name:after} AND {like}
ORDER BY {col:name} LIMIT {bind:limit}

-- What may be held, by the index of the deadlines: every row whose deadline hadn't passed `ttl_us` (below 0)
-- ago, and those that have none. One statement, and so one moment.
-- [held]
{include:row}{by_expiry}
WHERE {col:expires_at} >= {later:expires_at} OR {col:expires_at} IS NULL LIMIT {bind:limit}

-- [one]
{include:row}
WHERE {col:name} = {key:name:name} AND {bytes:name} = {bind:name}

-- [store_time]
SELECT {now_us}

-- [guard]
WHERE {col:name} = {key:name:name}
  AND {bytes:name} = {bind:name} -- @name
  AND {bytes:holder} = {bind:holder} -- @holder
  AND {text:acquired_at} = {bind:acquired_at} -- @acquired_at
  AND {text:expires_at} = {bind:expires_at} -- @expires_at
  AND {now_us} < {bind:deadline_us} -- @not_expired

-- [release]
UPDATE {table} SET {col:expires_at} = {now_truncated:expires_at}
{include:guard}

-- [release_check]
SELECT COUNT(*) FROM {table}
{include:guard}

-- [client_take]
UPDATE {table}
SET {col:expires_at} = {later:expires_at}, {col:acquired_at} = {now_truncated:acquired_at}, {col:holder} = {bind:holder}
WHERE {col:name} = {key:name:name} AND {bytes:name} = {bind:name} AND {col:expires_at} <= {now:expires_at}

-- [client_exists]
SELECT 1 FROM {table} WHERE {col:name} = {key:name:name}

-- [client_insert]
INSERT INTO {table} ({col:name}, {col:expires_at}, {col:acquired_at}, {col:holder})
VALUES ({key:name:name}, {later:expires_at}, {now_truncated:acquired_at}, {bind:holder})

-- A renewal may wait for the row behind a break. The clock of its beginning would then be earlier than the
-- deadline that the break has set, and the renewal would bring the lease back: hence {moment:}.
-- [client_renew]
UPDATE {table} SET {col:expires_at} = {later:expires_at}
WHERE {col:name} = {key:name:name} AND {bytes:name} = {bind:name} AND {bytes:holder} = {bind:holder}
  AND {col:expires_at} > {moment:expires_at}

-- [client_release]
UPDATE {table} SET {col:expires_at} = {now_truncated:expires_at}
WHERE {col:name} = {key:name:name} AND {bytes:name} = {bind:name} AND {bytes:holder} = {bind:holder}
  AND {col:expires_at} > {moment:expires_at}

-- [client_still_held]
SELECT 1 FROM {table}
WHERE {col:name} = {key:name:name} AND {bytes:name} = {bind:name} AND {bytes:holder} = {bind:holder}
  AND {col:expires_at} > {moment:expires_at}
