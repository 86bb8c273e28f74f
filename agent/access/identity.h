// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace lockkeeper::agent::access {

/** Who is at the other end of a session, and how the agent knows. A plain value. */
struct Identity
{
    /** A name counts only together with how it was proven: "root" of a users file isn't the system's. */
    enum class Way : quint8 {
        Local,       ///< the kernel names the user of a local socket (SO_PEERCRED); ssh ends in one too
        Certificate, ///< a client certificate over TLS
        Password,    ///< a name and a password over TLS, as the users file has it
        Pam          ///< the same, as PAM judges it
    };

    Way way = Way::Local;
    QString user;         ///< never empty for a session that stands
    QStringList groups;   ///< Unix groups of a local user, by name; empty otherwise
    QByteArray account{}; ///< Authenticator::accountOf(), when the session began
    bool operator==(const Identity &) const = default;
};

/** The stable name on the wire: "local", "certificate", "password" of either kind. */
QString wayName(Identity::Way way);

} // namespace lockkeeper::agent::access
