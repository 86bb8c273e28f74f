// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"
#include "shared/stores/source_spec.h"

#include <QSslConfiguration>
#include <QSslError>

namespace lockkeeper::stores {

/** How a link is encrypted. */
struct Tls
{
    enum class Verify : quint8 {
        Full, ///< the chain and the host's name
        Ca,   ///< the chain
        Off,  ///< nothing: encrypted, but the peer isn't verified
    };
    QString ca;   ///< file of PEM certificates; empty: the system's
    QString cert; ///< file of the client's certificate and its chain; empty: none
    QString key;
    Verify verify = Verify::Full;

    bool operator==(const Tls &) const = default;
};

/** Reads the source's tls_* keys. */
Tls tlsOf(const SourceSpec &spec);

/** TLS 1.2 or later as `tls` says; reads the files each time. */
base::Result<QSslConfiguration> configurationOf(const Tls &tls);

/** The errors among `found`, from a check of the server's certificate, that `verify` doesn't accept. */
QList<QSslError> objections(const QList<QSslError> &found, Tls::Verify verify);

/** Why the server isn't trusted, and what to do. */
base::Error untrusted(const QList<QSslError> &errors, const QString &host);

} // namespace lockkeeper::stores
