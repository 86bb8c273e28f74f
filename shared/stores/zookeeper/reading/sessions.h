// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/zookeeper/connection/zookeeper_link.h"

#include <QElapsedTimer>
#include <QHash>

namespace lockkeeper::stores::zookeeper {

/** A session, as reported by the server that its client is connected to. */
struct ReportedSession
{
    QByteArray address; ///< host and port
    qint64 timeoutMs = 0;

    bool operator==(const ReportedSession &) const = default;
};

/** "0x100012ab34cd0001", as ZooKeeper writes it. */
QByteArray sessionText(qint64 session);

/** The sessions in an answer to "cons". Pure. */
QHash<qint64, ReportedSession> clientsOf(const QByteArray &cons);

/**
 * The clients of the sessions, as far as the servers show them. Each server is asked "cons", at most every
 * five seconds, and not at all once it has refused.
 */
class Sessions : public QObject
{
    Q_OBJECT

public:
    explicit Sessions(const Ensemble &ensemble) : m_ensemble(ensemble) {}

    /** Asks again, in the background, where one of `sessions` isn't known. */
    void want(const QList<qint64> &sessions);
    std::optional<ReportedSession> client(qint64 session) const;
    void clear();

private:
    void ask(const Host &server);

    Ensemble m_ensemble;
    QHash<QString, QHash<qint64, ReportedSession>> m_clients; ///< by server
    QList<QString> m_mute;                                    ///< servers that don't answer "cons"
    QElapsedTimer m_asked;
};

} // namespace lockkeeper::stores::zookeeper
