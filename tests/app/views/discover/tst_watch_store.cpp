// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/application/language.h"
#include "app/views/discover/finish_page.h"
#include "app/views/discover/store_form.h"
#include "app/views/discover/tables_page.h"
#include "app/views/widgets/banner_area.h"
#include "shared/stores/discover/source_section.h"
#include "tests/app/views/discover/watch_rig.h"
#include "tests/support/agent_process.h"
#include "tests/support/mariadb_server.h"
#include "tests/support/redis_server.h"
#include "tests/support/test_program.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QTableView>
#include <QtTest>

namespace tst_watch_store {

using namespace lockkeeper;
using namespace lockkeeper::app;
using private_agent::PrivateAgent;
using tests::agentProgram;
using tests::kPatienceMs;
using tests::picture;
using tests::s;
using tests::serves;
using views::WatchStoreDialog;
using Rig = tests::WatchRig;

class TestWatchStore : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void formMakesUrls_data();
    void formMakesUrls();
    void pastedUrlFillsTheForm();
    void pastedAddressFillsTheForm();
    void typedAddressStaysAsTyped();
    void passwordsStayWithTheirServer_data();
    void passwordsStayWithTheirServer();
    void fieldsAreOfOneHeight();
    void patternsAreAdded();
    void newcomerSeesTheirLocks();
    void locksOfRedisAreWatched();
    void connectedAgentLooks();
    void agentsThatCannotLookAreOff();
    void keptAgentIsFoundAgain();
    void refusedPasswordIsSaid();
    void lookCanBeCancelled();
    void refusedConfigurationIsSaid();
    void aRefusalCostsNothing();
    void missingAgentIsSaid();
    void endedAgentIsSaid();
    void secondStoreIsAdded();
    void hostileNamesStayText();
    void refusalsAreInTheLanguage();
    void everyControlHasAName();

private:
    void fill(WatchStoreDialog *dialog, const QString &user = s("lk"), const QString &password = s("pa\"ss"));
    void choose(WatchStoreDialog *dialog);

    std::unique_ptr<tests::MariaDbServer> m_server;
};

void TestWatchStore::initTestCase()
{
    m_server = std::make_unique<tests::MariaDbServer>(QStringList(), true);
    QVERIFY(m_server->start());
    m_server->exec(s("CREATE DATABASE app;\n"
                     "CREATE USER 'lk'@'127.0.0.1' IDENTIFIED BY 'pa\"ss';\n"
                     "CREATE USER 'lk'@'localhost' IDENTIFIED BY 'pa\"ss';\n"
                     "GRANT SELECT, UPDATE ON app.* TO 'lk'@'127.0.0.1';\n"
                     "GRANT SELECT, UPDATE ON app.* TO 'lk'@'localhost';\n"));
    m_server->exec(
        s("CREATE TABLE shedlock(name varchar(64) primary key, lock_until timestamp(3) NOT NULL, "
          "locked_at timestamp(3) NOT NULL, locked_by varchar(255) NOT NULL);\n"
          "INSERT INTO shedlock VALUES('nightly-report', NOW(3) + INTERVAL 1 HOUR, NOW(3), 'w1@10.0.0.7'),"
          "('settle', NOW(3) + INTERVAL 1 HOUR, NOW(3), 'w2@10.0.0.8');\n"
          "CREATE TABLE task_lock(task_name varchar(100) primary key, locked_by varchar(100), "
          "locked_at bigint, lock_until bigint);\n"
          "CREATE TABLE users(id bigint auto_increment primary key, email varchar(255) unique, "
          "locked_at datetime);\n"
          "CREATE TABLE lock_requests(id bigint auto_increment primary key, lock_name varchar(100), "
          "holder varchar(100), acquired_at timestamp NULL, expires_at timestamp NULL);\n"),
        s("app"));
}

void TestWatchStore::formMakesUrls_data()
{
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("host");
    QTest::addColumn<QString>("url");
    const auto row = [](const char *kind, const char *host, const char *url) {
        QTest::newRow(url) << s(kind) << s(host) << s(url);
    };
    row("mysql", "db.example", "mysql://lk%40x@db.example:3306/a%20b");
    row("mysql", "/run/my sql.sock", "mysql+unix:///run/my%20sql.sock?db=a%20b&user=lk%40x");
    row("postgresql", "::1", "postgresql://lk%40x@[::1]:5432/a%20b");
    row("redis", "cache.example", "redis://lk%40x@cache.example:6379/7");
    row("rediss", "cache.example", "rediss://lk%40x@cache.example:6379/7");
    row("redis", "/run/redis/r.sock", "redis+unix:///run/redis/r.sock?db=7&user=lk%40x");
    row("postgresql", "/run/postgresql", "postgresql:///a%20b?host=/run/postgresql&user=lk%40x");
}

