// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/agent/journal/journal_fixture.h"
#include "tests/agent/journal/raw_spans.h"
#include "tests/support/test_program.h"

#include <QCoreApplication>
#include <QProcess>
#include <QRandomGenerator>
#include <QTimer>

#include <csignal>
#include <cstdio>
#include <sys/prctl.h>

namespace tst_journal_kill {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using events::EventKind;

namespace {

/**
 * The process that is killed. It commits batches and releases without end, and prints what the journal
 * confirmed as durable: "e SEQ" and "i AUDIT_ID", a line each.
 */
class Victim : public QObject
{
public:
    explicit Victim(const QString &path) : m_journal(m_clock)
    {
        agent::journal::JournalOptions options;
        options.path = path;
        if (!m_journal.open(options))
            qFatal("the journal can't be opened");
        connect(&m_journal, &agent::journal::Journal::committed, this,
                [this](const QList<events::LockEvent> &events) {
                    std::printf("e %llu\n", static_cast<unsigned long long>(events.last().seq));
                    std::fflush(stdout);
                    appendMore();
                });
        appendMore();
        release();
    }

private:
    void appendMore()
    {
        QList<events::LockEvent> events;
        const int count = 1 + int(m_random.bounded(40u));
        for (int i = 0; i < count; ++i, ++m_made)
            events += lockEvent(m_made % 2 ? EventKind::Released : EventKind::Acquired,
                                "k" + QByteArray::number(m_made / 2 % 50), "w", m_made);
        m_journal.append(events, {{QStringLiteral("orders"), "redis", m_made}});
    }

    void release()
    {
        const QByteArray command = QByteArray::number(m_random.generate64(), 16) + QByteArray::number(m_made);
        m_journal.writeIntent(intentOf(command), [this](const auto &intent) {
            if (!intent)
                qFatal("no intent");
            std::printf("i %lld\n", static_cast<long long>(intent->auditId));
            std::fflush(stdout);
            m_journal.writeOutcome(intent->auditId, domain::Outcome::Released, {},
                                   [this](const auto &) { release(); });
        });
    }

    FakeClock m_clock{1'000'000};
    agent::journal::Journal m_journal;
    QRandomGenerator m_random{QRandomGenerator::securelySeeded()};
    qint64 m_made = 0;
};

} // namespace

class TestJournalKill : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void nothingThatWasToldIsLost();
};

void TestJournalKill::nothingThatWasToldIsLost()
{
    JournalFixture f;
    QVERIFY(f.open());
    const QByteArray id = f.journal->id();
    f.commit({sourceEvent(EventKind::SourceUp, 0)}); // the oldest: retention deletes rows from before it
    f.close();
    quint64 told = 0;
    qint64 toldIntent = 0;
    for (int round = 0; round < 50; ++round) {
        QProcess victim;
        victim.setProgram(QCoreApplication::applicationFilePath());
        victim.setArguments({QStringLiteral("victim"), f.path()});
        victim.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        QByteArray output;
        // Killed after a random number of reports: at another point of its work each time.
        const int reports = 1 + int(QRandomGenerator::global()->bounded(60u));
        connect(&victim, &QProcess::readyRead, &victim, [&] {
            output += victim.readAll();
            if (output.count('\n') >= reports)
                victim.kill();
        });
        victim.start();
        QTRY_COMPARE_WITH_TIMEOUT(victim.state(), QProcess::NotRunning, 30'000);
        output += victim.readAll();
        QVERIFY(output.count('\n') >= reports);
        for (const QByteArray &line : output.first(output.lastIndexOf('\n')).split('\n')) {
            if (line.startsWith("e "))
                told = std::max(told, line.sliced(2).toULongLong());
            else
                toldIntent = std::max(toldIntent, line.sliced(2).toLongLong());
        }
        const auto opened = f.open();
        QVERIFY(opened);
        QCOMPARE(opened->id, id);
        QVERIFY2(opened->lastSeq >= told,
                 qPrintable(QStringLiteral("%1 < %2").arg(opened->lastSeq).arg(told)));
        told = opened->lastSeq;
        protocol::AuditQuery query;
        query.verify = true;
        query.limit = 1000;
        const protocol::AuditPage page = f.audit(query);
        QVERIFY(page.verified);
        // The process may have been killed before it had printed any.
        QVERIFY((page.entries.isEmpty() ? 0 : page.entries.first().id) >= toldIntent);
        for (const domain::AuditEntry &entry : page.entries)
            QVERIFY(entry.outcome != domain::Outcome::Pending);
        f.close();
    }
    QVERIFY(f.open());
    quint64 next = 1;
    for (bool more = true; more;) {
        const protocol::EventPage page = f.replay(next - 1, 1000);
        for (const events::LockEvent &event : page.events)
            QCOMPARE(event.seq, next++);
        more = page.more;
    }
    QCOMPARE(next - 1, told);
    // Each was also killed during a roll-up, and the next one's clock started over.
    f.roll();
    const qint64 untilUs =
        f.sql(QStringLiteral(
                  "SELECT CAST(value AS TEXT) FROM meta WHERE CAST(key AS TEXT) = 'rollup_until_us'"))
            .toLongLong();
    const QList<RawSpan> spans = rawSpans(f.path());
    QVERIFY(spans.size() > 100);
    QCOMPARE(differences(rawRollups(f.path()), countedRollups(spans, untilUs)), QString());
}

LOCKKEEPER_TEST(TestJournalKill)

const tests::RegisteredTest victimProcess("victim", [](int, char **argv) {
    prctl(PR_SET_PDEATHSIG, SIGKILL); // it must not outlive the test
    const Victim one(QString::fromLocal8Bit(argv[1]));
    return QCoreApplication::exec();
});

} // namespace tst_journal_kill

#include "tst_journal_kill.moc"
