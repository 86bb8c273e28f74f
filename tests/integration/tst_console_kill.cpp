// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/commands_model.h"
#include "app/presentation/theme.h"
#include "app/replica/alert_board.h"
#include "app/replica/holder_checks.h"
#include "app/replica/replica.h"
#include "app/replica/selection.h"
#include "app/session/agent_group.h"
#include "app/settings/settings.h"
#include "app/views/release/release_dialog.h"
#include "app/views/widgets/requests.h"
#include "app/words/time_format.h"
#include "shared/base/clock.h"
#include "tests/shared/stores/sql/stock_client.h"
#include "tests/support/agent_process.h"
#include "tests/support/mariadb_server.h"
#include "tests/support/test_program.h"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>

namespace tst_console_kill {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using app::views::ReleaseCase;
using app::views::ReleaseController;
using app::views::ReleaseDialog;

namespace {
/** The dialog's collaborators, on a session to a real agent. */
struct ConsoleParts
{
    ConsoleParts()
        : settings(folder.filePath(QStringLiteral("console.ini"))),
          replica(clock),
          session(QStringLiteral("test")),
          controller({&session, &replica, &selection, &settings, &clock, &theme, &times, &requests, &alerts},
                     &commands, &window)
    {
        theme.setAppearance(app::presentation::Appearance::Light);
        replica.follow(&session);
        QObject::connect(&session, &app::session::AgentGroup::eventsCame, &window,
                         [this](const QString &, const QList<events::LockEvent> &came) { events += came; });
    }
    ~ConsoleParts() { replica.follow(nullptr); }

    app::views::ConsoleContext context()
    {
        return {&session, &replica, &selection, &settings, &clock,
                &theme,   &times,   &requests,  &alerts,   &holders};
    }

    QTemporaryDir folder;
    base::SystemClock clock;
    QList<events::LockEvent> events;
    app::settings::Settings settings;
    app::presentation::Theme theme;
    app::words::TimeFormat times;
    app::replica::Replica replica;
    app::replica::Selection selection;
    app::views::Requests requests;
    app::session::AgentGroup session;
    app::replica::AlertBoard alerts{session, clock};
    app::replica::HolderChecks holders{session, clock};
    app::models::CommandsModel commands;
    QWidget window;
    ReleaseController controller;
};
} // namespace

/** A session that holds a row is ended by the console's own dialog, through a real agent, on a real server.
 */
class TestConsoleKill : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void killsTheHolder();
    void leavesAnotherTransactionAlone();

private:
    std::unique_ptr<StockClient> session(StockClient::Kind kind) const
    {
        StockAddress to;
        to.socket = m_database.socketPath();
        return std::make_unique<StockClient>(kind, to);
    }
    /** The dialog for the row 17, which `holder` has locked; shown and armed, with the button still
     * unpressed. */
    ReleaseDialog *openDialog(ConsoleParts &console);
    template <typename T> static T *part(ReleaseDialog *dialog, const char *name)
    {
        return dialog->findChild<T *>(QLatin1String(name));
    }
    static bool says(ReleaseDialog *dialog, const QString &text)
    {
        const auto labels = dialog->findChildren<QLabel *>();
        return std::any_of(labels.cbegin(), labels.cend(),
                           [&](const QLabel *label) { return label->text().contains(text); });
    }
    static QString allOf(ReleaseDialog *dialog)
    {
        QStringList texts;
        for (const QLabel *label : dialog->findChildren<QLabel *>())
            texts.append(label->text());
        return texts.join(QStringLiteral(" | "));
    }
    /** Kept where LOCKKEEPER_PICTURES names a folder, to be looked at. */
    static void picture(QWidget *of, const char *name)
    {
        if (qEnvironmentVariableIsSet("LOCKKEEPER_PICTURES"))
            of->grab().save(qEnvironmentVariable("LOCKKEEPER_PICTURES") + QLatin1Char('/') +
                            QLatin1String(name) + QStringLiteral(".png"));
    }

    const domain::LockKey m_key{QStringLiteral("db"), "sql.row", "app.jobs/PRIMARY", "17"};
    const QString m_take = QStringLiteral("SELECT n FROM jobs WHERE id = 17 FOR UPDATE");
    MariaDbServer m_database{{QStringLiteral("--performance-schema=ON"),
                              QStringLiteral("--performance-schema-instrument=transaction=ON"),
                              QStringLiteral("--performance-schema-consumer-events-transactions-current=ON"),
                              QStringLiteral("--innodb-lock-wait-timeout=100")}};
    AgentProcess m_agent;
};

void TestConsoleKill::initTestCase()
{
    QVERIFY(m_database.start());
    m_database.exec(QStringLiteral("CREATE DATABASE app"));
    m_database.exec(QStringLiteral("CREATE TABLE jobs (id INT PRIMARY KEY, n INT);\n"
                                   "INSERT INTO jobs VALUES (17, 0), (18, 0)"),
                    QStringLiteral("app"));
    m_agent.configure("[[source]]\nname = \"db\"\nurl = \"" +
                      m_database.url(QStringLiteral("app")).toEncoded() +
                      "\"\npoll_ms = 200\n  [[source.locks]]\n  scheme = \"sql.row\"\n  table = \"jobs\"\n");
    QVERIFY2(m_agent.start(), m_agent.log().constData());
}

