// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/metrics/metrics_server.h"

#include "agent/config/config.h"
#include "agent/metrics/http_request.h"

#include <QLoggingCategory>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTimer>

#include <chrono>

Q_LOGGING_CATEGORY(lcMetrics, "lockkeeper.metrics")

namespace lockkeeper::agent::metrics {

namespace {

constexpr int kMaxConnections = 16;
constexpr std::chrono::seconds kTimeLimit(5);

} // namespace

class MetricsServer::Private
{
public:
    Private(Samples givenSamples, HealthCheck givenHealth, MetricsServer *q)
        : samples(std::move(givenSamples)), health(std::move(givenHealth)), server(new QTcpServer(q))
    {
    }

    void acceptAll();
    void serve(QTcpSocket *socket);
    QByteArray answer(const HttpRequest &request) const;

    Samples samples;
    HealthCheck health;
    QTcpServer *server;              ///< a child of the metrics server
    QList<QTcpSocket *> connections; ///< the oldest first
};

void MetricsServer::Private::acceptAll()
{
    while (QTcpSocket *socket = server->nextPendingConnection()) {
        // A request is short: a connection that is older than 15 others is slow.
        if (connections.size() >= kMaxConnections)
            connections.constFirst()->abort(); // leaves the list
        serve(socket);
    }
}

void MetricsServer::Private::serve(QTcpSocket *socket)
{
    connections.append(socket);
    socket->setReadBufferSize(kMaxRequestBytes + 1024);
    connect(socket, &QTcpSocket::disconnected, server, [this, socket] {
        connections.removeOne(socket);
        socket->deleteLater();
    });
    // Covers peers that send slowly and peers that read slowly.
    QTimer::singleShot(kTimeLimit, socket, [socket] { socket->abort(); });
    connect(socket, &QTcpSocket::readyRead, socket, [this, socket] {
        const auto request = parseRequest(socket->peek(kMaxRequestBytes + 8));
        if (!request)
            return;
        QTcpSocket *peer = socket; // disconnecting the signal destroys the lambda's captures
        const QByteArray bytes = answer(*request);
        QObject::disconnect(socket, &QTcpSocket::readyRead, nullptr, nullptr);
        peer->write(bytes);
        peer->disconnectFromHost();
    });
}

QByteArray MetricsServer::Private::answer(const HttpRequest &request) const
{
    static const QByteArray plain = "text/plain; charset=utf-8";
    if (request.status != 200)
        return httpResponse(request.status, plain, "only GET /metrics and GET /healthz are answered here\n");
    if (request.path == "/metrics")
        return httpResponse(200, "text/plain; version=0.0.4; charset=utf-8", toPrometheusText(samples()));
    if (request.path == "/healthz") {
        const HealthReport state = health();
        return httpResponse(state.ok ? 200 : 503, plain,
                            state.text.endsWith('\n') ? state.text : state.text + '\n');
    }
    return httpResponse(404, plain, "try /metrics or /healthz\n");
}

MetricsServer::MetricsServer(Samples samples, HealthCheck health, QObject *parent)
    : QObject(parent), d(std::make_unique<Private>(std::move(samples), std::move(health), this))
{
    connect(d->server, &QTcpServer::newConnection, this, [this] { d->acceptAll(); });
}

MetricsServer::~MetricsServer() = default;

base::Result<void> MetricsServer::listen(const QString &address)
{
    const auto parsed = config::parseMetricsAddress(address);
    if (!parsed)
        return tl::unexpected(parsed.error());
    d->server->close();
    if (d->server->listen(parsed->host, parsed->port)) {
        qCInfo(lcMetrics).noquote() << "serving on" << d->server->serverAddress().toString()
                                    << d->server->serverPort();
        return {};
    }
    return base::failure(base::ErrorCode::Unreachable,
                         QStringLiteral("metrics: %1: %2").arg(address, d->server->errorString()),
                         QStringLiteral("Choose another port in the key metrics"));
}

quint16 MetricsServer::port() const
{
    return d->server->serverPort();
}

} // namespace lockkeeper::agent::metrics
