// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/agent/journal/fault_injection.h"
#include "tests/agent/journal/journal_fixture.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QRegularExpression>

namespace tst_journal_audit {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using domain::Outcome;

namespace {

constexpr int kEntries = 5;

/** Five releases, each with its outcome: records 1 to 10, ids 1 to 5. */
void fill(JournalFixture &f)
{
    for (int i = 1; i <= kEntries; ++i) {
        const auto intent = f.begin(intentOf("cmd" + QByteArray::number(i)));
        QVERIFY(intent);
        QCOMPARE(intent->auditId, i);
        QVERIFY(f.end(intent->auditId, i % 2 ? Outcome::Released : Outcome::HolderChanged));
    }
}

protocol::AuditPage verified(JournalFixture &f)
{
    protocol::AuditQuery query;
    query.verify = true;
    return f.audit(query);
}

} // namespace

class TestJournalAudit : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void intentAndOutcome();
    void isDurableBeforeItIsAnswered();
    void repeatedCommandGetsTheRecordedEntry();
    void secondOutcomeIsNotWritten();
    void whatIsFoundOfAnUnknownFollowsOnce();
    void commandIdIsNeeded();
    void isPendingUntilItIsAnswered();
    void interruptedIntentBecomesUnknown();
    void requestsAreDecidedInTheChain();
    void whatAwaitsADecisionEndsWithTheAgent_data();
    void whatAwaitsADecisionEndsWithTheAgent();
    void whatProvesThatALockWasSeen_data();
    void whatProvesThatALockWasSeen();
    void pages();
    void entryOfACommand();
    void appendOnlyInSql();
    void tampering_data();
    void tampering();
    void tamperingWhileRunning();
    void headFileBehindIsCaughtUp();
    void headIsNotMendedAfterTampering();
};

