-- SPDX-FileCopyrightText: 2026 The Lockkeeper authors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- sql.shedlock: a row per lock that stays, held while its deadline is ahead. When the write
-- arrives, the deadline may have passed and the lock may be free: a release never touches such a row.

-- [release]
UPDATE {table} SET {writes} WHERE {this} AND {guard}
  AND {now_us} < {bind:deadline_us} -- @not_expired

-- [release_check]
SELECT COUNT(*) FROM {table} WHERE {this} AND {guard}
  AND {now_us} < {bind:deadline_us} -- @not_expired

-- [client_take]
UPDATE {table} SET {take} WHERE {include:free}

-- A row whose deadline has passed is nobody's. A renewal may wait for the row behind a break. The clock of its
-- beginning would then be earlier than the deadline that the break has set, and the renewal would bring the lease
-- back: hence {moment:}.
-- [own]
AND {col:expires_at} > {moment:expires_at}

-- [client_release]
UPDATE {table} SET {writes} WHERE {include:own}

-- Not before so long after it was taken (lockAtLeastFor).
-- [client_release_later]
UPDATE {table} SET {col:expires_at} = {release_later} WHERE {include:own} -- ?acquired_at
