// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/agent_process.h"
#include "tests/support/free_port.h"
#include "tests/support/test_client.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QHostAddress>
#include <QSslConfiguration>
#include <QSslSocket>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>

#include <algorithm>
#include <arpa/inet.h>
#include <atomic>
#include <fcntl.h>
#include <memory>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace tst_agent_strangers {

using namespace lockkeeper;
using namespace lockkeeper::tests;

/** Connections that never log in, in great number: other clients are still served, and nothing remains. */
class TestAgentStrangers : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void newcomersGetInBesideAFlood_data();
    void newcomersGetInBesideAFlood();
    void manyConnectsLeaveNothing();
    void slowHandshakesHoldUpNobody();
    void badFramesHoldUpNobody();

private:
    /** How long a client on the local socket waits for an answer, at the 99th of 100, in ms. */
    double waitOfOthers(const std::function<bool()> &mayGoOn);

    std::unique_ptr<AgentProcess> m_agent;
    quint16 m_port = 0;
    int m_files = 0;
};

namespace {

constexpr int kNewcomers = 8;
constexpr int kFlooders = 16;

/** A connected TCP socket; -1: it failed. */
int connectTo(quint16 port)
{
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(fd, reinterpret_cast<sockaddr *>(&to), sizeof to) == 0)
        return fd;
    ::close(fd);
    return -1;
}

int connectTo(const QString &path)
{
    const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un to{};
    to.sun_family = AF_UNIX;
    qstrncpy(to.sun_path, path.toLocal8Bit().constData(), sizeof to.sun_path);
    if (::connect(fd, reinterpret_cast<sockaddr *>(&to), sizeof to) == 0)
        return fd;
    ::close(fd);
    return -1;
}

/** The first flight of a client over TLS. */
QByteArray clientHello()
{
    QTcpServer server;
    if (!server.listen(QHostAddress::LocalHost))
        return {};
    QSslSocket client;
    client.connectToHostEncrypted(QStringLiteral("127.0.0.1"), server.serverPort());
    QByteArray bytes;
    if (QTest::qWaitFor([&] { return server.hasPendingConnections(); })) {
        QTcpSocket *socket = server.nextPendingConnection();
        static_cast<void>(QTest::qWaitFor([&] { return socket->bytesAvailable() > 200; }));
        bytes = socket->readAll();
    }
    return bytes;
}

/** Connects from 127.0.0.1 as fast as it can, each time with the beginning of a handshake. */
class Flood
{
public:
    Flood(quint16 port, const QByteArray &hello)
    {
        for (int i = 0; i < kFlooders; ++i)
            m_threads.emplace_back([this, port, hello] { run(port, hello); });
    }
    ~Flood()
    {
        m_stop = true;
        for (std::thread &thread : m_threads)
            thread.join();
    }
    Q_DISABLE_COPY_MOVE(Flood)
    qint64 connects() const { return m_connects; }

private:
    void run(quint16 port, const QByteArray &hello)
    {
        std::vector<int> open(200, -1);
        for (size_t i = 0; !m_stop; i = (i + 1) % open.size()) {
            if (open[i] >= 0)
                ::close(open[i]);
            open[i] = connectTo(port);
            if (open[i] < 0)
                continue;
            ++m_connects;
            static_cast<void>(
                ::send(open[i], hello.constData(), size_t(hello.size()), MSG_NOSIGNAL | MSG_DONTWAIT));
        }
        for (const int fd : open) {
            if (fd >= 0)
                ::close(fd);
        }
    }

    std::atomic<bool> m_stop = false;
    std::atomic<qint64> m_connects = 0;
    std::vector<std::thread> m_threads;
};

} // namespace

void TestAgentStrangers::init()
{
    m_agent = std::make_unique<AgentProcess>();
    m_port = freePort();
    m_agent->configure("[[source]]\nname = \"orders\"\nurl = \"redis://127.0.0.1:1\"\n"
                       "  [[source.locks]]\n  scheme = \"redis.token\"\n  match = \"lock:*\"\n",
                       "tls://0.0.0.0:" + QByteArray::number(m_port));
    QByteArray output;
    const int made = m_agent->run({QStringLiteral("--make-certificate")}, &output);
    QVERIFY2(made == 0, output.constData());
    QVERIFY(m_agent->start());
    TestClient first; // loads things that stay
    QVERIFY(first.open(m_agent->socket()));
    first.close();
    m_files = m_agent->openFiles();
}

