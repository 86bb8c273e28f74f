// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace lockkeeper::agent::access {

/** The user at the other end of a session, and how the agent knows the name. A plain value. */
struct Identity
{
    /** A name counts only together with its proof: "root" in a users file isn't the system's root. */
    enum class LoginWay : quint8 {
        Local,       ///< the kernel names the user of a local socket (SO_PEERCRED), also via ssh
        Certificate, ///< a client certificate over TLS
        Password,    ///< name and password over TLS, checked against the users file
        Pam          ///< name and password over TLS, checked by PAM
    };

    LoginWay way = LoginWay::Local;
    QString user;         ///< never empty in an accepted session
    QStringList groups;   ///< Unix groups of a local user, by name; empty otherwise
    QByteArray account{}; ///< `Authenticator::accountOf()` at the session's start
    bool operator==(const Identity &) const = default;
};

/** The stable name on the wire: "local", "certificate", and "password" for both kinds of password. */
QString wayName(Identity::LoginWay way);

} // namespace lockkeeper::agent::access
