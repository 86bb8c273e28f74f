// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/metrics/http_request.h"
#include "agent/metrics/metrics_server.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>

#include <limits>
#include <memory>
#include <vector>

namespace tst_metrics_server {

using namespace lockkeeper;
using namespace lockkeeper::agent::metrics;

namespace {

/** A server with one sample, and a raw client. */
class Endpoint
{
public:
    Endpoint() : server([this] { return samples; }, [this] { return health; })
    {
        listening = server.listen(QStringLiteral("127.0.0.1:0")).has_value();
    }

    /** Sends bytes as they are and reads until the server closes. */
    QByteArray exchange(const QByteArray &request)
    {
        QTcpSocket socket;
        send(socket, request);
        close(socket);
        return socket.readAll();
    }
    void send(QTcpSocket &socket, const QByteArray &request) const
    {
        socket.connectToHost(QStringLiteral("127.0.0.1"), server.port());
        QTRY_COMPARE(socket.state(), QAbstractSocket::ConnectedState);
        socket.write(request);
    }
    static void close(QTcpSocket &socket)
    {
        QTRY_COMPARE_WITH_TIMEOUT(socket.state(), QAbstractSocket::UnconnectedState, 60'000);
    }

    QList<MetricSample> samples{{"lockkeeper_sessions", "gauge", "Open sessions.", {}, 3}};
    HealthReport health{true, "ok"};
    MetricsServer server;
    bool listening = false;
};

} // namespace

class TestMetricsServer : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void text_data();
    void text();
    void sameNamesStandTogether();
    void addresses_data();
    void addresses();
    void portInUseIsSaid();
    void answersMetrics();
    void answersHealth();
    void requests_data();
    void requests();
    void requestInPieces();
    void silentClientIsCutOff();
    void connectionsAreBounded();
    void aThousandConnects();
};

void TestMetricsServer::text_data()
{
    QTest::addColumn<MetricSample>("sample");
    QTest::addColumn<QByteArray>("line");
    const auto row = [](const char *name, const QByteArray &line, double value,
                        const QList<std::pair<QByteArray, QByteArray>> &labels = {}) {
        QTest::newRow(name) << MetricSample{"m", "gauge", "h", labels, value} << line;
    };
    row("plain", "m 1", 1);
    row("fraction", "m 0.25", 0.25);
    row("large counter keeps its digits", "m 9007199254740991", 9007199254740991.0);
    row("larger than that", "m 1e+300", 1e300);
    row("negative", "m -3", -3);
    row("not a number", "m NaN", std::numeric_limits<double>::quiet_NaN());
    row("infinite", "m +Inf", std::numeric_limits<double>::infinity());
    row("minus infinite", "m -Inf", -std::numeric_limits<double>::infinity());
    row("labels", "m{source=\"a\",state=\"held\"} 2", 2, {{"source", "a"}, {"state", "held"}});
    row("hostile label", "m{source=\"a\\\"b\\\\c\\nd\"} 2", 2, {{"source", "a\"b\\c\nd"}});
}

void TestMetricsServer::text()
{
    QFETCH(MetricSample, sample);
    QFETCH(QByteArray, line);
    QCOMPARE(toPrometheusText({sample}), QByteArray("# HELP m h\n# TYPE m gauge\n" + line + '\n'));
}

void TestMetricsServer::sameNamesStandTogether()
{
    const MetricSample a{"a", "gauge", "A\nof \"two\" lines", {{"s", "1"}}, 1};
    const MetricSample b{"b", "counter", "B", {}, 2};
    MetricSample a2 = a;
    a2.labels = {{"s", "2"}};
    QCOMPARE(toPrometheusText({a, b, a2}),
             QByteArray("# HELP a A\\nof \"two\" lines\n# TYPE a gauge\na{s=\"1\"} 1\na{s=\"2\"} 1\n"
                        "# HELP b B\n# TYPE b counter\nb 2\n"));
    QCOMPARE(toPrometheusText({}), QByteArray());
}

void TestMetricsServer::addresses_data()
{
    QTest::addColumn<QString>("address");
    QTest::addColumn<base::ErrorCode>("code"); // Unknown: accepted
    const auto row = [](const char *address, base::ErrorCode code) {
        QTest::newRow(address) << QString::fromLatin1(address) << code;
    };
    row("127.0.0.1:0", base::ErrorCode::Unknown);
    row("localhost:0", base::ErrorCode::Unknown);
    row("0.0.0.0:0", base::ErrorCode::PermissionDenied);
    row("[::]:0", base::ErrorCode::PermissionDenied);
    row("192.0.2.1:9720", base::ErrorCode::PermissionDenied);
    row("127.0.0.1", base::ErrorCode::Usage);
    row("127.0.0.1:x", base::ErrorCode::Usage);
    row("127.0.0.1:70000", base::ErrorCode::Usage);
    row("example.org:9720", base::ErrorCode::Usage);
    row(":9720", base::ErrorCode::Usage);
    row("", base::ErrorCode::Usage);
}

void TestMetricsServer::addresses()
{
    QFETCH(QString, address);
    QFETCH(base::ErrorCode, code);
    MetricsServer server([] { return QList<MetricSample>(); }, [] { return HealthReport{}; });
    const auto listening = server.listen(address);
    QCOMPARE(listening.has_value(), code == base::ErrorCode::Unknown);
    if (!listening) {
        QCOMPARE(listening.error().code, code);
        QVERIFY(!listening.error().remedy.isEmpty());
    }
}

void TestMetricsServer::portInUseIsSaid()
{
    Endpoint endpoint;
    MetricsServer second([] { return QList<MetricSample>(); }, [] { return HealthReport{}; });
    const auto listening = second.listen(QStringLiteral("127.0.0.1:%1").arg(endpoint.server.port()));
    QVERIFY(!listening);
    QCOMPARE(listening.error().code, base::ErrorCode::Unreachable);
}

void TestMetricsServer::answersMetrics()
{
    Endpoint endpoint;
    QVERIFY(endpoint.listening);
    const QByteArray answer = endpoint.exchange("GET /metrics?x=1 HTTP/1.1\r\nHost: localhost\r\n\r\n");
    QVERIFY(answer.startsWith("HTTP/1.1 200 OK\r\n"));
    QVERIFY(answer.contains("text/plain; version=0.0.4"));
    const QByteArray body = answer.sliced(answer.indexOf("\r\n\r\n") + 4);
    QVERIFY(body.endsWith("lockkeeper_sessions 3\n"));
    QVERIFY(answer.contains("Content-Length: " + QByteArray::number(body.size()) + "\r\n"));
}

void TestMetricsServer::answersHealth()
{
    Endpoint endpoint;
    QVERIFY(endpoint.exchange("GET /healthz HTTP/1.1\r\n\r\n").endsWith("\r\n\r\nok\n"));
    endpoint.health = {false, "orders: unreachable\njournal: disk full"};
    const QByteArray answer = endpoint.exchange("GET /healthz HTTP/1.0\r\n\r\n");
    QVERIFY(answer.startsWith("HTTP/1.1 503 "));
    QVERIFY(answer.endsWith("orders: unreachable\njournal: disk full\n"));
}

void TestMetricsServer::requests_data()
{
    QTest::addColumn<QByteArray>("request");
    QTest::addColumn<int>("status");
    const auto row = [](const char *name, int status, const QByteArray &request) {
        QTest::newRow(name) << request << status;
    };
    row("good", 200, "GET /metrics HTTP/1.1\r\n\r\n");
    row("unknown path", 404, "GET / HTTP/1.1\r\n\r\n");
    row("path that climbs", 404, "GET /../../etc/passwd HTTP/1.1\r\n\r\n");
    row("HEAD", 405, "HEAD /metrics HTTP/1.1\r\n\r\n");
    row("POST", 405, "POST /metrics HTTP/1.1\r\nContent-Length: 9999999\r\n\r\n");
    row("DELETE", 405, "DELETE /metrics HTTP/1.1\r\n\r\n");
    row("lower case", 400, "get /metrics HTTP/1.1\r\n\r\n");
    row("absolute form", 400, "GET http://x/metrics HTTP/1.1\r\n\r\n");
    row("no version", 400, "GET /metrics\r\n\r\n");
    row("HTTP/2 preface", 505, "PRI /x HTTP/2.0\r\n\r\nSM\r\n\r\n");
    row("not HTTP", 400, "hello\r\n\r\n");
    row("bare newline", 400, "GET /metrics HTTP/1.1\n\n");
    row("empty line", 400, "\r\n\r\n");
    row("a TLS hello", 400, QByteArray("\x16\x03\x01\x02\x00\x01\r\n\r\n", 10));
    row("NUL in the path", 400, QByteArray("GET /me\0trics HTTP/1.1\r\n\r\n", 26));
    row("long path", 431, "GET /" + QByteArray(9000, 'a') + " HTTP/1.1\r\n\r\n");
    row("long head", 431, "GET /metrics HTTP/1.1\r\nX: " + QByteArray(9000, 'a') + "\r\n\r\n");
}

void TestMetricsServer::requests()
{
    QFETCH(QByteArray, request);
    QFETCH(int, status);
    const auto parsed = parseRequest(request);
    QVERIFY(parsed);
    QCOMPARE(parsed->status, status == 404 ? 200 : status);
    Endpoint endpoint;
    const QByteArray answer = endpoint.exchange(request);
    // A peer that is still sending when it is refused may see the reset before the answer.
    if (status != 431 || !answer.isEmpty())
        QVERIFY2(answer.startsWith("HTTP/1.1 " + QByteArray::number(status) + ' '), answer.constData());
    QVERIFY(endpoint.exchange("GET /healthz HTTP/1.1\r\n\r\n").startsWith("HTTP/1.1 200 "));
}

void TestMetricsServer::requestInPieces()
{
    Endpoint endpoint;
    QTcpSocket socket;
    endpoint.send(socket, "GET /met");
    QTRY_COMPARE(socket.bytesToWrite(), 0);
    socket.write("rics HTTP/1.1\r\n");
    QTRY_COMPARE(socket.bytesToWrite(), 0);
    socket.write("\r\n");
    Endpoint::close(socket);
    QVERIFY(socket.readAll().startsWith("HTTP/1.1 200 "));
}

void TestMetricsServer::silentClientIsCutOff()
{
    Endpoint endpoint;
    QElapsedTimer timer;
    timer.start();
    QTcpSocket socket;
    endpoint.send(socket, "GET /metrics HT");
    Endpoint::close(socket);
    QVERIFY2(timer.elapsed() >= 4'000, "it has five seconds");
    QVERIFY(socket.readAll().isEmpty());
}

void TestMetricsServer::connectionsAreBounded()
{
    Endpoint endpoint;
    std::vector<std::unique_ptr<QTcpSocket>> idle;
    for (int i = 0; i < 16; ++i) {
        idle.push_back(std::make_unique<QTcpSocket>());
        endpoint.send(*idle.back(), "GET");
    }
    // Slow clients don't block others: the oldest of them is disconnected.
    QVERIFY(endpoint.exchange("GET /healthz HTTP/1.1\r\n\r\n").startsWith("HTTP/1.1 200 "));
    QTRY_COMPARE(idle.front()->state(), QAbstractSocket::UnconnectedState);
    QCOMPARE(idle.back()->state(), QAbstractSocket::ConnectedState);
    idle.clear();
    QTRY_VERIFY(endpoint.server.findChildren<QTcpSocket *>().isEmpty());
}

void TestMetricsServer::aThousandConnects()
{
    Endpoint endpoint;
    int answered = 0;
    for (int i = 0; i < 1000; ++i) {
        if (i % 2) {
            answered += endpoint.exchange("GET /metrics HTTP/1.1\r\n\r\n").startsWith("HTTP/1.1 200 ");
        } else {
            QTcpSocket rude; // connects and leaves
            rude.connectToHost(QStringLiteral("127.0.0.1"), endpoint.server.port());
            rude.abort();
        }
    }
    QCOMPARE(answered, 500);
    QTRY_VERIFY(endpoint.server.findChildren<QTcpSocket *>().isEmpty());
}

LOCKKEEPER_TEST(TestMetricsServer)

} // namespace tst_metrics_server

#include "tst_metrics_server.moc"
