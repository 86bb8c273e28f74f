// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/connections/known_agents.h"
#include "app/views/window/start_page.h"
#include "shared/protocol/codec.h"
#include "shared/transport/fingerprint.h"
#include "tests/app/session/replay_agent.h"
#include "tests/app/views/connect/tls_agent.h"
#include "tests/app/views/support/picture.h"
#include "tests/support/test_program.h"

#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QLocalServer>
#include <QLocalSocket>
#include <QPushButton>
#include <QSignalSpy>
#include <QTcpServer>
#include <QTest>

namespace tst_start_page {

using namespace lockkeeper;
using namespace lockkeeper::app;

/** The start page's test of an address, step by step, and the agents that the user has names for. */
class TestStartPage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void localTicks();
    void localFailures_data();
    void localFailures();
    void sshFailures_data();
    void sshFailures();
    void tlsFailures_data();
    void tlsFailures();
    void tlsTicks();
    void aResultMovesNothing();
    void savedAgentsAreListed();
    void mistakeInTheFileIsTold();

private:
    /** "Good|Failed|Under way|-", one for each step: reach, open, log in, version. */
    QString ticks() const
    {
        QStringList all;
        for (int step = 0; step < 4; ++step) {
            const auto *icon = m_page->findChild<QLabel *>(QStringLiteral("tick_%1").arg(step));
            all.append(icon->isVisible() ? icon->accessibleName() : QStringLiteral("-"));
        }
        return all.join(QLatin1Char('|'));
    }
    QString said(int step) const
    {
        return m_page->findChild<QLabel *>(QStringLiteral("step_%1").arg(step))->text();
    }
    QString remedy() const
    {
        const auto *label = m_page->findChild<QLabel *>(QStringLiteral("remedy"));
        return label->isVisible() ? label->text() : QString();
    }
    void test(const QString &address)
    {
        m_page->setAddress(address);
        for (QPushButton *button : m_page->findChildren<QPushButton *>()) {
            if (button->text() == QLatin1String("Test"))
                button->click();
        }
    }
    void writeAgents(const QByteArray &text)
    {
        QVERIFY(QDir().mkpath(m_folder->filePath(QStringLiteral("lockkeeper"))));
        QFile file(m_folder->filePath(QStringLiteral("lockkeeper/agents.toml")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }

    tests::Certificates m_made;
    QByteArray m_path;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<views::StartPage> m_page;
};

void TestStartPage::initTestCase()
{
    QVERIFY(m_made.makeSelfSigned(QStringLiteral("agent"), QStringLiteral("IP:127.0.0.1")));
    m_path = qgetenv("PATH");
}

void TestStartPage::init()
{
    qputenv("PATH", m_path);
    m_folder = std::make_unique<QTemporaryDir>();
    qputenv("XDG_CONFIG_HOME", m_folder->path().toUtf8());
    m_page = std::make_unique<views::StartPage>();
    m_page->resize(1000, 700);
    m_page->show();
}

void TestStartPage::localTicks()
{
    tests::ReplayAgent agent;
    QVERIFY(agent.start());
    test(QStringLiteral("local:") + agent.address().path);
    QCOMPARE(ticks(), QStringLiteral("-|Under way|-|-"));
    QTRY_COMPARE(ticks(), QStringLiteral("-|Good|-|Good"));
    QVERIFY2(said(3).contains(QLatin1String("Connected to fake")), qPrintable(said(3)));
    QCOMPARE(remedy(), QString());
}

void TestStartPage::localFailures_data()
{
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char *name, base::ErrorCode code, const char *expected) {
        QTest::newRow(name) << int(code) << QString::fromLatin1(expected);
    };
    row("no address at all", base::ErrorCode::Usage, "Failed|-|-|-");
    row("no socket", base::ErrorCode::NotFound, "-|Failed|-|-");
    row("turned away", base::ErrorCode::PermissionDenied, "-|Good|Failed|-");
    row("too old", base::ErrorCode::Unsupported, "-|Good|-|Failed");
}

void TestStartPage::localFailures()
{
    QFETCH(int, code);
    QFETCH(QString, expected);
    const auto error = base::ErrorCode(code);
    QLocalServer server;
    connect(&server, &QLocalServer::newConnection, &server, [&server, error] {
        server.nextPendingConnection()->write(protocol::frame(protocol::encode(
            protocol::Goodbye{{error, QStringLiteral("told <b>so</b>"), QStringLiteral("Update it")}})));
    });
    const QString path = m_folder->filePath(QStringLiteral("agent.sock"));
    if (error != base::ErrorCode::NotFound)
        QVERIFY(server.listen(path));
    test(error == base::ErrorCode::Usage ? QStringLiteral("tcp://127.0.0.1:7420")
                                         : QStringLiteral("local:") + path);
    QTRY_COMPARE(ticks(), expected);
    if (expected.contains(QLatin1String("Good")))
        QTRY_VERIFY((said(2) + said(3)).contains(QLatin1String("told <b>so</b>"))); // at the step that failed
    QVERIFY(!remedy().isEmpty());
}

void TestStartPage::sshFailures_data()
{
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<QString>("expected");
    QTest::addColumn<int>("step");
    QTest::addColumn<QString>("says");
    QTest::newRow("no ssh") << QByteArray() << QStringLiteral("Failed|-|-|-") << 0
                            << QStringLiteral("no program named ssh");
    QTest::newRow("not let in") << QByteArray("echo 'lk@db1: Permission denied (publickey).' >&2\nexit 255\n")
                                << QStringLiteral("Failed|-|-|-") << 0
                                << QStringLiteral("rejected this user");
    QTest::newRow("no lockkeeperctl there")
        << QByteArray("echo 'sh: 1: exec: lockkeeperctl: not found' >&2\nexit 127\n")
        << QStringLiteral("Good|Failed|-|-") << 1 << QStringLiteral("has no lockkeeperctl");
    QTest::newRow("no agent there") << QByteArray("echo 'nobody listens' >&2\nexit 3\n")
                                    << QStringLiteral("Good|Failed|-|-") << 1
                                    << QStringLiteral("nobody listens");
}

void TestStartPage::sshFailures()
{
    QFETCH(QByteArray, script);
    QFETCH(QString, expected);
    QFETCH(int, step);
    QFETCH(QString, says);
    if (!script.isEmpty()) {
        QFile ssh(m_folder->filePath(QStringLiteral("ssh")));
        QVERIFY(ssh.open(QIODevice::WriteOnly));
        ssh.write("#!/bin/sh\n" + script);
        ssh.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner);
    }
    qputenv("PATH", m_folder->path().toUtf8());
    test(QStringLiteral("ssh://lk@db1"));
    QCOMPARE(ticks(), QStringLiteral("Under way|-|-|-"));
    QTRY_COMPARE(ticks(), expected);
    QVERIFY2(said(step).contains(says), qPrintable(said(step)));
    QVERIFY(!remedy().isEmpty());
}

