// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/journal.h"
#include "agent/journal/query/queries.h"
#include "tests/support/fake_clock.h"

#include <QSqlDatabase>
#include <QTemporaryDir>
#include <QTest>

namespace lockkeeper::tests {

/** A lock state as a Redis token lock has one. */
domain::LockState heldState(const QByteArray &name, const QByteArray &owner, qint64 acquiredUs);

/** An event on the lock `name` of the source "orders"; held afterwards for the kinds that say so. */
events::LockEvent lockEvent(events::EventKind kind, const QByteArray &name, const QByteArray &owner,
                            qint64 timeUs);
/** Somebody begins or ends waiting for the lock `name`, which w1 has held since 100. */
events::LockEvent waitEvent(events::EventKind kind, const QByteArray &name, const QByteArray &waiter,
                            qint64 timeUs, std::optional<qint64> sinceUs = {});
events::LockEvent sourceEvent(events::EventKind kind, qint64 timeUs,
                              const QString &source = QStringLiteral("orders"));

/** Readable text of events for comparisons: "1 acquired a/w1 @100". */
QStringList textOf(const QList<events::LockEvent> &events);
/** "a w1 100-200 released" or "a w1 100- " while it is held. */
QStringList textOf(const QList<protocol::Hold> &holds);

/** A journal in its own folder, and everything that it reported. */
class JournalFixture
{
public:
    JournalFixture();

    QString path() const { return folder.filePath(QStringLiteral("journal.db")); }
    QString auditPath() const { return folder.filePath(QStringLiteral("audit.db")); }
    /** Ends the present journal, if any, and opens the file again. */
    base::Result<agent::journal::Opened> open();
    void close() { journal.reset(); }
    /** Appends and waits until all of it is committed. */
    void commit(const QList<events::LockEvent> &events, const QList<agent::journal::Progress> &progress = {});
    /** Runs SQL on the closed file by another connection; the first column of the first row. */
    QVariant sql(const QString &statement) const { return sqlIn(path(), statement); }
    /** Likewise on the audit's file. */
    QVariant auditSql(const QString &statement) const { return sqlIn(auditPath(), statement); }

    /** Waits for a round that adds up ended spans, and then deletes old rows. */
    void roll();

    /** The queries' answer to `question`; empty, with lastError, where it fails. */
    template <typename Question> auto ask(Question question, const domain::Sight &sight = {})
    {
        using Answer = std::invoke_result_t<Question, agent::journal::Queries &>;
        std::optional<Answer> answer;
        journal->ask(
            std::move(question), [&answer](const Answer &given) { answer = given; }, {}, sight);
        await(answer);
        lastError = answer && !*answer ? answer->error() : base::Error{};
        return answer && *answer ? **answer : typename Answer::value_type{};
    }
    protocol::EventPage history(const protocol::HistoryQuery &query);
    protocol::EventPage replay(quint64 after, int limit);
    QList<protocol::Hold> holds(const protocol::HoldsQuery &query);
    protocol::AuditPage audit(const protocol::AuditQuery &query);
    base::Result<agent::journal::ReleaseIntent> begin(const domain::AuditEntry &intent);
    base::Result<void> decide(qint64 id, const QString &approver, domain::Outcome outcome);
    base::Result<void> end(qint64 id, domain::Outcome outcome);

    /** Waits for a callback's answer. */
    template <typename T> static void await(const std::optional<T> &answer)
    {
        // Polls in shorter steps than QTRY_VERIFY, because a test may wait for a hundred answers.
        QVERIFY(QTest::qWaitFor([&answer] { return answer.has_value(); }, 60'000));
    }

    QTemporaryDir folder;
    FakeClock clock{1'000'000}; ///< near the tests' small times: retention must not take them for old
    agent::journal::JournalOptions options;
    std::unique_ptr<agent::journal::Journal> journal;
    QList<events::LockEvent> committed;
    QList<base::Error> failures;
    int recoveries = 0;
    base::Error lastError; ///< of the last question that failed

private:
    static QVariant sqlIn(const QString &file, const QString &statement);
};

domain::AuditEntry intentOf(const QByteArray &command);

} // namespace lockkeeper::tests
