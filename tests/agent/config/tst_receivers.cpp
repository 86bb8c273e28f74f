// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/config/config.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTemporaryDir>

namespace tst_receivers {

using namespace lockkeeper;
using namespace lockkeeper::agent::config;

namespace {

const char kSource[] = "[[source]]\nname = \"s\"\nurl = \"redis://h/0\"\n[[source.locks]]\n"
                       "scheme = \"redis.token\"\n";

/** `receiver` begins at line 6. */
QByteArray withReceiver(const QByteArray &receiver)
{
    return kSource + QByteArray("[[receiver]]\n") + receiver + '\n';
}

} // namespace

class ReceiversTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void readsAll();
    void fillsDefaults();
    void problems_data();
    void problems();
    void neverRepeatsASecret();

private:
    QString configPath() const { return m_folder.filePath(QStringLiteral("lockkeeper.toml")); }

    QTemporaryDir m_folder;
};

void ReceiversTest::initTestCase()
{
    for (const char *name : {"ca.pem", "key"}) {
        QFile file(m_folder.filePath(QLatin1String(name)));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("k3y\n") > 0);
        file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner);
    }
    qputenv("LK_TEST_HOOK", "https://hooks.example.com/services/T0/B0/x");
    qputenv("LK_TEST_SECRET", "s3cret");
    qputenv("LK_TEST_LINES", "a\r\nX-Header: b");
}

void ReceiversTest::readsAll()
{
    const auto outcome = parse(QByteArray(kSource) + R"(
[[receiver]]
name = "am"
type = "alertmanager"
url = "https://am.example.com:9093/am"
user = "lk"
password = "env:LK_TEST_SECRET"
ca = "ca.pem"
proxy = "http://proxy.example.com:3128"
min_severity = "critical"
language = "zh"

[[receiver]]
name = "pd"
type = "pagerduty"
routing_key = "file:key"

[[receiver]]
name = "chat"
type = "webhook"
url = "env:LK_TEST_HOOK"
secret = "file:key"
token = "env:LK_TEST_SECRET"

[[receiver]]
name = "mail"
type = "email"
url = "smtp://mail.example.com:587"
user = "lk@example.com"
password = "env:LK_TEST_SECRET"
from = "locks@example.com"
to = ["ann@example.com", "bob+oncall@example.com"]

[[receiver]]
name = "script"
type = "command"
command = ["/bin/sh", "-c", "cat"]
)",
                               configPath());
    QVERIFY2(outcome, outcome ? "" : qPrintable(outcome.error().first().text()));
    const QList<ReceiverSettings> &receivers = outcome->receivers;
    QCOMPARE(receivers.size(), 5);
    const auto &manager = std::get<AlertmanagerReceiver>(receivers.at(0).target).access;
    QCOMPARE(receivers.at(0).minSeverity, domain::AlertSeverity::Critical);
    QCOMPARE(receivers.at(0).language, AlertLanguage::Chinese);
    QCOMPARE(manager.url, QUrl(QStringLiteral("https://am.example.com:9093/am")));
    QCOMPARE(manager.password, QByteArray("s3cret"));
    QCOMPARE(manager.ca, m_folder.filePath(QStringLiteral("ca.pem")));
    QCOMPARE(manager.proxy, QUrl(QStringLiteral("http://proxy.example.com:3128")));
    const auto &pager = std::get<PagerDutyReceiver>(receivers.at(1).target);
    QCOMPARE(pager.routingKey, QByteArray("k3y"));
    QCOMPARE(pager.access.url, QUrl(QStringLiteral("https://events.pagerduty.com/v2/enqueue")));
    const auto &chat = std::get<WebhookReceiver>(receivers.at(2).target);
    QCOMPARE(chat.access.url.path(), QStringLiteral("/services/T0/B0/x"));
    QCOMPARE(chat.access.token, QByteArray("s3cret"));
    QCOMPARE(chat.secret, QByteArray("k3y"));
    const auto &mail = std::get<EmailReceiver>(receivers.at(3).target);
    QVERIFY(mail.startTls);
    QCOMPARE(mail.access.user, QStringLiteral("lk@example.com"));
    QCOMPARE(mail.to.size(), 2);
    QCOMPARE(std::get<CommandReceiver>(receivers.at(4).target).command.size(), 3);
    for (int i = 0; i < 5; ++i)
        QCOMPARE(receiverType(receivers.at(i)),
                 QByteArrayList({"alertmanager", "pagerduty", "webhook", "email", "command"}).at(i));
}

