// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Events a second through the codec and over a local socket. The floor is a bare QCborStreamWriter or -Reader
// that handles the same fields in the same run, without defaults, checks or types.
#include "shared/transport/client.h"
#include "shared/transport/local_listener.h"

#include <QCborStreamReader>
#include <QCborStreamWriter>
#include <QCoreApplication>
#include <QElapsedTimer>
#include <QTemporaryDir>

#include <algorithm>
#include <cstdio>
#include <functional>

using namespace lockkeeper;
using namespace lockkeeper::protocol;

namespace {

constexpr int kEvents = 200'000;
constexpr int kRuns = 3;

events::LockEvent makeEvent(quint64 seq)
{
    events::LockEvent e;
    e.seq = seq;
    e.key = {QStringLiteral("orders-redis"), "redis.token", "db0",
             "lock:orders:" + QByteArray::number(seq % 1000)};
    e.store = "redis";
    e.owner = "3b5f9d1c-8e77-4a50-9f53-0a4b6f1d2c3e";
    e.timeUs = 1'795'212'345'678'901 + qint64(seq);
    e.observedUs = e.timeUs + 1179;
    e.ttlMs = 30'000;
    e.expiresUs = e.timeUs + 30'000'000;
    domain::LockState s;
    s.key = e.key;
    s.phase = domain::Phase::Held;
    s.owner = e.owner;
    s.acquiredUs = e.timeUs;
    s.acquiredBy = domain::Evidence::Observation;
    s.expiry = domain::ExpiryKind::At;
    s.expiresUs = e.expiresUs;
    s.ttlMs = 30'000;
    s.expiresBy = domain::Evidence::Ttl;
    s.release.safety = domain::ReleaseSafety::Guarded;
    s.guard = QByteArray(64, 'a');
    s.seenUs = e.observedUs;
    e.after = s;
    return e;
}

/** The fields of makeEvent() written as the codec lays them out. */
void writeRaw(QCborStreamWriter &w, const events::LockEvent &e)
{
    w.startMap();
    w.append(0);
    w.append(e.seq);
    w.append(1);
    w.startArray(4);
    w.append(QStringView(e.key.source));
    w.append(e.key.scheme);
    w.append(e.key.place);
    w.append(e.key.name);
    w.endArray();
    w.append(2);
    w.append(e.store);
    w.append(3);
    w.append(quint64(e.kind));
    w.append(5);
    w.append(e.owner);
    for (const auto &[key, number] :
         {std::pair{6, e.timeUs}, {8, e.observedUs}, {9, *e.ttlMs}, {10, *e.expiresUs}}) {
        w.append(key);
        w.append(number);
    }
    w.append(14);
    w.startMap();
    const domain::LockState &s = *e.after;
    for (const auto &[key, number] : {std::pair{1, qint64(s.phase)},
                                      {6, *s.acquiredUs},
                                      {8, qint64(s.acquiredBy)},
                                      {12, qint64(s.expiry)},
                                      {14, s.ttlMs},
                                      {15, qint64(s.expiresBy)},
                                      {20, qint64(s.release.safety)}}) {
        w.append(key);
        w.append(number);
    }
    w.append(22);
    w.append(s.guard);
    w.append(23);
    w.append(*s.seenUs);
    w.endMap();
    w.endMap();
}

QByteArray encodeRaw(const QList<events::LockEvent> &batch)
{
    QByteArray bytes;
    QCborStreamWriter w(&bytes);
    w.startArray(2);
    w.append(13);
    w.startMap();
    w.append(0);
    w.startArray(quint64(batch.size()));
    for (const events::LockEvent &event : batch)
        writeRaw(w, event);
    w.endArray();
    w.endMap();
    w.endArray();
    return bytes;
}

/** Visits every element and copies every string, keeping nothing. */
qsizetype readRaw(QCborStreamReader &r)
{
    qsizetype size = 0;
    while (r.hasNext()) {
        if (r.isContainer()) {
            r.enterContainer();
            size += readRaw(r);
            r.leaveContainer();
        } else if (r.isByteArray()) {
            for (auto chunk = r.readByteArray(); chunk.status == QCborStreamReader::Ok;
                 chunk = r.readByteArray())
                size += chunk.data.size();
        } else if (r.isString()) {
            for (auto chunk = r.readString(); chunk.status == QCborStreamReader::Ok; chunk = r.readString())
                size += chunk.data.size();
        } else {
            r.next();
        }
    }
    return size;
}

QList<QList<events::LockEvent>> batches(int size)
{
    QList<QList<events::LockEvent>> all;
    for (int i = 0; i < kEvents; i += size) {
        QList<events::LockEvent> batch;
        for (int j = 0; j < size; ++j)
            batch.append(makeEvent(quint64(i + j + 1)));
        all.append(batch);
    }
    return all;
}

/** Events a second of the best of some runs. */
double rate(const std::function<void()> &work)
{
    double best = 0;
    for (int run = 0; run < kRuns; ++run) {
        QElapsedTimer timer;
        timer.start();
        work();
        best = std::max(best, kEvents * 1e9 / double(timer.nsecsElapsed()));
    }
    return best;
}

void report(const char *name, int batch, double value, double floor, double goal)
{
    std::printf("%-18s batch %3d  %10.0f events/s  floor %10.0f  ratio %.2f\n", name, batch, value, floor,
                value / floor);
    std::printf("{\"bench\":\"protocol.%s\",\"n\":%d,\"batch\":%d,\"value\":%.0f,\"unit\":\"events/"
                "s\",\"floor\":%.0f,"
                "\"ratio\":%.3f,\"goal\":%.2f}\n",
                name, kEvents, batch, value, floor, value / floor, goal);
    std::fflush(stdout);
}

/** One client and one server in this process; every event is encoded, carried, decoded and handed on. */
double overSocket(const QList<QList<events::LockEvent>> &all)
{
    QTemporaryDir folder;
    const transport::Address address{folder.filePath(QStringLiteral("a.sock"))};
    transport::LocalListener listener;
    if (!listener.listen(address))
        return 0;
    std::unique_ptr<transport::Channel> server;
    transport::Client client(QStringLiteral("bench"));
    qint64 got = 0;
    qsizetype next = 0;
    QElapsedTimer timer;
    qint64 tookNs = 1;
    const auto pump = [&] {
        while (next < all.size() && server->pendingBytes() < 256 * 1024)
            server->send(EventBatch{all.at(next++)});
    };
    QObject::connect(&listener, &transport::Listener::channelReady, &client, [&] {
        server = listener.takeChannel();
        QObject::connect(server.get(), &transport::Channel::received, &client, [&](const Message &) {
            server->setLoggedIn();
            server->send(Welcome{});
            timer.start();
            pump();
        });
        QObject::connect(server.get(), &transport::Channel::drained, &client, pump);
    });
    QObject::connect(&client, &transport::Client::received, &client, [&](const Message &message) {
        got += std::get<EventBatch>(message).events.size();
        if (got == kEvents) {
            tookNs = timer.nsecsElapsed();
            QCoreApplication::quit();
        }
    });
    client.open(address);
    QCoreApplication::exec();
    return kEvents * 1e9 / double(tookNs);
}

void measure(int size)
{
    const auto all = batches(size);
    qsizetype sink = 0;
    const double rawEncode = rate([&] {
        for (const auto &batch : all)
            sink += encodeRaw(batch).size();
    });
    const double encoded = rate([&] {
        for (const auto &batch : all)
            sink += encode(EventBatch{batch}).size();
    });
    QList<QByteArray> payloads;
    for (const auto &batch : all)
        payloads.append(encode(EventBatch{batch}));
    const double rawDecode = rate([&] {
        for (const QByteArray &payload : payloads) {
            QCborStreamReader reader(payload);
            sink += readRaw(reader);
        }
    });
    const double decoded = rate([&] {
        for (const QByteArray &payload : payloads)
            sink += decode(payload) ? 1 : 0;
    });
    report("encode", size, encoded, rawEncode, 0.8);
    report("decode", size, decoded, rawDecode, 0.5);
    // Carried in one thread, so that encoding and decoding share one core: their floors add up.
    report("wire", size, overSocket(all), 1 / (1 / rawEncode + 1 / rawDecode), 0.5);
    std::printf("%-18s batch %3d  %10.1f bytes/event\n", "size", size,
                double(payloads.first().size()) / size);
    if (sink == 0)
        std::printf("nothing was measured\n");
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    measure(1);
    measure(100);
    return 0;
}