double TestAgentStrangers::waitOfOthers(const std::function<bool()> &mayGoOn)
{
    TestClient other;
    if (!other.open(m_agent->socket(), 60'000))
        return 1e9;
    QList<qint64> waitedUs;
    while (mayGoOn() || waitedUs.size() < 100) {
        QElapsedTimer one;
        one.start();
        if (!other.ask<protocol::Status>(protocol::StatusQuery{}))
            return 1e9;
        waitedUs.append(one.nsecsElapsed() / 1'000);
    }
    std::sort(waitedUs.begin(), waitedUs.end());
    return double(waitedUs.at(waitedUs.size() * 99 / 100)) / 1e3;
}

void TestAgentStrangers::newcomersGetInBesideAFlood_data()
{
    QTest::addColumn<QByteArray>("opening");
    const QByteArray hello = clientHello();
    QVERIFY(!hello.isEmpty());
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("the beginning of a handshake") << hello;
    QTest::newRow("no handshake") << QByteArray("GET / HTTP/1.1\r\n\r\n");
}

/** Each comes from another address than the flood, with a good handshake and a good Hello. */
void TestAgentStrangers::newcomersGetInBesideAFlood()
{
    QFETCH(QByteArray, opening);
    QSslConfiguration configuration = QSslConfiguration::defaultConfiguration();
    configuration.setPeerVerifyMode(QSslSocket::VerifyNone);
    Flood flood(m_port, opening);
    QElapsedTimer all;
    all.start();
    QVERIFY(QTest::qWaitFor([&] { return flood.connects() > 500; }));
    int in = 0;
    qint64 longest = 0;
    for (int i = 0; i < kNewcomers; ++i) {
        QSslSocket socket;
        socket.setSslConfiguration(configuration);
        QVERIFY(socket.bind(QHostAddress(QStringLiteral("127.0.0.2"))));
        QElapsedTimer one;
        one.start();
        socket.connectToHostEncrypted(QStringLiteral("127.0.0.1"), m_port);
        const bool isEncrypted = QTest::qWaitFor([&] { return socket.isEncrypted(); }, 20'000);
        if (isEncrypted)
            socket.write(protocol::frame(protocol::encode(protocol::Hello{})));
        in += isEncrypted && QTest::qWaitFor([&] { return socket.bytesAvailable() > 0; }, 20'000) ? 1 : 0;
        longest = std::max(longest, one.elapsed());
    }
    qInfo("%d of %d newcomers got an answer, after %lld ms at most, beside %.0f connects a second", in,
          kNewcomers, static_cast<long long>(longest),
          double(flood.connects()) * 1'000 / double(all.elapsed()));
    QCOMPARE(in, kNewcomers);
}

void TestAgentStrangers::manyConnectsLeaveNothing()
{
    std::atomic<int> left = 10'000;
    std::thread crowd([&] {
        for (; left > 0; --left) {
            const int fd = left % 2 ? connectTo(m_port) : connectTo(m_agent->socket());
            if (fd >= 0)
                ::close(fd);
        }
    });
    const double waited = waitOfOthers([&] { return left > 0; });
    crowd.join();
    qInfo("beside 10,000 connects another client waited %.1f ms at the 99th of 100", waited);
    QVERIFY(waited < 1'000);
    QTRY_VERIFY_WITH_TIMEOUT(m_agent->openFiles() <= m_files + 5, 20'000);
}

void TestAgentStrangers::slowHandshakesHoldUpNobody()
{
    const QByteArray hello = clientHello();
    const qint64 before = m_agent->residentKib();
    qint64 most = 0;
    std::vector<int> slow;
    for (int i = 0; i < 1'000; ++i) {
        const int fd = connectTo(m_port);
        QVERIFY(fd >= 0);
        slow.push_back(fd);
        static_cast<void>(::send(fd, hello.constData(), size_t(i % 2 ? 1 : hello.size() / 2), MSG_NOSIGNAL));
    }
    QElapsedTimer timer;
    timer.start();
    const double waited = waitOfOthers([&] {
        most = std::max(most, m_agent->residentKib());
        return timer.elapsed() < 3'000;
    });
    for (const int fd : slow)
        ::close(fd);
    qInfo("beside 1,000 slow handshakes another client waited %.1f ms at the 99th of 100; %lld KiB more",
          waited, static_cast<long long>(most - before));
    QVERIFY(waited < 1'000);
    QVERIFY(most - before < 64 * 1'000);
    QTRY_VERIFY_WITH_TIMEOUT(m_agent->openFiles() <= m_files + 5, 20'000);
}

/** A million of them, a thousand to a connection; the agent ends each connection at the first
 * one. */
void TestAgentStrangers::badFramesHoldUpNobody()
{
    QByteArray frames;
    for (int i = 0; i < 1'000; ++i)
        frames += protocol::frame(QByteArray(1 + i % 40, char(0xa0 + i % 0x5f)));
    std::atomic<int> left = 1'000;
    std::thread crowd([&] {
        for (; left > 0; --left) {
            const int fd = connectTo(m_agent->socket());
            if (fd < 0)
                continue;
            static_cast<void>(
                ::send(fd, frames.constData(), size_t(frames.size()), MSG_NOSIGNAL | MSG_DONTWAIT));
            ::close(fd);
        }
    });
    const double waited = waitOfOthers([&] { return left > 0; });
    crowd.join();
    qInfo("beside a million bad frames another client waited %.1f ms at the 99th of 100", waited);
    QVERIFY(waited < 1'000);
    QTRY_VERIFY_WITH_TIMEOUT(m_agent->openFiles() <= m_files + 5, 20'000);
}

LOCKKEEPER_TEST(TestAgentStrangers)

} // namespace tst_agent_strangers

#include "tst_agent_strangers.moc"
