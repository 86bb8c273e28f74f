// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/liveness/kubernetes_access.h"

#include <QObject>
#include <QSslSocket>

#include <functional>

namespace lockkeeper::agent::liveness {

/**
 * One GET of a cluster's API: no redirect, no proxy, the server's certificate verified, the answer bounded.
 * It asks by HTTP/1.0, which ends an answer with the connection. Calls back once; destroying it cancels it.
 * The caller limits its time.
 */
class BoundedGet : public QObject
{
    Q_OBJECT

public:
    struct HttpAnswer
    {
        int status = 0;
        QByteArray body;
    };
    using Done = std::function<void(const base::Result<HttpAnswer> &)>;

    /** `path`: with its leading slash, percent-encoded. */
    BoundedGet(const KubernetesAccess &access, const QByteArray &path, Done done);
    ~BoundedGet() override;
    /** No call back follows. */
    void cancel();

private:
    void ended();
    void finish(const base::Result<HttpAnswer> &answer);

    QSslSocket m_socket;
    QByteArray m_request;
    QByteArray m_text;
    Done m_done;
};

} // namespace lockkeeper::agent::liveness
