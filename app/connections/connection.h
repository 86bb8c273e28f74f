// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/connections/saved_agents.h"
#include "shared/protocol/messages.h"
#include "shared/transport/tls_trust.h"

#include <optional>

namespace lockkeeper::app::connections {

/** Everything that a connection to one agent takes. A plain value. */
struct Connection
{
    transport::Address address;
    transport::TlsOptions tls; ///< its files read, and the pin that is known
    QString user;              ///< over TLS; as they are called here unless given
    QByteArray password;       ///< empty: to be asked for

    /** Empty where the password has to be asked for. */
    std::optional<protocol::Login> login() const
    {
        return password.isEmpty() ? std::nullopt : std::optional(protocol::Login{user, password});
    }
};

/**
 * What `text`, an address or a name in the user's agents.toml, and `given` come to. What is given counts more
 * than what stands in the file. The files are read, the reference to a password is followed.
 */
base::Result<Connection> resolveConnection(const QString &text, const QString &baseDir,
                                           const Credentials &given = {});

/** The same of several, separated by a comma and a space. An Error where one of them is refused. */
base::Result<QList<Connection>> resolveConnections(const QString &text, const QString &baseDir);

} // namespace lockkeeper::app::connections
