// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/transport/local_listener.h"

#include <QHash>
#include <QTemporaryDir>

#include <functional>
#include <memory>
#include <vector>

namespace lockkeeper::tests {

/** An agent with prepared answers behind a real socket, in this process. */
class FakeAgent : public QObject
{
    Q_OBJECT

public:
    FakeAgent();

    transport::Address address() const { return {m_folder.filePath(QStringLiteral("a.sock"))}; }
    /** Drops every connection; with `gone`, it also stops listening. */
    void hangUp(bool gone = false);
    void listenAgain();
    /**
     * Shortens the ping interval of later connections, so that `pongs` shows when the client has read
     * everything before.
     */
    void pingOften();
    void sendToAll(const protocol::Message &message);

    QList<domain::LockState> locks;
    std::optional<QList<domain::LockState>> locksAfterReading; ///< the locks after a requested pass
    QList<domain::SourceState> sources;
    QList<events::LockEvent> events;
    QList<protocol::Hold> holds;
    QList<domain::AuditEntry> audit;
    QList<domain::HolderCheck> holderChecks;
    QList<domain::WaitGraph> graphs;
    quint64 slice = 0; ///< numbers in a page of events: an even page has its first event, an odd page none
    protocol::ContentionPage contention;
    protocol::AdvicePage advice;
    protocol::TimelinePage timeline;
    /** True for a question that is answered with Failed; by default none. */
    std::function<bool(const protocol::Message &)> refuses = [](const protocol::Message &) { return false; };
    /** How the answer to a WaitingQuery differs from "observed all the time, and nobody waited". */
    std::function<void(protocol::WaitingPage &page)> waiting = [](protocol::WaitingPage &) {};
    protocol::ProbeResult probe;
    protocol::DiscoverResult discovery;
    protocol::Status status;
    quint64 firstSeq = 1;
    QByteArray journal = "j1";
    QString name = QStringLiteral("dc1");
    QList<domain::ApprovalRequest> approvals;
    QList<domain::Alert> alerts;
    bool alertsLeftOut = false;
    QList<protocol::AlertReceiver> receivers;
    std::optional<base::Error> alertFailure; ///< the answer to an AlertAction or ReceiverTest
    bool answersHistory = true;              ///< false: it closes the connection instead
    int hangsUpAt = 0;      ///< number of the history query that breaks the link; it keeps listening …
    QByteArray journalThen; ///< … with this journal; empty: the same
    bool chainIntact = true;
    qint64 auditRecords = 0;
    std::optional<domain::AuditSignature> auditSignature;
    std::optional<domain::AuditSignature> auditAnchor =
        domain::AuditSignature{3, QByteArray(32, 'h'), 4, QByteArray(16, 'k'), QByteArray(64, 's')};
    /** The answers to Inspect, in order; the last one repeats. Empty: the table's lock. */
    QList<protocol::Inspected> readings;
    protocol::ReleaseResult outcome; ///< Released by default
    bool answersRelease = true;
    int pongs = 0;

    /** Everything that was asked, in order. */
    QList<protocol::Message> asked;
    template <typename T> QList<T> askedFor() const
    {
        QList<T> found;
        for (const protocol::Message &message : asked) {
            if (const T *one = std::get_if<T>(&message))
                found.append(*one);
        }
        return found;
    }

private:
    void take();
    void answer(transport::Channel &channel, const protocol::Message &message);
    protocol::EventPage page(const protocol::HistoryQuery &query) const;
    protocol::Message act(const protocol::AlertAction &action);
    void subscribe(transport::Channel &channel, const protocol::Subscribe &request);
    protocol::Inspected inspect(const protocol::Inspect &request);
    protocol::WaitingPage waitingPage(const protocol::WaitingQuery &query) const;

    QTemporaryDir m_folder;
    transport::LocalListener m_listener;
    std::vector<std::unique_ptr<transport::Channel>> m_channels;
};

/** A held lock, a source that is up and an event, with usual values. */
domain::LockState shownLock(const QByteArray &name, const QByteArray &owner);
domain::SourceState upSource(const QString &name);
events::LockEvent acquired(quint64 seq, const QByteArray &name);

} // namespace lockkeeper::tests