void TestWatchStore::formMakesUrls()
{
    QFETCH(QString, kind);
    QFETCH(QString, host);
    QFETCH(QString, url);
    views::StoreForm form;
    QVERIFY(!form.isComplete());
    auto *kinds = form.findChild<QComboBox *>(s("kind"));
    const bool tls = kind == s("rediss");
    kinds->setCurrentIndex(kinds->findData(tls ? s("redis") : kind));
    form.findChild<QComboBox *>(s("tls"))->setCurrentIndex(tls ? 1 : 0);
    form.findChild<QLineEdit *>(s("host"))->setText(host);
    const bool keys = kind.startsWith(s("redis"));
    QCOMPARE(form.isComplete(), keys); // Redis defaults to its first database
    QCOMPARE(form.hasKeys(), keys);
    form.findChild<QLineEdit *>(s("database"))->setText(keys ? s("7") : s("a b"));
    form.findChild<QLineEdit *>(s("user"))->setText(s("lk@x"));
    form.findChild<QLineEdit *>(s("password"))->setText(s("secret"));
    QVERIFY(form.isComplete());
    QCOMPARE(form.url().toString(QUrl::FullyEncoded), url);
    views::StoreForm other;
    QVERIFY(other.setUrl(form.url()));
    QCOMPARE(other.url(), form.url());
    QVERIFY(other.password().isEmpty());
}

void TestWatchStore::pastedUrlFillsTheForm()
{
    views::StoreForm form;
    QTest::keyClicks(form.findChild<QLineEdit *>(s("host")), s("x"));
    QVERIFY(form.setUrl(QUrl(s("mysql://me:geheim@db.example:3307/orders"))));
    QCOMPARE(form.password(), QByteArray("geheim"));
    QCOMPARE(form.url(), QUrl(s("mysql://me@db.example:3307/orders")));
    QVERIFY(form.setUrl(QUrl(s("sqlite:/tmp/a%20b.db"))));
    QCOMPARE(form.url(), QUrl(s("sqlite:/tmp/a%20b.db")));
    QVERIFY(form.password().isEmpty());
    QVERIFY(form.setUrl(QUrl(s("redis://me:geheim@cache.example"))));
    QCOMPARE(form.password(), QByteArray("geheim"));
    QCOMPARE(form.url(), QUrl(s("redis://me@cache.example:6379/")));
    QVERIFY(form.isComplete());
    QVERIFY(form.setUrl(QUrl(s("redis+unix:///run/r.sock?db=2"))));
    QCOMPARE(form.url().toString(), s("redis+unix:///run/r.sock?db=2"));
    QVERIFY(!form.setUrl(QUrl(s("ftp://x/y"))));
}

void TestWatchStore::fill(WatchStoreDialog *dialog, const QString &user, const QString &password)
{
    QVERIFY(dialog);
    QUrl url = m_server->tcpUrl(s("app"), user);
    QVERIFY(dialog->form()->setUrl(url));
    dialog->form()->findChild<QLineEdit *>(s("password"))->setText(password);
    QVERIFY(dialog->nextButton()->isEnabled());
    QTest::keyClick(dialog, Qt::Key_Return);
}

void TestWatchStore::choose(WatchStoreDialog *dialog)
{
    fill(dialog);
    QTRY_COMPARE_WITH_TIMEOUT(dialog->page(), WatchStoreDialog::ChoosePage, kPatienceMs);
    QTest::mouseClick(dialog->nextButton(), Qt::LeftButton);
    QCOMPARE(dialog->page(), WatchStoreDialog::FinishPageIndex);
}

/** The line for the address stands first for every kind of store, and shows no password. */
void TestWatchStore::pastedAddressFillsTheForm()
{
    views::StoreForm form;
    auto *address = form.findChild<QLineEdit *>(s("address"));
    QVERIFY(address);
    const auto paste = [address](const QString &text) {
        address->selectAll();
        QTest::keyClick(address, Qt::Key_Delete);
        address->insert(text); // at once, as a paste
        Q_EMIT address->textEdited(address->text());
    };
    paste(s(" redis://me:geheim@cache.example:6380/3 "));
    QCOMPARE(form.url(), QUrl(s("redis://me@cache.example:6380/3")));
    QCOMPARE(form.password(), QByteArray("geheim"));
    QVERIFY2(!address->text().contains(s("geheim")), qPrintable(address->text()));
    paste(s("sqlite:/tmp/locks.db"));
    QVERIFY(form.isComplete());
    QCOMPARE(form.url().scheme(), s("sqlite"));
    paste(s("postgresql://me@db.example/orders"));
    QCOMPARE(form.url(), QUrl(s("postgresql://me@db.example:5432/orders")));
    paste(s("ftp://x/y"));
    QVERIFY2(form.errorText().contains(s("ftp://x/y")), qPrintable(form.errorText()));
    QCOMPARE(address->text(), s("ftp://x/y")); // the typed text stays
    // The line also shows the address that the fields make up.
    form.findChild<QLineEdit *>(s("host"))->setText(s("other.example"));
    QVERIFY2(address->text().contains(s("other.example")), qPrintable(address->text()));
}

