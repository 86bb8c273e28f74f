// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/zookeeper/store/zookeeper_store.h"

#include "shared/base/text.h"
#include "shared/stores/release_ground.h"
#include "shared/stores/zookeeper/connection/four_letters.h"

#include <QSet>

#include <algorithm>
#include <memory>
#include <utility>

namespace lockkeeper::stores::zookeeper {

using base::Error;
using base::ErrorCode;
using domain::Outcome;

namespace {

constexpr char kPlace[] = "znodes";
constexpr char kInstance[] = "ensemble"; // sessions and transactions are counted over restarts
constexpr qsizetype kMostEdges = 10'000;
constexpr qsizetype kMostDenied = 100; ///< paths that are named

Error linkDown()
{
    return {ErrorCode::Unreachable, QStringLiteral("the link to ZooKeeper is down"), {}};
}

bool isDenied(const std::optional<Error> &error)
{
    return error && error->code == ErrorCode::PermissionDenied;
}

/** From an answer to "srvr": the server serves nobody, or only reads. */
bool isLeaderless(const QByteArray &srvr)
{
    return srvr.contains("not currently serving requests") || srvr.contains("Mode: read-only");
}

bool isBelow(const QByteArray &path, const QByteArray &root)
{
    return path == root || root == "/" || path.startsWith(root + '/');
}

QSet<QByteArray> rootsOf(const SourceSpec &spec)
{
    QSet<QByteArray> roots;
    for (const LockSet &set : spec.locks)
        roots.insert(rootOf(set.match));
    return roots;
}

domain::Access accessOf(bool forBreaking, bool granted, const QByteArray &path)
{
    const QString remedy =
        QStringLiteral("zkCli.sh: setAcl %1 with %2 for the agent's user, beside what getAcl shows; or "
                       "its password is wrong")
            .arg(base::displayText(path), forBreaking ? QStringLiteral("rd") : QStringLiteral("r"));
    return {forBreaking ? "break:zookeeper.sequence" : "observe:zookeeper.sequence", granted, forBreaking,
            granted ? QString() : remedy};
}

} // namespace

ZookeeperStore::ZookeeperStore(SourceSpec spec, Ensemble ensemble, ZnodeTerm leftOut, QObject *parent)
    : Store(parent),
      m_spec(std::move(spec)),
      m_link(ensemble),
      m_tree(m_link, rootsOf(m_spec)),
      m_sessions(ensemble),
      m_watcher(m_link, m_tree, m_clock, m_times, m_spec.pollMs),
      m_leftOut(leftOut)
{
    m_waits.setSingleShot(true);
    m_waits.setInterval(1'000);
    connect(&m_waits, &QTimer::timeout, this, &ZookeeperStore::tellWaits);
    connect(&m_watcher, &ZnodeWatcher::changed, this, &ZookeeperStore::takeChange);
    connect(&m_watcher, &ZnodeWatcher::proven, this, [this](qint64 untilUs) {
        Q_EMIT pageTold({untilUs, untilUs, {}});
    });
    connect(&m_watcher, &ZnodeWatcher::failed, this, [this](const Error &error) {
        if (m_ready && m_link.isOpen()) // the link itself reports a break
            Q_EMIT pushStateChanged({true, true, error});
    });
    connect(&m_link, &ZookeeperLink::connected, this, &ZookeeperStore::begin);
    connect(&m_link, &ZookeeperLink::lost, this, &ZookeeperStore::fail);
}

void ZookeeperStore::open()
{
    close();
    m_clock.start();
    m_link.open();
}

void ZookeeperStore::close()
{
    ++m_run;
    m_ready = false;
    m_watcher.end();
    m_waits.stop();
    m_contended.clear();
    m_denied.clear();
    m_link.close();
    m_tree.clear();
    m_sessions.clear();
}

void ZookeeperStore::fail(const Error &error)
{
    const bool wasOpen = m_ready;
    close();
    if (error.code != ErrorCode::Unreachable && error.code != ErrorCode::ConnectionLost) {
        Q_EMIT failed(error);
        return;
    }
    struct PendingAnswers
    {
        qsizetype left = 0;
        QByteArrayList leaderless;
    };
    const auto asked = std::make_shared<PendingAnswers>();
    asked->left = m_link.ensemble().servers.size();
    for (const Host &server : m_link.ensemble().servers) {
        askWord(
            this, server.name, quint16(server.port), "srvr",
            [this, asked, error, wasOpen, run = m_run, address = server.text()](const QByteArray &answer) {
                if (isLeaderless(answer))
                    asked->leaderless.append(address.toUtf8());
                if (--asked->left > 0 || run != m_run)
                    return;
                if (asked->leaderless.isEmpty()) {
                    Q_EMIT failed(error);
                    return;
                }
                if (wasOpen)
                    Q_EMIT findingsRead(
                        {{"no_leader", domain::Severity::Danger, asked->leaderless.join(", ")}});
                Q_EMIT failed({error.code,
                               QStringLiteral("ZooKeeper's servers have no majority: %1 knows of no leader")
                                   .arg(QString::fromUtf8(asked->leaderless.join(", "))),
                               error.remedy});
            });
    }
}

void ZookeeperStore::findDangers()
{
    const qint64 askedUs = m_clock.nowUs();
    m_link.sync([this, askedUs](const Reply &reply) {
        if (!m_ready || reply.error)
            return;
        m_times.answered(m_clock.nowUs() - askedUs);
        QList<domain::Finding> findings;
        if (m_single)
            findings.append({"single_member", domain::Severity::Notice, {}});
        Q_EMIT findingsRead(findings + m_times.findings(m_clock.nowUs()));
    });
}

/** The findings of an opening: for each set, the right to read its first znodes and to delete below one of
 * its locks. */
struct ZookeeperStore::ServerProbe
{
    ServerInfo info;
    qsizetype set = 0;
    QList<QByteArray> left;
    bool asked = false; ///< whether a lock's znodes may be deleted
};

void ZookeeperStore::begin()
{
    auto probe = std::make_shared<ServerProbe>();
    probe->info.store = QByteArrayLiteral("zookeeper");
    probe->info.instance = kInstance;
    probe->info.places = QList<QByteArray>(m_spec.locks.size(), kPlace);
    if (!m_spec.locks.isEmpty())
        probe->left = {rootOf(m_spec.locks.constFirst().match)};
    m_link.sync([](const Reply &) {});
    if (m_link.ensemble().chroot.isEmpty()) {
        probeRights(probe);
        return;
    }
    m_link.children("/", false, [this, probe](const Reply &reply) {
        if (reply.error && !reply.untouched)
            return; // the link reports it
        if (reply.missing)
            fail({ErrorCode::NotFound,
                  QStringLiteral("the znode %1 in the URL doesn't exist")
                      .arg(base::displayText(m_link.ensemble().chroot)),
                  QStringLiteral("Correct the path in the URL, or create the znode.")});
        else
            probeRights(probe);
    });
}

/** Probes the root and its first children, and the right to break the first lock among them. */
void ZookeeperStore::probeRights(const std::shared_ptr<ServerProbe> &probe)
{
    if (probe->set == m_spec.locks.size()) {
        tellOpened(probe->info);
        return;
    }
    const auto nextSet = [this, probe] {
        probe->asked = false;
        if (++probe->set < m_spec.locks.size())
            probe->left = {rootOf(m_spec.locks.at(probe->set).match)};
        probeRights(probe);
    };
    if (probe->left.isEmpty()) {
        nextSet();
        return;
    }
    const QByteArray path = probe->left.takeFirst();
    m_link.children(path, false, [this, probe, path, nextSet](const Reply &reply) {
        if (reply.error && !reply.untouched)
            return; // the link reports it
        const bool isRoot = path == rootOf(m_spec.locks.at(probe->set).match);
        if (isRoot || isDenied(reply.error)) {
            const domain::Access access = accessOf(false, !isDenied(reply.error), path);
            if (!probe->info.access.contains(access))
                probe->info.access.append(access);
        }
        const bool lock = std::any_of(reply.children.cbegin(), reply.children.cend(),
                                      [](const QByteArray &child) { return placeOf(child).has_value(); });
        if (lock && !std::exchange(probe->asked, true)) {
            askToDelete(probe, path);
            return;
        }
        if (isRoot && !lock) {
            for (const QByteArray &child :
                 reply.children.first(std::min<qsizetype>(reply.children.size(), 100)))
                probe->left.append(childOf(path, child));
        }
        probeRights(probe);
    });
}

/** Deletes a znode that doesn't exist: ZooKeeper checks the right first. */
void ZookeeperStore::askToDelete(const std::shared_ptr<ServerProbe> &probe, const QByteArray &lock)
{
    m_link.remove(childOf(lock, "lockkeeper-may-delete"), 0, false, [this, probe, lock](const Reply &reply) {
        if (reply.error && !reply.untouched)
            return;
        const domain::Access access = accessOf(true, !isDenied(reply.error), lock);
        if (!probe->info.access.contains(access))
            probe->info.access.append(access);
        probeRights(probe);
    });
}

void ZookeeperStore::tellOpened(ServerInfo info)
{
    m_ready = true;
    const Host server = m_link.server().value_or(m_link.ensemble().servers.constFirst());
    askWord(&m_link, server.name, quint16(server.port), "srvr",
            [this, info, session = m_link.session()](const QByteArray &answer) {
                if (!m_ready || session != m_link.session())
                    return;
                ServerInfo told = info;
                told.server = productOf(answer);
                m_single = answer.contains("Mode: standalone");
                // The sync at the link's beginning made it catch up with the leader.
                m_seenZxid = m_toldZxid = qint64(transactionOf(answer).value_or(0));
                told.standing = standing();
                Q_EMIT opened(told);
                if (m_spec.push) {
                    m_watcher.begin();
                    Q_EMIT pushStateChanged({true, true, {}});
                }
            });
}

Standing ZookeeperStore::standing() const
{
    Standing standing;
    standing.server = standing.line = kInstance;
    if (m_toldZxid > 0)
        standing.reached.insert("zxid", quint64(m_toldZxid));
    return standing;
}

void ZookeeperStore::tellDenied(const QList<QByteArray> &denied)
{
    QList<QByteArray> now = denied.first(std::min(kMostDenied, denied.size()));
    std::swap(m_denied, now);
    for (const QByteArray &path : std::as_const(m_denied)) {
        if (now.removeOne(path))
            continue;
        ShardState part;
        part.node = path;
        part.error = {ErrorCode::PermissionDenied,
                      QStringLiteral("%1 may not be read").arg(base::displayText(path)),
                      accessOf(false, false, path).remedy};
        part.holds = [path](const Subject &subject) { return isBelow(subject.name, path); };
        Q_EMIT shardChanged(part);
    }
    for (const QByteArray &path : std::as_const(now)) {
        ShardState part;
        part.node = path;
        part.up = true;
        Q_EMIT shardChanged(part);
    }
}

QList<Root> ZookeeperStore::roots() const
{
    QList<Root> roots;
    for (qsizetype set = 0; set < m_spec.locks.size(); ++set) {
        const QByteArray &match = m_spec.locks.at(set).match;
        roots.append({quint16(set), rootOf(match), match});
    }
    return roots;
}

void ZookeeperStore::scan(PageTaken page, ScanEnded done)
{
    if (!m_ready || m_spec.locks.isEmpty()) {
        const ScanEnd end{m_ready, m_clock.nowUs(), m_clock.nowUs(), 0, m_ready ? Error() : linkDown()};
        later([done, end] { done(end); });
        return;
    }
    m_pageTaken = std::move(page);
    m_scanBeganUs = m_clock.nowUs();
    m_page = {m_scanBeganUs, m_scanBeganUs, {}};
    m_contended.clear();
    m_times.forgetLeases();
    m_link.sync([](const Reply &) {}); // later requests are answered after it
    walk(
        m_tree, roots(), m_spec.push ? ReadingUse::Watched : ReadingUse::Kept,
        [this](quint16 set, const Znode &znode) { takeLock(set, znode); },
        [this, done = std::move(done)](const Walked &walked) { endScan(walked, done); });
}

void ZookeeperStore::takeLock(quint16 set, const Znode &znode)
{
    if (!m_ready)
        return;
    const Subject subject{set, znode.path};
    for (const Contender &contender : znode.queue)
        m_seenZxid = std::max(m_seenZxid, contender.stat.czxid);
    noteQueue(subject, znode);
    m_page.locks.append(described(znode, subject));
    if (m_page.locks.size() >= m_spec.pageSize)
        tellPage();
}

void ZookeeperStore::tellPage()
{
    if (!m_pageTaken)
        return;
    m_page.endedUs = m_clock.nowUs();
    // A queue of the next page may have been read before this page ended: its window begins with the scan.
    const Page page = std::exchange(m_page, {m_scanBeganUs, m_page.endedUs, {}});
    m_pageTaken(page);
}

void ZookeeperStore::endScan(const Walked &walked, const ScanEnded &done)
{
    ScanEnd end{true, m_scanBeganUs, m_clock.nowUs(), walked.scanned, {}};
    if (walked.error || !m_ready) {
        end.complete = false;
        end.error = walked.error ? *walked.error : linkDown();
    } else {
        tellPage();
        tellWaits();
        tellDenied(walked.denied);
        if (m_toldZxid > 0 && m_ready && std::exchange(m_toldZxid, m_seenZxid) < m_seenZxid)
            Q_EMIT standingRead(standing());
    }
    m_pageTaken = nullptr;
    if (!walked.denied.isEmpty()) {
        end.covers = [denied = walked.denied](const Subject &subject) {
            return std::none_of(denied.cbegin(), denied.cend(),
                                [&subject](const QByteArray &root) { return isBelow(subject.name, root); });
        };
    }
    const auto revoked = std::find_if(walked.denied.cbegin(), walked.denied.cend(),
                                      [this](const QByteArray &path) { return m_tree.known(path); });
    std::optional<Error> blind; // the known state of that znode would never be updated
    if (revoked != walked.denied.cend())
        blind = Error{ErrorCode::ConnectionLost,
                      QStringLiteral("%1 may no longer be read").arg(base::displayText(*revoked)),
                      accessOf(false, false, *revoked).remedy};
    done(end);
    if (end.complete && m_ready && blind)
        fail(*blind);
    else if (end.complete && m_ready)
        findDangers();
}

/** Asks for the clients of unknown sessions, and keeps the waiters for the graph. */
void ZookeeperStore::noteQueue(const Subject &subject, const Znode &znode)
{
    QList<qint64> sessions;
    for (const Contender &contender : znode.queue)
        sessions.append(contender.stat.owner);
    m_sessions.want(sessions);
    if (const auto client = m_sessions.client(sessions.value(0)))
        m_times.lease(client->timeoutMs * 1'000, znode.path);
    if (znode.queue.size() > holdersOf(znode.queue))
        m_contended.insert(subject, znode);
    else
        m_contended.remove(subject);
}

void ZookeeperStore::takeChange(const ZnodeWatcher::ZnodeChange &change)
{
    if (!m_ready)
        return;
    Push push;
    for (const Root &root : roots()) {
        const Znode &znode = change.znode;
        if (!isBelow(znode.path, root.path) || !base::globMatches(root.match, znode.path) || znode.error)
            continue;
        const bool unseen = !znode.isLock() && !change.wasLock && change.changes > 1;
        if (!znode.isLock() && !change.wasLock && !unseen)
            continue;
        const Subject subject{root.set, znode.path};
        noteQueue(subject, znode);
        Change told;
        told.lock = described(znode, subject);
        told.timeUs = change.untilUs;
        told.windowUs = change.untilUs - change.sinceUs;
        told.coalesced = quint32(std::max(change.changes - 1, 0));
        told.unseen = unseen;
        push.changes.append(told);
    }
    if (push.changes.isEmpty())
        return;
    tellPage();
    Q_EMIT pushed(push);
    if (!m_waits.isActive())
        m_waits.start();
}

Observation ZookeeperStore::described(const Znode &znode, const Subject &subject) const
{
    Observation lock = observationOf(znode, subject.set, subject.name);
    if (!lock.present || lock.off == domain::ReleaseOff::SeveralHolders)
        return lock;
    lock.session = std::make_shared<const domain::Session>(sessionOf(znode.queue.constFirst()));
    return lock;
}

domain::Session ZookeeperStore::sessionOf(const Contender &contender) const
{
    domain::Session session;
    session.id = sessionText(contender.stat.owner);
    session.program = contender.data;
    if (const auto client = m_sessions.client(contender.stat.owner))
        session.client = client->address + " (" + QByteArray::number(client->timeoutMs) + " ms)";
    return session;
}

/** Each contender waits for its predecessor in the queue. */
void ZookeeperStore::tellWaits()
{
    domain::WaitGraph graph;
    graph.beganUs = m_scanBeganUs;
    graph.endedUs = m_clock.nowUs();
    graph.evidence = "zookeeper_queue";
    QSet<qint64> known;
    for (auto lock = m_contended.cbegin(); lock != m_contended.cend(); ++lock) {
        const QList<Contender> &queue = lock->queue;
        const domain::LockKey key =
            keyOf(m_spec.name, m_spec.locks.at(lock.key().set).scheme, kPlace, lock.key().name);
        for (qsizetype i = holdersOf(queue); i < queue.size() && !graph.truncated; ++i) {
            if (queue.at(i).stat.owner == queue.at(i - 1).stat.owner)
                continue; // threads of one client
            for (const qsizetype at : {i, i - 1}) {
                if (!known.contains(queue.at(at).stat.owner)) {
                    known.insert(queue.at(at).stat.owner);
                    graph.sessions.append(sessionOf(queue.at(at)));
                }
            }
            graph.edges.append({sessionText(queue.at(i).stat.owner),
                                sessionText(queue.at(i - 1).stat.owner),
                                key,
                                {},
                                0,
                                queue.at(i).label});
            graph.truncated = graph.edges.size() == kMostEdges;
        }
    }
    Q_EMIT waitGraphRead(graph);
}

void ZookeeperStore::readPoints(const QList<Subject> &subjects, PageTaken page, PointsRead done)
{
    if (!m_ready || subjects.isEmpty()) {
        later([done] { done(); });
        return;
    }
    struct Points
    {
        Page read;
        QList<std::optional<Observation>> found; ///< by subject
        qsizetype left = 0;
    };
    const auto points = std::make_shared<Points>();
    points->read.beganUs = m_clock.nowUs();
    points->left = subjects.size();
    points->found.resize(subjects.size());
    m_link.sync([](const Reply &) {});
    for (qsizetype i = 0; i < subjects.size(); ++i) {
        m_tree.read(subjects.at(i).name, ReadingUse::Once,
                    [this, points, i, subject = subjects.at(i), page, done](const Znode &znode) {
                        if (!znode.error)
                            points->found[i] = described(znode, subject);
                        if (--points->left > 0)
                            return;
                        points->read.endedUs = m_clock.nowUs();
                        for (const auto &lock : std::as_const(points->found)) {
                            if (lock)
                                points->read.locks.append(*lock);
                        }
                        if (m_ready)
                            page(points->read);
                        done();
                    });
    }
}

void ZookeeperStore::inspect(const Subject &subject, Inspected done)
{
    if (!m_ready || subject.set >= m_spec.locks.size()) {
        const Error why = m_ready ? noSuchSet() : linkDown();
        later([done, subject, why] { done(absent(subject, why)); });
        return;
    }
    m_link.sync([](const Reply &) {});
    m_tree.read(subject.name, ReadingUse::Once, [this, subject, done](const Znode &znode) {
        Inspection inspection = absent(subject, znode.error);
        inspection.storeUs = m_clock.nowUs();
        if (!znode.error)
            inspection.lock = described(znode, subject);
        if (inspection.lock.present)
            inspection.guard = guardOf(m_spec, kPlace, kInstance, inspection.lock);
        done(inspection);
    });
}

void ZookeeperStore::release(const ReleaseOrder &order, Released done)
{
    ReleaseGround ground;
    ground.place = kPlace;
    ground.instance = kInstance;
    std::optional<Refusal> refusal;
    if (!m_ready)
        refusal = Refusal{Outcome::Unreachable, linkDown()};
    else
        refusal = refusalOf(order, m_spec, ground);
    const auto deletion = refusal ? std::nullopt : GuardedDelete::of(order.guard, m_leftOut);
    if (!refusal && !deletion)
        refusal = Refusal{
            Outcome::Refused,
            {ErrorCode::Unsupported,
             QStringLiteral("the guard isn't for a numbered znode: another acquisition may have its name"),
             {}}};
    else if (!refusal && (order.mustBeExpired || (order.checkFreshness && deletion->hasSession())))
        refusal =
            Refusal{Outcome::Refused,
                    {ErrorCode::Unsupported,
                     QStringLiteral("ZooKeeper removes a lock whose session has ended and doesn't report "
                                    "when it last heard from a session, so neither can be compared"),
                     QStringLiteral("Release it as an operator, without \"if not renewed\".")}};
    if (refusal) {
        later([done, report = refusal->report()] { done(report); });
        return;
    }
    deletion->run(
        m_link, order.dryRun,
        [this, name = order.guard.key.name, done](Outcome outcome, const std::optional<Error> &error) {
            ReleaseReport report;
            report.outcome = outcome;
            report.storeUs = m_clock.nowUs();
            if (error)
                report.error = *error;
            if (isDenied(error))
                report.error.remedy = accessOf(true, false, name).remedy;
            done(report);
        });
}

} // namespace lockkeeper::stores::zookeeper
