// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/connections/known_agents.h"
#include "app/session/agent_session.h"
#include "app/views/connect/agent_login.h"
#include "app/views/connect/login_dialog.h"
#include "app/views/connect/trust_dialog.h"
#include "shared/transport/fingerprint.h"
#include "tests/app/views/connect/tls_agent.h"
#include "tests/support/test_program.h"

#include <QCheckBox>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QTest>
#include <QWidget>

namespace tst_agent_login {

using namespace lockkeeper;
using namespace lockkeeper::app;
using session::LinkState;
using tests::TlsAgent;

class TestAgentLogin : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();
    void trustIsAskedForAndKept();
    void trustIsNoDefault();
    void loginIsAskedFor();
    void wrongPasswordIsAskedForAgain();
    void cancelledIsLeftAlone();
    void changedCertificateIsNeverAskedAbout();

private:
    template <typename Dialog> Dialog *dialog()
    {
        static_cast<void>(
            QTest::qWaitFor([this] { return qobject_cast<Dialog *>(m_login->dialog()); }, 10'000));
        return qobject_cast<Dialog *>(m_login->dialog());
    }
    void open(const connections::Connection &connection)
    {
        m_login->begin(connection);
        m_session->open(connection.address);
    }
    connections::Connection known() const
    {
        connections::Connection connection = m_agent->connection();
        connection.tls.pin = transport::fingerprintOf(m_agent->certificate);
        return connection;
    }

    tests::Certificates m_made;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<TlsAgent> m_agent;
    std::unique_ptr<QWidget> m_window;
    std::unique_ptr<session::AgentSession> m_session;
    views::AgentLogin *m_login = nullptr;
};

void TestAgentLogin::initTestCase()
{
    QVERIFY(m_made.makeSelfSigned(QStringLiteral("agent"), QStringLiteral("IP:127.0.0.1")));
}

void TestAgentLogin::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    qputenv("XDG_CONFIG_HOME", m_folder->path().toUtf8());
    m_agent = std::make_unique<TlsAgent>(m_made);
    m_window = std::make_unique<QWidget>();
    m_session = std::make_unique<session::AgentSession>(QStringLiteral("test"));
    m_login = new views::AgentLogin(m_session.get(), m_window.get());
    m_window->show();
}

void TestAgentLogin::cleanup()
{
    m_window.reset();
    m_session.reset();
    m_agent.reset();
}

void TestAgentLogin::trustIsAskedForAndKept()
{
    m_agent->wantsLogin = false;
    const connections::Connection connection = m_agent->connection();
    open(connection);
    auto *trust = dialog<views::TrustDialog>();
    QVERIFY(trust);
    QCOMPARE(trust->windowModality(), Qt::WindowModal);
    QVERIFY(!trust->trust()->isEnabled());
    trust->compared()->click();
    trust->trust()->click();
    QTRY_COMPARE(m_session->link(), LinkState::Live);
    QCOMPARE(
        *connections::KnownAgents::fingerprintAt(connection.address, connections::KnownAgents::defaultFile()),
        transport::fingerprintOf(m_agent->certificate));
}

void TestAgentLogin::trustIsNoDefault()
{
    open(m_agent->connection());
    auto *trust = dialog<views::TrustDialog>();
    QVERIFY(trust);
    trust->compared()->click();
    QTest::keyClick(trust, Qt::Key_Return);
    QTRY_VERIFY(!m_login->dialog());
    QCOMPARE(m_session->link(), LinkState::Waiting);
    QVERIFY(!QFile::exists(connections::KnownAgents::defaultFile()));
}

void TestAgentLogin::loginIsAskedFor()
{
    open(known());
    auto *login = dialog<views::LoginDialog>();
    QVERIFY(login);
    QCOMPARE(login->password()->echoMode(), QLineEdit::Password);
    QVERIFY2(!login->keep()->isChecked(), "nothing is kept unless told to");
    QVERIFY(!login->logIn()->isEnabled());
    login->user()->setText(QStringLiteral("ann"));
    login->password()->setText(QStringLiteral("right"));
    login->logIn()->click();
    QTRY_COMPARE(m_session->link(), LinkState::Live);
    QCOMPARE(m_agent->logins, 1);
}

void TestAgentLogin::wrongPasswordIsAskedForAgain()
{
    open(known());
    QPointer<views::LoginDialog> login = dialog<views::LoginDialog>(); // the next may reuse its address
    QVERIFY(login);
    login->user()->setText(QStringLiteral("ann"));
    login->password()->setText(QStringLiteral("guess"));
    login->logIn()->click();
    QTRY_COMPARE(m_agent->logins, 1);
    QTRY_VERIFY(!login);
    login = dialog<views::LoginDialog>();
    QVERIFY(login);
    QCOMPARE(m_agent->logins, 1); // it isn't retried automatically
    QCOMPARE(login->user()->text(), QStringLiteral("ann"));
    QVERIFY(login->password()->text().isEmpty());
    login->password()->setText(QStringLiteral("right"));
    login->logIn()->click();
    QTRY_COMPARE(m_session->link(), LinkState::Live);
}

void TestAgentLogin::cancelledIsLeftAlone()
{
    open(known());
    auto *login = dialog<views::LoginDialog>();
    QVERIFY(login);
    login->reject();
    QTRY_VERIFY(!m_login->dialog());
    QCOMPARE(m_session->link(), LinkState::Waiting);
    QCOMPARE(m_session->retryInMs(), 0);
    m_session->retryNow(); // started by the user, it asks again
    QVERIFY(dialog<views::LoginDialog>());
}

void TestAgentLogin::changedCertificateIsNeverAskedAbout()
{
    connections::Connection connection = m_agent->connection();
    connection.tls.pin = QByteArray(32, 'x');
    open(connection);
    QTRY_COMPARE(m_session->link(), LinkState::Waiting);
    QVERIFY(m_session->lastError().cause.contains(QLatin1String("the connection may be intercepted")));
    QVERIFY(!m_login->dialog());
}

LOCKKEEPER_TEST(TestAgentLogin)

} // namespace tst_agent_login

#include "tst_agent_login.moc"
