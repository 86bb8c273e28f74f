// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support.h"
#include "tests/support/test_program.h"

#include <QSignalSpy>
#include <QTest>
#include <QTimer>
#include <QtEndian>

namespace tst_channel {

using namespace lockkeeper;
using namespace lockkeeper::protocol;
using base::ErrorCode;
using tests::Server;
using tests::shortTimings;

/** A server's channel against a raw socket that sends what a client never would. */
class TestChannel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void oneByteAtATime();
    void manyMessagesInOneWrite();
    void badLengths_data();
    void badLengths();
    void badPayload();
    void largerFramesAfterLogin();
    void unfinishedFrameIsClosed();
    void slowFrameIsClosedThoughBytesCome();
    void aPeerThatNeverSaysHelloIsClosed();
    void silentPeerIsDead();
    void pingIsAnswered();
    void pingsWhoseAnswersNobodyReads_data();
    void pingsWhoseAnswersNobodyReads();
    void closeDeliversWhatWasSent();
    void closeGivesUpOnAPeerThatDoesNotRead();
    void drainedOnceTheKernelHasAll();
    void tooLargeAMessageIsNeverSent();
    void peerUserIsTold();
    void aFloodIsReadInPortions();
};

static QByteArray header(quint32 length)
{
    QByteArray bytes(4, Qt::Uninitialized);
    qToBigEndian(length, bytes.data());
    return bytes;
}

/** A connected raw socket. */
static std::unique_ptr<QLocalSocket> rawClient(const Server &server)
{
    auto socket = std::make_unique<QLocalSocket>();
    socket->connectToServer(server.address().path);
    return socket;
}

static QByteArray wire(const Message &message)
{
    return frame(encode(message));
}

void TestChannel::oneByteAtATime()
{
    Server server;
    const auto client = rawClient(server);
    const QByteArray bytes = wire(Hello{}) + wire(LocksQuery{4, QStringLiteral("s"), "n"});
    for (const char byte : bytes) {
        client->write(&byte, 1);
        client->flush();
        QCoreApplication::sendPostedEvents();
    }
    QTRY_COMPARE(server.received.size(), 2);
    QVERIFY(server.received.at(1) == Message(LocksQuery{4, QStringLiteral("s"), "n"}));
    QVERIFY(server.closed.isEmpty());
}

void TestChannel::manyMessagesInOneWrite()
{
    Server server;
    const auto client = rawClient(server);
    QByteArray bytes = wire(Hello{});
    for (quint64 i = 1; i <= 5000; ++i)
        bytes += wire(Cancel{i});
    client->write(bytes);
    QTRY_COMPARE(server.received.size(), 5001);
    QVERIFY(server.received.last() == Message(Cancel{5000}));
}

void TestChannel::badLengths_data()
{
    QTest::addColumn<quint32>("length");
    QTest::addColumn<int>("code");
    QTest::newRow("0") << quint32(0) << int(ErrorCode::Protocol);
    QTest::newRow("0xFFFFFFFF") << 0xFFFFFFFFu << int(ErrorCode::TooLarge);
    QTest::newRow("limit + 1") << kMaxFrameBeforeLogin + 1 << int(ErrorCode::TooLarge);
    QTest::newRow("the limit after login") << kMaxFrame << int(ErrorCode::TooLarge);
}

void TestChannel::badLengths()
{
    QFETCH(quint32, length);
    QFETCH(int, code);
    Server server;
    const auto client = rawClient(server);
    client->write(header(length));
    QTRY_COMPARE(server.closed.size(), 1);
    QCOMPARE(int(server.closed.at(0).code), code);
    QTRY_COMPARE(client->state(), QLocalSocket::UnconnectedState);
}

void TestChannel::badPayload()
{
    Server server;
    const auto client = rawClient(server);
    client->write(frame("not CBOR"));
    QTRY_COMPARE(server.closed.size(), 1);
    QCOMPARE(server.closed.at(0).code, ErrorCode::Protocol);
    QVERIFY(server.received.isEmpty());
}

