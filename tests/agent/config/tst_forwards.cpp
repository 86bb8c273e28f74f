// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/config/config.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTemporaryDir>

namespace tst_forwards {

using namespace lockkeeper;
using namespace lockkeeper::agent::config;

namespace {

const char kSource[] = "[[source]]\nname = \"s\"\nurl = \"redis://h/0\"\n[[source.locks]]\n"
                       "scheme = \"redis.token\"\n";

/** `forward` begins at line 7. */
QByteArray withForward(const QByteArray &forward)
{
    return kSource + QByteArray("[[forward]]\n") + forward + '\n';
}

QStringList problemsOf(const QByteArray &toml, const QString &path = QStringLiteral("F"))
{
    const auto outcome = parse(toml, path);
    QStringList lines;
    if (!outcome) {
        for (const Problem &problem : outcome.error())
            lines.append(problem.text());
    }
    return lines;
}

} // namespace

class TestForwards : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsAll();
    void namesDefaultToTheHost_data();
    void namesDefaultToTheHost();
    void goodUrls_data();
    void goodUrls();
    void problems_data();
    void problems();
    void namesAreUnique();
};

void TestForwards::readsAll()
{
    QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("hub-password")));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("s3cret\n") > 0);
    file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner);
    file.close();
    const auto outcome =
        parse(withForward("name = \"fleet\"\nurl = \"postgresql://dc1@hub/lk?sslmode=verify-full\"\n"
                          "password = \"file:hub-password\"\nkeep_mib = 64\n"
                          "[[forward]]\nurl = \"postgresql:///lk?host=/run/postgresql\""),
              folder.filePath(QStringLiteral("agent.toml")));
    QVERIFY2(outcome, outcome ? "" : qPrintable(outcome.error().first().text()));
    QCOMPARE(outcome->forwards.size(), 2);
    const ForwardSettings &first = outcome->forwards.at(0);
    QCOMPARE(first.name, QStringLiteral("fleet"));
    QCOMPARE(first.url, QByteArray("postgresql://dc1@hub/lk?sslmode=verify-full"));
    QCOMPARE(first.password, QByteArray("s3cret"));
    QCOMPARE(first.keepMib, 64);
    QCOMPARE(outcome->forwards.at(1).keepMib, 1'024);
    QCOMPARE(outcome->forwards.at(1).password, QByteArray());
    QVERIFY(parse(kSource, QStringLiteral("F"))->forwards.isEmpty());
}

void TestForwards::namesDefaultToTheHost_data()
{
    QTest::addColumn<QByteArray>("url");
    QTest::addColumn<QString>("name");
    const auto row = [](const char *url, const char *name) {
        QTest::newRow(url) << QByteArray(url) << QString::fromLatin1(name);
    };
    row("postgresql://u@hub.example.com/d?sslmode=require", "hub.example.com");
    row("postgresql://u@hub:6432/d?sslmode=require", "hub");
    row("postgresql://[::1]:5432/d", "::1");
    row("postgresql://h1:5432,h2:5433/d?sslmode=require", "h1");
    row("postgresql:///d", "d");
    row("postgresql:///d?host=/run/postgresql", "d");
    row("postgresql://%2Frun%2Fpostgresql/d", "d");
    row("postgresql://?host=h&dbname=d&sslmode=require", "h");
}

void TestForwards::namesDefaultToTheHost()
{
    QFETCH(QByteArray, url);
    QFETCH(QString, name);
    const auto outcome = parse(withForward("url = \"" + url + '"'), QStringLiteral("F"));
    QVERIFY2(outcome, outcome ? "" : qPrintable(outcome.error().first().text()));
    QCOMPARE(outcome->forwards.constFirst().name, name);
}

void TestForwards::goodUrls_data()
{
    QTest::addColumn<QByteArray>("url");
    for (const char *url :
         {"postgres://u@localhost/d", "postgresql://127.0.0.1/d", "postgresql://u%40x@h/d?sslmode=disable",
          "postgresql://u@h/d?sslmode=verify-full&sslrootcert=/etc/ca.pem&connect_timeout=5&"
          "target_session_attrs=read-write&keepalives_idle=10",
          "postgresql:///d?service=hub"})
        QTest::newRow(url) << QByteArray(url);
}

