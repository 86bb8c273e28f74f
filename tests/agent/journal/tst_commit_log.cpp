// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/write/commit_log.h"
#include "tests/agent/journal/fault_injection.h"
#include "tests/agent/journal/journal_fixture.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QFileInfo>

#include <cerrno>

namespace tst_commit_log {

using namespace lockkeeper;
using namespace lockkeeper::agent::journal;
using namespace lockkeeper::tests;
using events::EventKind;

namespace {

CommitLog::LogRecord recordOf(quint64 first, int count, const QByteArray &name = "a")
{
    CommitLog::LogRecord record;
    for (int i = 0; i < count; ++i) {
        record.events +=
            lockEvent(i % 2 ? EventKind::Released : EventKind::Acquired, name, "w", qint64(first) + i);
        record.events.last().seq = first + quint64(i);
    }
    return record;
}

/** The numbers of the records' first events. */
QList<quint64> firstsOf(const base::Result<QList<CommitLog::LogRecord>> &records)
{
    QList<quint64> firsts;
    for (const CommitLog::LogRecord &record : records.value_or(QList<CommitLog::LogRecord>{}))
        firsts += record.events.constFirst().seq;
    return firsts;
}

} // namespace

/**
 * Records that are committed and not filed yet survive the process. Only whole records come back, and nothing
 * else.
 */
class TestCommitLog : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup() { FaultInjection::failWrites(0); }
    void comesBackAsItWas();
    void longNamesComeBack();
    void onlyWhatGoesOn_data();
    void onlyWhatGoesOn();
    void cutAnywhereItEndsBefore();
    void anyFlippedBitEndsIt();
    void anotherJournalsIsNone();
    void failedRecordIsReplaced();
    void filesTakeTurnsOnceFiled();
    void unfiledIsNeverOverwritten();
    void leftoversOfAnEarlierUseAreNone();
    void clearedIsEmpty();
    void aLinkIsRefused();

private:
    QString path() const { return m_folder->filePath(QStringLiteral("journal.db")); }
    QString file(size_t part) const { return CommitLog::filesOf(path()).at(part); }
    /** As found by the next process. */
    base::Result<QList<CommitLog::LogRecord>> reopened(quint64 after,
                                                       const QByteArray &id = "this one") const;

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<CommitLog> m_log;
};

void TestCommitLog::init()
{
    m_log = std::make_unique<CommitLog>();
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(m_log->open(path(), "this one"));
}

base::Result<QList<CommitLog::LogRecord>> TestCommitLog::reopened(quint64 after, const QByteArray &id) const
{
    CommitLog log;
    if (const auto opened = log.open(path(), id); !opened)
        return tl::unexpected(opened.error());
    return log.readAfter(after);
}

void TestCommitLog::comesBackAsItWas()
{
    CommitLog::LogRecord record = recordOf(1, 3);
    record.events += sourceEvent(EventKind::GapOpened, 900);
    record.events.last().seq = 4;
    record.events.last().detail =
        events::EventDetail::fromJson({{QStringLiteral("cause"), QStringLiteral("unreachable")}});
    record.events.last().command = "c1";
    record.progress = {{QStringLiteral("orders"), "redis", 77},
                       {QStringLiteral("db"), "mysql", 78, QByteArray("binlog.000001:4")},
                       {QStringLiteral("gone"), "mysql", 79, QByteArray()}};
    QVERIFY(m_log->append(record, 0));
    QVERIFY(m_log->append(recordOf(5, 1000), 0));
    const auto found = reopened(0);
    QVERIFY(found);
    QCOMPARE(found->size(), 2);
    QCOMPARE(found->first().events, record.events);
    QCOMPARE(found->at(1).events, recordOf(5, 1000).events);
    QCOMPARE(found->first().progress.size(), 3);
    for (int i = 0; i < 3; ++i) {
        const Progress &step = found->first().progress.at(i);
        QCOMPARE(step.source, record.progress.at(i).source);
        QCOMPARE(step.store, record.progress.at(i).store);
        QCOMPARE(step.lastSeenUs, record.progress.at(i).lastSeenUs);
        QCOMPARE(step.position,
                 record.progress.at(i).position); // null, a position and an empty position differ
    }
}

