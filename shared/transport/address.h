// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"

#include <QString>

namespace lockkeeper::transport {

inline constexpr int kTlsPort = 7420; ///< of an address without a port

/**
 * Where an agent is reached: at a local socket of this machine ("local:PATH"), at one of another machine that
 * ssh reaches ("ssh://[USER@]HOST[:PORT][/SOCKET]"), or over TLS ("tls://HOST[:PORT]"). Plain values.
 */
struct Address
{
    QString path;      ///< of the socket, absolute; empty, over ssh only: the usual one there
    QString host = {}; ///< name, alias or address as ssh takes it; empty: this machine
    QString user = {}; ///< there; empty: as ssh is configured
    int port = 0;      ///< of the ssh server, 0: as ssh is configured; of the agent over TLS
    bool isTls = false;

    bool isLocal() const { return host.isEmpty(); }
    /** As parseAddress() takes it. */
    QString text() const;
    bool operator==(const Address &) const = default;
};

/**
 * Reads an address. A relative local path is taken from `baseDir`. "tcp://…" is refused for good: there is no
 * unprotected network listener, ever. A password in an ssh address is refused, and what ssh or a shell would
 * take for an option of its own.
 */
base::Result<Address> parseAddress(const QString &text, const QString &baseDir);

/** Where an agent of this machine is looked for: the user's own, where there is one, else the system's. */
QString defaultAddress();

} // namespace lockkeeper::transport
