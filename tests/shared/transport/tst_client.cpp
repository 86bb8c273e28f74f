// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/protocol/handshake.h"
#include "support.h"
#include "tests/support/test_program.h"

#include <QSignalSpy>
#include <QTest>

namespace tst_client {

using namespace lockkeeper;
using namespace lockkeeper::protocol;
using base::ErrorCode;
using tests::Server;
using tests::shortTimings;
using transport::Client;

class TestClient : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void connectedOnlyAfterWelcome();
    void talksBothWays();
    void twoClients();
    void goodbyeGivesItsError();
    void versionThatNobodySpeaks();
    void somethingElseThanWelcome();
    void noSuchSocket();
    void silentAgent();
    void agentGoesAway();
    void closeIsToldOnce();
    void closeBeforeTheConnectionStands();
    void reopenDropsTheFirst();
    void roundTripIsMeasured();
    void canBeDestroyedInItsOwnSignal();
    void negotiation_data();
    void negotiation();
};

static base::Error errorOf(const QSignalSpy &spy)
{
    return spy.at(0).at(0).value<base::Error>();
}

void TestClient::connectedOnlyAfterWelcome()
{
    Server server;
    server.greets = false;
    Client client(QStringLiteral("test 1"));
    QSignalSpy connected(&client, &Client::connected);
    client.open(server.address());
    QTRY_COMPARE(server.received.size(), 1);
    const auto hello = std::get<Hello>(server.received.at(0));
    QCOMPARE(hello.version, kVersion);
    QCOMPARE(hello.oldest, kOldestVersion);
    QCOMPARE(hello.program, QStringLiteral("test 1"));
    QCOMPARE(hello.features, knownFeatures());
    QVERIFY(!client.isConnected());
    QVERIFY(connected.isEmpty());
    server.channel()->setLoggedIn();
    server.channel()->send(Welcome{});
    QTRY_COMPARE(connected.size(), 1);
    QVERIFY(client.isConnected());
}

void TestClient::talksBothWays()
{
    Server server;
    Client client(QStringLiteral("test"));
    QList<Message> got;
    connect(&client, &Client::received, this, [&got](const Message &m) { got.append(m); });
    client.open(server.address());
    QTRY_VERIFY(client.isConnected());
    client.send(StatusQuery{3});
    QTRY_COMPARE(server.received.size(), 2);
    server.channel()->send(Done{3});
    QTRY_COMPARE(got.size(), 1);
    QVERIFY(got.at(0) == Message(Done{3}));
}

void TestClient::twoClients()
{
    Server server;
    Client first(QStringLiteral("first"));
    Client second(QStringLiteral("second"));
    QSignalSpy firstGot(&first, &Client::received);
    QSignalSpy secondGot(&second, &Client::received);
    first.open(server.address());
    QTRY_VERIFY(first.isConnected());
    second.open(server.address());
    QTRY_VERIFY(second.isConnected());
    server.channel(1)->send(Done{2});
    QTRY_COMPARE(secondGot.size(), 1);
    QVERIFY(firstGot.isEmpty());
    second.close();
    QTRY_COMPARE(server.closed.size(), 1);
    QVERIFY(first.isConnected());
}

void TestClient::goodbyeGivesItsError()
{
    Server server;
    server.refusal = Goodbye{{ErrorCode::Unsupported, QStringLiteral("too old"), QStringLiteral("update")}};
    Client client(QStringLiteral("test"));
    QSignalSpy connected(&client, &Client::connected);
    QSignalSpy disconnected(&client, &Client::disconnected);
    client.open(server.address());
    QTRY_COMPARE(disconnected.size(), 1);
    QCOMPARE(errorOf(disconnected), server.refusal->error);
    QVERIFY(connected.isEmpty());
}

void TestClient::versionThatNobodySpeaks()
{
    Server server;
    server.version = kVersion + 1;
    Client client(QStringLiteral("test"));
    QSignalSpy connected(&client, &Client::connected);
    QSignalSpy disconnected(&client, &Client::disconnected);
    client.open(server.address());
    QTRY_COMPARE(disconnected.size(), 1);
    QCOMPARE(errorOf(disconnected).code, ErrorCode::Unsupported);
    QVERIFY(connected.isEmpty());
    QTRY_COMPARE(server.closed.size(), 1);
}

void TestClient::somethingElseThanWelcome()
{
    Server server;
    server.greets = false;
    Client client(QStringLiteral("test"));
    QSignalSpy disconnected(&client, &Client::disconnected);
    client.open(server.address());
    QTRY_COMPARE(server.received.size(), 1);
    server.channel()->send(Done{1});
    QTRY_COMPARE(disconnected.size(), 1);
    QCOMPARE(errorOf(disconnected).code, ErrorCode::Protocol);
}

void TestClient::noSuchSocket()
{
    Client client(QStringLiteral("test"));
    QSignalSpy disconnected(&client, &Client::disconnected);
    client.open({QStringLiteral("/nonexistent/a.sock")});
    QVERIFY2(disconnected.isEmpty(), "nothing is told from within open()");
    QTRY_COMPARE(disconnected.size(), 1);
    QCOMPARE(errorOf(disconnected).code, ErrorCode::Unreachable);
    QVERIFY(!errorOf(disconnected).remedy.isEmpty());
}