void TestStartPage::tlsFailures_data()
{
    QTest::addColumn<QString>("how");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char *how, const char *expected) {
        QTest::newRow(how) << QString::fromLatin1(how) << QString::fromLatin1(expected);
    };
    row("no such name", "Failed|-|-|-");
    row("nobody listens", "Good|Failed|-|-");
    row("unknown certificate", "Good|Failed|-|-");
    row("no password", "Good|Good|Failed|-");
    row("wrong password", "Good|Good|Failed|-");
}

void TestStartPage::tlsFailures()
{
    QFETCH(QString, how);
    QFETCH(QString, expected);
    tests::TlsAgent agent(m_made);
    transport::Address address = agent.connection().address;
    if (how == QLatin1String("no such name"))
        address.host = QStringLiteral("no-such-host.invalid");
    if (how == QLatin1String("nobody listens")) {
        QTcpServer closed;
        QVERIFY(closed.listen(QHostAddress::LocalHost));
        address.port = closed.serverPort();
    }
    if (how.endsWith(QLatin1String("password")))
        QVERIFY(connections::KnownAgents::trust(address, transport::fingerprintOf(agent.certificate),
                                                connections::KnownAgents::defaultFile()));
    qputenv("LOCKKEEPER_TEST_WORD", "wrong");
    writeAgents("[[agent]]\nname = \"dc1\"\naddress = \"" + address.text().toUtf8() + "\"\nuser = \"ann\"\n" +
                (how.startsWith(QLatin1String("wrong")) ? "password = \"env:LOCKKEEPER_TEST_WORD\"\n" : ""));
    test(QStringLiteral("dc1"));
    QTRY_COMPARE_WITH_TIMEOUT(ticks(), expected, 20'000);
    QVERIFY(!remedy().isEmpty());
    if (how.startsWith(QLatin1String("unknown")))
        QVERIFY2(remedy().contains(QLatin1String("fingerprint")), qPrintable(remedy()));
    if (how.startsWith(QLatin1String("no password")))
        QVERIFY2(!remedy().contains(QLatin1String("--")), qPrintable(remedy())); // not the shell's words
}

void TestStartPage::tlsTicks()
{
    tests::TlsAgent agent(m_made);
    agent.welcome.agent = QStringLiteral("dc1");
    agent.welcome.user = QStringLiteral("ann");
    agent.welcome.role = QStringLiteral("operator");
    agent.welcome.program = QStringLiteral("lockkeeper-agent 0.1.0");
    const transport::Address address = agent.connection().address;
    QVERIFY(connections::KnownAgents::trust(address, transport::fingerprintOf(agent.certificate),
                                            connections::KnownAgents::defaultFile()));
    qputenv("LOCKKEEPER_TEST_WORD", "right");
    writeAgents("[[agent]]\nname = \"dc1\"\naddress = \"" + address.text().toUtf8() +
                "\"\nuser = \"ann\"\npassword = \"env:LOCKKEEPER_TEST_WORD\"\n");
    test(QStringLiteral("dc1"));
    QTRY_COMPARE_WITH_TIMEOUT(ticks(), QStringLiteral("Good|Good|Good|Good"), 20'000);
    QVERIFY2(said(2).contains(QLatin1String("as ann")), qPrintable(said(2)));
    tests::picture(m_page.get(), "start-tls");
}

/** The pointer is on [Test] or [Connect] when the result appears. */
void TestStartPage::aResultMovesNothing()
{
    const auto places = [this] {
        QCoreApplication::processEvents(); // the layout's turn
        QList<QRect> all;
        for (const QPushButton *button : m_page->findChildren<QPushButton *>())
            all.append(QRect(button->mapTo(m_page.get(), QPoint()), button->size()));
        return all;
    };
    const QList<QRect> before = places();
    const auto *result = m_page->findChild<QWidget *>(QStringLiteral("result"));
    QCOMPARE(result->height(), 0); // it keeps no room free
    test(QStringLiteral("local:/nowhere/a.sock"));
    QCOMPARE(ticks(), QStringLiteral("-|Failed|-|-"));
    QVERIFY(!remedy().isEmpty());
    QCOMPARE(places(), before);
    QVERIFY(result->height() > 30);
    m_page->setAddress(QStringLiteral("local:/nowhere/b.sock")); // takes the result back
    QCOMPARE(ticks(), QStringLiteral("-|-|-|-"));
    QCOMPARE(places(), before);
}

void TestStartPage::savedAgentsAreListed()
{
    auto *list = m_page->findChild<QListWidget *>(QStringLiteral("saved_agents"));
    QVERIFY(list && !list->isVisible()); // there is no file
    writeAgents("[[agent]]\nname = \"dc1\"\naddress = \"ssh://db1\"\n"
                "[[agent]]\nname = \"<b>dc2\"\naddress = \"tls://db2:7420\"\n");
    m_page->hide();
    m_page->show();
    QVERIFY(list->isVisible());
    QCOMPARE(list->count(), 2);
    QCOMPARE(list->item(0)->text(), QStringLiteral("dc1 (ssh://db1)"));
    QVERIFY(list->item(1)->text().startsWith(QLatin1String("<b>dc2 (")));
    QVERIFY(!list->item(1)->toolTip().contains(QLatin1String("<b>dc2")));
    tests::picture(m_page.get(), "start-saved");
    QSignalSpy asked(m_page.get(), &views::StartPage::connectAsked);
    list->setFocus();
    list->setCurrentRow(0);
    QTest::keyClick(list, Qt::Key_Return);
    QCOMPARE(asked.size(), 1);
    QCOMPARE(asked.at(0).at(0).toString(), QStringLiteral("dc1")); // with what stands beside its address
}

void TestStartPage::mistakeInTheFileIsTold()
{
    writeAgents("[[agent]]\nname = \"dc1\"\naddress = \"ssh://db1\"\ncolour = \"red\"\n");
    m_page->hide();
    m_page->show();
    const auto *error = m_page->findChild<QLabel *>(QStringLiteral("saved_agents_error"));
    QVERIFY(error->isVisible());
    QVERIFY2(error->text().contains(QLatin1String("agents.toml:4: ")), qPrintable(error->text()));
    QVERIFY(!m_page->findChild<QListWidget *>(QStringLiteral("saved_agents"))->isVisible());
    tests::picture(m_page.get(), "start-mistake");
}

LOCKKEEPER_TEST(TestStartPage)

} // namespace tst_start_page

#include "tst_start_page.moc"
