// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/redis/connection/endpoint.h"
#include "shared/stores/redis/store/redis_store.h"
#include "tests/support/gather_into.h"
#include "tests/support/redis_server.h"
#include "tests/support/store_harness.h"

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QTimer>

#include <algorithm>
#include <functional>

namespace lockkeeper::tests::push {

using namespace lockkeeper::stores;

/** A lock whose token is the server's time of the acquisition. */
inline const QByteArray kStamp("local t = redis.call('TIME') "
                               "redis.call('SET', KEYS[1], t[1] .. string.format('%06d', t[2])) return 1");

inline SourceSpec specOf(const RedisServer &server, const QList<QByteArray> &matches = {"lock:*"},
                         const QString &user = {})
{
    SourceSpec spec = redisSpec(server.url(0, user), matches.constFirst());
    for (const QByteArray &match : matches.mid(1)) {
        LockSet set = spec.locks.constFirst();
        set.match = match;
        spec.locks.append(set);
    }
    spec.push = true;
    if (!user.isEmpty())
        spec.password = "secret";
    return spec;
}

/** Checks after each event. qWaitFor() checks only every 10 ms, and processEvents() with a limit never
 * waits. */
inline bool waitFor(const std::function<bool()> &condition, int ms = 10'000)
{
    const QDeadlineTimer limit(ms);
    QTimer wake;
    wake.start(std::min(ms, 20));
    while (!condition() && !limit.hasExpired())
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    return condition();
}

/** A store with push, and everything that it has reported. */
class Watch : public QObject
{
public:
    explicit Watch(const SourceSpec &spec) : m_store(spec, *redis::endpointOf(spec))
    {
        connect(&m_store, &Store::opened, this, [this](const ServerInfo &info) { infos.append(info); });
        connect(&m_store, &Store::failed, this, [this](const base::Error &error) { failures.append(error); });
        connect(&m_store, &Store::pushStateChanged, this,
                [this](const PushState &state) { states.append(state); });
        connect(&m_store, &Store::pushed, this, [this](const Push &push) {
            everything += push.everything;
            changes += push.changes;
        });
        connect(&m_store, &Store::pageTold, this, [this](const Page &page) { seenUs = page.endedUs; });
    }
    bool open()
    {
        m_store.open();
        return waitFor([this] { return !states.isEmpty() || !failures.isEmpty(); }) && failures.isEmpty();
    }
    /** Its pages are among `pages`. */
    void scan() { m_store.scan(gatherInto(this, &Watch::pages), gatherInto(this, &Watch::ends)); }
    /** The same. */
    void readPoints(const QList<Subject> &subjects)
    {
        m_store.readPoints(subjects, gatherInto(this, &Watch::pages), countInto(this, &Watch::looked));
    }
    bool openPushing() { return open() && states.constLast().on; }
    /** The first change of the lock that matches. */
    const Change *find(const QByteArray &name, const std::function<bool(const Change &)> &fits = {}) const
    {
        for (const Change &change : changes) {
            if (change.lock.name == name && (!fits || fits(change)))
                return &change;
        }
        return nullptr;
    }
    bool comes(const QByteArray &name, const std::function<bool(const Change &)> &fits = {})
    {
        return waitFor([&] { return find(name, fits) != nullptr; });
    }
    redis::RedisStore &store() { return m_store; }

    QList<ServerInfo> infos;
    QList<base::Error> failures;
    QList<PushState> states;
    QList<Change> changes;
    QList<Page> pages;
    QList<ScanEnd> ends;
    int everything = 0;
    quint64 looked = 0; ///< looks that are done
    qint64 seenUs = 0;  ///< all changes up to then are reported

private:
    redis::RedisStore m_store;
};

} // namespace lockkeeper::tests::push
