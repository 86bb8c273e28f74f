// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// bench_etcd [KEYS [CHANGES]]: a full reading of KEYS plain locks (10,000 by default) under a hundred leases,
// which need no further requests. It runs against one bare request for the same range whose answer isn't even
// parsed; medians of 21 in turn. Also the delay from a write to its reported change (1,050 of them, one each
// five milliseconds), in turn with a bare watcher.
#include "shared/stores/etcd/connection/wire.h"
#include "shared/stores/etcd/store/etcd_store.h"
#include "tests/benchmarks/latencies.h"
#include "tests/support/etcd_server.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QTimer>

using namespace lockkeeper;
using namespace lockkeeper::stores::etcd;
using namespace lockkeeper::benchmarks;

namespace {

constexpr int kRounds = 21; ///< in turn
constexpr int kLeases = 100;
constexpr int kPauseMs = 5;

/** A client that does nothing with its answers. */
class Bare
{
public:
    explicit Bare(const QString &member) : m_member(member) {}

    QNetworkReply *post(const char *path, const QJsonObject &body)
    {
        QNetworkRequest request(QUrl(m_member + QLatin1String("/v3/") + QLatin1String(path)));
        request.setAttribute(QNetworkRequest::Http2AllowedAttribute, false);
        request.setHeader(QNetworkRequest::ContentTypeHeader, QByteArrayLiteral("application/json"));
        return m_network.post(request, QJsonDocument(body).toJson(QJsonDocument::Compact));
    }
    QByteArray ask(const char *path, const QJsonObject &body)
    {
        QNetworkReply *reply = post(path, body);
        QEventLoop loop;
        QObject::connect(reply, &QNetworkReply::finished, &loop, &QEventLoop::quit);
        loop.exec();
        reply->deleteLater();
        return reply->readAll();
    }

private:
    QString m_member;
    QNetworkAccessManager m_network;
};

QJsonObject putOf(const QByteArray &key, qint64 lease)
{
    return {{QStringLiteral("key"), jsonOf(key)},
            {QStringLiteral("value"), jsonOf(QByteArrayLiteral("worker-17@10.0.0.7"))},
            {QStringLiteral("lease"), jsonOf(lease)}};
}

qint64 grant(Bare &client)
{
    const QByteArray answer = client.ask("lease/grant", {{QStringLiteral("TTL"), QStringLiteral("86400")}});
    return int64Of(QJsonDocument::fromJson(answer).object().value(QLatin1String("ID")));
}

void fill(Bare &client, int count)
{
    const int each = (count + kLeases - 1) / kLeases;
    for (int i = 0; i < count; i += each) {
        const qint64 lease = grant(client);
        QJsonArray puts;
        for (int j = i; j < std::min(count, i + each); ++j) {
            puts.append(
                QJsonObject{{QStringLiteral("request_put"), putOf("locks/" + QByteArray::number(j), lease)}});
            if (puts.size() == 100 || j + 1 == std::min(count, i + each)) {
                client.ask("kv/txn", {{QStringLiteral("success"), puts}});
                puts = {};
            }
        }
    }
}

QJsonObject allLocks()
{
    return {{QStringLiteral("key"), jsonOf(QByteArrayLiteral("locks/"))},
            {QStringLiteral("range_end"), jsonOf(endOf("locks/"))}};
}

double bareRange(Bare &client, int count)
{
    const qint64 beganNs = nowNs();
    const QByteArray answer = client.ask("kv/range", allLocks());
    const double took = double(nowNs() - beganNs) / 1e9;
    if (!answer.contains("\"count\":\"" + QByteArray::number(count) + '"'))
        qFatal("the bare client got something else");
    return double(count) / took;
}

/** Writes keys one after the other, and notes when each was heard of. */
class Writer
{
public:
    Writer(Bare &client, int changes) : m_client(client), m_lease(grant(client)), m_changes(changes) {}

