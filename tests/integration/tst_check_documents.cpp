// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/mongodb_rig.h"
#include "tests/support/mongod_server.h"
#include "tests/support/test_program.h"

#include <QRegularExpression>
#include <QTemporaryFile>
#include <QUrlQuery>

namespace tst_check_documents {

using namespace lockkeeper;
using namespace lockkeeper::tests;

/**
 * `--check` prints commands for MongoDB's shell that grant the missing rights; afterwards it reports nothing
 * missing.
 */
class TestCheckDocuments : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void grantsOfMongodb_data();
    void grantsOfMongodb();

private:
    QByteArray check(const QByteArray &sections, int status) const;
    /** Runs a line of mongosh. */
    bool runInShell(const QString &line) const;

    MongodServer m_server;
    QTemporaryFile m_key; ///< members of a set with access control know each other by it
    std::unique_ptr<DocumentClient> m_root;
};

void TestCheckDocuments::initTestCase()
{
    if (!MongodServer::isInstalled())
        QSKIP(MongodServer::absent());
    QVERIFY(m_key.open() && m_key.setPermissions(QFile::ReadOwner | QFile::WriteOwner));
    m_key.write("bm90IGEgc2VjcmV0");
    QVERIFY(m_key.flush());
    QVERIFY(m_server.start(true, {QStringLiteral("--keyFile"), m_key.fileName()}));
    {
        const DocumentClient first(m_server.url()); // a local one is let in until there is a user
        QVERIFY(!first.run(R"({"createUser": "root", "pwd": "r", "roles": ["root"]})", "admin").isEmpty());
    }
    QUrl asRoot = m_server.url(QStringLiteral("root"));
    asRoot.setPassword(QStringLiteral("r"));
    QUrlQuery query(asRoot);
    query.addQueryItem(QStringLiteral("authSource"), QStringLiteral("admin"));
    asRoot.setQuery(query);
    m_root = std::make_unique<DocumentClient>(asRoot);
    QVERIFY(m_root->insert("locks", lockDocument("h")));
    QVERIFY(!m_root->run(R"({"create": "shedLock"})").isEmpty());
    QVERIFY(!m_root
                 ->run(R"({"createRole": "finder", "roles": [], "privileges": [{"resource":
        {"db": "app", "collection": ""}, "actions": ["find", "listIndexes"]}]})")
                 .isEmpty());
    QVERIFY(!m_root
                 ->run(R"({"createRole": "remover", "roles": ["read"], "privileges": [{"resource":
        {"db": "app", "collection": "locks"}, "actions": ["remove"]}]})")
                 .isEmpty());
}

QByteArray TestCheckDocuments::check(const QByteArray &sections, int status) const
{
    AgentProcess agent;
    agent.configure(sections);
    qputenv("LK_PASSWORD", "p");
    QByteArray report;
    const int got = agent.run({QStringLiteral("--check")}, &report);
    if (got != status)
        qWarning("status %d: %s", got, report.constData());
    return report;
}

bool TestCheckDocuments::runInShell(const QString &line) const
{
    static const QRegularExpression call(QStringLiteral(R"x(^db\.getSiblingDB\("(\w+)"\)\.(\w+)\((.*)\)$)x"));
    static const QRegularExpression bareKey(QStringLiteral(R"x(([{ ])(\w+): )x"));
    for (const QString &statement : line.split(QStringLiteral("; "))) {
        const QRegularExpressionMatch match = call.match(statement);
        const QString method = match.captured(2);
        QString arguments = match.captured(3);
        arguments.replace(bareKey, QStringLiteral("\\1\"\\2\": "));
        const QJsonArray values = QJsonDocument::fromJson('[' + arguments.toUtf8() + ']').array();
        QJsonObject command; // the server takes the command's name for the first member
        QByteArray head;
        if (method == QLatin1String("createRole")) {
            command = values.at(0).toObject();
            head = "{\"createRole\": \"" + command.take(QStringLiteral("role")).toString().toUtf8() + "\", ";
        } else {
            const bool toUser = method == QLatin1String("grantRolesToUser");
            command.insert(toUser ? QStringLiteral("roles") : QStringLiteral("privileges"), values.at(1));
            head = "{\"" + method.toUtf8() + "\": \"" + values.at(0).toString().toUtf8() + "\", ";
        }
        const QByteArray members = QJsonDocument(command).toJson(QJsonDocument::Compact).mid(1);
        if (m_root->run(head + members, match.captured(1).toUtf8().constData()).isEmpty())
            return false;
    }
    return true;
}

void TestCheckDocuments::grantsOfMongodb_data()
{
    QTest::addColumn<QByteArray>("user");
    QTest::addColumn<QByteArray>("role");
    QTest::addColumn<bool>("push");
    QTest::addColumn<QByteArrayList>("missing"); ///< the needs of each line
    QTest::newRow("nothing") << QByteArray("nobody") << QByteArray() << false
                             << QByteArrayList{"observe:mongodb.ttl", "break:mongodb.ttl"};
    QTest::newRow("push without changeStream") << QByteArray("finder") << QByteArray("finder") << true
                                               << QByteArrayList{"break:mongodb.ttl", "push:changestream"};
    QTest::newRow("to read") << QByteArray("reader") << QByteArray("read") << true
                             << QByteArrayList{"break:mongodb.ttl"};
    QTest::newRow("to break one of two collections")
        << QByteArray("remover") << QByteArray("remover") << true << QByteArrayList{"break:mongodb.ttl"};
    QTest::newRow("all") << QByteArray("writer") << QByteArray("readWrite") << true << QByteArrayList{};
}

void TestCheckDocuments::grantsOfMongodb()
{
    QFETCH(QByteArray, user);
    QFETCH(QByteArray, role);
    QFETCH(bool, push);
    QFETCH(QByteArrayList, missing);
    QVERIFY(!m_root
                 ->run("{\"createUser\": \"" + user + "\", \"pwd\": \"p\", \"roles\": [" +
                       (role.isEmpty() ? QByteArray() : '"' + role + '"') + "]}")
                 .isEmpty());
    m_root->run(R"({"dropRole": "lockkeeperBreak"})");
    const QByteArray sections = "[[source]]\nname = \"s\"\nurl = \"" +
                                m_server.url(QString::fromLatin1(user)).toEncoded() +
                                "\"\npassword = \"env:LK_PASSWORD\"\n" + (push ? "push = true\n" : "") +
                                "[[source.locks]]\nscheme = \"mongodb.ttl\"\ntable = \"locks\"\n"
                                "[[source.locks]]\npreset = \"mongodb-shedlock\"\n";
    QByteArray report = check(sections, missing.contains("observe:mongodb.ttl") ? 1 : 0);
    QVERIFY2(!(report.contains("granted") && report.contains("FAILED")), report.constData());
    QByteArrayList found;
    for (const QByteArray &line : report.split('\n')) {
        if (!line.startsWith("  MISSING  "))
            continue;
        found.append(line.mid(11).split(' ').constFirst().split(';').constFirst());
        QVERIFY2(runInShell(QString::fromUtf8(line.mid(line.indexOf("run: ") + 5))), line.constData());
    }
    QCOMPARE(found, missing);
    report = check(sections, 0);
    QVERIFY2(report.contains("every source can be observed") && !report.contains("MISSING"),
             report.constData());
    QVERIFY2(report.contains("granted  break:mongodb.ttl"), report.constData());
}

LOCKKEEPER_TEST(TestCheckDocuments)

} // namespace tst_check_documents

#include "tst_check_documents.moc"
