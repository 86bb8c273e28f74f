-- SPDX-FileCopyrightText: 2026 The Lockkeeper authors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Version 2. Where the changes that a store pushed ended: written with the events that came of them.

ALTER TABLE sources ADD COLUMN position BLOB NOT NULL DEFAULT x'';