    /** Ends once all were heard of, or ten seconds later. */
    void run(Latencies &latencies)
    {
        m_sent.assign(size_t(m_changes), 0);
        m_heard = &latencies;
        m_left = m_changes;
        QTimer pace;
        pace.setTimerType(Qt::PreciseTimer);
        size_t next = 0;
        QObject::connect(&pace, &QTimer::timeout, &m_loop, [&] {
            if (next == m_sent.size()) {
                pace.stop();
                return;
            }
            m_sent[next] = nowNs();
            QNetworkReply *reply =
                m_client.post("kv/put", putOf("locks/w" + QByteArray::number(next), m_lease));
            QObject::connect(reply, &QNetworkReply::finished, reply, &QObject::deleteLater);
            ++next;
        });
        pace.start(kPauseMs);
        QTimer::singleShot(m_changes * kPauseMs + 10'000, &pace, [this] { m_loop.quit(); });
        m_loop.exec();
    }
    void heard(const QByteArray &key)
    {
        if (m_left == 0 || !key.startsWith("locks/w"))
            return;
        m_heard->ns.push_back(nowNs() - m_sent.at(size_t(key.mid(7).toInt())));
        if (--m_left == 0)
            m_loop.quit();
    }

private:
    Bare &m_client;
    qint64 m_lease;
    int m_changes;
    int m_left = 0;
    std::vector<qint64> m_sent;
    Latencies *m_heard = nullptr;
    QEventLoop m_loop;
};

void bareWatch(const QString &member, Writer &writer, Latencies &latencies)
{
    Bare watcher(member);
    QEventLoop created;
    QNetworkReply *stream = watcher.post("watch", {{QStringLiteral("create_request"), allLocks()}});
    QObject::connect(stream, &QNetworkReply::readyRead, stream, [&] {
        while (stream->canReadLine()) {
            const QJsonObject result = QJsonDocument::fromJson(stream->readLine())
                                           .object()
                                           .value(QLatin1String("result"))
                                           .toObject();
            created.quit();
            for (const QJsonValue &event : result.value(QLatin1String("events")).toArray())
                writer.heard(keyValueOf(event.toObject().value(QLatin1String("kv")).toObject()).key);
        }
    });
    created.exec();
    writer.run(latencies);
    stream->abort();
}

void push(const stores::SourceSpec &spec, Writer &writer, Latencies &latencies)
{
    EtcdStore store(spec, endpointsOf(spec).value());
    QEventLoop on;
    QObject::connect(&store, &stores::Store::pushStateChanged, &on, &QEventLoop::quit);
    open(store);
    on.exec();
    QObject::connect(&store, &stores::Store::pushed, &on, [&writer](const stores::Push &told) {
        for (const stores::Change &change : told.changes)
            writer.heard(change.lock.name);
    });
    writer.run(latencies);
}

} // namespace

int main(int argc, char *argv[])
{
    const QCoreApplication application(argc, argv);
    writeToMemory();
    if (!tests::EtcdServer::isInstalled()) {
        std::fprintf(stderr, "bench_etcd: left out: etcd and etcdctl aren't installed\n");
        return 0;
    }
    const int count = argc > 1 ? QByteArray(argv[1]).toInt() : 10'000;
    const int changes = argc > 2 ? QByteArray(argv[2]).toInt() : 1'050;
    tests::EtcdServer server;
    if (!server.start())
        qFatal("etcd doesn't start");
    Bare client(server.clientUrl());
    fill(client, count);
    stores::SourceSpec spec;
    spec.name = QStringLiteral("bench");
    spec.url = server.url();
    stores::LockSet set;
    set.scheme = "etcd.lease";
    set.match = "locks/*";
    spec.locks = {set};
    spec.pageSize = 10'000; // the configuration's default
    {
        EtcdStore store(spec, endpointsOf(spec).value());
        open(store);
        pass(store, count); // asks for the leases
        const auto [value, floor] = inTurn(
            kRounds, [&] { return pass(store, count); }, [&] { return bareRange(client, count); });
        printPass("etcd.pass", count, "a bare request", value, floor, 0.8);
    }
    spec.push = true;
    Writer writer(client, changes / kRounds);
    Latencies bare;
    Latencies pushed;
    for (int i = 0; i < kRounds; ++i) {
        bareWatch(server.clientUrl(), writer, bare);
        push(spec, writer, pushed);
    }
    printPush("etcd.push", pushed, bare);
    return 0;
}