void ReceiversTest::fillsDefaults()
{
    const auto outcome =
        parse(withReceiver("name = \"a\"\ntype = \"webhook\"\nurl = \"http://h/\""), configPath());
    QVERIFY(outcome);
    QCOMPARE(outcome->receivers.first().minSeverity, domain::AlertSeverity::Info);
    QCOMPARE(outcome->receivers.first().language, AlertLanguage::English);
    QVERIFY(parse(kSource, configPath())->receivers.isEmpty());
}

void ReceiversTest::problems_data()
{
    QTest::addColumn<QByteArray>("receiver");
    QTest::addColumn<QString>("line");
    const auto row = [](const char *name, const QByteArray &receiver, const char *line) {
        QTest::newRow(name) << receiver << QString::fromLatin1(line);
    };
    const auto hook = [&row](const char *name, const QByteArray &keys, const char *line) {
        row(name, "name = \"a\"\ntype = \"webhook\"\n" + keys, line);
    };
    const auto mail = [&row](const char *name, const QByteArray &keys, const char *line) {
        row(name, "name = \"a\"\ntype = \"email\"\n" + keys, line);
    };
    row("no type", "name = \"a\"",
        "6: a [[receiver]] has no \"type\". Use one of: alertmanager, pagerduty, webhook, email, command.");
    row("a mistyped type", "name = \"a\"\ntype = \"web-hook\"\nurl = \"http://h/\"",
        "8: \"type\" of [[receiver]] can't be \"web-hook\". Did you mean \"webhook\"?");
    row("no name", "type = \"webhook\"\nurl = \"http://h/\"",
        "6: \"name\" of [[receiver]] has to be 1 to 64 visible characters. Give each receiver a short, "
        "unique name.");
    row("the same name twice",
        "name = \"a\"\ntype = \"webhook\"\nurl = \"http://h/\"\n[[receiver]]\nname = \"a\"\n"
        "type = \"webhook\"\nurl = \"http://h/\"",
        "10: the name \"a\" is taken by the receiver at line 6. Give each receiver a unique name.");
    hook("a key of another type", "url = \"http://h/\"\nrouting_key = \"env:X\"",
         "10: [[receiver]] has no key \"routing_key\". Use one of: name, type, min_severity, language, url, "
         "user, password, token, secret, ca, proxy.");
    hook("a mistyped key", "urll = \"http://h/\"\nurl = \"http://h/\"",
         "9: [[receiver]] has no key \"urll\". Did you mean \"url\"?");
    hook("a mistyped severity", "url = \"http://h/\"\nmin_severity = \"warn\"",
         "10: \"min_severity\" of [[receiver]] can't be \"warn\". Did you mean \"warning\"?");
    hook("no address", "", "6: \"url\" of [[receiver]] is missing. Write for example \"https://HOST/PATH\".");
    hook("another protocol", "url = \"htp://h/\"",
         "9: \"url\" of [[receiver]]: \"htp\" can't be used here. Did you mean \"http\"?");
    hook("no URL", "url = \"hooks\"",
         "9: \"url\" of [[receiver]]: it isn't a URL. Write for example \"https://HOST/PATH\".");
    hook("a password in the URL", "url = \"https://u:p@h/\"",
         "9: \"url\" of [[receiver]]: it contains a user or a password. Take it out, and write user = "
         "\"NAME\" and password = \"env:NAME\".");
    hook("a password in clear", "url = \"https://h/\"\nuser = \"u\"\npassword = \"hidden\"",
         "11: \"password\" of [[receiver]]: a password is written in clear. Write where it is: env:NAME or "
         "file:PATH.");
    hook("a user alone", "url = \"https://h/\"\nuser = \"u\"",
         "10: [[receiver]] needs user and password together");
    hook("a secret without TLS", "url = \"http://h/\"\ntoken = \"env:LK_TEST_SECRET\"",
         "10: a secret would be sent without encryption. Use TLS: https://, smtps://, or smtp:// with "
         "starttls.");
    hook("a secret of two lines", "url = \"https://h/\"\ntoken = \"env:LK_TEST_LINES\"",
         "10: \"token\" of [[receiver]]: the secret has a line break or another control character");
    hook("a missing authority", "url = \"https://h/\"\nca = \"/nowhere.pem\"",
         "10: \"ca\" of [[receiver]]: /nowhere.pem can't be read");
    hook("another proxy", "url = \"https://h/\"\nproxy = \"socks5://h:1\"",
         "10: \"proxy\" of [[receiver]]: it isn't the address of an HTTP proxy. Write for example "
         "\"http://proxy.example:3128\".");
    row("no key for PagerDuty", "name = \"a\"\ntype = \"pagerduty\"",
        "6: \"routing_key\" of [[receiver]] is missing. Write \"env:NAME\" or \"file:PATH\".");
    mail("no recipients", "url = \"smtps://h\"\nfrom = \"a@b.c\"",
         "6: \"to\" of [[receiver]] names nobody. Write to = [\"oncall@example.com\"].");
    mail("a recipient with a line break", "url = \"smtps://h\"\nfrom = \"a@b.c\"\nto = \"x\\r\\nDATA@b.c\"",
         "11: \"to\" of [[receiver]]: \"x\\x0d\\x0aDATA@b.c\" isn't an address. Write for example "
         "\"oncall@example.com\".");
    mail("a name with the address", "url = \"smtps://h\"\nfrom = \"Ann <a@b.c>\"\nto = \"a@b.c\"",
         "10: \"from\" of [[receiver]]: \"Ann <a@b.c>\" isn't an address. Write for example "
         "\"oncall@example.com\".");
    mail("a password without TLS",
         "url = \"smtp://h\"\nstarttls = false\nuser = \"u\"\npassword = \"env:LK_TEST_SECRET\"\n"
         "from = \"a@b.c\"\nto = \"a@b.c\"",
         "12: a secret would be sent without encryption. Use TLS: https://, smtps://, or smtp:// with "
         "starttls.");
    row("a command of the PATH", "name = \"a\"\ntype = \"command\"\ncommand = [\"true\"]",
        "9: \"command\" of [[receiver]]: \"true\" isn't an absolute path. Write command = "
        "[\"/usr/local/bin/PROGRAM\", \"ARGUMENT\"].");
    row("a missing command", "name = \"a\"\ntype = \"command\"\ncommand = [\"/nowhere/x\"]",
        "9: \"command\" of [[receiver]]: /nowhere/x isn't a program that the agent can start");
}

