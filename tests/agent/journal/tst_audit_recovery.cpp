// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/write/accept_audit.h"
#include "tests/agent/journal/fault_injection.h"
#include "tests/agent/journal/journal_fixture.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QRandomGenerator>

namespace tst_audit_recovery {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using agent::journal::acceptAudit;
using domain::Outcome;

namespace {

constexpr int kReleases = 100; ///< two records each
constexpr qsizetype kPage = 2'048;
constexpr int kFlips = 100;

void addReleases(JournalFixture &f, int from, int count)
{
    for (int i = from; i < from + count; ++i) {
        domain::AuditEntry intent = intentOf("cmd" + QByteArray::number(i));
        intent.reason = QStringLiteral("release-%1-of-many").arg(i);
        const auto begun = f.begin(intent);
        QVERIFY(begun);
        QVERIFY(f.end(begun->auditId, Outcome::Released));
    }
}

protocol::AuditPage verified(JournalFixture &f)
{
    protocol::AuditQuery query;
    query.verify = true;
    query.limit = 10 * kReleases;
    return f.audit(query);
}

QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

bool replace(const QString &path, const QByteArray &content)
{
    QFile file(path);
    return file.open(QIODevice::WriteOnly | QIODevice::Truncate) && file.write(content) == content.size();
}

/** A closed audit of kReleases releases, with its signed head outside of its folder. */
class AuditOnDisk
{
public:
    AuditOnDisk()
    {
        f.options.auditKey = m_keys.filePath(QStringLiteral("audit.key"));
        fill();
        m_head = contentOf(headPath());
        m_anchor = contentOf(f.options.auditKey + QLatin1String(".head"));
    }
    /** Puts the files back as they were, apart from `content` in place of the database. */
    bool restore(const QByteArray &content) const
    {
        QDir folder(f.folder.path());
        for (const QString &name : folder.entryList({QStringLiteral("audit.db*")}, QDir::Files))
            folder.remove(name);
        return replace(f.auditPath(), content) && replace(headPath(), m_head) &&
               replace(f.options.auditKey + QLatin1String(".head"), m_anchor);
    }
    QStringList damagedFiles() const
    {
        return QDir(f.folder.path()).entryList({QStringLiteral("audit.db.corrupt-*")}, QDir::Files);
    }
    const QByteArray &content() const { return m_content; }
    const QList<domain::AuditEntry> &entries() const { return m_entries; }

    JournalFixture f;

private:
    void fill()
    {
        QVERIFY(f.open());
        addReleases(f, 1, kReleases);
        m_entries = verified(f).entries;
        QCOMPARE(m_entries.size(), kReleases);
        f.close();
        m_content = contentOf(f.auditPath());
        QVERIFY(m_content.size() > 20 * kPage);
    }
    QString headPath() const { return f.folder.filePath(QStringLiteral("audit.head")); }

    QTemporaryDir m_keys;
    QByteArray m_content;
    QByteArray m_head;
    QByteArray m_anchor;
    QList<domain::AuditEntry> m_entries;
};

} // namespace

class AuditRecoveryTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readableRecordsAreRecovered_data();
    void readableRecordsAreRecovered();
    void flippedBitsNeverPass();
    void interruptedRecoveryIsCompleted();
    void damagedJournalLeavesTheAuditAlone();
    void failingAuditHoldsUpNoEvents();
};

void AuditRecoveryTest::readableRecordsAreRecovered_data()
{
    QTest::addColumn<QByteArray>("pageOf"); // the damaged page contains this text
    QTest::addColumn<int>("atLeast");       // whole entries afterwards
    QTest::addColumn<QString>("report");
    QTest::newRow("a page of records") << QByteArray("release-50-of-many") << kReleases - 8
                                       << QStringLiteral("of its 200 records couldn't be recovered");
    QTest::newRow("an index") << QByteArray("cmd") << kReleases
                              << QStringLiteral("all its 200 records were recovered");
    QTest::newRow("the header") << QByteArray("SQLite format 3") << 0
                                << QStringLiteral("200 of its 200 records couldn't be recovered");
}

