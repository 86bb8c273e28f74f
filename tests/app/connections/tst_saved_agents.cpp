// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/connections/saved_agents.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

namespace tst_saved_agents {

using namespace lockkeeper;
using app::connections::SavedAgents;
using base::ErrorCode;

class TestSavedAgents : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void noFileHasNoAgents();
    void namesStandForAddresses();
    void loginsAreOfTls();
    void unknownNameIsToldWithTheNearest();
    void mistakesNameTheirLine_data();
    void mistakesNameTheirLine();

private:
    base::Result<SavedAgents> read(const QByteArray &text)
    {
        QFile file(m_folder.filePath(QStringLiteral("agents.toml")));
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            return base::failure(ErrorCode::Storage, file.errorString());
        file.close();
        return SavedAgents::read(file.fileName());
    }

    QTemporaryDir m_folder;
};

void TestSavedAgents::noFileHasNoAgents()
{
    const auto saved = SavedAgents::read(m_folder.filePath(QStringLiteral("none.toml")));
    QVERIFY(saved);
    QVERIFY(saved->agents().isEmpty());
    QCOMPARE(int(saved->find(QStringLiteral("dc1")).error().code), int(ErrorCode::Usage));
}

void TestSavedAgents::namesStandForAddresses()
{
    const auto saved = read("[[agent]]\nname = \"dc1\"\naddress = \"ssh://ops@db1\"\n"
                            "[[agent]]\nname = \"here\"\naddress = \"local:/run/a.sock\"\n");
    QVERIFY2(saved, saved ? "" : qPrintable(saved.error().line()));
    QCOMPARE(saved->agents().size(), 2);
    QCOMPARE(saved->find(QStringLiteral("dc1"))->address, QStringLiteral("ssh://ops@db1"));
    QCOMPARE(saved->find(QStringLiteral("here"))->address, QStringLiteral("local:/run/a.sock"));
}

void TestSavedAgents::loginsAreOfTls()
{
    const auto saved =
        read("[[agent]]\nname = \"dc1\"\naddress = \"tls://db1\"\nuser = \"ann\"\n"
             "password = \"env:DC1\"\ncertificate = \"a.pem\"\nkey = \"a.key\"\nca = \"ca.pem\"\n");
    QVERIFY2(saved, saved ? "" : qPrintable(saved.error().line()));
    const app::connections::Credentials expected{QStringLiteral("ann"), QStringLiteral("env:DC1"),
                                                 QStringLiteral("a.pem"), QStringLiteral("a.key"),
                                                 QStringLiteral("ca.pem")};
    QCOMPARE(saved->find(QStringLiteral("dc1"))->credentials, expected);
}

void TestSavedAgents::unknownNameIsToldWithTheNearest()
{
    const auto saved = read("[[agent]]\nname = \"production\"\naddress = \"ssh://ops@db1\"\n");
    QVERIFY(saved);
    const auto address = saved->find(QStringLiteral("prodution"));
    QVERIFY(!address);
    QVERIFY2(address.error().remedy.contains(QStringLiteral("'production'")),
             qPrintable(address.error().line()));
}

void TestSavedAgents::mistakesNameTheirLine_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("words");
    QTest::newRow("not TOML") << QByteArray("[[agent]\n") << "agents.toml:1: this isn't TOML: ";
    QTest::newRow("another table") << QByteArray("\n[agents]\nx = 1\n") << ":2: only [[agent]] is allowed here";
    QTest::newRow("one table") << QByteArray("[agent]\nname = \"a\"\n") << ":1: only [[agent]] is allowed here";
    QTest::newRow("no tables") << QByteArray("agent = [1]\n") << ":1: an agent is a table";
    QTest::newRow("unknown key") << QByteArray("[[agent]]\nname = \"a\"\nadress = \"ssh://b\"\n") << ":3: ";
    QTest::newRow("no name") << QByteArray("[[agent]]\naddress = \"ssh://b\"\n") << ":1: an agent's name";
    QTest::newRow("a number") << QByteArray("[[agent]]\nname = 7\naddress = \"ssh://b\"\n")
                              << ":2: each of its keys has a text";
    QTest::newRow("a colon") << QByteArray("[[agent]]\nname = \"a:b\"\naddress = \"ssh://b\"\n")
                             << "without a colon";
    QTest::newRow("twice") << QByteArray("[[agent]]\nname = \"a\"\naddress = \"ssh://b\"\n"
                                         "[[agent]]\nname = \"a\"\naddress = \"ssh://c\"\n")
                           << ":4: there are two agents named 'a'";
    QTest::newRow("no address") << QByteArray("[[agent]]\nname = \"a\"\n")
                                << ":1: its address can't be used: ";
    QTest::newRow("tcp") << QByteArray("[[agent]]\nname = \"a\"\naddress = \"tcp://b:1\"\n")
                         << "unprotected network socket";
}

void TestSavedAgents::mistakesNameTheirLine()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, words);
    const auto saved = read(text);
    QVERIFY(!saved);
    QCOMPARE(int(saved.error().code), int(ErrorCode::Usage));
    QVERIFY2(saved.error().cause.contains(words), qPrintable(saved.error().line()));
}

LOCKKEEPER_TEST(TestSavedAgents)

} // namespace tst_saved_agents

#include "tst_saved_agents.moc"
