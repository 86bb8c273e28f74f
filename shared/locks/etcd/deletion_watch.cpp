// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/etcd/deletion_watch.h"

#include "shared/stores/etcd/connection/wire.h"

#include <QJsonArray>
#include <QSet>

#include <chrono>
#include <utility>

namespace lockkeeper::locks::etcd {

using namespace stores::etcd;
using namespace stores;
using namespace std::chrono_literals;

namespace {
/** Time in which the watch should report a deletion that a read has already shown. */
constexpr auto kOnItsWay = 1s;
} // namespace

DeletionWatch::DeletionWatch(Endpoints endpoints, const QByteArray &password)
    : m_gateway(std::move(endpoints), password)
{
}

void DeletionWatch::await(const void *who, const QByteArray &prefix, const QByteArray &key, qint64 revision,
                          Gone gone)
{
    m_awaited.insert(who, {prefix, key, std::move(gone)});
    if (const auto told = m_told.constFind(prefix); told != m_told.constEnd() && *told <= revision)
        return; // the watch reports everything that happened since
    m_told.insert(prefix, revision);
    if (!std::exchange(m_stale, true)) // later, together with other new prefixes of this turn
        QMetaObject::invokeMethod(this, &DeletionWatch::follow, Qt::QueuedConnection);
}

void DeletionWatch::follow()
{
    m_stale = false;
    QSet<QByteArray> wanted;
    for (const Awaited &awaited : std::as_const(m_awaited))
        wanted.insert(awaited.prefix);
    m_told.removeIf([&](const auto &told) { return !wanted.contains(told.key()); });
    QList<QJsonObject> bodies;
    for (auto told = m_told.cbegin(); told != m_told.cend(); ++told) {
        const QJsonObject create{{QStringLiteral("key"), jsonOf(told.key())},
                                 {QStringLiteral("range_end"), jsonOf(endOf(told.key()))},
                                 {QStringLiteral("start_revision"), jsonOf(*told + 1)},
                                 {QStringLiteral("filters"), QJsonArray{QStringLiteral("NOPUT")}}};
        bodies.append(QJsonObject{{QStringLiteral("create_request"), create}});
    }
    const quint64 stream = ++m_stream;
    m_gateway.abort();
    if (bodies.isEmpty())
        return;
    m_gateway.follow(
        "watch", bodies,
        [this, stream](const QJsonObject &line) {
            if (stream == m_stream)
                take(line);
        },
        [this, stream](const Answer &) {
            if (stream != m_stream)
                return;
            m_gateway.next();
            m_told.clear();
            QTimer::singleShot(200ms, this, &DeletionWatch::tellAll);
        });
}

void DeletionWatch::take(const QJsonObject &line)
{
    const QJsonObject result = line.value(QLatin1String("result")).toObject();
    if (result.value(QLatin1String("canceled")).toBool() || line.contains(QLatin1String("error"))) {
        ++m_stream; // compacted, or not permitted: the next reads show which
        m_gateway.abort();
        m_told.clear();
        QTimer::singleShot(200ms, this, &DeletionWatch::tellAll);
        return;
    }
    const QJsonArray events = result.value(QLatin1String("events")).toArray();
    QSet<QByteArray> gone;
    for (const QJsonValue &event : events) {
        const KeyValue key = keyValueOf(event.toObject().value(QLatin1String("kv")).toObject());
        gone.insert(key.key);
        // This deletion is reported only now. For a waiter that read before it, but calls await() afterwards,
        // the watch must start again.
        for (auto told = m_told.begin(); told != m_told.end(); ++told) {
            if (key.key.startsWith(told.key()))
                *told = std::max(*told, key.mod);
        }
    }
    QList<Gone> called;
    for (auto it = m_awaited.begin(); it != m_awaited.end();) {
        if (!gone.contains(it->key)) {
            ++it;
            continue;
        }
        called.append(it->gone);
        it = m_awaited.erase(it);
    }
    for (const Gone &one : std::as_const(called))
        one();
}

void DeletionWatch::mistrust(const QByteArray &prefix)
{
    QTimer::singleShot(kOnItsWay, this, [this, prefix, told = m_told.value(prefix), stream = m_stream] {
        if (stream != m_stream || m_told.value(prefix) != told)
            return;
        ++m_stream;
        m_gateway.abort();
        m_gateway.next();
        m_told.clear();
        tellAll();
    });
}

void DeletionWatch::tellAll()
{
    const auto awaited = std::exchange(m_awaited, {});
    for (const Awaited &one : awaited)
        one.gone();
}

} // namespace lockkeeper::locks::etcd