void AuditRecoveryTest::readableRecordsAreRecovered()
{
    QFETCH(QByteArray, pageOf);
    QFETCH(int, atLeast);
    QFETCH(QString, report);
    AuditOnDisk disk;
    JournalFixture &f = disk.f;
    QByteArray content = disk.content();
    qsizetype page = content.indexOf(pageOf) / kPage;
    if (pageOf == "cmd") { // the index has the commands without the reasons
        while (content.mid(page * kPage, kPage).contains("of-many") ||
               !content.mid(page * kPage, kPage).contains("cmd"))
            ++page;
    }
    content.replace(page * kPage, kPage, QByteArray(kPage, 'x'));
    QVERIFY(disk.restore(content));
    const auto opened = f.open();
    QVERIFY2(opened, qPrintable(opened ? QString() : opened.error().line()));
    QVERIFY(opened->setAside.isEmpty()); // the journal is whole
    QVERIFY(opened->auditFault);
    QVERIFY2(opened->auditFault->cause.contains(report), qPrintable(opened->auditFault->cause));
    QCOMPARE(disk.damagedFiles().size(), 1);
    QVERIFY(opened->auditFault->cause.contains(disk.damagedFiles().constFirst()));
    QVERIFY(opened->auditFault->remedy.contains(QLatin1String("audit accept")));
    const protocol::AuditPage page1 = verified(f);
    QVERIFY(!page1.verified);
    QVERIFY(page1.fault.cause.contains(report));
    int whole = 0;
    for (const domain::AuditEntry &entry : page1.entries)
        whole += disk.entries().contains(entry) ? 1 : 0;
    QVERIFY2(whole >= atLeast, qPrintable(QString::number(whole)));
    addReleases(f, 1'000, 1); // releases continue, unsigned
    QVERIFY(f.open());        // a second start still reports it
    QVERIFY(f.journal->damage().cause.contains(report));
    QCOMPARE(disk.damagedFiles().size(), 1);
    f.close();
    QVERIFY(acceptAudit(f.options, QStringLiteral("the disk was replaced"), f.clock.wallUs()));
    const auto accepted = f.open();
    QVERIFY(accepted && !accepted->auditFault);
    addReleases(f, 2'000, 1);
    QVERIFY(verified(f).verified && verified(f).signature);
}

/** Each flip is found, or changes nothing of the audit. */
void AuditRecoveryTest::flippedBitsNeverPass()
{
    AuditOnDisk disk;
    QRandomGenerator random(41);
    int found = 0;
    int lost = 0;
    for (int round = 0; round < kFlips; ++round) {
        QByteArray content = disk.content();
        const auto bit = random.bounded(int(content.size()) * 8);
        content[bit / 8] = char(content[bit / 8] ^ (1 << (bit % 8)));
        QVERIFY(disk.restore(content));
        const auto opened = disk.f.open();
        QVERIFY2(opened, qPrintable(opened ? QString() : opened.error().line()));
        const protocol::AuditPage page = verified(disk.f);
        QCOMPARE(page.verified, !opened->auditFault);
        if (page.verified) {
            QCOMPARE(page.entries, disk.entries());
            continue;
        }
        ++found;
        qsizetype whole = 0;
        for (const domain::AuditEntry &entry : page.entries)
            whole += entry.intact && disk.entries().contains(entry) ? 1 : 0;
        lost += whole < kReleases - 10 ? 1 : 0;
    }
    qInfo("of %d flipped bits %d were reported; %d of them cost more than 10 of %d entries", kFlips, found,
          lost, kReleases);
    QVERIFY(found > kFlips / 4);
    QVERIFY2(lost <= kFlips / 20, qPrintable(QString::number(lost)));
}

void AuditRecoveryTest::interruptedRecoveryIsCompleted()
{
    AuditOnDisk disk;
    QVERIFY(QFile::rename(disk.f.auditPath(), disk.f.auditPath() + QLatin1String(".recovered")));
    QVERIFY(disk.f.open());
    QVERIFY(verified(disk.f).verified);
    QCOMPARE(verified(disk.f).entries, disk.entries());
}

void AuditRecoveryTest::damagedJournalLeavesTheAuditAlone()
{
    AuditOnDisk disk;
    QVERIFY(replace(disk.f.path(), QByteArray(10 * kPage, 'x')));
    const auto opened = disk.f.open();
    QVERIFY(opened && !opened->setAside.isEmpty());
    QVERIFY(!opened->auditFault);
    QVERIFY(verified(disk.f).verified);
    QCOMPARE(verified(disk.f).entries, disk.entries());
}

void AuditRecoveryTest::failingAuditHoldsUpNoEvents()
{
    JournalFixture f;
    QVERIFY(f.open());
    const auto early = f.begin(intentOf("c0"));
    QVERIFY(early);
    FaultInjection::failWrites(EIO, "audit.db");
    const auto refused = f.begin(intentOf("c1"));
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, base::ErrorCode::Storage);
    QTRY_COMPARE(f.failures.size(), 1);
    f.commit({lockEvent(events::EventKind::Acquired, "a", "w1", 100)});
    QCOMPARE(f.replay(0, 10).events.size(), 1);
    QCOMPARE(textOf(f.holds({})), QStringList{QStringLiteral("a w1 100- ")}); // filed
    QVERIFY(!f.end(early->auditId, Outcome::Released));
    FaultInjection::failWrites(0);
    QTRY_COMPARE_WITH_TIMEOUT(f.recoveries, 1, 60'000);
    QCOMPARE(f.journal->pendingAudits(), 0);
    QCOMPARE(f.audit({}).entries.constFirst().outcome, Outcome::Released);
    QVERIFY(f.begin(intentOf("c2")));
    QVERIFY(verified(f).verified);
}

LOCKKEEPER_TEST(AuditRecoveryTest)

} // namespace tst_audit_recovery

#include "tst_audit_recovery.moc"
