// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/transport/address.h"

#include <QSslCertificate>
#include <QSslConfiguration>
#include <QSslError>
#include <QSslKey>

#include <optional>

namespace lockkeeper::transport {

/** How a client over TLS knows its agent, and what it shows of itself. A plain value. */
struct TlsOptions
{
    QByteArray pin;            ///< fingerprint by which the agent is known at this address; empty: it isn't
    bool exactly = false;      ///< no other than the pin, also where an authority vouches for another
    QList<QSslCertificate> ca; ///< these authorities alone, and no pin; empty: the system's, or the pin
    QList<QSslCertificate> certificate; ///< the client's own, with those that lead to its authority
    QSslKey key;
};

/** TLS 1.2 or later, the agent's certificate verified. */
QSslConfiguration clientConfiguration(const TlsOptions &options);

/** Why an agent isn't trusted. */
struct Distrust
{
    base::Error error;
    QByteArray unknown; ///< fingerprint of a certificate that a person may decide to trust; empty: nobody may
};

/**
 * Judges what the verification found, which may be nothing. A certificate that an authority vouches for is
 * good for its host and its time; one that none vouches for is good where it is the one that is known, and in
 * its time. A changed one is refused with both fingerprints.
 */
std::optional<Distrust> distrust(const QList<QSslError> &found, const QSslCertificate &shown,
                                 const TlsOptions &options, const Address &address);

/** Why no TLS connection came about, from the socket's error. `words`: its own, OpenSSL's among them. */
base::Error tlsFailure(int socketError, const QString &words, const Address &address);

/** Why a connection ended before the agent's Welcome, where the peer may be something else. */
base::Error notAnAgent(const base::Error &end, const Address &address);

} // namespace lockkeeper::transport
