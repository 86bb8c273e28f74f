// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/postgres_server.h"

#include <QTemporaryDir>

namespace lockkeeper::tests {

/** A private PgBouncer before a PostgresServer, on a unix socket, with `pool_mode = transaction` and two
 * connections to the server. It ends with this object. */
class PgBouncer
{
public:
    ~PgBouncer();

    /** Whether it is installed. */
    static bool isThere();
    /** False with a message on standard error. */
    bool start(const PostgresServer &server);
    /** As PostgresServer::url(), through the pooler. */
    QUrl url() const;

private:
    QTemporaryDir m_folder{QStringLiteral("/tmp/lockkeeper-pool-XXXXXX")};
    QProcess m_process;
    int m_port = 0;
};

} // namespace lockkeeper::tests