void TestCommitLog::longNamesComeBack()
{
    QByteArray name(1 << 20, 'n');
    name[5] = '\0';
    name[6] = '\xff';
    QVERIFY(m_log->append(recordOf(1, 8, name), 0));
    const auto found = reopened(0);
    QVERIFY(found);
    QCOMPARE(found->first().events, recordOf(1, 8, name).events);
}

void TestCommitLog::onlyWhatGoesOn_data()
{
    QTest::addColumn<quint64>("after");
    QTest::addColumn<QList<quint64>>("firsts");
    QTest::newRow("all") << quint64(10) << QList<quint64>{11, 13, 16};
    QTest::newRow("from the second") << quint64(12) << QList<quint64>{13, 16};
    QTest::newRow("the last") << quint64(15) << QList<quint64>{16};
    QTest::newRow("all filed") << quint64(16) << QList<quint64>{};
    QTest::newRow("filed beyond it") << quint64(40) << QList<quint64>{};
    QTest::newRow("the database has lost more") << quint64(9) << QList<quint64>{};
    QTest::newRow("the database is new") << quint64(0) << QList<quint64>{};
}

void TestCommitLog::onlyWhatGoesOn()
{
    QFETCH(quint64, after);
    QFETCH(QList<quint64>, firsts);
    QVERIFY(m_log->append(recordOf(11, 2), 10));
    QVERIFY(m_log->append(recordOf(13, 3), 10));
    QVERIFY(m_log->append(recordOf(16, 1), 10));
    QCOMPARE(firstsOf(reopened(after)), firsts);
}

void TestCommitLog::cutAnywhereItEndsBefore()
{
    QVERIFY(m_log->append(recordOf(1, 1), 0));
    const qint64 one = QFileInfo(file(0)).size();
    QVERIFY(m_log->append(recordOf(2, 2), 0));
    const qint64 both = QFileInfo(file(0)).size();
    for (qint64 size = both; size >= 0; --size) {
        QVERIFY(QFile::resize(file(0), size));
        const QList<quint64> left = firstsOf(reopened(0));
        QCOMPARE(left, size == both  ? (QList<quint64>{1, 2})
                       : size >= one ? QList<quint64>{1}
                                     : QList<quint64>{});
    }
}

void TestCommitLog::anyFlippedBitEndsIt()
{
    QVERIFY(m_log->append(recordOf(1, 1), 0));
    const qint64 one = QFileInfo(file(0)).size();
    QVERIFY(m_log->append(recordOf(2, 1), 0));
    QFile bytes(file(0));
    QVERIFY(bytes.open(QIODevice::ReadWrite | QIODevice::Unbuffered));
    const QByteArray sound = bytes.readAll();
    for (qsizetype at = one; at < sound.size(); ++at) {
        const char flipped = char(uchar(sound.at(at)) ^ (1u << (at % 8)));
        QVERIFY(bytes.seek(at) && bytes.write(&flipped, 1) == 1);
        QCOMPARE(firstsOf(reopened(0)), QList<quint64>{1});
        QVERIFY(bytes.seek(at) && bytes.write(sound.constData() + at, 1) == 1);
    }
    QCOMPARE(firstsOf(reopened(0)), (QList<quint64>{1, 2}));
}

void TestCommitLog::anotherJournalsIsNone()
{
    QVERIFY(m_log->append(recordOf(1, 1), 0));
    QCOMPARE(firstsOf(reopened(0, "another one")), QList<quint64>{});
    QCOMPARE(firstsOf(reopened(0)), QList<quint64>{1});
}

void TestCommitLog::failedRecordIsReplaced()
{
    QVERIFY(m_log->append(recordOf(1, 1), 0));
    FaultInjection::failWrites(ENOSPC);
    const auto failed = m_log->append(recordOf(2, 5), 0);
    QVERIFY(!failed);
    QCOMPARE(failed.error().code, base::ErrorCode::Storage);
    QVERIFY(!failed.error().remedy.isEmpty());
    FaultInjection::failWrites(0);
    QVERIFY(m_log->append(recordOf(2, 1), 0));
    QVERIFY(m_log->append(recordOf(3, 1), 0));
    QCOMPARE(firstsOf(reopened(0)), (QList<quint64>{1, 2, 3}));
}

