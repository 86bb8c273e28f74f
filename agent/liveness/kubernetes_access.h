// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"

#include <QJsonObject>
#include <QSslConfiguration>
#include <QUrl>

namespace lockkeeper::agent::liveness {

/** How to reach a cluster's API. */
struct KubernetesAccess
{
    QUrl server;
    QByteArray token; ///< empty: none
    QSslConfiguration tls;
};

/**
 * Reads a kubeconfig's current context. Errors: NotFound (a file), Usage (its content), Unsupported (a login
 * by a program, or a server whose certificate isn't to be verified).
 */
base::Result<KubernetesAccess> readKubeconfig(const QString &path);

/** The account of the pod that this agent runs in. Its token is replaced every hour: read it for each use. */
base::Result<KubernetesAccess> inClusterAccess();

/** The object in a kubeconfig: JSON, or the part of YAML in which kubectl writes it. Error: Usage. */
base::Result<QJsonObject> parseKubeconfig(const QByteArray &text);

} // namespace lockkeeper::agent::liveness
