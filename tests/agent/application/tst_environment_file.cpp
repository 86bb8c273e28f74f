// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/application/environment_file.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

namespace tst_environment_file {

using namespace lockkeeper;
using agent::application::assignmentsOf;
using agent::application::takeEnvironmentBeside;

/** The unit's environment file, as systemd reads it. */
class EnvironmentFileTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void assignments_data();
    void assignments();
    void keepsWhatIsSet();
    void noFileIsNoError();
};

void EnvironmentFileTest::assignments_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArrayList>("wanted");
    const auto row = [](const char *name, const char *text, const QByteArrayList &wanted) {
        QTest::newRow(name) << QByteArray(text) << wanted;
    };
    row("nothing", "", {});
    row("plain", "A=1\nB=two words \n", {"A=1", "B=two words"});
    row("comments and blank lines", "# A=1\n;B=2\n\n  C=3", {"C=3"});
    row("signs in a value", "A=p#s;s=w", {"A=p#s;s=w"});
    row("double quotes", "A=\"a \\\"b\\\" \\n \"", {"A=a \"b\" \\n "});
    row("single quotes", "A='a\\b $c '", {"A=a\\b $c "});
    row("quotes within", "A=a\"b\"", {"A=a\"b\""});
    row("a backslash", "A=a\\ \\\\b", {"A=a \\b"});
    row("a line that goes on", "A=a\\\nb\nC=d", {"A=ab", "C=d"});
    row("a text of two lines", "A=\"a\nb\"\nC=d", {"A=a\nb", "C=d"});
    row("an empty value", "A=\nB=b", {"A=", "B=b"});
    row("a DOS file", "A=1\r\nB=2\r\n", {"A=1", "B=2"});
    row("no names", "1A=1\nA-B=2\n=3\nnothing\nC=4", {"C=4"});
}

void EnvironmentFileTest::assignments()
{
    QFETCH(const QByteArray, text);
    QFETCH(const QByteArrayList, wanted);
    QByteArrayList found;
    for (const auto &[name, value] : assignmentsOf(text))
        found.append(name + '=' + value);
    QCOMPARE(found, wanted);
}

void EnvironmentFileTest::keepsWhatIsSet()
{
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("environment")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("LK_TEST_SET=file\nLK_TEST_UNSET=file\n");
    file.close();
    qputenv("LK_TEST_SET", "shell");
    qunsetenv("LK_TEST_UNSET");
    QVERIFY(takeEnvironmentBeside(folder.filePath(QStringLiteral("lockkeeper.toml"))));
    QCOMPARE(qgetenv("LK_TEST_SET"), QByteArray("shell"));
    QCOMPARE(qgetenv("LK_TEST_UNSET"), QByteArray("file"));
}

void EnvironmentFileTest::noFileIsNoError()
{
    const QTemporaryDir folder;
    QVERIFY(takeEnvironmentBeside(folder.filePath(QStringLiteral("lockkeeper.toml"))));
}

LOCKKEEPER_TEST(EnvironmentFileTest)

} // namespace tst_environment_file

#include "tst_environment_file.moc"
