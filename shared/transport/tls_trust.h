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

/** How a TLS client verifies its agent, and the certificate that the client presents. A plain value. */
struct TlsOptions
{
    QByteArray pin;            ///< known fingerprint of the agent at this address; empty: none known
    bool exactly = false;      ///< require the pin, even if an authority vouches for another certificate
    QList<QSslCertificate> ca; ///< trust only these authorities, no pin; empty: the system's, or the pin
    QList<QSslCertificate> certificate; ///< the client's certificate, with its chain to the authority
    QSslKey key;
};

/** TLS 1.2 or later, the agent's certificate verified. */
QSslConfiguration clientConfiguration(const TlsOptions &options);

/** Why an agent isn't trusted. */
struct Distrust
{
    base::Error error;
    QByteArray unknown; ///< fingerprint of a certificate that the user may decide to trust; empty: none
};

/**
 * Decides from the verification's errors (`found` may be empty) why the agent isn't trusted; empty: it is. A
 * certificate signed by a trusted authority is valid for its host and within its time. Any other certificate
 * is valid only if its fingerprint is the pin, and within its time. A certificate that differs from the pin
 * is refused with both fingerprints.
 */
std::optional<Distrust> distrust(const QList<QSslError> &found, const QSslCertificate &shown,
                                 const TlsOptions &options, const Address &address);

/** Why no TLS connection was made, from the socket's error. `words`: the socket's error text, which may
 * contain OpenSSL's. */
base::Error tlsFailure(int socketError, const QString &words, const Address &address);

/** Why a connection ended before the agent's Welcome; the peer may not be an agent. */
base::Error notAnAgent(const base::Error &end, const Address &address);

} // namespace lockkeeper::transport
