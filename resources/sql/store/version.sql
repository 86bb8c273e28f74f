-- SPDX-FileCopyrightText: 2026 The Lockkeeper authors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- sql.version: nobody holds it, so there is nothing to break; a writer compares and increments.

-- [client_version]
SELECT {bytes:version} FROM {table} WHERE {this}

-- [client_increment]
UPDATE {table} SET {col:version} = {col:version} + 1 WHERE {this} AND {same:version:version}
