// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/connections/saved_agents.h"
#include "shared/protocol/messages.h"
#include "shared/transport/tls_trust.h"

#include <optional>

namespace lockkeeper::app::connections {

/** All settings of a connection to one agent. A plain value. */
struct Connection
{
    transport::Address address;
    transport::TlsOptions tls; ///< with the files' contents and the known pin
    QString user;              ///< over TLS; the local user's name unless given
    QByteArray password;       ///< empty: to be prompted for

    /** Empty if the password has to be prompted for. */
    std::optional<protocol::Login> login() const
    {
        return password.isEmpty() ? std::nullopt : std::optional(protocol::Login{user, password});
    }
};

/**
 * Combines `text`, an address or a name in the user's agents.toml, with `given`, which overrides the file.
 * Reads the files and resolves the reference to a password.
 */
base::Result<Connection> resolveConnection(const QString &text, const QString &baseDir,
                                           const Credentials &given = {});

/** Does the same for several, separated by a comma and a space. An Error if any of them is refused. */
base::Result<QList<Connection>> resolveConnections(const QString &text, const QString &baseDir);

} // namespace lockkeeper::app::connections