/** The next characters go to the end of the address, also after a password. */
void TestWatchStore::typedAddressStaysAsTyped()
{
    views::StoreForm form;
    form.show();
    QVERIFY(QTest::qWaitForWindowExposed(&form));
    auto *address = form.findChild<QLineEdit *>(s("address"));
    const QString typed = s("mysql://app:geheim@127.0.0.1:22011/app");
    address->selectAll();
    QTest::keyClicks(address, typed);
    QCOMPARE(address->text(), typed);
    QCOMPARE(form.url(), QUrl(s("mysql://app@127.0.0.1:22011/app")));
    QCOMPARE(form.password(), QByteArray("geheim"));
    QCOMPARE(form.errorText(), QString());
    QTest::keyClick(address, Qt::Key_Return); // the address is complete: the password goes out of sight
    QCOMPARE(address->text(), s("mysql://app@127.0.0.1:22011/app"));
    QCOMPARE(form.password(), QByteArray("geheim"));
}

void TestWatchStore::passwordsStayWithTheirServer_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<bool>("same");
    QTest::newRow("another database") << s("mysql://me@db.example:3306/billing") << true;
    QTest::newRow("another host") << s("mysql://me@db2.example:3306/orders") << false;
    QTest::newRow("another port") << s("mysql://me@db.example:3307/orders") << false;
    QTest::newRow("another store") << s("postgresql://me@db.example:5432/orders") << false;
}

void TestWatchStore::passwordsStayWithTheirServer()
{
    QFETCH(QString, url);
    QFETCH(bool, same);
    views::StoreForm form;
    QVERIFY(form.setUrl(QUrl(s("mysql://me@db.example:3306/orders"))));
    auto *password = form.findChild<QLineEdit *>(s("password"));
    QTest::keyClicks(password, s("geheim"));
    QVERIFY(form.setUrl(QUrl(url)));
    QCOMPARE(form.password(), same ? QByteArray("geheim") : QByteArray());
    QCOMPARE(password->placeholderText().isEmpty(), same);
}

void TestWatchStore::fieldsAreOfOneHeight()
{
    views::StoreForm form;
    form.show();
    const auto *host = form.findChild<QLineEdit *>(s("host"));
    QTRY_VERIFY(host->isVisible());
    QCOMPARE(form.findChild<QSpinBox *>(s("port"))->height(), host->height());
}

/** The user adds a pattern by hand if it wasn't recognised. It then counts like the others. */
void TestWatchStore::patternsAreAdded()
{
    views::TablesPage page;
    stores::discover::Discovery discovery;
    discovery.store = "redis";
    page.setStore(s("redis"));
    page.setDiscovery(discovery);
    page.show();
    QAbstractItemModelTester tester(page.model());
    QVERIFY(!page.isComplete());
    auto *match = page.findChild<QLineEdit *>(s("match"));
    auto *scheme = page.findChild<QComboBox *>(s("scheme"));
    auto *add = page.findChild<QPushButton *>(s("add_pattern"));
    QVERIFY(match->isVisible() && !add->isEnabled());
    match->setText(s(" my\"lock:* "));
    scheme->setCurrentText(s("redis.redisson"));
    add->click();
    QVERIFY(page.isComplete());
    QCOMPARE(page.chosen().size(), 1);
    QCOMPARE(page.chosen().first().match, QByteArray("my\"lock:*"));
    QVERIFY(match->text().isEmpty());
    match->setText(s("my\"lock:*"));
    add->click(); // no second row for the same pattern
    QCOMPARE(page.chosen().size(), 1);
    picture(&page, "pattern-added");
    QCOMPARE(page.model()->index(0, 2).data().toString(), s("added by hand"));
    QVERIFY2(page.reasons().contains(s("added by hand")), qPrintable(page.reasons()));
    const QString section =
        stores::discover::sourceSection({s("cache"), QUrl(s("redis://127.0.0.1:6379/0")), {}, {}},
                                        page.chosen(), [](const auto &) { return QStringList(); });
    QVERIFY2(section.contains(s("scheme = \"redis.redisson\"")), qPrintable(section));
    QVERIFY2(section.contains(s("match = \"my\\\"lock:*\"")), qPrintable(section));
    page.setStore(s("redlock"));
    QCOMPARE(scheme->currentText(), s("redis.redlock"));
    discovery.store = "mysql";
    page.setDiscovery(discovery);
    QVERIFY(!match->isVisible());
}

