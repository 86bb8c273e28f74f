// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"
#include "shared/stores/redis/connection/endpoint.h"

#include <QSslConfiguration>
#include <QSslError>

class QSslSocket;

namespace lockkeeper::stores::redis {

/** TLS 1.2 or later as `tls` says; reads the files, each time anew. */
base::Result<QSslConfiguration> configurationOf(const Tls &tls);

/** Of what a check of the server's certificate found: what remains wrong under this way to verify. */
QList<QSslError> objections(const QList<QSslError> &found, Tls::Verify verify);

/** Why the server isn't trusted, and what to do. */
base::Error untrusted(const QList<QSslError> &errors, const Endpoint &endpoint);

/** Why a socket ended that had not failed in a check of ours: the server's alerts in plain words. */
base::Error tlsFailure(const QSslSocket &socket);

} // namespace lockkeeper::stores::redis
