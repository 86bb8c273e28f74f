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
    /** Drops every connection; with `gone` nobody listens any more either. */
    void hangUp(bool gone = false);
    void listenAgain();
    /** From the next connection on pings come at once, so that `pongs` tells that all before was read. */
    void pingOften();
    void sendToAll(const protocol::Message &message);

    QList<domain::LockState> locks;
    std::optional<QList<domain::LockState>> locksAfterReading; ///< what a pass that a client asks for finds
    QList<domain::SourceState> sources;
    QList<events::LockEvent> events;
    QList<protocol::Hold> holds;
    QList<domain::AuditEntry> audit;
    QList<domain::WaitGraph> graphs;
    quint64 slice = 0; ///< of so many numbers a page of events tells the first; none of them, if that is odd
    protocol::ContentionPage contention;
    /** How the answer to a WaitingQuery differs from "observed all the time, and nobody waited". */
    std::function<void(protocol::WaitingPage &page)> waiting = [](protocol::WaitingPage &) {};
    protocol::ProbeResult probe;
    protocol::DiscoverResult discovery;
    QStringList features{QStringLiteral("chains")};
    protocol::Status status;
    quint64 firstSeq = 1;
    QByteArray journal = "j1";
    QString name = QStringLiteral("dc1");
    QList<domain::ApprovalRequest> approvals;
    bool answersHistory = true; ///< else it hangs up when it is asked
    int hangsUpAt = 0;          ///< of the questions for the history; it goes on listening …
    QByteArray journalThen;     ///< … with this journal; empty: the same
    bool chainIntact = true;
    qint64 auditRecords = 0;
    std::optional<domain::AuditSignature> auditSignature;
    std::optional<domain::AuditSignature> auditAnchor =
        domain::AuditSignature{3, QByteArray(32, 'h'), 4, QByteArray(16, 'k'), QByteArray(64, 's')};
    /** What Inspect finds, one after another; the last one stays. Empty: the lock of the table. */
    QList<protocol::Inspected> readings;
    protocol::ReleaseResult outcome; ///< Released unless told otherwise
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
