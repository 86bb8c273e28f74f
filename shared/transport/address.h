// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"

#include <QString>

namespace lockkeeper::transport {

inline constexpr int kTlsPort = 7420; ///< default port of a TLS address

/**
 * Where an agent is reached: at a local socket of this machine ("local:PATH"), at a local socket of another
 * machine over ssh ("ssh://[USER@]HOST[:PORT][/SOCKET]"), or over TLS ("tls://HOST[:PORT]"). Plain values.
 */
struct Address
{
    QString path;      ///< absolute path of the socket; empty (over ssh only): the default path there
    QString host = {}; ///< name, alias or address as ssh takes it; empty: this machine
    QString user = {}; ///< user on the other machine; empty: as ssh is configured
    int port = 0;      ///< port of the ssh server (0: as ssh is configured), or of the agent over TLS
    bool isTls = false;
    /** At the address of a hub: the agent behind it; empty: the hub itself, or an agent. Not part of text().
     */
    QString agent = {};

    bool isLocal() const { return host.isEmpty(); }
    /** In the form of parseAddress(). */
    QString text() const;
    bool operator==(const Address &) const = default;
};

/**
 * Reads an address. A relative local path is resolved against `baseDir`. "tcp://…" is always refused, because
 * Lockkeeper never uses an unprotected network socket. An ssh address is refused if it contains a password,
 * or a user or host that ssh or a shell could misread, for instance as an option.
 */
base::Result<Address> parseAddress(const QString &text, const QString &baseDir);

/** The default address of this machine's agent: the user's socket if it exists, otherwise the system's. */
QString defaultAddress();

} // namespace lockkeeper::transport
