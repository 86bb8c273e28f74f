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

/** The folder with the token and the authority of a pod's account. */
inline const QString kAccountFolder = QStringLiteral("/var/run/secrets/kubernetes.io/serviceaccount/");
/** The account of the pod that this agent runs in. Its token is replaced every hour: read it for each use.
 * Errors: Usage (the agent runs in no pod), NotFound (the pod has no account). */
base::Result<KubernetesAccess> inClusterAccess(const QString &folder = kAccountFolder);

/** The object in a kubeconfig, which is YAML or JSON. Each of its scalars becomes a text. Error: Usage. */
base::Result<QJsonObject> parseKubeconfig(const QByteArray &text);

} // namespace lockkeeper::agent::liveness
