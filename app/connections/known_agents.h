// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/transport/address.h"

#include <QCoreApplication>

namespace lockkeeper::app::connections {

/**
 * The certificates by which this user knows agents over TLS: a line each, "tls://HOST:PORT SHA256:…", as ssh
 * keeps its known hosts. Read by whoever is about to connect; written as a whole when somebody decides to
 * trust one.
 */
class KnownAgents
{
    Q_DECLARE_TR_FUNCTIONS(KnownAgents)

public:
    /** lockkeeper/known_agents in the user's folder for configurations. */
    static QString defaultFile();
    /** The fingerprint at this address; empty: none is known. A line that is none is refused: what it was
     * meant to say nobody knows. */
    static base::Result<QByteArray> fingerprintAt(const transport::Address &address, const QString &file);
    /** From now on the agent at this address is known by it, and by nothing else. */
    static base::Result<void> trust(const transport::Address &address, const QByteArray &fingerprint,
                                    const QString &file);
};

} // namespace lockkeeper::app::connections