void TestForwards::goodUrls()
{
    QFETCH(QByteArray, url);
    QCOMPARE(problemsOf(withForward("url = \"" + url + '"')), QStringList());
}

void TestForwards::problems_data()
{
    QTest::addColumn<QByteArray>("forward");
    QTest::addColumn<QString>("line");
    const auto row = [](const char *name, const char *forward, const char *line) {
        QTest::newRow(name) << QByteArray(forward) << QString::fromUtf8(line);
    };
    row("an unknown key", "url = \"postgresql:///d\"\nkeep_mb = 1",
        "F:8: [[forward]] has no key \"keep_mb\". Did you mean \"keep_mib\"?");
    row("no URL", "name = \"a\"",
        "F:6: a [[forward]] has no \"url\". Write for example "
        "\"postgresql://dc1@hub.example.com/lockkeeper?sslmode=verify-full\".");
    row("a password in the URL", "url = \"postgresql://u:hunter2@h/d?sslmode=require\"",
        "F:7: \"url\" of [[forward]]: it contains a password. Take it out, and add password = \"env:NAME\" "
        "or "
        "\"file:PATH\".");
    row("a password as a parameter", "url = \"postgresql://u@h/d?sslmode=require&password=hunter2\"",
        "F:7: \"url\" of [[forward]]: it contains a password. Take it out, and add password = \"env:NAME\" "
        "or "
        "\"file:PATH\".");
    row("a password in clear", "url = \"postgresql:///d\"\npassword = \"hunter2\"", nullptr);
    row("not a URL", "url = \"h/d\"",
        "F:7: \"url\" of [[forward]]: it isn't a URL. Write for example "
        "\"postgresql://dc1@hub.example.com/lockkeeper?sslmode=verify-full\".");
    row("another store", "url = \"postgresq://h/d\"",
        "F:7: \"url\" of [[forward]]: \"postgresq\" isn't a hub's database. Did you mean \"postgresql\"?");
    row("no database", "url = \"postgresql://h?sslmode=require\"",
        "F:7: \"url\" of [[forward]]: it names no database. Write for example "
        "\"postgresql://dc1@hub.example.com/lockkeeper?sslmode=verify-full\".");
    row("an unknown parameter", "url = \"postgresql://h/d?ssl_mode=require\"",
        "F:7: \"url\" of [[forward]]: it has an unknown parameter \"ssl_mode\". Did you mean \"sslmode\"?");
    row("no protection", "url = \"postgresql://h/d\"",
        "F:7: \"url\" of [[forward]]: it doesn't say how the connection is protected. Add "
        "?sslmode=verify-full, "
        "and sslrootcert=FILE or system.");
    row("an unknown protection", "url = \"postgresql://h/d?sslmode=full\"", nullptr);
    row("a limit of nothing", "url = \"postgresql:///d\"\nkeep_mib = 0", nullptr);
    row("a name over two lines", "url = \"postgresql:///d\"\nname = \"a\\nb\"", nullptr);
}

void TestForwards::problems()
{
    QFETCH(QByteArray, forward);
    QFETCH(QString, line);
    const QStringList got = problemsOf(withForward(forward));
    QCOMPARE(got.size(), 1);
    if (!line.isEmpty())
        QCOMPARE(got.first(), line);
    QVERIFY2(!got.first().contains(QLatin1String("hunter2")), "a secret was repeated");
}

void TestForwards::namesAreUnique()
{
    QCOMPARE(
        problemsOf(withForward("url = \"postgresql:///d\"\n[[forward]]\nurl = \"postgres://localhost/d\"\n"
                               "name = \"d\"")),
        QStringList(QStringLiteral("F:10: the name \"d\" is taken by the [[forward]] at line 6. Give each "
                                   "[[forward]] a unique name.")));
}

LOCKKEEPER_TEST(TestForwards)

} // namespace tst_forwards

#include "tst_forwards.moc"