ReleaseDialog *TestConsoleKill::openDialog(ConsoleParts &console)
{
    console.session.open({m_agent.socket()});
    if (!QTest::qWaitFor(
            [&] { return console.replica.find(m_key) && !console.replica.find(m_key)->waiters.isEmpty(); },
            10'000))
        return nullptr;
    auto *dialog = new ReleaseDialog(console.context(), m_key, &console.controller, &console.window);
    dialog->show();
    auto *reason = part<QLineEdit>(dialog, "reason");
    auto *name = part<QLineEdit>(dialog, "name");
    auto *action = part<QPushButton>(dialog, "action");
    // A transaction younger than five seconds isn't killed; the dialog reads it again until it is older.
    const bool ready = QTest::qWaitFor(
        [&] {
            if (reason->isEnabled() && reason->text().isEmpty())
                reason->setText(QStringLiteral("paged by on-call"));
            if (name->isVisible() && name->text().isEmpty())
                name->setText(QStringLiteral("jobs 17"));
            return dialog->releaseCase() == ReleaseCase::Connection && action->isEnabled();
        },
        20'000);
    return ready ? dialog : nullptr;
}

void TestConsoleKill::killsTheHolder()
{
    const auto holder = session(StockClient::Kind::MariaDbCli);
    const auto waiter = session(StockClient::Kind::PyMySql);
    QVERIFY(holder->run(QStringLiteral("BEGIN")) && holder->run(m_take));
    QVERIFY(waiter->run(QStringLiteral("BEGIN")));
    waiter->send(m_take);
    ConsoleParts console;
    ReleaseDialog *dialog = openDialog(console);
    QVERIFY(dialog);
    QVERIFY(says(dialog, QStringLiteral("rolls back")));
    picture(dialog, "kill-ready");
    const QByteArray connection = console.replica.find(m_key)->session->id;
    QVERIFY(dialog->windowTitle().contains(QString::fromLatin1(connection)));
    QTest::mouseClick(part<QPushButton>(dialog, "action"), Qt::LeftButton);
    auto *outcome = part<QLabel>(dialog, "outcome");
    QTRY_VERIFY2(outcome->text().startsWith(QStringLiteral("Released.")), qPrintable(outcome->text()));
    picture(dialog, "kill-done");
    QVERIFY(!part<QPushButton>(dialog, "action")->isEnabled());
    // The event that announces the release to everybody, with the command's id.
    const auto told = [&] {
        return std::any_of(console.events.cbegin(), console.events.cend(), [&](const events::LockEvent &e) {
            return e.kind == events::EventKind::ForceReleased && e.key == m_key && !e.command.isEmpty();
        });
    };
    QTRY_VERIFY(told());
    QVERIFY(waiter->finish());
    QVERIFY(holder->isCutOff());
    QVERIFY(waiter->run(QStringLiteral("COMMIT")));
    std::optional<protocol::AuditPage> audit;
    console.session.audit({}, this, [&](const auto &page) { audit = *page; });
    QTRY_VERIFY(audit);
    QCOMPARE(audit->entries.constFirst().outcome, domain::Outcome::Released);
    QCOMPARE(audit->entries.constFirst().reason, QStringLiteral("paged by on-call"));
}

void TestConsoleKill::leavesAnotherTransactionAlone()
{
    const auto holder = session(StockClient::Kind::MariaDbCli);
    const auto waiter = session(StockClient::Kind::PyMySql);
    QVERIFY(holder->run(QStringLiteral("BEGIN")) && holder->run(m_take));
    QVERIFY(waiter->run(QStringLiteral("BEGIN")));
    waiter->send(m_take);
    ConsoleParts console;
    ReleaseDialog *dialog = openDialog(console);
    QVERIFY(dialog);
    // The holder ends its transaction and begins another: the transaction in the dialog no longer exists.
    QVERIFY(holder->run(QStringLiteral("COMMIT")));
    QVERIFY(waiter->finish());
    QTest::mouseClick(part<QPushButton>(dialog, "action"), Qt::LeftButton);
    // MariaDB shows a row's holder only while a session waits: the answer is that it changed, or that it is
    // free.
    const auto saysNothingWasReleased = [&] {
        return says(dialog, QStringLiteral("Nothing was released.")) ||
               says(dialog, QStringLiteral("This request released nothing."));
    };
    QTRY_VERIFY2(saysNothingWasReleased(), qPrintable(allOf(dialog)));
    QVERIFY(!part<QPushButton>(dialog, "action")->isEnabled());
    picture(dialog, "kill-changed");
    QVERIFY(!holder->isCutOff());
    QVERIFY(waiter->run(QStringLiteral("SELECT 1")) && !waiter->output().contains("ERROR"));
    QVERIFY(waiter->run(QStringLiteral("COMMIT")));
}

LOCKKEEPER_TEST(TestConsoleKill)

} // namespace tst_console_kill

#include "tst_console_kill.moc"