void TestClient::silentAgent()
{
    Server server;
    server.greets = false;
    Client client(QStringLiteral("test"));
    client.setTimings(shortTimings());
    QSignalSpy disconnected(&client, &Client::disconnected);
    client.open(server.address());
    QTRY_COMPARE(disconnected.size(), 1);
    QCOMPARE(errorOf(disconnected).code, ErrorCode::Timeout);
}

void TestClient::agentGoesAway()
{
    auto server = std::make_unique<Server>();
    Client client(QStringLiteral("test"));
    QSignalSpy disconnected(&client, &Client::disconnected);
    client.open(server->address());
    QTRY_VERIFY(client.isConnected());
    server.reset();
    QTRY_COMPARE(disconnected.size(), 1);
    QCOMPARE(errorOf(disconnected).code, ErrorCode::ConnectionLost);
    QVERIFY(!client.isConnected());
    client.send(StatusQuery{1});
}

void TestClient::closeIsToldOnce()
{
    Server server;
    Client client(QStringLiteral("test"));
    QSignalSpy disconnected(&client, &Client::disconnected);
    client.open(server.address());
    QTRY_VERIFY(client.isConnected());
    client.send(StatusQuery{1});
    client.close();
    client.close();
    QVERIFY(disconnected.isEmpty());
    QTRY_COMPARE(disconnected.size(), 1);
    QCOMPARE(errorOf(disconnected).code, ErrorCode::Cancelled);
    QTRY_COMPARE(server.closed.size(), 1);
    QVERIFY2(server.received.contains(Message(StatusQuery{1})), "what was sent arrives before the end");
}

void TestClient::closeBeforeTheConnectionStands()
{
    Server server;
    Client client(QStringLiteral("test"));
    QSignalSpy connected(&client, &Client::connected);
    QSignalSpy disconnected(&client, &Client::disconnected);
    client.open(server.address());
    client.close();
    QTRY_COMPARE(disconnected.size(), 1);
    QCOMPARE(errorOf(disconnected).code, ErrorCode::Cancelled);
    QVERIFY(connected.isEmpty());
}

void TestClient::reopenDropsTheFirst()
{
    Server server;
    Client client(QStringLiteral("test"));
    QSignalSpy disconnected(&client, &Client::disconnected);
    client.open({QStringLiteral("/nonexistent/a.sock")});
    client.open(server.address());
    QTRY_VERIFY(client.isConnected());
    QVERIFY2(disconnected.isEmpty(), "the end of the first open() isn't told as the second's");
}

void TestClient::roundTripIsMeasured()
{
    transport::Timings timings = shortTimings();
    timings.deadMs = 60'000;
    Server server(timings);
    Client client(QStringLiteral("test"));
    client.setTimings(timings);
    QSignalSpy trips(&client, &Client::roundTrip);
    QSignalSpy pongs(&client, &Client::ponged);
    QSignalSpy disconnected(&client, &Client::disconnected);
    client.open(server.address());
    QTRY_COMPARE(server.accepted(), size_t(1));
    server.channel()->setLastSeq(7);
    QTRY_VERIFY(trips.size() >= 3);
    for (const auto &trip : trips)
        QVERIFY(trip.at(0).toLongLong() >= 0);
    QCOMPARE(pongs.last().at(0).value<Pong>().lastSeq, quint64(7));
    QVERIFY(disconnected.isEmpty());
}

void TestClient::canBeDestroyedInItsOwnSignal()
{
    Server server;
    auto client = std::make_unique<Client>(QStringLiteral("test"));
    connect(client.get(), &Client::received, this, [&client] { client.reset(); });
    client->open(server.address());
    QTRY_VERIFY(client->isConnected());
    server.channel()->send(Done{1});
    server.channel()->send(Done{2});
    QTRY_VERIFY(!client);
    QTRY_COMPARE(server.closed.size(), 1);
}

void TestClient::negotiation_data()
{
    QTest::addColumn<int>("newest");
    QTest::addColumn<int>("oldest");
    QTest::addColumn<int>("version");
    QTest::newRow("the same") << kVersion << kOldestVersion << kVersion;
    QTest::newRow("a newer peer that still speaks ours") << kVersion + 5 << kVersion << kVersion;
    QTest::newRow("a newer peer that has dropped ours") << kVersion + 5 << kVersion + 1 << 0;
    QTest::newRow("an older peer that we have dropped") << kOldestVersion - 1 << 0 << 0;
    QTest::newRow("nonsense") << kVersion << kVersion + 1 << 0;
    QTest::newRow("negative") << -1 << -2 << 0;
}

void TestClient::negotiation()
{
    QFETCH(int, newest);
    QFETCH(int, oldest);
    QFETCH(int, version);
    const auto result = negotiate(newest, oldest);
    QCOMPARE(result.value_or(0), version);
    if (!result)
        QCOMPARE(result.error().code, ErrorCode::Unsupported);
}

LOCKKEEPER_TEST(TestClient)

} // namespace tst_client

#include "tst_client.moc"
