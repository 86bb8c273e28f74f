// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/connection/redis_connection.h"
#include "shared/stores/redis/connection/reply_reader.h"
#include "tests/support/test_program.h"

#include <QLocalServer>
#include <QLocalSocket>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTest>

namespace tst_redis_wire {

using namespace lockkeeper;
using namespace lockkeeper::stores::redis;
using base::ErrorCode;

namespace {

/** A reply in one line: "[a,:1,nil]". */
QByteArray written(const redisReply *reply)
{
    if (reply == nullptr)
        return "null";
    switch (reply->type) {
    case REDIS_REPLY_NIL:
        return "nil";
    case REDIS_REPLY_INTEGER:
        return ':' + QByteArray::number(reply->integer);
    case REDIS_REPLY_ARRAY: {
        QByteArrayList parts;
        for (size_t i = 0; i < reply->elements; ++i)
            parts.append(written(reply->element[i]));
        return '[' + parts.join(',') + ']';
    }
    default:
        return bytesOf(reply).toByteArray();
    }
}

/** All replies in `wire`, fed in pieces of `piece` bytes; "!" and the reason where it fails. */
QByteArrayList decoded(const QByteArray &wire, qsizetype piece, const ReplyLimits &limits = {})
{
    ReplyReader reader(limits);
    QByteArrayList replies;
    for (qsizetype at = 0; at < wire.size() && !reader.failed(); at += piece) {
        reader.feed(QByteArrayView(wire).sliced(at, qMin(piece, wire.size() - at)));
        while (const ReplyPtr reply = reader.next())
            replies.append(written(reply.get()));
    }
    if (reader.failed())
        replies.append('!' + reader.error().toUtf8());
    return replies;
}

/** Answers every request with the test's reply. */
class Scripted : public QObject
{
public:
    Scripted()
    {
        m_server.listen(path());
        connect(&m_server, &QLocalServer::newConnection, this, [this] {
            m_client = m_server.nextPendingConnection();
            m_client->write(m_greeting);
            connect(m_client, &QLocalSocket::readyRead, this, [this] {
                m_received += m_client->readAll();
                if (m_received.size() < m_waitFor)
                    return;
                m_client->write(m_answer);
                m_client->flush();
                if (m_hangUp)
                    m_client->disconnectFromServer();
            });
        });
    }
    QString path() const { return m_folder.filePath(QStringLiteral("s")); }

    QByteArray m_greeting;
    QByteArray m_answer;
    QByteArray m_received;
    qsizetype m_waitFor = 1;
    bool m_hangUp = false;
    QLocalSocket *m_client = nullptr;

private:
    QTemporaryDir m_folder;
    QLocalServer m_server;
};

/** A Connection and a record of its signals and answers. */
class Client : public QObject
{
public:
    explicit Client(const Scripted &server, qint64 silenceMs = 5'000)
        : m_link(Endpoint{{}, 0, server.path(), 0, {}}, silenceMs)
    {
        connect(&m_link, &RedisConnection::connected, this, [this] { m_said += "connected"; });
        connect(&m_link, &RedisConnection::lost, this, [this](const base::Error &error) {
            m_said += "lost";
            m_error = error;
        });
        m_link.setBusyPolling(true);
        m_link.setPushHandler([this](const redisReply *reply) { m_said += '>' + written(reply); });
    }
    bool ask(std::initializer_list<QByteArrayView> arguments)
    {
        return m_link.send(arguments, [this](const redisReply *reply) { m_said += written(reply); });
    }
    bool open()
    {
        m_link.open(5'000);
        return QTest::qWaitFor([this] { return !m_said.isEmpty(); }) && m_link.isOpen();
    }
    bool waitUntil(const char *last)
    {
        return QTest::qWaitFor([this, last] { return m_said.contains(last); });
    }

    RedisConnection m_link;
    QByteArrayList m_said;
    base::Error m_error;
};

const QByteArray
    kStream("+OK\r\n$5\r\nab\r\nc\r\n:-12\r\n$-1\r\n*-1\r\n$0\r\n\r\n*2\r\n$1\r\n0\r\n*2\r\n$1\r\na\r\n"
            "$1\r\nb\r\n-ERR no\r\n*0\r\n");
const QByteArrayList kReplies{"OK", "ab\r\nc", ":-12", "nil", "nil", "", "[0,[a,b]]", "ERR no", "[]"};

} // namespace

/** Bytes from servers that are cut, garbled, too much or out of turn, without a server. */
class TestRedisWire : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void repliesComeWholeHoweverTheyAreCut()
    {
        for (qsizetype piece = 1; piece <= kStream.size(); ++piece)
            QCOMPARE(decoded(kStream, piece), kReplies);
    }