void TestChannel::largerFramesAfterLogin()
{
    Server server;
    const auto client = rawClient(server);
    const LocksQuery large{1, QString(), QByteArray(2 * 1024 * 1024, 'x')};
    client->write(wire(Hello{}));
    QTRY_COMPARE(server.received.size(), 1);
    client->write(wire(large));
    QTRY_COMPARE(server.received.size(), 2);
    QVERIFY(server.received.at(1) == Message(large));
    client->write(header(kMaxFrame + 1));
    QTRY_COMPARE(server.closed.size(), 1);
    QCOMPARE(server.closed.at(0).code, ErrorCode::TooLarge);
}

void TestChannel::unfinishedFrameIsClosed()
{
    transport::Timings timings = shortTimings();
    timings.loginMs = 60'000;
    Server server(timings);
    const auto client = rawClient(server);
    client->write(wire(Hello{}).chopped(1));
    QTRY_COMPARE(server.closed.size(), 1);
    QCOMPARE(server.closed.at(0).code, ErrorCode::Timeout);
    QVERIFY(server.closed.at(0).cause.contains(QStringLiteral("unfinished")));
}

void TestChannel::slowFrameIsClosedThoughBytesCome()
{
    transport::Timings timings = shortTimings();
    timings.loginMs = 60'000;
    Server server(timings);
    const auto client = rawClient(server);
    client->write(header(1000));
    QTimer drip;
    connect(&drip, &QTimer::timeout, client.get(), [&client] { client->write("x", 1); });
    drip.start(10);
    QTRY_COMPARE(server.closed.size(), 1);
    QCOMPARE(server.closed.at(0).code, ErrorCode::Timeout);
}

void TestChannel::aPeerThatNeverSaysHelloIsClosed()
{
    Server server(shortTimings());
    const auto client = rawClient(server);
    QTRY_COMPARE(server.closed.size(), 1);
    QCOMPARE(server.closed.at(0).code, ErrorCode::Timeout);
    QVERIFY(server.closed.at(0).cause.contains(QStringLiteral("login")));
}

void TestChannel::silentPeerIsDead()
{
    Server server(shortTimings());
    const auto client = rawClient(server);
    client->write(wire(Hello{}));
    QTRY_COMPARE(server.received.size(), 1);
    QTRY_COMPARE(server.closed.size(), 1);
    QCOMPARE(server.closed.at(0).code, ErrorCode::Timeout);
    QVERIFY(server.closed.at(0).cause.contains(QStringLiteral("silent")));
}

void TestChannel::pingIsAnswered()
{
    Server server;
    server.greets = false;
    const auto client = rawClient(server);
    QTRY_COMPARE(server.accepted(), size_t(1));
    server.channel()->setLastSeq(1042);
    server.channel()->setLoggedIn();
    client->write(wire(Ping{77}));
    Deframer deframer;
    const auto pong = [&]() -> std::optional<Pong> {
        deframer.feed(client->readAll());
        const auto payload = deframer.next();
        const auto message = payload && *payload ? decode(**payload) : Message(Cancel{});
        return message && std::holds_alternative<Pong>(*message) ? std::optional(std::get<Pong>(*message))
                                                                 : std::nullopt; // its own Ping comes first
    };
    std::optional<Pong> answer;
    const auto isAnswered = [&] {
        if (!answer)
            answer = pong();
        return answer.has_value();
    };
    QTRY_VERIFY(isAnswered());
    QCOMPARE(answer->number, quint64(77));
    QCOMPARE(answer->lastSeq, quint64(1042));
    QVERIFY(answer->wallUs > 0);
    QVERIFY2(server.received.isEmpty(), "pings aren't handed on");
}

void TestChannel::pingsWhoseAnswersNobodyReads_data()
{
    QTest::addColumn<bool>("loggedIn");
    QTest::addColumn<int>("pings");
    QTest::addColumn<quint32>("most");
    QTest::newRow("before the login") << false << 50'000 << kMaxFrameBeforeLogin;
    QTest::newRow("after it") << true << 600'000 << kMaxFrame;
}

