// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/login/password_hash.h"
#include "agent/login/users_file.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

namespace tst_users {

using namespace lockkeeper;
using namespace lockkeeper::agent::login;
using base::ErrorCode;

/** The users file: a written user is read back, and an incomplete entry is rejected with its line. */
class TestUsers : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void writtenIsRead();
    void noFileHasNoUsers();
    void refused_data();
    void refused();
    void aFifoIsRefused();
    void everyTornFileIsRefused();
    void openToOthers_data();
    void openToOthers();
    void names_data();
    void names();
    void passwords();
    void decoyCostsAsMuch();

private:
    QString path() const { return m_folder.filePath(QStringLiteral("users.toml")); }
    void write(const QByteArray &text)
    {
        QFile file(path());
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write(text);
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
    }

    QTemporaryDir m_folder;
    QByteArray m_hash;
};

void TestUsers::initTestCase()
{
    m_hash = hashPassword("secret").value_or(QByteArray());
    QVERIFY(isPasswordHash(m_hash));
}

void TestUsers::writtenIsRead()
{
    const QList<User> users{{QStringLiteral("alice"), m_hash, false}, {QStringLiteral("böb"), m_hash, true}};
    QVERIFY(writeUsers(path(), users));
    struct stat info = {};
    QCOMPARE(::stat(qPrintable(path()), &info), 0);
    QCOMPARE(info.st_mode & 07777, mode_t(0600));
    const auto read = readUsers(path());
    QVERIFY2(read, read ? "" : qPrintable(read.error().line()));
    QCOMPARE(*read, users);
    QVERIFY(writeUsers(path(), {}));
    QCOMPARE(readUsers(path())->size(), 0);
}

void TestUsers::noFileHasNoUsers()
{
    const auto read = readUsers(m_folder.filePath(QStringLiteral("none")));
    QVERIFY(read);
    QVERIFY(read->isEmpty());
}

void TestUsers::refused_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("cause");
    const QByteArray hash = "password = '" + hashPassword("x").value_or(QByteArray()) + "'\n";
    const QByteArray end = "# end of the users\n";
    const auto row = [](const char *name, const QByteArray &text, const char *cause) {
        QTest::newRow(name) << text << QString::fromLatin1(cause);
    };
    row("doubled", "[[user]]\nname = 'a'\n" + hash + "[[user]]\nname = 'a'\n" + hash + end,
        "users.toml:4: there are two users named 'a'");
    row("no name", "[[user]]\n" + hash + end, "users.toml:1: the user has no name");
    row("no password", "[[user]]\nname = 'a'\n" + end, "isn't a hash");
    row("a password in clear", "[[user]]\nname = 'a'\npassword = 'secret'\n" + end, "isn't a hash");
    row("another key", "[[user]]\nname = 'a'\nadmin = true\n" + hash + end, "users.toml:3");
    row("another table", "[group]\n" + end, "only [[user]]");
    row("no TOML", "[[user]\n" + end, "users.toml:1");
    row("no end", "[[user]]\nname = 'a'\n" + hash, "incomplete");
    row("empty", "", "incomplete");
    row("a name with a line break", "[[user]]\nname = \"a\\nb\"\n" + hash + end, "no name");
    row("disabled isn't a word", "[[user]]\nname = 'a'\ndisabled = 'yes'\n" + hash + end, "true or false");
}

void TestUsers::refused()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, cause);
    write(text);
    const auto read = readUsers(path());
    QVERIFY(!read);
    QVERIFY2(read.error().line().contains(cause), qPrintable(read.error().line()));
}

/** A reader would wait for a writer. */
void TestUsers::aFifoIsRefused()
{
    QFile::remove(path());
    QVERIFY(::mkfifo(QFile::encodeName(path()).constData(), 0600) == 0);
    const auto read = readUsers(path());
    QVERIFY(!read);
    QVERIFY2(read.error().line().contains(QLatin1String("isn't a regular file")),
             qPrintable(read.error().line()));
}

void TestUsers::everyTornFileIsRefused()
{
    QVERIFY(writeUsers(path(),
                       {{QStringLiteral("alice"), m_hash, false}, {QStringLiteral("bob"), m_hash, true}}));
    QFile file(path());
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray whole = file.readAll();
    for (qsizetype size = 0; size < whole.size(); ++size) {
        write(whole.left(size));
        QVERIFY2(!readUsers(path()), qPrintable(QString::number(size)));
    }
}

void TestUsers::openToOthers_data()
{
    QTest::addColumn<int>("mode");
    QTest::addColumn<bool>("taken");
    QTest::newRow("0600") << 0600 << true;
    QTest::newRow("0400") << 0400 << true;
    QTest::newRow("0640") << 0640 << false;
    QTest::newRow("0604") << 0604 << false;
    QTest::newRow("0666") << 0666 << false;
}

void TestUsers::openToOthers()
{
    QFETCH(int, mode);
    QFETCH(bool, taken);
    QVERIFY(writeUsers(path(), {}));
    QCOMPARE(::chmod(qPrintable(path()), mode_t(mode)), 0);
    const auto read = readUsers(path());
    QCOMPARE(read.has_value(), taken);
    if (!taken)
        QVERIFY(read.error().remedy.contains(QLatin1String("chmod 600")));
}

void TestUsers::names_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("good");
    QTest::newRow("plain") << "alice" << true;
    QTest::newRow("mail") << "alice@example.org" << true;
    QTest::newRow("64") << QString(64, QLatin1Char('a')) << true;
    QTest::newRow("65") << QString(65, QLatin1Char('a')) << false;
    QTest::newRow("1 MiB") << QString(1 << 20, QLatin1Char('a')) << false;
    QTest::newRow("empty") << QString() << false;
    QTest::newRow("blank") << "a b" << false;
    QTest::newRow("colon") << "user:a" << false;
    QTest::newRow("NUL") << QString(QChar(u'\0')) << false;
    QTest::newRow("turned around") << QString(QChar(0x202e)) + QStringLiteral("ecila") << false;
}

void TestUsers::names()
{
    QFETCH(QString, name);
    QTEST(isUserName(name), "good");
}

void TestUsers::passwords()
{
    QVERIFY(verifyPassword(m_hash, "secret"));
    QVERIFY(!verifyPassword(m_hash, "Secret"));
    QVERIFY(!verifyPassword(m_hash, ""));
    QVERIFY(!verifyPassword(m_hash, QByteArray("secret\0", 7)));
    QVERIFY(hashPassword("secret") != m_hash);
    QVERIFY(!hashPassword(""));
    QVERIFY(!hashPassword(QByteArray(1025, 'x')));
    QVERIFY(!isPasswordHash("$argon2id$v=19$m=65536,t=3,p=1$"));
}

void TestUsers::decoyCostsAsMuch()
{
    QVERIFY(isPasswordHash(decoyHash()));
    QVERIFY(!verifyPassword(decoyHash(), "secret"));
    // The cost parameters stand before the salt: $argon2id$v=…$m=…,t=…,p=…
    const auto cost = [](const QByteArray &hash) { return hash.split('$').mid(1, 3); };
    QCOMPARE(cost(decoyHash()), cost(m_hash));
    QVERIFY(cost(m_hash).last().startsWith("m="));
}

LOCKKEEPER_TEST(TestUsers)

} // namespace tst_users

#include "tst_users.moc"