    void badBytesAreAnError_data()
    {
        QTest::addColumn<QByteArray>("wire");
        QTest::addColumn<QByteArray>("words");
        const auto row = [](const char *name, const QByteArray &wire, const char *words) {
            QTest::newRow(name) << wire << QByteArray(words);
        };
        row("no type", "hello\r\n", "Protocol error");
        row("two billion elements", "*2147483647\r\n", "more than 1000 elements");
        row("more than an int", "*99999999999\r\n", "");
        row("sum of nested arrays", "*600\r\n*500\r\n", "more than 1000 elements");
        row("a negative length", "*-2\r\n", "");
        row("a length that is none", "*x\r\n", "");
        row("string of negative length", "$-2\r\nab\r\n", "");
        row("string of a length that is none", "$1x\r\na\r\n", "");
        row("nesting", QByteArray("*1\r\n").repeated(20), "nested more than 4 deep");
        row("string too long", "$5000\r\n" + QByteArray(5'000, 'x'), "string of more than 4000 bytes");
        row("line too long", '+' + QByteArray(5'000, 'x'), "string of more than 4000 bytes");
        row("reply too long", "*9\r\n" + ("$2000\r\n" + QByteArray(2'000, 'x') + "\r\n").repeated(9),
            "reply of more than 16000 bytes");
    }
    void badBytesAreAnError()
    {
        QFETCH(QByteArray, wire);
        QFETCH(QByteArray, words);
        for (const qsizetype piece : {1, 7, 1'000}) {
            const QByteArrayList replies = decoded(wire, piece, {4'000, 16'000, 1'000, 4});
            QCOMPARE(replies.size(), 1);
            QVERIFY2(replies.first().startsWith('!') && replies.first().contains(words),
                     replies.first().constData());
        }
    }

    void limitsAreEachReplysOwn()
    {
        const QByteArray reply = "*2\r\n$3\r\nabc\r\n*600\r\n" + QByteArray(":1\r\n").repeated(600);
        QCOMPARE(decoded(reply.repeated(50), 333, {4'000, 16'000, 1'000}).size(), 50);
    }

    /** A wrong byte at any place of a stream gives replies or an error, and never a crash. */
    void aWrongByteNeverCrashes()
    {
        QRandomGenerator random(1);
        for (qsizetype at = 0; at < kStream.size(); ++at) {
            for (int i = 0; i < 16; ++i) {
                QByteArray wire = kStream;
                wire[at] = char(random.bounded(256));
                decoded(wire, 1 + random.bounded(9));
            }
        }
    }

    void answersComeInTurnAndMessagesBeside()
    {
        Scripted server;
        server.m_answer =
            "*3\r\n$9\r\nsubscribe\r\n$1\r\nc\r\n:1\r\n*3\r\n$7\r\nmessage\r\n$1\r\nc\r\n*1\r\n$1\r\nk\r\n"
            "*2\r\n$4\r\npong\r\n$0\r\n\r\n*4\r\n$8\r\npmessage\r\n$1\r\np\r\n$1\r\nc\r\n$-1\r\n";
        server.m_waitFor = 40;
        Client client(server);
        QVERIFY(client.open());
        QVERIFY(client.ask({"SUBSCRIBE", "c"}));
        QVERIFY(client.ask({"PING"}));
        QVERIFY(client.waitUntil(">[pmessage,p,c,nil]"));
        QCOMPARE(client.m_said, QByteArrayList({"connected", "[subscribe,c,:1]", ">[message,c,[k]]",
                                                "[pong,]", ">[pmessage,p,c,nil]"}));
    }

    void anArrayThatLooksLikeAMessageIsAnAnswer()
    {
        Scripted server;
        server.m_answer = "*3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$1\r\nx\r\n+1 line\r\n";
        server.m_waitFor = 30;
        Client client(server);
        QVERIFY(client.open());
        QVERIFY(client.ask({"LRANGE", "k", "0", "9"}));
        QVERIFY(client.ask({"STATUS"}));
        QVERIFY(client.waitUntil("1 line"));
        QCOMPARE(client.m_said, QByteArrayList({"connected", "[message,c,x]", "1 line"}));
    }

    void linesOfMonitorAreNoAnswers()
    {
        Scripted server;
        server.m_answer = "+OK\r\n+1.5 [0 a] \"GET\" \"k\"\r\n+1.6 [0 a]\r\n+PONG\r\n";
        server.m_waitFor = 20;
        Client client(server);
        QVERIFY(client.open());
        QVERIFY(client.ask({"MONITOR"}));
        QVERIFY(client.ask({"PING"}));
        QVERIFY(client.waitUntil("PONG"));
        QCOMPARE(client.m_said,
                 QByteArrayList({"connected", "OK", ">1.5 [0 a] \"GET\" \"k\"", ">1.6 [0 a]", "PONG"}));
    }

    /** Bad data arrives instead of two answers: each request is answered once, then the link is lost. */
    void spoiltAnswersEndTheLink_data()
    {
        QTest::addColumn<QByteArray>("answer");
        QTest::addColumn<QByteArrayList>("taken");
        QTest::addColumn<ErrorCode>("code");
        QTest::newRow("nothing") << QByteArray() << QByteArrayList{"null", "null"}
                                 << ErrorCode::ConnectionLost;
        QTest::newRow("cut") << QByteArray("$3\r\nab") << QByteArrayList{"null", "null"}
                             << ErrorCode::ConnectionLost;
        QTest::newRow("one") << QByteArray("$1\r\na\r\n") << QByteArrayList{"a", "null"}
                             << ErrorCode::ConnectionLost;
        QTest::newRow("one and rubbish")
            << QByteArray("$1\r\na\r\nrubbish\r\n") << QByteArrayList{"a", "null"} << ErrorCode::Protocol;
        QTest::newRow("too many elements")
            << QByteArray("*2000000000\r\n") << QByteArrayList{"null", "null"} << ErrorCode::Protocol;
        // The first question was under way when a full server turned this client away.
        QTest::newRow("a farewell") << QByteArray("-ERR max number of clients reached\r\n")
                                    << QByteArrayList{"ERR max number of clients reached", "null"}
                                    << ErrorCode::Unreachable;
        QTest::newRow("one too many")
            << QByteArray(":1\r\n:2\r\n:3\r\n") << QByteArrayList{":1", ":2"} << ErrorCode::Protocol;
    }
    void spoiltAnswersEndTheLink()
    {
        QFETCH(QByteArray, answer);
        QFETCH(QByteArrayList, taken);
        QFETCH(ErrorCode, code);
        Scripted server;
        server.m_answer = answer;
        server.m_waitFor = 30;
        server.m_hangUp = true;
        Client client(server);
        QVERIFY(client.open());
        QVERIFY(client.ask({"GET", "first"}));
        QVERIFY(client.ask({"GET", "second"}));
        QVERIFY(QTest::qWaitFor([&] { return client.m_said.size() >= 4; }));
        QCOMPARE(client.m_said, QByteArrayList{"connected"} + taken + QByteArrayList{"lost"});
        QCOMPARE(client.m_error.code, code);
        QVERIFY(!client.m_link.isOpen());
        QVERIFY(!client.ask({"GET", "third"}));
    }

    void aFarewellIsTheReason()
    {
        Scripted server;
        server.m_greeting = "-ERR max number of clients reached\r\n";
        Client client(server);
        client.m_link.open(5'000);
        QVERIFY(client.waitUntil("lost"));
        QCOMPARE(client.m_error.code, ErrorCode::Unreachable);
        QVERIFY(client.m_error.cause.contains(QLatin1String("max number of clients")));
    }

    void silenceIsALoss()
    {
        Scripted server;
        Client client(server, 50);
        QVERIFY(client.open());
        QVERIFY(client.ask({"PING"}));
        QVERIFY(client.waitUntil("lost"));
        QCOMPARE(client.m_said, QByteArrayList({"connected", "null", "lost"}));
        QCOMPARE(client.m_error.code, ErrorCode::Timeout);
    }

    /** Each way to end or reopen the link from within an answer. */
    void endingInsideAnAnswer_data()
    {
        QTest::addColumn<QString>("how");
        for (const char *how : {"close", "fail", "reopen", "destroy"})
            QTest::newRow(how) << QString::fromLatin1(how);
    }
    void endingInsideAnAnswer()
    {
        QFETCH(QString, how);
        Scripted server;
        server.m_answer = ":1\r\n:2\r\n";
        server.m_waitFor = 28;
        auto client = std::make_unique<Client>(server);
        QVERIFY(client->open());
        QByteArrayList said;
        client->m_link.send({"PING"}, [&](const redisReply *reply) {
            said += written(reply);
            if (how == QLatin1String("destroy"))
                client.reset();
            else if (how == QLatin1String("fail"))
                client->m_link.fail({ErrorCode::Loading, QStringLiteral("enough"), {}});
            else
                client->m_link.close();
            if (how == QLatin1String("reopen"))
                client->m_link.open(5'000);
        });
        client->m_link.send({"PING"}, [&](const redisReply *reply) { said += written(reply); });
        QVERIFY(QTest::qWaitFor([&] { return said.size() == 2 || client == nullptr; }));
        if (client == nullptr)
            return;
        QCOMPARE(said, QByteArrayList({":1", "null"}));
        if (how == QLatin1String("fail"))
            QVERIFY(client->waitUntil("lost"));
        if (how == QLatin1String("reopen"))
            QTRY_VERIFY(client->m_link.isOpen());
        QCOMPARE(client->m_said.count("lost"), how == QLatin1String("fail") ? 1 : 0);
    }
};

LOCKKEEPER_TEST(TestRedisWire)

} // namespace tst_redis_wire

#include "tst_redis_wire.moc"
