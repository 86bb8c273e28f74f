// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/store/redis_store.h"

#include "shared/stores/redis/connection/log.h"
#include "shared/stores/redis/monitor/probe_run.h"
#include "shared/stores/redis/reading/scan_run.h"
#include "shared/stores/release_ground.h"

#include <utility>

namespace lockkeeper::stores::redis {

using base::Error;
using base::ErrorCode;
using domain::Outcome;

namespace {

Error linkDown()
{
    return {ErrorCode::Unreachable, QStringLiteral("the link to the server is down"), {}};
}

/** One question for each of these locks. */
QList<Observation> asked(const QList<Subject> &locks)
{
    QList<Observation> questions(locks.size());
    for (qsizetype i = 0; i < locks.size(); ++i) {
        questions[i].set = locks.at(i).set;
        questions[i].name = locks.at(i).name;
    }
    return questions;
}

/** The statement alone, where there is one. */
QString remedyOf(const Error &why)
{
    return why.remedy.isEmpty() ? why.cause : why.remedy;
}

constexpr int kKeepAliveMs = 900; ///< the shortest idle limit that Redis can have is a second

} // namespace

RedisStore::RedisStore(SourceSpec spec, Endpoint endpoint, const std::optional<Script> &release,
                       QObject *parent)
    : Store(parent),
      m_spec(std::move(spec)),
      m_schemes(schemesOf(m_spec, release)),
      m_connection(std::move(endpoint), m_spec.statementTimeoutMs),
      m_releaser(m_connection),
      m_health(m_connection),
      m_push(m_connection, m_spec)
{
    m_keepAlive.setInterval(kKeepAliveMs);
    connect(&m_keepAlive, &QTimer::timeout, this, [this] {
        if (m_ready)
            m_connection.send({"PING"}, [](const redisReply *) {});
    });
    if (m_spec.push || m_spec.pollMs > kKeepAliveMs)
        m_keepAlive.start();
    connect(&m_health, &HealthCheck::standingRead, this, &Store::standingRead);
    connect(&m_health, &HealthCheck::read, this, &RedisStore::tellFindings);
    connect(&m_connection, &RedisConnection::connected, this, &RedisStore::onConnected);
    connect(&m_connection, &RedisConnection::lost, this, &RedisStore::onLost);
    connect(&m_push, &push::Tracker::stateChanged, this, &RedisStore::onPushState);
    connect(&m_push, &push::Tracker::pushed, this, [this](Push told) {
        if (m_facts.replica) { // its primary makes it delete expired keys
            for (Change &change : told.changes)
                change.deleted = false;
        }
        Q_EMIT pushed(told);
    });
    connect(&m_push, &push::Tracker::misplaced, this, [this](const QList<QByteArray> &keys) {
        if (m_place.misplaced)
            m_place.misplaced(keys);
    });
    connect(&m_push, &push::Tracker::seen, this, [this](qint64 us) { Q_EMIT pageTold({us, us, {}}); });
}

RedisStore::~RedisStore() = default;

void RedisStore::open()
{
    m_ready = false;
    delete m_rights;
    m_connection.close();
    m_connection.open(m_spec.connectTimeoutMs);
}

void RedisStore::close()
{
    m_ready = false;
    m_health.stop();
    m_found.reset();
    m_push.close();
    delete m_rights;
    if (m_probe)
        m_probe->fail(linkDown());
    m_connection.close();
    loseScan(linkDown());
}

void RedisStore::onConnected()
{
    shakeHands(m_connection, m_spec.password,
               [this](const base::Result<RedisFacts> &facts) { onFacts(facts); });
}

void RedisStore::onFacts(const base::Result<RedisFacts> &facts)
{
    if (!facts) {
        Error error = facts.error();
        if (deniedCommand(error.cause.toUtf8()) == "select")
            error.remedy = observeStatement(m_spec, *m_schemes, m_connection.endpoint().user, "+select");
        m_connection.fail(error);
        return;
    }
    m_facts = *facts;
    probeRights(m_connection, m_spec, *m_schemes, m_facts,
                [this](const base::Result<ProbedRights> &rights) { onRights(rights); });
}

void RedisStore::onRights(const base::Result<ProbedRights> &rights)
{
    if (!rights) {
        m_connection.fail(rights.error());
        return;
    }
    m_exactDeadlines = rights->exactDeadlines;
    ServerInfo info;
    info.store = QByteArrayLiteral("redis");
    info.server = m_facts.product();
    info.instance = m_facts.runId;
    for (qsizetype set = 0; set < m_spec.locks.size(); ++set)
        info.places.append(placeOf(quint16(set)));
    info.access = rights->access;
    info.readOnly = info.standing.replica = m_facts.replica;
    info.warning = rights->warning;
    if (m_spec.probe) {
        askMonitor(info);
        return;
    }
    m_ready = true;
    announce(info);
}

/** Finds out first whether the server pushes: opened() reports that too. */
void RedisStore::announce(const ServerInfo &info)
{
    if (!m_spec.push) {
        tellOpened(info);
        return;
    }
    m_found = info;
    ReadMode mode = modeFor(0);
    mode.leaveElsewhere = m_place.server != 0;
    m_push.open(mode, m_facts.runId);
}

void RedisStore::onPushState(const PushState &state)
{
    if (m_found) {
        ServerInfo info = *std::exchange(m_found, std::nullopt);
        info.access.append({"push:tracking", state.on, false, state.on ? QString() : remedyOf(state.why)});
        tellOpened(info);
        if (!m_ready)
            return;
    }
    Q_EMIT pushStateChanged(state);
}

void RedisStore::tellOpened(const ServerInfo &info)
{
    Q_EMIT opened(info);
    if (m_ready) // a receiver of opened() may have closed this store
        m_health.start(m_facts.replica ? HealthCheck::kReplicaEveryMs : HealthCheck::kEveryMs);
}

void RedisStore::onLost(const Error &error)
{
    delete m_rights;
    m_ready = false;
    m_health.stop();
    m_found.reset();
    loseScan(error);
    m_push.close();
    Q_EMIT failed(error);
}

/** A scan with no request in flight learns only here that the connection is lost. */
void RedisStore::loseScan(const Error &error)
{
    if (const auto scan = m_scan)
        scan->lose(error);
}

ReadMode RedisStore::modeFor(quint16 set) const
{
    AclSubject asker{m_connection.endpoint().user, "*"};
    asker.readPatterns = m_facts.version.isEmpty() || m_facts.majorVersion() >= 7;
    if (set < m_spec.locks.size()) {
        asker.keys = m_spec.locks.at(set).match;
        asker.observeRules = scheme(set).observeRules();
    }
    ReadMode mode{m_exactDeadlines, asker, m_schemes};
    mode.server = m_place.server;
    return mode;
}

QByteArray RedisStore::placeOf(quint16 set) const
{
    return setPlaceIn(m_connection.endpoint().place(), scheme(set));
}

void RedisStore::scan(PageTaken page, ScanEnded done)
{
    const auto take = [page = std::move(page)](KeyPage &read) {
        page({read.beganUs, read.endedUs, std::move(read.locks)});
    };
    scanHere(take, done);
}

void RedisStore::scanHere(const std::function<void(KeyPage &)> &page, const ScanEnded &done)
{
    if (!m_ready || !m_connection.isOpen()) {
        later([done] { done({false, 0, 0, 0, linkDown()}); });
        return;
    }
    // A Redlock that was down and is up again may have left a scan behind at a node that was up all the time.
    loseScan({ErrorCode::Cancelled, QStringLiteral("another scan has begun"), {}});
    ReadMode mode = modeFor(0);
    mode.leaveElsewhere = true;
    const auto take = [this, page](KeyPage &read) {
        m_push.shown(read.locks);
        page(read);
    };
    const auto report = [this, done](const ScanEnd &end) {
        m_scan.reset();
        if (findingsOf(*m_schemes) != m_ofSets)
            tellFindings(m_ofServer);
        // The changes from before the end of the scan come first.
        m_push.whenTold(end.endedUs, [done, end] { done(end); });
    };
    m_scan = std::make_shared<ScanRun>(m_connection, m_spec, mode, m_facts.majorVersion() >= 6,
                                       ScanSink{take, report});
    m_scan->setPaused(m_paused);
    m_scan->start();
}

void RedisStore::tellFindings(const QList<domain::Finding> &ofServer)
{
    m_ofServer = ofServer;
    m_ofSets = findingsOf(*m_schemes);
    Q_EMIT findingsRead(m_ofServer + m_ofSets);
}

void RedisStore::setPaused(bool paused)
{
    m_paused = paused;
    if (const auto scan = m_scan)
        scan->setPaused(paused);
}

void RedisStore::readPoints(const QList<Subject> &subjects, PageTaken page, PointsRead done)
{
    const auto take = [page = std::move(page)](const KeyPage &read) {
        if (!read.error)
            page({read.beganUs, read.endedUs, read.locks});
    };
    readPointsHere(subjects, take, done);
}

void RedisStore::readPointsHere(const QList<Subject> &subjects, const std::function<void(KeyPage &)> &page,
                                const PointsRead &done)
{
    const qsizetype pageSize = qMax(1, m_spec.pageSize);
    const auto left =
        std::make_shared<qsizetype>(qMax<qsizetype>(1, (subjects.size() + pageSize - 1) / pageSize));
    const auto take = [page, done, left](KeyPage &read) {
        page(read);
        if (--*left == 0)
            done();
    };
    qsizetype at = 0;
    do {
        readPage(subjects.mid(at, pageSize), take);
        at += pageSize;
    } while (at < subjects.size());
}

void RedisStore::readPage(const QList<Subject> &locks, const std::function<void(KeyPage &)> &take)
{
    ReadMode mode = modeFor(locks.isEmpty() ? quint16(0) : locks.first().set);
    mode.leaveElsewhere = true;
    const bool sent = m_ready && m_push.readPoints(asked(locks), mode, [this, take](KeyPage &page) {
        if (page.error)
            qCWarning(lcRedis) << m_spec.name << "look:" << qPrintable(page.error->line());
        take(page);
    });
    if (!sent)
        later([take] {
            KeyPage none;
            none.error = linkDown();
            take(none);
        });
}

void RedisStore::inspectHere(const Subject &subject, bool asking, Inspected done)
{
    const bool known = subject.set < m_spec.locks.size();
    ReadMode mode = modeFor(subject.set);
    mode.asking = asking;
    const bool sent =
        m_ready && known && readKeys(m_connection, mode, asked({subject}), [this, done](KeyPage &page) {
            Inspection inspection{page.locks.first(), page.endedUs, {}, page.error};
            if (!page.error && inspection.lock.present)
                inspection.guard =
                    guardOf(m_spec, placeOf(inspection.lock.set), m_facts.runId, inspection.lock);
            done(inspection);
        });
    if (sent)
        return;
    const Error why = known ? linkDown() : noSuchSet();
    later([done, subject, why] { done(absent(subject, why)); });
}

void RedisStore::releaseHere(const ReleaseOrder &order, bool asking, Released done)
{
    const bool known = order.set < m_spec.locks.size();
    ReleaseGround ground;
    ground.place = known ? placeOf(order.set) : QByteArray();
    ground.instance = m_facts.runId;
    ground.replica = m_facts.replica;
    ground.otherRun.error =
        m_facts.runId.isEmpty()
            ? Error{ErrorCode::PermissionDenied, QStringLiteral("the server's run id isn't known"),
                    aclStatement({m_connection.endpoint().user, {}}, "+info")}
            : Error{ErrorCode::Unsupported,
                    QStringLiteral("the server was restarted since the lock was seen"),
                    QStringLiteral("Read the lock again.")};
    const auto refusal = known && (!m_ready || !m_connection.isOpen())
                             ? Refusal{Outcome::Unreachable, linkDown()}
                             : refusalOf(order, m_spec, ground);
    if (refusal) {
        later([done, report = refusal->report()] { done(report); });
        return;
    }
    const KeyReleaser::OrderCall way{*subjectNameOf(ground.place, order.guard.key),
                                     {m_connection.endpoint().user, m_spec.locks.at(order.set).match},
                                     asking};
    m_releaser.release(order, m_schemes->at(order.set), way, [this, done](const ReleaseReport &report) {
        later([report, done] { done(report); });
    });
}

void RedisStore::joinCluster(ClusterPlace place)
{
    m_place = std::move(place);
}

void RedisStore::read(const QList<Subject> &locks, bool asking, bool wholeKeys,
                      std::function<void(KeyPage &)> done)
{
    ReadMode mode = modeFor(locks.isEmpty() ? quint16(0) : locks.first().set);
    mode.leaveElsewhere = true;
    mode.asking = asking;
    mode.wholeKeys = wholeKeys;
    if (m_ready && readKeys(m_connection, mode, asked(locks), done))
        return;
    later([this, done] {
        KeyPage page;
        page.error = m_connection.failure();
        done(page);
    });
}

void RedisStore::askMonitor(const ServerInfo &info)
{
    ProbeOrder order;
    order.forUs = 0;
    const auto answered = [this, info](const ProbeReport &report) {
        ServerInfo all = info;
        all.access.append(
            {"monitor", !report.error, true, report.error ? remedyOf(*report.error) : QString()});
        m_ready = true;
        announce(all);
    };
    m_rights = new ProbeRun(m_connection.endpoint(), m_spec, m_facts.runId, order, answered, this);
}

void RedisStore::probe(const ProbeOrder &order, Probed done)
{
    ProbeReport refused;
    if (m_probe && !m_probe->isOver())
        refused.error =
            Error{ErrorCode::Busy, QStringLiteral("a probe of this source is already running"), {}};
    else if (!m_ready || !m_connection.isOpen())
        refused.error = linkDown();
    if (refused.error) {
        later([done, refused] { done(refused); });
        return;
    }
    m_probe = new ProbeRun(m_connection.endpoint(), m_spec, m_facts.runId, order, std::move(done), this);
}

} // namespace lockkeeper::stores::redis
