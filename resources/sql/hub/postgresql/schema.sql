-- SPDX-FileCopyrightText: 2026 The Lockkeeper authors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Runs before the numbered files, each time. Roles belong to the whole server: an existing one is kept.

DO $$
BEGIN
    IF current_setting('server_version_num')::int < 130000 THEN
        RAISE EXCEPTION 'PostgreSQL 13 or later is needed' USING ERRCODE = '0A000';
    END IF;
    IF current_setting('server_encoding') <> 'UTF8' THEN
        RAISE EXCEPTION 'the database''s encoding is %, and must be UTF8', current_setting('server_encoding')
            USING ERRCODE = '0A000';
    END IF;
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'lockkeeper_agent') THEN
        CREATE ROLE lockkeeper_agent NOLOGIN;
    END IF;
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'lockkeeper_reader') THEN
        CREATE ROLE lockkeeper_reader NOLOGIN;
    END IF;
END $$;
CREATE SCHEMA IF NOT EXISTS lockkeeper;
CREATE TABLE IF NOT EXISTS lockkeeper.meta(
    key text PRIMARY KEY,          -- version: the newest applied file; oldest_writer: of the agents that still fit
    value bigint NOT NULL
);