void TestCommitLog::filesTakeTurnsOnceFiled()
{
    const QByteArray name(100'000, 'n');
    quint64 seq = 0;
    for (int i = 0; i < 1'000; ++i, seq += 2)
        QVERIFY(m_log->append(recordOf(seq + 1, 2, name), seq)); // all before it is filed
    // 300 MB went through them.
    QVERIFY(QFileInfo(file(0)).size() < 8'000'000);
    QVERIFY(QFileInfo(file(1)).size() < 8'000'000);
    QCOMPARE(firstsOf(reopened(seq - 2)), QList<quint64>{seq - 1});
    QCOMPARE(firstsOf(reopened(seq - 6)), (QList<quint64>{seq - 5, seq - 3, seq - 1}));
}

void TestCommitLog::unfiledIsNeverOverwritten()
{
    const QByteArray name(100'000, 'n');
    for (quint64 seq = 0; seq < 400; seq += 2)
        QVERIFY(m_log->append(recordOf(seq + 1, 2, name), std::min<quint64>(seq, 100)));
    QList<quint64> expected;
    for (quint64 first = 101; first < 400; first += 2)
        expected += first;
    QCOMPARE(firstsOf(reopened(100)), expected);
    // A long one gives its blocks back when its turn comes again.
    for (quint64 seq = 400; seq < 600; seq += 2)
        QVERIFY(m_log->append(recordOf(seq + 1, 2, name), seq));
    QVERIFY(QFileInfo(file(0)).size() + QFileInfo(file(1)).size() < 32'000'000);
}

void TestCommitLog::leftoversOfAnEarlierUseAreNone()
{
    // After a machine's failure numbers are reused: bytes after a record may have the next number.
    QVERIFY(m_log->append(recordOf(1, 1), 0));
    const QByteArray first = [this] {
        QFile bytes(file(0));
        return bytes.open(QIODevice::ReadOnly) ? bytes.readAll() : QByteArray();
    }();
    QVERIFY(m_log->append(recordOf(2, 1), 0));
    QVERIFY(m_log->append(recordOf(3, 1), 0));
    QFile bytes(file(0));
    QVERIFY(bytes.open(QIODevice::ReadWrite | QIODevice::Unbuffered));
    // The third record's place has the first one again.
    QVERIFY(bytes.seek(2 * first.size()) && bytes.write(first) == first.size());
    QCOMPARE(firstsOf(reopened(0)), (QList<quint64>{1, 2}));
}

void TestCommitLog::clearedIsEmpty()
{
    QVERIFY(m_log->append(recordOf(1, 1), 0));
    QVERIFY(!m_log->isEmpty());
    QVERIFY(m_log->clear("the next one"));
    QVERIFY(m_log->isEmpty());
    QCOMPARE(QFileInfo(file(0)).size(), 0);
    QCOMPARE(firstsOf(reopened(0)), QList<quint64>{});
    QVERIFY(m_log->append(recordOf(2, 1), 1));
    QCOMPARE(firstsOf(reopened(1)), QList<quint64>{});
    QCOMPARE(firstsOf(reopened(1, "the next one")), QList<quint64>{2});
}

/** It could lead to a file that the agent would truncate. */
void TestCommitLog::aLinkIsRefused()
{
    const QString target = m_folder->filePath(QStringLiteral("precious"));
    QFile precious(target);
    QVERIFY(precious.open(QIODevice::WriteOnly) && precious.write("content") > 0);
    precious.close();
    m_log->close();
    QVERIFY(QFile::remove(file(1)) && QFile::link(target, file(1)));
    QVERIFY(!m_log->open(path(), "this one"));
    QCOMPARE(QFileInfo(target).size(), 7);
}

LOCKKEEPER_TEST(TestCommitLog)

} // namespace tst_commit_log

#include "tst_commit_log.moc"