void TestJournalAudit::intentAndOutcome()
{
    JournalFixture f;
    QVERIFY(f.open());
    f.clock.setWallUs(5'000);
    const auto intent = f.begin(intentOf("c1"));
    QVERIFY(intent);
    QVERIFY(!intent->recorded);
    domain::AuditEntry expected = intentOf("c1");
    expected.id = 1;
    QCOMPARE(f.audit({}).entries, QList{expected});
    QVERIFY(f.end(1, Outcome::AlreadyFree));
    expected.outcome = Outcome::AlreadyFree;
    expected.outcomeTimeUs = 5'000;
    expected.detail = QStringLiteral("detail");
    const protocol::AuditPage page = verified(f);
    QCOMPARE(page.entries, QList{expected});
    QVERIFY(page.verified);
    QVERIFY(!page.firstBadId);
    QCOMPARE(page.checkedUs, 5'000);
}

void TestJournalAudit::isDurableBeforeItIsAnswered()
{
    JournalFixture f;
    QVERIFY(f.open());
    const int before = FaultInjection::syncs();
    f.commit({lockEvent(events::EventKind::Acquired, "a", "w", 1)});
    QCOMPARE(FaultInjection::syncs(), before); // synchronous = NORMAL: events aren't synced one by one
    QVERIFY(f.begin(intentOf("c1")));
    const int afterIntent = FaultInjection::syncs();
    QVERIFY(afterIntent > before);
    // The head file is written by Qt, whose sync is not SQLite's: the write-ahead log must have been synced
    // as well.
    QVERIFY2(afterIntent - before >= 2, qPrintable(QString::number(afterIntent - before)));
    QVERIFY(f.end(1, Outcome::Released));
    QVERIFY(FaultInjection::syncs() - afterIntent >= 2);
}

void TestJournalAudit::repeatedCommandGetsTheRecordedEntry()
{
    JournalFixture f;
    QVERIFY(f.open());
    QVERIFY(f.begin(intentOf("c1")));
    const auto early = f.begin(intentOf("c1"));
    QVERIFY(early && early->recorded);
    QCOMPARE(early->recorded->outcome, Outcome::Pending);
    QVERIFY(f.end(1, Outcome::Released));
    const auto late = f.begin(intentOf("c1"));
    QVERIFY(late && late->recorded);
    QCOMPARE(late->auditId, 1);
    QCOMPARE(late->recorded->outcome, Outcome::Released);
    QCOMPARE(f.audit({}).entries.size(), 1);
    QVERIFY(f.open()); // and over a restart
    const auto restarted = f.begin(intentOf("c1"));
    QVERIFY(restarted && restarted->recorded);
}

void TestJournalAudit::secondOutcomeIsNotWritten()
{
    JournalFixture f;
    QVERIFY(f.open());
    QVERIFY(f.begin(intentOf("c1")));
    QVERIFY(f.end(1, Outcome::Released));
    QVERIFY(f.end(1, Outcome::Refused));
    QCOMPARE(f.audit({}).entries.first().outcome, Outcome::Released);
}

void TestJournalAudit::whatIsFoundOfAnUnknownFollowsOnce()
{
    JournalFixture f;
    QVERIFY(f.open());
    QVERIFY(f.begin(intentOf("c1")));
    QVERIFY(f.end(1, Outcome::Unknown));
    QVERIFY(f.end(1, Outcome::Unknown)); // written again: the same
    QVERIFY(f.end(1, Outcome::Released));
    QVERIFY(f.end(1, Outcome::Refused));
    QCOMPARE(f.audit({}).entries.first().outcome, Outcome::Released);
    QVERIFY(f.open());
    const protocol::AuditPage page = verified(f);
    QVERIFY(page.verified && !page.firstBadId);
    QCOMPARE(page.entries.size(), 1);
    QCOMPARE(page.entries.first().outcome, Outcome::Released);
}

void TestJournalAudit::commandIdIsNeeded()
{
    JournalFixture f;
    QVERIFY(f.open());
    const auto refused = f.begin(intentOf({}));
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, base::ErrorCode::Usage);
    f.journal->close();
    const auto closed = f.begin(intentOf("c"));
    QVERIFY(!closed);
    QCOMPARE(closed.error().code, base::ErrorCode::Shutdown);
}

/** The count includes a write that an answer's callback requests. */
void TestJournalAudit::isPendingUntilItIsAnswered()
{
    JournalFixture f;
    QVERIFY(f.open());
    f.journal->writeIntent(intentOf("c1"), [&f](const base::Result<agent::journal::ReleaseIntent> &intent) {
        f.journal->writeOutcome(intent->auditId, Outcome::Released, {}, [](const base::Result<void> &) {});
    });
    QCOMPARE(f.journal->pendingAudits(), 1);
    QTRY_COMPARE_WITH_TIMEOUT(f.journal->pendingAudits(), 0, 60'000);
    QCOMPARE(f.audit({}).entries.constFirst().outcome, Outcome::Released);
}

void TestJournalAudit::requestsAreDecidedInTheChain()
{
    JournalFixture f;
    QVERIFY(f.open());
    domain::AuditEntry request = intentOf("c1");
    request.outcome = Outcome::AwaitingApproval;
    QVERIFY(f.begin(request));
    QCOMPARE(f.audit({}).entries.first().outcome, Outcome::AwaitingApproval);
    QCOMPARE(f.begin(request)->recorded->outcome, Outcome::AwaitingApproval);
    QVERIFY(f.decide(1, QStringLiteral("bob"), Outcome::Pending));
    const domain::AuditEntry decided = f.audit({}).entries.first();
    QCOMPARE(decided.outcome, Outcome::Pending);
    QCOMPARE(decided.who, QStringLiteral("ada"));
    QCOMPARE(decided.approver, QStringLiteral("bob"));
    QVERIFY(f.end(1, Outcome::Unknown));
    QVERIFY(f.end(1, Outcome::Released)); // found out later
    const protocol::AuditPage page = verified(f);
    QVERIFY(page.verified);
    QCOMPARE(page.entries.first().outcome, Outcome::Released);
    QCOMPARE(page.entries.first().approver, QStringLiteral("bob"));
    QVERIFY(page.entries.first().intact);
    QVERIFY(!f.decide(1, QStringLiteral("eve"), Outcome::Pending)); // once
}

void TestJournalAudit::whatAwaitsADecisionEndsWithTheAgent_data()
{
    QTest::addColumn<bool>("decided");
    QTest::addColumn<int>("decision");
    QTest::addColumn<int>("outcome");
    QTest::addColumn<int>("interrupted");
    QTest::newRow("nobody decided") << false << 0 << int(Outcome::Ended) << 0;
    QTest::newRow("rejected") << true << int(Outcome::Rejected) << int(Outcome::Rejected) << 0;
    QTest::newRow("approved: it may have been sent")
        << true << int(Outcome::Pending) << int(Outcome::Unknown) << 1;
}

void TestJournalAudit::whatAwaitsADecisionEndsWithTheAgent()
{
    QFETCH(bool, decided);
    QFETCH(int, decision);
    QFETCH(int, outcome);
    QFETCH(int, interrupted);
    JournalFixture f;
    QVERIFY(f.open());
    domain::AuditEntry request = intentOf("c1");
    request.outcome = Outcome::AwaitingApproval;
    QVERIFY(f.begin(request));
    if (decided)
        QVERIFY(f.decide(1, QStringLiteral("bob"), Outcome(decision)));
    const auto opened = f.open();
    QVERIFY(opened);
    QCOMPARE(opened->interruptedReleases, interrupted);
    const protocol::AuditPage page = verified(f);
    QVERIFY(page.verified);
    QCOMPARE(int(page.entries.first().outcome), outcome);
    QCOMPARE(page.entries.first().approver, decided ? QStringLiteral("bob") : QString());
}

void TestJournalAudit::interruptedIntentBecomesUnknown()
{
    JournalFixture f;
    QVERIFY(f.open());
    fill(f);
    QVERIFY(f.begin(intentOf("open1")));
    QVERIFY(f.begin(intentOf("open2")));
    f.clock.setWallUs(9'000'000);
    const auto opened = f.open();
    QVERIFY(opened);
    QCOMPARE(opened->interruptedReleases, 2);
    const protocol::AuditPage page = verified(f);
    QVERIFY(page.verified);
    QCOMPARE(page.entries.size(), kEntries + 2);
    QCOMPARE(page.entries.first().outcome, Outcome::Unknown);
    QCOMPARE(page.entries.first().outcomeTimeUs, std::optional<qint64>(9'000'000));
    QVERIFY(!page.entries.first().detail.isEmpty());
    QCOMPARE(f.open()->interruptedReleases, 0);
}

void TestJournalAudit::whatProvesThatALockWasSeen_data()
{
    QTest::addColumn<int>("outcome"); // -1: still pending
    QTest::addColumn<bool>("seen");
    QTest::newRow("released") << int(Outcome::Released) << true;
    QTest::newRow("in part") << int(Outcome::Partial) << true;
    QTest::newRow("another holder") << int(Outcome::HolderChanged) << true;
    QTest::newRow("free by then") << int(Outcome::AlreadyFree) << true;
    QTest::newRow("unknown") << int(Outcome::Unknown) << true;
    QTest::newRow("refused") << int(Outcome::Refused) << false;
    QTest::newRow("unreachable") << int(Outcome::Unreachable) << false;
    QTest::newRow("pending") << -1 << false;
}

/** A lock without events: of its audit entries, only those that prove a reading count. */
void TestJournalAudit::whatProvesThatALockWasSeen()
{
    QFETCH(const int, outcome);
    QFETCH(const bool, seen);
    JournalFixture f;
    QVERIFY(f.open());
    QVERIFY(f.begin(intentOf("c1")));
    if (outcome >= 0)
        QVERIFY(f.end(1, Outcome(outcome)));
    const auto wasSeen = [&f](const domain::LockKey &key) {
        return f.ask([key](agent::journal::Queries &queries) { return queries.wasSeen(key); });
    };
    domain::LockKey key = intentOf({}).key;
    QCOMPARE(wasSeen(key), seen);
    key.place = "db1";
    QVERIFY(!wasSeen(key));
    key.name = "lock:b";
    f.commit({lockEvent(events::EventKind::Acquired, "lock:b", "w", 1)});
    QVERIFY(!wasSeen(key));
    key.place = "db0";
    QVERIFY(wasSeen(key));
}

void TestJournalAudit::pages()
{
    JournalFixture f;
    QVERIFY(f.open());
    fill(f);
    protocol::AuditQuery query;
    query.limit = 2;
    QList<qint64> ids;
    for (bool more = true; more;) {
        const protocol::AuditPage page = f.audit(query);
        for (const domain::AuditEntry &entry : page.entries) {
            ids += entry.id;
            QVERIFY(entry.intact);
        }
        more = page.more;
        query.beforeId = ids.last();
    }
    QCOMPARE(ids, (QList<qint64>{5, 4, 3, 2, 1}));
}

void TestJournalAudit::entryOfACommand()
{
    JournalFixture f;
    QVERIFY(f.open());
    fill(f);
    const QList<domain::AuditEntry> all = f.audit({}).entries;
    protocol::AuditQuery query;
    query.command = all.at(2).command;
    QCOMPARE(f.audit(query).entries, QList<domain::AuditEntry>{all.at(2)});
    query.command = "none";
    QCOMPARE(f.audit(query).entries, QList<domain::AuditEntry>());
}

void TestJournalAudit::appendOnlyInSql()
{
    JournalFixture f;
    QVERIFY(f.open());
    fill(f);
    f.close();
    QTest::ignoreMessage(QtWarningMsg, QRegularExpression(QStringLiteral("append-only")));
    f.auditSql(QStringLiteral("UPDATE audit_log SET who = 'eve'"));
    QTest::ignoreMessage(QtWarningMsg, QRegularExpression(QStringLiteral("append-only")));
    f.auditSql(QStringLiteral("DELETE FROM audit_log"));
    QCOMPARE(f.auditSql(QStringLiteral("SELECT count(*) FROM audit_log WHERE who <> 'eve'")).toInt(),
             2 * kEntries);
}

void TestJournalAudit::tampering_data()
{
    QTest::addColumn<QStringList>("changes");
    QTest::addColumn<qint64>("firstBad");
    const auto row = [](const char *name, qint64 firstBad, const QStringList &changes) {
        QTest::newRow(name) << changes << firstBad;
    };
    row("untouched", 0, {});
    const QStringList columns{QStringLiteral("t_us"),   QStringLiteral("who"),      QStringLiteral("role"),
                              QStringLiteral("source"), QStringLiteral("scheme"),   QStringLiteral("place"),
                              QStringLiteral("name"),   QStringLiteral("holder"),   QStringLiteral("reason"),
                              QStringLiteral("guard"),  QStringLiteral("approver"), QStringLiteral("command"),
                              QStringLiteral("prev"),   QStringLiteral("hash")};
    for (const QString &column : columns) {
        const QString value = column == QLatin1String("t_us") ? QStringLiteral("7") : QStringLiteral("x'aa'");
        row(qPrintable(QLatin1String("edited ") + column), 3,
            {QStringLiteral("UPDATE audit_log SET %1 = %2 WHERE record = 5").arg(column, value)});
    }
    row("edited because", 3, {QStringLiteral("UPDATE audit_log SET because = 2 WHERE record = 5")});
    row("edited outcome", 3,
        {QStringLiteral("UPDATE audit_log SET outcome = 0 WHERE record = 6")
             .replace(QLatin1String("= 0"), QLatin1String("= 3"))});
    row("edited detail", 3, {QStringLiteral("UPDATE audit_log SET detail = x'00' WHERE record = 6")});
    row("edited first", 1, {QStringLiteral("UPDATE audit_log SET who = x'00' WHERE record = 1")});
    row("edited last", 5, {QStringLiteral("UPDATE audit_log SET who = x'00' WHERE record = 10")});
    row("deleted one", 3, {QStringLiteral("DELETE FROM audit_log WHERE record = 5")});
    row("deleted entry", 4, {QStringLiteral("DELETE FROM audit_log WHERE audit_id = 3")});
    row("deleted the first", 2, {QStringLiteral("DELETE FROM audit_log WHERE audit_id = 1")});
    row("deleted and renumbered", 4,
        {QStringLiteral("DELETE FROM audit_log WHERE audit_id = 3"),
         QStringLiteral("UPDATE audit_log SET record = record - 2 WHERE record > 6")});
    row("reordered", 3,
        {QStringLiteral("UPDATE audit_log SET record = 100 WHERE record = 5"),
         QStringLiteral("UPDATE audit_log SET record = 5 WHERE record = 6"),
         QStringLiteral("UPDATE audit_log SET record = 6 WHERE record = 100")});
    row("truncated", 5, {QStringLiteral("DELETE FROM audit_log WHERE audit_id = 5")});
    row("truncated with its head", 5,
        {QStringLiteral("DELETE FROM audit_log WHERE audit_id = 5"),
         QStringLiteral("UPDATE meta SET value = '8' WHERE key = x'61756469745f636f756e74'"),
         QStringLiteral("UPDATE meta SET value = (SELECT hash FROM audit_log WHERE record = 8) "
                        "WHERE key = x'61756469745f68656164'")});
    row("emptied", 1, {QStringLiteral("DELETE FROM audit_log")});
    row("emptied with its head", 1,
        {QStringLiteral("DELETE FROM audit_log"),
         QStringLiteral("DELETE FROM meta WHERE key IN "
                        "(x'61756469745f636f756e74', x'61756469745f68656164')")});
    row("head of the table lost", 6,
        {QStringLiteral("DELETE FROM meta WHERE key = x'61756469745f68656164'")});
}

void TestJournalAudit::tampering()
{
    QFETCH(QStringList, changes);
    QFETCH(qint64, firstBad);
    JournalFixture f;
    QVERIFY(f.open());
    fill(f);
    f.close();
    f.auditSql(QStringLiteral("DROP TRIGGER audit_log_keeps"));
    f.auditSql(QStringLiteral("DROP TRIGGER audit_log_stays"));
    for (const QString &change : changes)
        f.auditSql(change);
    QVERIFY(f.open());
    const protocol::AuditPage page = verified(f);
    QCOMPARE(page.verified, firstBad == 0);
    QCOMPARE(page.firstBadId.value_or(0), firstBad);
}

void TestJournalAudit::tamperingWhileRunning()
{
    JournalFixture f;
    QVERIFY(f.open());
    fill(f);
    f.auditSql(QStringLiteral("DROP TRIGGER audit_log_stays"));
    f.auditSql(QStringLiteral("DELETE FROM audit_log WHERE audit_id = 5"));
    QVERIFY(!verified(f).verified);
    // The next entry doesn't close the hole.
    QVERIFY(f.begin(intentOf("later")));
    const protocol::AuditPage page = verified(f);
    QVERIFY(!page.verified);
    QCOMPARE(page.firstBadId, std::optional<qint64>(6));
    QVERIFY(!page.entries.first().intact);
}

void TestJournalAudit::headFileBehindIsCaughtUp()
{
    JournalFixture f;
    QVERIFY(f.open());
    fill(f);
    const QString head = f.folder.filePath(QStringLiteral("audit.head"));
    QVERIFY(QFile::copy(head, head + QLatin1String(".old")));
    QVERIFY(f.begin(intentOf("later")));
    f.close();
    // The state after a crash between the commit and the file.
    QVERIFY(QFile::remove(head) && QFile::rename(head + QLatin1String(".old"), head));
    QVERIFY(f.open());
    QVERIFY(verified(f).verified);
}

void TestJournalAudit::headIsNotMendedAfterTampering()
{
    JournalFixture f;
    QVERIFY(f.open());
    fill(f);
    f.close();
    f.auditSql(QStringLiteral("DROP TRIGGER audit_log_stays"));
    f.auditSql(QStringLiteral("DELETE FROM audit_log WHERE record > 8"));
    QVERIFY(f.open());
    QVERIFY(f.begin(intentOf("n1")));
    QVERIFY(f.begin(intentOf("n2")));
    QVERIFY(f.begin(intentOf("n3")));
    QVERIFY(f.open());
    QVERIFY(!verified(f).verified);
    f.close();
    QVERIFY(QFile::remove(f.folder.filePath(QStringLiteral("audit.head"))));
    QVERIFY(f.open());
    QVERIFY2(!verified(f).verified, "a missing head file isn't forgiven either");
}

LOCKKEEPER_TEST(TestJournalAudit)

} // namespace tst_journal_audit

#include "tst_journal_audit.moc"