/** A newcomer gets from the start page to their own locks without an agent, a file or a manual. */
void TestWatchStore::newcomerSeesTheirLocks()
{
    Rig rig;
    rig.console->start({});
    picture(rig.console->window(), "1-start");
    QTest::mouseClick(rig.console->window()->findChild<QPushButton *>(s("watch_store")), Qt::LeftButton);
    WatchStoreDialog *dialog = rig.dialog();
    QVERIFY(dialog && dialog->isVisible());
    const QAbstractItemModelTester tester(dialog->tables()->model());
    fill(dialog);
    QTRY_COMPARE_WITH_TIMEOUT(dialog->page(), WatchStoreDialog::ChoosePage, kPatienceMs);
    picture(dialog, "3-tables");
    discover::CandidatesModel *model = dialog->tables()->model();
    QCOMPARE(dialog->tables()->chosen().size(), 2);
    QCOMPARE(model->index(0, 0).data().toString(), s("shedlock"));
    QVERIFY(dialog->tables()->reasons().contains(s("shedlock")));
    // All with the keyboard: Space unchecks a row, and without a checked row the next step is disabled.
    dialog->tables()->table()->setFocus();
    for (int row = 0; row < 2; ++row) {
        dialog->tables()->table()->setCurrentIndex(model->index(row, 0));
        QTest::keyClick(dialog->tables()->table(), Qt::Key_Space);
    }
    QVERIFY(!dialog->nextButton()->isEnabled());
    QVERIFY(model->setData(model->index(0, 0), Qt::Checked, Qt::CheckStateRole));
    QTest::mouseClick(dialog->nextButton(), Qt::LeftButton);
    const QString section = dialog->finish()->section();
    QVERIFY(section.contains(s("password = \"env:LOCKKEEPER_APP\"")));
    QVERIFY(!section.contains(s("pa\"ss")) && !section.contains(s("pa\\\"ss")));
    QVERIFY(!section.contains(s("task_lock")));
    picture(dialog, "4-finish");
    QVERIFY(!dialog->finish()->keeps());
    QTest::mouseClick(dialog->finish()->startButton(), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(rig.console->session()->link(), session::LinkState::Live, kPatienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(rig.console->replica()->locks().size(), 2, kPatienceMs);
    QCOMPARE(rig.console->window()->currentView()->id(), QByteArray("locks"));
    QTRY_VERIFY(!rig.dialog());
    picture(rig.console->window(), "5-locks");

    // No password in a configuration, and nothing for other eyes.
    const private_agent::WatchFiles &files = rig.console->privateAgent()->files();
    QFile config(files.configFile());
    QVERIFY(config.open(QIODevice::ReadOnly));
    const QByteArray text = config.readAll();
    QVERIFY(text.contains("password = \"file:secrets/"));
    QVERIFY(!text.contains("pa\"ss") && !text.contains("pa\\\"ss"));
    constexpr auto kOthers = QFileDevice::ReadGroup | QFileDevice::ReadOther | QFileDevice::WriteGroup |
                             QFileDevice::WriteOther | QFileDevice::ExeGroup | QFileDevice::ExeOther;
    QDirIterator all(files.folder(), QDir::AllEntries | QDir::NoDotAndDotDot, QDirIterator::Subdirectories);
    QVERIFY(!(QFileInfo(files.folder()).permissions() & kOthers));
    while (all.hasNext()) {
        const QString path = all.next();
        if (path.contains(s("/secrets")) || path == files.configFile())
            QVERIFY2(!(QFileInfo(path).permissions() & kOthers), qPrintable(path));
    }

    // It ends with the console, and comes back with the next one.
    const QString address = rig.settings.value(settings::Key::LastAgent).toString();
    QCOMPARE(address, files.address());
    const QString socket = rig.socket();
    QVERIFY(serves(socket));
    rig.restart();
    QVERIFY(!serves(socket));
    rig.console->start(address);
    QTRY_COMPARE_WITH_TIMEOUT(rig.console->session()->link(), session::LinkState::Live, kPatienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(rig.console->replica()->locks().size(), 2, kPatienceMs);
}

/** From a URL to a live table, like with tables: keys are scanned, and a private agent watches them. */
void TestWatchStore::locksOfRedisAreWatched()
{
    tests::RedisServer server;
    QVERIFY(server.start({}, true));
    server.command({"ACL", "SETUSER", "lk", "on", ">pa\"ss", "~*", "+@all"});
    for (const char *name : {"lock:orders", "lock:billing", "lock:stock"})
        server.command({"SET", name, "3f2504e0-4f89-11d3-9a0c-0305e82c3301", "PX", "600000"});
    for (int i = 0; i < 50; ++i)
        server.command(
            {"SET", "session:" + QByteArray::number(i), "{\"user\":17,\"cart\":[]}", "EX", "1800"});
    Rig rig;
    rig.console->start({});
    rig.console->watchStore();
    WatchStoreDialog *dialog = rig.dialog();
    QVERIFY(dialog);
    QUrl url = server.tcpUrl();
    url.setUserName(s("lk"));
    QVERIFY(dialog->form()->setUrl(url));
    dialog->form()->findChild<QLineEdit *>(s("password"))->setText(s("pa\"ss"));
    QVERIFY(dialog->nextButton()->isEnabled());
    picture(dialog, "watch-redis-form");
    QTest::keyClick(dialog, Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(dialog->page(), WatchStoreDialog::ChoosePage, kPatienceMs);
    const discover::CandidatesModel *model = dialog->tables()->model();
    QCOMPARE(model->rowCount(), 1); // no sessions, even as near misses
    QCOMPARE(model->index(0, 0).data().toString(), s("lock:*"));
    QVERIFY(dialog->tables()->reasons().contains(s("changes can be pushed")));
    picture(dialog, "watch-redis-choose");
    QTest::mouseClick(dialog->nextButton(), Qt::LeftButton);
    QVERIFY2(dialog->finish()->section().contains(s("match = \"lock:*\"")),
             qPrintable(dialog->finish()->section()));
    picture(dialog, "watch-redis-finish");
    QTest::mouseClick(dialog->finish()->startButton(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(rig.console->replica()->locks().size() == 3, kPatienceMs);
    // The wizard has closed, and the agent reports the dangers to these locks.
    QTRY_VERIFY_WITH_TIMEOUT(!rig.console->replica()->sources().isEmpty() &&
                                 !rig.console->replica()->sources().first().findings.isEmpty(),
                             kPatienceMs);
}

/** A connected agent searches the store; the findings are for that agent to watch. */
void TestWatchStore::connectedAgentLooks()
{
    tests::RedisServer server;
    QVERIFY(server.start({}, true));
    server.command({"CONFIG", "SET", "requirepass", "pa\"ss"});
    server.command({"AUTH", "pa\"ss"});
    for (const char *name : {"lock:orders", "lock:billing", "lock:stock"})
        server.command({"SET", name, "3f2504e0-4f89-11d3-9a0c-0305e82c3301", "PX", "600000"});
    tests::AgentProcess agent;
    agent.configure("[[source]]\nname = \"elsewhere\"\nurl = \"redis://127.0.0.1:1/0\"\n"
                    "  [[source.locks]]\n  scheme = \"redis.token\"\n");
    QVERIFY(agent.start());
    Rig rig;
    rig.console->start(s("local:") + agent.socket());
    QTRY_COMPARE_WITH_TIMEOUT(rig.console->session()->link(), session::LinkState::Live, kPatienceMs);
    const QString name = rig.console->session()->welcome().agent;
    rig.console->watchStore();
    WatchStoreDialog *dialog = rig.dialog();
    QVERIFY(dialog && dialog->lookFrom()->isVisible());
    QCOMPARE(dialog->lookFrom()->count(), 2);
    QCOMPARE(dialog->lookFrom()->currentIndex(), 0); // this computer, by default
    dialog->lookFrom()->setCurrentIndex(1);
    dialog->form()->setUrl(QUrl(s("sqlite:/tmp/locks.db")));
    QTest::mouseClick(dialog->nextButton(), Qt::LeftButton);
    QVERIFY(!dialog->form()->errorText().isEmpty()); // a file on the agent's computer
    QCOMPARE(dialog->page(), WatchStoreDialog::AddressPage);
    dialog->form()->setUrl(server.tcpUrl());
    dialog->form()->findChild<QLineEdit *>(s("password"))->setText(s("wrong"));
    QTest::mouseClick(dialog->nextButton(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(!dialog->form()->errorText().isEmpty(), kPatienceMs);
    QCOMPARE(dialog->page(), WatchStoreDialog::AddressPage);
    dialog->form()->findChild<QLineEdit *>(s("password"))->setText(s("pa\"ss"));
    picture(dialog, "agent-1-form");
    QTest::mouseClick(dialog->nextButton(), Qt::LeftButton);
    picture(dialog, "agent-2-look");
    QTRY_COMPARE_WITH_TIMEOUT(dialog->page(), WatchStoreDialog::ChoosePage, kPatienceMs);
    QCOMPARE(dialog->tables()->model()->index(0, 0).data().toString(), s("lock:*"));
    QTest::mouseClick(dialog->nextButton(), Qt::LeftButton);
    const QString section = dialog->finish()->section();
    QVERIFY2(section.startsWith(s("# ")) && section.section(QLatin1Char('\n'), 0, 0).contains(name),
             qPrintable(section));
    QVERIFY2(section.contains(s("match = \"lock:*\"")), qPrintable(section));
    QVERIFY2(!section.contains(s("pa\\\"ss")) && section.contains(s("env:LOCKKEEPER_")), qPrintable(section));
    QVERIFY(!dialog->finish()->startButton()->isEnabled()); // the store may be out of this computer's reach
    picture(dialog, "agent-3-finish");
    // After the switch back to this computer, everything is as before.
    QTest::mouseClick(dialog->backButton(), Qt::LeftButton);
    QTest::mouseClick(dialog->backButton(), Qt::LeftButton);
    dialog->lookFrom()->setCurrentIndex(0);
    QTest::mouseClick(dialog->nextButton(), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(dialog->page(), WatchStoreDialog::ChoosePage, kPatienceMs);
    QTest::mouseClick(dialog->nextButton(), Qt::LeftButton);
    QVERIFY(dialog->finish()->section().startsWith(s("[[source]]")));
    QVERIFY(dialog->finish()->startButton()->isEnabled());
}

void TestWatchStore::agentsThatCannotLookAreOff()
{
    Rig rig;
    WatchStoreDialog dialog(rig.console->privateAgent());
    dialog.show();
    QVERIFY(!dialog.lookFrom()->isVisible()); // no other agent to look from
    int asked = 0;
    int cancelled = 0;
    const auto ask = [&asked](const protocol::DiscoverRequest &, QObject *,
                              const discover::LookingAgent::Answer &) -> quint64 { return quint64(++asked); };
    const auto cancel = [&cancelled](quint64) { ++cancelled; };
    dialog.setAgents({{s("dc<b>1"), {}, ask, cancel}, {s("dc2"), s("needs the role admin"), {}, {}}});
    QVERIFY(dialog.lookFrom()->isVisible());
    const auto left = [&dialog](const QWidget *field) { return field->mapTo(&dialog, QPoint()).x(); };
    auto *address = dialog.form()->findChild<QLineEdit *>(s("address"));
    QTRY_COMPARE(left(dialog.lookFrom()), left(address));
    const auto next = [](QWidget *one) { // the next widget by Tab
        do
            one = one->nextInFocusChain();
        while (!one->isVisible() || (one->focusPolicy() & Qt::TabFocus) == 0);
        return one;
    };
    QCOMPARE(next(dialog.lookFrom()), address);
    QCOMPARE(next(address), dialog.form()->findChild<QComboBox *>(s("kind")));
    auto *items = qobject_cast<QStandardItemModel *>(dialog.lookFrom()->model());
    QVERIFY(items->item(1)->isEnabled() && !items->item(2)->isEnabled());
    QVERIFY(items->item(2)->text().contains(s("needs the role admin")));
    dialog.lookFrom()->setCurrentIndex(1);
    dialog.form()->setUrl(QUrl(s("rediss://cache.internal:6379/0")));
    dialog.form()->findChild<QLineEdit *>(s("tls_ca"))->setText(s("/etc/ssl/own.pem"));
    QTest::mouseClick(dialog.nextButton(), Qt::LeftButton);
    QCOMPARE(asked, 0); // the file is on this computer
    QVERIFY2(!dialog.form()->errorText().isEmpty(), "a file that can't go with it");
    dialog.form()->findChild<QLineEdit *>(s("tls_ca"))->clear();
    QTest::mouseClick(dialog.nextButton(), Qt::LeftButton);
    QCOMPARE(asked, 1);
    QCOMPARE(dialog.page(), WatchStoreDialog::LookPage);
    QTest::mouseClick(dialog.backButton(), Qt::LeftButton);
    QCOMPARE(cancelled, 1);
    QCOMPARE(dialog.page(), WatchStoreDialog::AddressPage);
}

void TestWatchStore::keptAgentIsFoundAgain()
{
    Rig rig;
    rig.console->watchStore();
    choose(rig.dialog());
    rig.dialog()->finish()->findChild<QCheckBox *>(s("keep"))->setChecked(true);
    QTest::mouseClick(rig.dialog()->finish()->startButton(), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(rig.console->session()->link(), session::LinkState::Live, kPatienceMs);
    const QString socket = rig.socket();
    rig.restart();
    QVERIFY(serves(socket));
    rig.console->start(rig.settings.value(settings::Key::LastAgent).toString());
    QTRY_COMPARE_WITH_TIMEOUT(rig.console->session()->link(), session::LinkState::Live, kPatienceMs);
    QSignalSpy stopped(rig.console->privateAgent(), &PrivateAgent::stopped);
    Q_EMIT rig.console->window()->stopPrivateAsked();
    QVERIFY(stopped.wait(kPatienceMs));
    QVERIFY(!serves(socket));
    QCOMPARE(rig.settings.value(settings::Key::PrivateAgent).toString(), s("off"));
}

void TestWatchStore::refusedPasswordIsSaid()
{
    Rig rig;
    rig.console->watchStore();
    fill(rig.dialog(), s("lk"), s("wrong"));
    QTRY_VERIFY_WITH_TIMEOUT(!rig.dialog()->form()->errorText().isEmpty(), kPatienceMs);
    QCOMPARE(rig.dialog()->page(), WatchStoreDialog::AddressPage);
    QVERIFY(rig.dialog()->form()->errorText().contains(s("1045")));
    QVERIFY(!rig.dialog()->form()->errorText().contains(s("wrong")));
    picture(rig.dialog(), "2-refused");
    rig.dialog()->form()->findChild<QLineEdit *>(s("user"))->setText(s("other"));
    QVERIFY(rig.dialog()->form()->errorText().isEmpty());
}

void TestWatchStore::lookCanBeCancelled()
{
    Rig rig;
    rig.console->watchStore();
    m_server->freeze();
    fill(rig.dialog());
    QCOMPARE(rig.dialog()->page(), WatchStoreDialog::LookPage);
    picture(rig.dialog(), "2-looking");
    QElapsedTimer clock;
    clock.start();
    QTest::mouseClick(rig.dialog()->backButton(), Qt::LeftButton);
    const qint64 blockedMs = clock.elapsed();
    QCOMPARE(rig.dialog()->page(), WatchStoreDialog::AddressPage);
    rig.dialog()->reject();
    m_server->thaw();
    QVERIFY2(blockedMs < 100, qPrintable(QString::number(blockedMs)));
}

void TestWatchStore::refusedConfigurationIsSaid()
{
    Rig rig;
    rig.console->watchStore();
    choose(rig.dialog());
    m_server->exec(s("ALTER TABLE shedlock RENAME COLUMN locked_by TO gone;\n"), s("app"));
    QTest::mouseClick(rig.dialog()->finish()->startButton(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(rig.dialog()->finish()->failureText().contains(s("locked_by")), kPatienceMs);
    m_server->exec(s("ALTER TABLE shedlock RENAME COLUMN gone TO locked_by;\n"), s("app"));
    picture(rig.dialog(), "6-check-failed");
    QVERIFY(rig.dialog()->finish()->startButton()->isEnabled());
    QVERIFY(!rig.console->privateAgent()->files().isConfigured());
    QTest::mouseClick(rig.dialog()->finish()->startButton(), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(rig.console->session()->link(), session::LinkState::Live, kPatienceMs);
}

/**
 * The user can add a store while another store is down. If the agent refuses the new store, the previous
 * configuration stays.
 */
void TestWatchStore::aRefusalCostsNothing()
{
    Rig rig;
    const private_agent::WatchFiles &files = rig.console->privateAgent()->files();
    QVERIFY(files.add({QUrl(s("redis://127.0.0.1:1/0")),
                       s("[[source]]\nname = \"down\"\nurl = \"redis://127.0.0.1:1/0\"\n"
                         "[[source.locks]]\nscheme = \"redis.token\"\nmatch = \"lock:*\"\n"),
                       {}}));
    rig.console->watchStore();
    choose(rig.dialog());
    QTest::mouseClick(rig.dialog()->finish()->startButton(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(!rig.dialog(), kPatienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(rig.console->replica()->sources().size(), 2, kPatienceMs);
    const auto configuration = [&files] {
        QFile file(files.configFile());
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    const QByteArray before = configuration();
    QVERIFY(before.contains("shedlock"));
    rig.console->watchStore();
    choose(rig.dialog());
    m_server->exec(s("ALTER TABLE shedlock RENAME COLUMN locked_by TO gone;\n"), s("app"));
    QTest::mouseClick(rig.dialog()->finish()->startButton(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(rig.dialog()->finish()->failureText().contains(s("locked_by")), kPatienceMs);
    m_server->exec(s("ALTER TABLE shedlock RENAME COLUMN gone TO locked_by;\n"), s("app"));
    QCOMPARE(configuration(), before);
    QCOMPARE(QDir(files.folder() + s("/secrets")).entryList(QDir::Files).size(), 1);
    QVERIFY(!QFileInfo::exists(files.folder() + s("/trial")));
}

void TestWatchStore::missingAgentIsSaid()
{
    Rig rig;
    rig.console->privateAgent()->setProgram(rig.folder.filePath(s("nothing")));
    rig.console->watchStore();
    choose(rig.dialog());
    QTest::mouseClick(rig.dialog()->finish()->startButton(), Qt::LeftButton);
    QVERIFY(rig.dialog()->finish()->failureText().contains(s("lockkeeper-agent")));
    QVERIFY(!rig.dialog()->finish()->section().isEmpty());
}

void TestWatchStore::endedAgentIsSaid()
{
    Rig rig;
    rig.console->watchStore();
    choose(rig.dialog());
    QTest::mouseClick(rig.dialog()->finish()->startButton(), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(rig.console->session()->link(), session::LinkState::Live, kPatienceMs);
    QTRY_VERIFY(!rig.dialog());
    QProcess::execute(agentProgram(),
                      {s("--config"), rig.console->privateAgent()->files().configFile(), s("--stop")});
    QTRY_VERIFY_WITH_TIMEOUT(rig.console->window()->banners()->hasBanner("private_agent"), kPatienceMs);
    // The lost link may show its own banner by now.
    QPushButton *again = nullptr;
    for (auto *button : rig.console->window()->banners()->findChildren<QPushButton *>()) {
        if (button->text() == s("Start again"))
            again = button;
    }
    QVERIFY(again);
    QTest::mouseClick(again, Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(!rig.console->window()->banners()->hasBanner("private_agent"), kPatienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(rig.console->session()->link(), session::LinkState::Live, kPatienceMs);
}

/**
 * Two databases of the same name: the agent watches both, under different names. Adding the same database
 * again replaces it.
 */
void TestWatchStore::secondStoreIsAdded()
{
    Rig rig;
    const private_agent::WatchFiles &files = rig.console->privateAgent()->files();
    for (int round = 0; round < 3; ++round) {
        rig.console->watchStore();
        choose(rig.dialog());
        if (round == 1) { // the same database, by another way
            QVERIFY(rig.dialog()->form()->setUrl(m_server->url(s("app"), s("lk"))));
            rig.dialog()->form()->findChild<QLineEdit *>(s("password"))->setText(s("pa\"ss"));
            rig.dialog()->backButton()->click();
            rig.dialog()->nextButton()->click();
        }
        QTest::mouseClick(rig.dialog()->finish()->startButton(), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!rig.dialog(), kPatienceMs);
        QTRY_COMPARE_WITH_TIMEOUT(rig.console->session()->link(), session::LinkState::Live, kPatienceMs);
        const int sources = round == 0 ? 1 : 2;
        QTRY_COMPARE_WITH_TIMEOUT(rig.console->replica()->sources().size(), sources, kPatienceMs);
        QTRY_COMPARE_WITH_TIMEOUT(rig.console->replica()->locks().size(), 2 * sources, kPatienceMs);
    }
    QStringList names;
    for (const domain::SourceState &source : rig.console->replica()->sources())
        names.append(source.name);
    QCOMPARE(names, QStringList({s("app"), s("app-2")}));
    QVERIFY(files.isConfigured());
}

void TestWatchStore::hostileNamesStayText()
{
    stores::discover::Discovery discovery;
    discovery.store = "mysql";
    discovery.server = s("<b>Server</b>");
    stores::discover::Candidate candidate;
    candidate.table = s("<img src=x>\nlock_\u202e");
    candidate.scheme = "sql.insert";
    candidate.score = 80;
    candidate.access = {{"observe:x", false, false, s("GRANT <i>SELECT</i>")}};
    discovery.found = {candidate};
    views::TablesPage page;
    page.setDiscovery(discovery);
    QVERIFY(page.model()->index(0, 0).data().toString().contains(s("<img src=x>\\x0a")));
    QVERIFY(!page.reasons().contains(QChar(0x202e)));
    QVERIFY(page.reasons().contains(s("GRANT <i>SELECT</i>")));
    QCOMPARE(page.chosen().size(), 0); // it can't be observed: not checked by itself
    for (const QLabel *label : page.findChildren<QLabel *>())
        QCOMPARE(label->textFormat(), Qt::PlainText);
}

void TestWatchStore::refusalsAreInTheLanguage()
{
    const QLocale before;
    const auto restore = qScopeGuard([&before] { QLocale::setDefault(before); });
    Language language;
    language.setLanguage(s("zh_CN"));
    stores::discover::Candidate candidate;
    candidate.table = s("jobs");
    candidate.scheme = "sql.insert";
    candidate.score = 60;
    candidate.missing = {stores::discover::Missing::Refused};
    candidate.refusal = base::Error{base::ErrorCode::Unsupported, s("no such engine"), s("Try again.")};
    stores::discover::Discovery discovery;
    discovery.store = "mysql";
    discovery.near = {candidate};
    views::TablesPage page;
    page.setDiscovery(discovery);
    page.table()->selectRow(0);
    QVERIFY2(page.reasons().contains(s("（no such engine）")), qPrintable(page.reasons()));
    QVERIFY2(!page.reasons().contains(s("Try again")), qPrintable(page.reasons()));
}

void TestWatchStore::everyControlHasAName()
{
    Rig rig;
    rig.console->watchStore();
    for (const QWidget *widget : rig.dialog()->form()->findChildren<QLineEdit *>()) {
        if (widget->objectName() != QLatin1String("qt_spinbox_lineedit"))
            QVERIFY2(!widget->accessibleName().isEmpty(), qPrintable(widget->objectName()));
    }
    picture(rig.dialog(), "2-address");
    QTest::keyClick(rig.dialog(), Qt::Key_Escape);
    QTRY_VERIFY(!rig.dialog());
}

LOCKKEEPER_TEST(TestWatchStore)

} // namespace tst_watch_store

#include "tst_watch_store.moc"