/** A peer that sends many requests, but reads nothing, doesn't fill the other side's memory. */
void TestChannel::pingsWhoseAnswersNobodyReads()
{
    QFETCH(bool, loggedIn);
    QFETCH(int, pings);
    QFETCH(quint32, most);
    Server server({.deadMs = 120'000, .frameMs = 120'000, .loginMs = 120'000}); // a busy machine is slow
    server.greets = loggedIn;
    const auto client = rawClient(server);
    client->setReadBufferSize(1);
    const QByteArray ping = wire(Ping{70'000});
    QByteArray bytes = loggedIn ? wire(Hello{}) : QByteArray();
    for (int i = 0; i < pings; ++i)
        bytes += ping;
    client->write(bytes + wire(Cancel{9}));
    // Before the login there are ten seconds for it in any case.
    QTRY_VERIFY_WITH_TIMEOUT(!server.received.isEmpty() && server.received.constLast() == Message(Cancel{9}),
                             60'000);
    QCOMPARE(server.channel()->pendingBytes() > 0, loggedIn); // a client without a login gets no answer
    QVERIFY2(server.channel()->pendingBytes() <= qint64(most) + 100,
             qPrintable(QString::number(server.channel()->pendingBytes())));
}

void TestChannel::closeDeliversWhatWasSent()
{
    Server server;
    const auto client = rawClient(server);
    QTRY_COMPARE(server.accepted(), size_t(1));
    const QByteArray large = wire(Goodbye{{ErrorCode::Shutdown, QString(500'000, QLatin1Char('x')), {}}});
    server.channel()->sendFrame(large);
    server.channel()->close();
    QVERIFY(!server.channel()->isOpen());
    server.channel()->send(Done{1});
    QByteArray got;
    QTRY_COMPARE((got += client->readAll()).size(), large.size());
    QCOMPARE(got, large);
    QTRY_COMPARE(server.closed.size(), 1);
    QCOMPARE(server.closed.at(0).code, ErrorCode::Cancelled);
}

void TestChannel::closeGivesUpOnAPeerThatDoesNotRead()
{
    Server server(shortTimings());
    const auto client = rawClient(server);
    client->setReadBufferSize(1);
    QTRY_COMPARE(server.accepted(), size_t(1));
    server.channel()->sendFrame(QByteArray(4 << 20, 'x'));
    server.channel()->close();
    QTRY_COMPARE(server.closed.size(), 1);
}

void TestChannel::drainedOnceTheKernelHasAll()
{
    Server server;
    const auto client = rawClient(server);
    QTRY_COMPARE(server.accepted(), size_t(1));
    QSignalSpy drained(server.channel(), &transport::Channel::drained);
    server.channel()->sendFrame(QByteArray(3 << 20, 'x'));
    QCOMPARE(server.channel()->pendingBytes(), qint64(3 << 20));
    qint64 got = 0;
    QTRY_VERIFY((got += client->readAll().size()) == (3 << 20));
    QTRY_VERIFY(!drained.isEmpty());
    QCOMPARE(server.channel()->pendingBytes(), qint64(0));
}

void TestChannel::tooLargeAMessageIsNeverSent()
{
    Server server;
    const auto client = rawClient(server);
    QTRY_COMPARE(server.accepted(), size_t(1));
    server.channel()->send(LocksQuery{1, QString(), QByteArray(kMaxFrame, 'x')});
    QTRY_COMPARE(server.closed.size(), 1);
    QCOMPARE(server.closed.at(0).code, ErrorCode::TooLarge);
    QTRY_COMPARE(client->state(), QLocalSocket::UnconnectedState);
    QCOMPARE(client->readAll().size(), 0);
}

void TestChannel::peerUserIsTold()
{
    Server server;
    const auto client = rawClient(server);
    QTRY_COMPARE(server.accepted(), size_t(1));
#ifdef Q_OS_LINUX
    QVERIFY(!server.channel()->peerUser().isEmpty());
#else
    QVERIFY(server.channel()->peerUser().isEmpty());
#endif
}

void TestChannel::aFloodIsReadInPortions()
{
    Server server;
    const auto client = rawClient(server);
    client->write(wire(Hello{}));
    const QByteArray one = wire(LocksQuery{1, QString(), QByteArray(60'000, 'x')});
    for (int i = 0; i < 200; ++i)
        client->write(one);
    QTRY_COMPARE(server.received.size(), 201);
    QVERIFY(server.closed.isEmpty());
}

LOCKKEEPER_TEST(TestChannel)

} // namespace tst_channel

#include "tst_channel.moc"