void ReceiversTest::problems()
{
    QFETCH(const QByteArray, receiver);
    QFETCH(const QString, line);
    const auto outcome = parse(withReceiver(receiver), configPath());
    QStringList lines;
    for (const Problem &problem : outcome ? QList<Problem>() : outcome.error())
        lines.append(problem.text().mid(configPath().size() + 1));
    QCOMPARE(lines, QStringList{line});
}

void ReceiversTest::neverRepeatsASecret()
{
    for (const char *key : {"password", "token", "secret", "url"}) {
        const auto outcome =
            parse(withReceiver("name = \"a\"\ntype = \"webhook\"\n" + QByteArray(key) + " = \"h1dden://\""),
                  configPath());
        QVERIFY(!outcome);
        for (const Problem &problem : outcome.error())
            QVERIFY2(key == QByteArray("url") || !problem.text().contains(QLatin1String("h1dden")),
                     qPrintable(problem.text()));
    }
    for (const char *url : {"h1dden", "h1dden://host/", "https://u:h1dden@host/"}) {
        qputenv("LK_TEST_HOOK", url);
        const auto outcome =
            parse(withReceiver("name = \"a\"\ntype = \"webhook\"\nurl = \"env:LK_TEST_HOOK\""), configPath());
        QVERIFY(!outcome && !outcome.error().first().text().contains(QLatin1String("h1dden")));
    }
}

LOCKKEEPER_TEST(ReceiversTest)

} // namespace tst_receivers

#include "tst_receivers.moc"
