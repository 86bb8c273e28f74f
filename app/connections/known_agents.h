// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/transport/address.h"

#include <QCoreApplication>

namespace lockkeeper::app::connections {

/**
 * The certificates by which this user knows agents over TLS: one per line, "tls://HOST:PORT SHA256:…", like
 * the known hosts of ssh. It is read before each connection, and rewritten as a whole when the user decides
 * to trust an agent.
 */
class KnownAgents
{
    Q_DECLARE_TR_FUNCTIONS(KnownAgents)

public:
    /** lockkeeper/known_agents in the user's folder for configurations. */
    static QString defaultFile();
    /**
     * The fingerprint known for this address; empty if none. A malformed line is an Error, because its
     * meaning is unknown.
     */
    static base::Result<QByteArray> fingerprintAt(const transport::Address &address, const QString &file);
    /** From now on, only this fingerprint identifies the agent at this address. */
    static base::Result<void> trust(const transport::Address &address, const QByteArray &fingerprint,
                                    const QString &file);
};

} // namespace lockkeeper::app::connections
