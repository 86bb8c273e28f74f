// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/hub/pg_connection.h"

#include <QStringList>

namespace lockkeeper::agent::hub {

/** The row of numbers in lockkeeper.meta. */
struct HubVersion
{
    int newest = 0;       ///< the number of the last applied file
    int oldestWriter = 0; ///< agents that know an older schema may not write
};

/** The number of the last file NNNN_*.sql that this build knows. */
int newestHubSchema();

/** Unsupported, if an agent of this build can't write into that schema. */
base::Result<void> checkHubVersion(const HubVersion &version);

/** The whole schema for psql, in one transaction. Fails on a database that has it. */
QByteArray hubSchemaText();

/**
 * Installs the schema, or the files that are newer than the installed ones. All in one transaction, under an
 * advisory lock, so that several calls at once end with one installation. `owner` is a role that then owns
 * the schema; empty: the role that logs in. Returns the names of the applied files; empty: nothing was to do.
 * Errors: those of PgConnection; Unsupported for a schema that is newer than this build.
 */
base::Result<QStringList> installHubSchema(PgConnection &connection, const QString &owner = {});

} // namespace lockkeeper::agent::hub
