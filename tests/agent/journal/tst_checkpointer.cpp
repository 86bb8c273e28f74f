// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/storage/checkpointer.h"
#include "tests/support/test_program.h"

#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

namespace tst_checkpointer {

using namespace lockkeeper;
using agent::journal::Checkpointer;
using agent::journal::Connection;
using namespace std::chrono_literals;

/** When SQLite's log is copied: at once where it grows fast, and within a minute where it grows slowly. */
class CheckpointerTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aSlowLogIsCopiedToo();
};

void CheckpointerTest::aSlowLogIsCopiedToo()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("a.db"));
    SqliteConnection writer;
    QVERIFY(writer.open(path, Connection::Mode::Write));
    QVERIFY(writer.run(QStringLiteral("CREATE TABLE t (x BLOB)")));
    Checkpointer checkpointer;
    checkpointer.start(path);
    auto now = Checkpointer::Clock::now();
    // Nothing is copied for little; of more than that once a minute.
    QVERIFY(!checkpointer.isDue(writer.walPages(), now));
    const auto writeMib = [&writer](int count) {
        for (int i = 0; i < count; ++i)
            QVERIFY(writer.run(QStringLiteral("INSERT INTO t VALUES (zeroblob(1048576))")));
    };
    const auto size = [&path] { return QFileInfo(path).size(); };
    writeMib(3);
    QVERIFY(size() < 1 << 20);
    QVERIFY(!checkpointer.isDue(writer.walPages(), now)); // copied beside the writer, never by it
    QTRY_VERIFY(size() > 3 << 20);
    checkpointer.stop(); // the file has grown before the copy ends, and the log restarts only after it
    checkpointer.start(path);
    const qint64 logged = QFileInfo(path + QStringLiteral("-wal")).size();
    const qint64 before = size();
    writeMib(2);
    QVERIFY(!checkpointer.isDue(writer.walPages(), now + 59s));
    QVERIFY(QFileInfo(path + QStringLiteral("-wal")).size() <= logged); // the log restarted
    QVERIFY(!checkpointer.isDue(writer.walPages(), now + 61s));
    QTRY_VERIFY(size() > before + (1 << 20));
}

LOCKKEEPER_TEST(CheckpointerTest)

} // namespace tst_checkpointer

#include "tst_checkpointer.moc"
