// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/connection.h"
#include "tests/agent/journal/fault_injection.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <cerrno>

using namespace lockkeeper;
using namespace lockkeeper::tests;
using agent::journal::Connection;

/** What a commit makes visible is with the kernel by then, and takes few calls. */
class TestGatheredLog : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void commitIsWhole_data();
    void commitIsWhole();
    void commitTakesFewWrites();
    void rolledBackIsGone_data();
    void rolledBackIsGone();
    void failedCommitLeavesNothing();

private:
    QString path(const char *name) const { return m_folder->filePath(QString::fromLatin1(name)); }
    bool insert(int rows);
    /** Of the rows, through another connection; −1 where it finds the file damaged. */
    static int rowsIn(const QString &file);

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Connection> m_writer;
};

void TestGatheredLog::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_writer = std::make_unique<Connection>();
    QVERIFY(m_writer->open(path("journal.db"), Connection::Mode::Write));
    QVERIFY(m_writer->run(QStringLiteral("CREATE TABLE t(a INTEGER PRIMARY KEY, b BLOB, c INTEGER)")));
    QVERIFY(m_writer->run(QStringLiteral("CREATE INDEX t_by_c ON t(c)")));
}

void TestGatheredLog::cleanup()
{
    FaultInjection::failWrites(0);
    m_writer.reset();
}

bool TestGatheredLog::insert(int rows)
{
    return m_writer->run(
        QStringLiteral("INSERT INTO t(b, c) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 "
                       "FROM n WHERE i < %1) SELECT randomblob(300), abs(random()) FROM n")
            .arg(rows));
}

int TestGatheredLog::rowsIn(const QString &file)
{
    Connection reader;
    if (!reader.open(file, Connection::Mode::Read) ||
        reader.scalar(QStringLiteral("PRAGMA integrity_check")).value_or(QVariant()).toByteArray() != "ok")
        return -1;
    return reader.scalar(QStringLiteral("SELECT count(*) FROM t NOT INDEXED")).value_or(-1).toInt();
}

void TestGatheredLog::commitIsWhole_data()
{
    QTest::addColumn<int>("rows");
    QTest::newRow("a page") << 1;
    QTest::newRow("a few") << 60;
    QTest::newRow("more than is kept") << 2'000;
    QTest::newRow("more than the cache has room for") << 60'000;
}

void TestGatheredLog::commitIsWhole()
{
    QFETCH(int, rows);
    for (int commit = 1; commit <= 3; ++commit) {
        QVERIFY(m_writer->begin() && insert(rows) && m_writer->commit());
        QCOMPARE(rowsIn(path("journal.db")), commit * rows);
        // As a killed process leaves it.
        const QString copy = m_folder->filePath(QStringLiteral("copy-%1.db").arg(commit));
        QVERIFY(QFile::copy(path("journal.db"), copy));
        QVERIFY(QFile::copy(path("journal.db-wal"), copy + QLatin1String("-wal")));
        QCOMPARE(rowsIn(copy), commit * rows);
    }
}

void TestGatheredLog::commitTakesFewWrites()
{
    QVERIFY(insert(1));
    const int before = FaultInjection::writes();
    QVERIFY(m_writer->begin() && insert(60) && m_writer->commit());
    const int writes = FaultInjection::writes() - before;
    QVERIFY2(writes > 0 && writes <= 4, qPrintable(QString::number(writes)));
}

void TestGatheredLog::rolledBackIsGone_data()
{
    QTest::addColumn<int>("rows");
    QTest::newRow("a few") << 60;
    QTest::newRow("more than the cache has room for") << 60'000;
}

void TestGatheredLog::rolledBackIsGone()
{
    QFETCH(int, rows);
    QVERIFY(insert(10));
    QVERIFY(m_writer->begin() && insert(rows));
    m_writer->rollback();
    QCOMPARE(rowsIn(path("journal.db")), 10);
    QVERIFY(insert(20));
    QCOMPARE(rowsIn(path("journal.db")), 30);
}

void TestGatheredLog::failedCommitLeavesNothing()
{
    QVERIFY(insert(10));
    FaultInjection::failWrites(ENOSPC);
    QVERIFY(m_writer->begin() && insert(60));
    QVERIFY(!m_writer->commit());
    m_writer->rollback();
    QCOMPARE(rowsIn(path("journal.db")), 10);
    FaultInjection::failWrites(0);
    QVERIFY(insert(20));
    QCOMPARE(rowsIn(path("journal.db")), 30);
}

QTEST_GUILESS_MAIN(TestGatheredLog)
#include "tst_gathered_log.moc"
