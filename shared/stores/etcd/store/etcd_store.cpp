// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/etcd/store/etcd_store.h"

#include "shared/base/text.h"
#include "shared/stores/release_ground.h"

#include <QJsonArray>

#include <algorithm>
#include <memory>
#include <utility>

namespace lockkeeper::stores::etcd {

using base::Error;
using base::ErrorCode;
using domain::Outcome;

namespace {

constexpr char kPlace[] = "keyspace";
constexpr char kEvidence[] = "etcd_queue";
constexpr qsizetype kMostEdges = 10'000;
constexpr char kNoLeader[] = "no_leader";
constexpr qint64 kLeaderMs = 1'000;
constexpr qsizetype kMostCompanions = 5;

Error linkDown()
{
    return {ErrorCode::Unreachable, QStringLiteral("the link to etcd is down"), {}};
}

QByteArray clusterOf(const QJsonObject &body)
{
    return body.value(QLatin1String("header"))
        .toObject()
        .value(QLatin1String("cluster_id"))
        .toString()
        .toLatin1();
}

/** Evaluates an answer to "maintenance/status": each member answers for itself. */
bool hasLeader(const QJsonObject &status)
{
    const QString leader = status.value(QLatin1String("leader")).toString(); // may exceed qint64
    return !leader.isEmpty() && leader != QLatin1String("0");
}

QString grantRemedy(const char *right, const QByteArray &prefix)
{
    return QStringLiteral("etcdctl role grant-permission ROLE %1 --prefix=true '%2'")
        .arg(QLatin1String(right), base::displayText(prefix));
}

/** The holders' leases. */
QSet<qint64> leasesOf(const QList<Queue> &queues)
{
    QSet<qint64> leases;
    for (const Queue &queue : queues) {
        if (queue.keys.constFirst().lease != 0)
            leases.insert(queue.keys.constFirst().lease);
    }
    return leases;
}

/** The access for one right of a set, with a remedy where the right is missing. */
domain::Access accessOf(bool forBreaking, const Answer &answer, const QByteArray &prefix)
{
    return {forBreaking ? "break:etcd.lease" : "observe:etcd.lease", !answer.error, forBreaking,
            answer.error ? grantRemedy(forBreaking ? "readwrite" : "read", prefix) : QString()};
}

} // namespace

EtcdStore::EtcdStore(SourceSpec spec, Endpoints endpoints, KeyTerm leftOut, QObject *parent)
    : Store(parent),
      m_spec(std::move(spec)),
      m_gateway(endpoints, m_spec.password),
      m_watcher(endpoints, m_spec, m_clock, m_leases, m_times),
      m_leftOut(leftOut)
{
    connect(&m_watcher, &EtcdWatcher::pushed, this, &Store::pushed);
    connect(&m_watcher, &EtcdWatcher::stateChanged, this, &Store::pushStateChanged);
    connect(&m_watcher, &EtcdWatcher::silent, this, [this](const Error &error) { lose(error, m_link); });
    connect(&m_watcher, &EtcdWatcher::seen, this, [this](qint64 us) {
        noteRevision(m_watcher.told(), 0);
        Q_EMIT pageTold({us, us, {}});
        tellWaitsAnew(us);
    });
}

void EtcdStore::open()
{
    close();
    m_clock.start();
    m_leaderless.reset();
    tryMember(m_gateway.members());
}

void EtcdStore::close()
{
    ++m_link;
    m_cluster.clear();
    m_passed.clear();
    m_leases.clear();
    m_watcher.close();
    m_gateway.abort();
}

QByteArray EtcdStore::prefixOf(qsizetype set) const
{
    const QByteArray &match = m_spec.locks.at(set).match;
    const auto end = std::find_if(match.cbegin(), match.cend(),
                                  [](char c) { return QByteArrayView("*?[\\").contains(c); });
    return match.first(end - match.cbegin());
}

void EtcdStore::tryMember(qsizetype left)
{
    const quint64 link = m_link;
    m_gateway.setTimeoutMs(m_spec.connectTimeoutMs);
    // Linearizable: only a member with a majority behind it answers.
    const QByteArray first = m_spec.locks.isEmpty() ? QByteArray() : prefixOf(0);
    const QJsonObject body{{QStringLiteral("key"), jsonOf(startOf(first))},
                           {QStringLiteral("limit"), QStringLiteral("1")}};
    m_gateway.ask("kv/range", body, [this, link, left](const Answer &answer) {
        if (link != m_link)
            return;
        const bool denied = answer.error && answer.error->code == ErrorCode::PermissionDenied;
        if (answer.error && !denied) {
            askForLeader(*answer.error, [this, link, left](const Error &why) {
                if (left == 1 || !base::isTransient(why.code)) {
                    lose(m_leaderless.value_or(why), link); // which moves to the next one
                    return;
                }
                m_gateway.next();
                tryMember(left - 1);
            });
            return;
        }
        m_revision = revisionOf(answer.body);
        // An answer that was refused for a missing right has no header: the status identifies the cluster.
        m_gateway.ask("maintenance/status", {}, [this, link](const Answer &status) {
            if (link != m_link)
                return;
            if (status.error) {
                lose(*status.error, link);
                return;
            }
            ServerInfo info;
            info.store = QByteArrayLiteral("etcd");
            info.server = QLatin1String("etcd ") + status.body.value(QLatin1String("version")).toString();
            info.instance = m_found = clusterOf(status.body);
            // The read before it made this member catch up: no member showed a higher index earlier.
            m_raftIndex = int64Of(status.body.value(QLatin1String("raftIndex")));
            info.standing = standing();
            info.places = QList<QByteArray>(m_spec.locks.size(), kPlace);
            m_gateway.setTimeoutMs(m_spec.statementTimeoutMs);
            probeRights(info, 0);
        });
    });
}

void EtcdStore::askForLeader(const Error &error, std::function<void(const Error &)> then)
{
    const bool silent = error.code == ErrorCode::Timeout || error.code == ErrorCode::Busy ||
                        error.code == ErrorCode::Unreachable;
    if (!silent) {
        then(error);
        return;
    }
    m_gateway.setTimeoutMs(std::min(m_spec.connectTimeoutMs, kLeaderMs));
    m_gateway.ask(
        "maintenance/status", {}, [this, link = m_link, error, then = std::move(then)](const Answer &status) {
            if (link != m_link)
                return;
            Error why = error;
            if (!status.error && !hasLeader(status.body)) {
                why.cause = QStringLiteral("the members of etcd have no majority: %1 knows of no leader")
                                .arg(m_gateway.address());
                m_leaderless = why;
            }
            then(why);
        });
}

/** Checks for each set the rights to read and to delete its keys. */
void EtcdStore::probeRights(ServerInfo info, qsizetype set)
{
    const quint64 link = m_link;
    if (set == m_spec.locks.size()) {
        m_cluster = info.instance;
        Q_EMIT opened(info);
        if (m_spec.push && link == m_link)
            m_watcher.open(m_cluster, setRanges(), std::exchange(m_resumeAfter, {}));
        return;
    }
    const QByteArray prefix = prefixOf(set);
    const QJsonObject range{{QStringLiteral("key"), jsonOf(startOf(prefix))},
                            {QStringLiteral("range_end"), jsonOf(endOf(prefix))},
                            {QStringLiteral("limit"), QStringLiteral("1")},
                            {QStringLiteral("keys_only"), true}};
    m_gateway.ask("kv/range", range, [this, link, info, set, prefix](const Answer &read) {
        if (link != m_link)
            return;
        if (read.error && read.error->code != ErrorCode::PermissionDenied) {
            lose(*read.error, link);
            return;
        }
        m_gateway.ask("kv/txn", harmlessDelete(prefix),
                      [this, link, info, set, prefix, read](const Answer &write) {
                          if (link != m_link)
                              return;
                          if (write.error && write.error->code != ErrorCode::PermissionDenied) {
                              lose(*write.error, link);
                              return;
                          }
                          ServerInfo all = info;
                          for (const domain::Access &access :
                               {accessOf(false, read, prefix), accessOf(true, write, prefix)}) {
                              if (!all.access.contains(access))
                                  all.access.append(access);
                          }
                          probeRights(all, set + 1);
                      });
    });
}

bool EtcdStore::lose(const Error &error, quint64 link)
{
    if (link != m_link)
        return true;
    const bool survives = error.code == ErrorCode::PermissionDenied || error.code == ErrorCode::Busy ||
                          error.code == ErrorCode::TooLarge || error.code == ErrorCode::Unknown;
    if (survives && !m_cluster.isEmpty())
        return false;
    const bool wasOpen = !m_cluster.isEmpty();
    close();
    const auto end = [this](const Error &why) {
        m_gateway.next();
        Q_EMIT failed(why);
    };
    if (!wasOpen) {
        end(error);
        return true;
    }
    m_leaderless.reset();
    askForLeader(error, [this, end](const Error &why) {
        if (m_leaderless)
            Q_EMIT findingsRead({{kNoLeader, domain::Severity::Danger, m_gateway.address().toUtf8()}});
        end(why);
    });
    return true;
}

void EtcdStore::findDangers()
{
    if (m_cluster.isEmpty())
        return;
    const qint64 askedUs = m_clock.nowUs();
    m_gateway.ask("cluster/member/list", {}, [this, link = m_link, askedUs](const Answer &members) {
        if (link != m_link)
            return;
        QList<domain::Finding> findings;
        if (!members.error) {
            m_times.answered(m_clock.nowUs() - askedUs);
            if (members.body.value(QLatin1String("members")).toArray().size() == 1)
                findings.append({"single_member", domain::Severity::Notice, {}});
        }
        Q_EMIT findingsRead(findings + m_times.findings(m_clock.nowUs()));
    });
}

void EtcdStore::date(const QSet<qint64> &leases, bool anew, std::function<void(const LeaseBook &)> done)
{
    const QList<qint64> asked = anew ? leases.values() : m_leases.due(leases, m_clock.nowUs());
    readLeases(m_gateway, m_clock, m_leases, asked, [this, done = std::move(done)] { done(m_leases); });
}

QList<KeyRange> EtcdStore::setRanges() const
{
    QList<KeyRange> ranges;
    for (qsizetype set = 0; set < m_spec.locks.size(); ++set)
        ranges.append({prefixOf(set), true});
    return ranges;
}

void EtcdStore::scan(PageTaken page, ScanEnded done)
{
    if (m_cluster.isEmpty()) {
        later([done] { done({false, 0, 0, 0, linkDown()}); });
        return;
    }
    readRanges(m_gateway, m_clock, setRanges(), m_spec.pageSize,
               [this, link = m_link, known = m_revision, rewinds = m_watcher.rewinds(),
                page = std::move(page), done = std::move(done)](RangeReading reading) {
                   if (link != m_link && !reading.error)
                       reading.error = linkDown();
                   if (!reading.error && reading.denied.size() == m_spec.locks.size())
                       reading.error = reading.whole(); // none is left
                   if (!reading.error) {
                       noteRevision(reading.revision, known);
                       m_watcher.whenTold(reading.revision, [this, link, rewinds, reading, page, done] {
                           if (link == m_link && rewinds == m_watcher.rewinds())
                               takeScan(reading, page, done);
                           else
                               done({false, reading.beganUs, reading.endedUs, 0, linkDown()});
                       });
                       return;
                   }
                   done({false, reading.beganUs, reading.endedUs, 0, *reading.error});
                   lose(*reading.error, link);
               });
}

Standing EtcdStore::standing() const
{
    Standing standing;
    standing.server = standing.line = m_found;
    if (m_revision > 0)
        standing.reached.insert("revision", quint64(m_revision));
    if (m_raftIndex > 0)
        standing.reached.insert("raft", quint64(m_raftIndex));
    return standing;
}

void EtcdStore::noteRevision(qint64 revision, qint64 known)
{
    if (revision == 0 || (revision >= known && revision <= m_revision))
        return;
    m_revision = revision; // lower only where the cluster was restored
    Q_EMIT standingRead(standing());
}

void EtcdStore::takeScan(const RangeReading &reading, const PageTaken &page, const ScanEnded &done)
{
    auto sets = std::make_shared<QList<QList<Queue>>>();
    QSet<qint64> holders;
    ScanEnd end{true, reading.beganUs, reading.endedUs, 0, {}};
    for (auto it = reading.denied.cbegin(); it != reading.denied.cend(); ++it)
        m_passed.pass(quint16(it.key()), {it->code, it->cause, grantRemedy("read", prefixOf(it.key()))});
    end.covers = m_passed.end(m_spec.locks, QList<QByteArray>(m_spec.locks.size(), kPlace),
                              [this](const ShardState &part) { Q_EMIT shardChanged(part); });
    for (qsizetype set = 0; set < reading.keys.size(); ++set) {
        QList<Queue> queues = queuesOf(reading.keys.at(set));
        const QByteArray &match = m_spec.locks.at(set).match;
        queues.removeIf([&match](const Queue &queue) { return !base::globMatches(match, queue.name); });
        end.scanned += reading.keys.at(set).size();
        holders.unite(leasesOf(queues));
        sets->append(std::move(queues));
    }
    date(holders, false, [this, link = m_link, sets, holders, page, done, end](const LeaseBook &leases) {
        if (link != m_link) {
            done({false, end.beganUs, end.endedUs, 0, linkDown()});
            return;
        }
        Page read{end.beganUs, end.endedUs, {}};
        domain::WaitGraph graph;
        graph.beganUs = end.beganUs;
        graph.endedUs = end.endedUs;
        graph.evidence = kEvidence;
        for (qsizetype set = 0; set < sets->size(); ++set) {
            for (const Queue &queue : sets->at(set)) {
                Observation lock = observationOf(queue, quint16(set));
                leases.date(lock, queue.keys.constFirst().lease);
                read.locks.append(std::move(lock));
            }
            tellWaits(sets->at(set), quint16(set), graph);
        }
        m_leases.keep(holders);
        m_times.forgetLeases();
        for (const QList<Queue> &queues : std::as_const(*sets)) {
            for (const Queue &queue : queues)
                m_times.lease(leases.grantedUs(queue.keys.constFirst().lease), queue.name);
        }
        page(read);
        Q_EMIT waitGraphRead(graph);
        done(end);
        findDangers();
    });
}

void EtcdStore::tellWaitsAnew(qint64 toldUs)
{
    const qint64 nowUs = m_clock.nowUs();
    if (nowUs - m_waitsUs < base::kSecondUs)
        return;
    const auto sets = m_watcher.changedQueues();
    if (!sets)
        return;
    m_waitsUs = nowUs;
    domain::WaitGraph graph;
    graph.beganUs = toldUs;
    graph.endedUs = nowUs;
    graph.evidence = kEvidence;
    for (qsizetype set = 0; set < sets->size(); ++set)
        tellWaits(sets->at(set), quint16(set), graph);
    Q_EMIT waitGraphRead(graph);
}

/** Each contender waits for its predecessor in the queue. */
void EtcdStore::tellWaits(const QList<Queue> &queues, quint16 set, domain::WaitGraph &graph) const
{
    QSet<QByteArray> known;
    for (const domain::Session &session : std::as_const(graph.sessions))
        known.insert(session.id);
    const auto idOf = [&known, &graph](const KeyValue &key) {
        const QByteArray id = key.lease != 0 ? leaseHex(key.lease) : key.key;
        if (!known.contains(id)) {
            known.insert(id);
            domain::Session session;
            session.id = id;
            session.program = valueOf(key);
            graph.sessions.append(session);
        }
        return id;
    };
    for (const Queue &queue : queues) {
        for (qsizetype i = 1; i < queue.keys.size(); ++i) {
            if (graph.edges.size() == kMostEdges) {
                graph.truncated = true;
                return;
            }
            const domain::LockKey key = keyOf(m_spec.name, m_spec.locks.at(set).scheme, kPlace, queue.name);
            graph.edges.append({idOf(queue.keys.at(i)),
                                idOf(queue.keys.at(i - 1)),
                                key,
                                {},
                                0,
                                placeInQueue(queue.keys.at(i))});
        }
    }
}

void EtcdStore::readPoints(const QList<Subject> &subjects, PageTaken page, PointsRead done)
{
    constexpr qsizetype kAtOnce = 100;
    if (m_cluster.isEmpty() || subjects.isEmpty()) {
        later([done] { done(); });
        return;
    }
    readOnePage(subjects.first(std::min(kAtOnce, subjects.size())), page,
                [this, rest = subjects.sliced(std::min(kAtOnce, subjects.size())), page, done] {
                    if (rest.isEmpty())
                        done();
                    else
                        readPoints(rest, page, done);
                });
}

void EtcdStore::readOnePage(const QList<Subject> &subjects, const PageTaken &page, const PointsRead &done)
{
    QList<KeyRange> ranges;
    for (const Subject &subject : subjects)
        ranges += rangesOf(subject.name);
    readRanges(m_gateway, m_clock, ranges, m_spec.pageSize,
               [this, link = m_link, known = m_revision, subjects, page, done](const RangeReading &reading) {
                   if (!reading.error && link == m_link)
                       noteRevision(reading.revision, known);
                   if (reading.error || link != m_link) {
                       done();
                       if (reading.error)
                           lose(*reading.error, link);
                       return;
                   }
                   auto found = std::make_shared<QList<std::optional<Queue>>>();
                   QList<Subject> seen;
                   QList<Queue> present;
                   for (qsizetype i = 0; i < subjects.size(); ++i) {
                       if (reading.denied.contains(2 * i) || reading.denied.contains(2 * i + 1))
                           continue;
                       const auto queue = queueNamed(subjects.at(i).name,
                                                     reading.keys.at(2 * i) + reading.keys.at(2 * i + 1));
                       seen.append(subjects.at(i));
                       found->append(queue);
                       if (queue)
                           present.append(*queue);
                   }
                   date(leasesOf(present), true,
                        [this, link, seen, found, page, done, reading](const LeaseBook &leases) {
                            if (link == m_link) {
                                Page read{reading.beganUs, reading.endedUs, {}};
                                for (qsizetype i = 0; i < seen.size(); ++i) {
                                    Observation lock;
                                    if (const auto &queue = found->at(i)) {
                                        lock = observationOf(*queue, seen.at(i).set);
                                        leases.date(lock, queue->keys.constFirst().lease);
                                    }
                                    lock.present = found->at(i).has_value();
                                    lock.set = seen.at(i).set;
                                    lock.name = seen.at(i).name;
                                    read.locks.append(lock);
                                }
                                page(read);
                            }
                            done();
                        });
               });
}

void EtcdStore::inspect(const Subject &subject, Inspected done)
{
    if (m_cluster.isEmpty() || subject.set >= m_spec.locks.size()) {
        const Error why = m_cluster.isEmpty() ? linkDown() : noSuchSet();
        later([done, subject, why] { done(absent(subject, why)); });
        return;
    }
    readRanges(m_gateway, m_clock, rangesOf(subject.name), m_spec.pageSize,
               [this, link = m_link, subject, done](const RangeReading &reading) {
                   Inspection inspection = absent(subject);
                   inspection.storeUs = reading.endedUs;
                   const auto failed = reading.whole();
                   if (failed || link != m_link) {
                       inspection.error = failed ? *failed : linkDown();
                       done(inspection);
                       if (failed)
                           lose(*failed, link);
                       return;
                   }
                   const auto queue = queueNamed(subject.name, reading.keys.at(0) + reading.keys.at(1));
                   if (!queue) {
                       done(inspection);
                       return;
                   }
                   date(leasesOf({*queue}), true,
                        [this, link, inspection, queue, done](const LeaseBook &leases) {
                            Inspection whole = inspection;
                            if (link != m_link) {
                                whole.error = linkDown();
                                done(whole);
                                return;
                            }
                            whole.lock = observationOf(*queue, inspection.lock.set);
                            leases.date(whole.lock, queue->keys.constFirst().lease);
                            whole.guard = guardOf(m_spec, kPlace, m_cluster, whole.lock);
                            addCompanions(whole, queue->keys.constFirst(), done);
                        });
               });
}

void EtcdStore::addCompanions(const Inspection &inspection, const KeyValue &holder, Inspected done)
{
    if (holder.lease == 0) {
        done(inspection);
        return;
    }
    const QJsonObject body{{QStringLiteral("ID"), jsonOf(holder.lease)}, {QStringLiteral("keys"), true}};
    m_gateway.ask("lease/timetolive", body,
                  [inspection, own = holder.key, done = std::move(done)](const Answer &answer) {
                      // Without the right to read all of the keys, etcd returns none. Show the lock anyway.
                      Inspection whole = inspection;
                      QList<QByteArray> keys = leaseKeysOf(answer.body);
                      keys.removeOne(own);
                      whole.companions = {keys.size(), keys.first(std::min(keys.size(), kMostCompanions))};
                      done(whole);
                  });
}

void EtcdStore::release(const ReleaseOrder &order, Released done)
{
    ReleaseGround ground;
    ground.place = kPlace;
    ground.instance = m_cluster;
    ground.otherRun.error = {ErrorCode::Unsupported, QStringLiteral("this isn't the cluster that was read"),
                             QStringLiteral("Read the lock again.")};
    std::optional<Refusal> refusal;
    if (m_cluster.isEmpty())
        refusal = Refusal{Outcome::Unreachable, linkDown()};
    else
        refusal = refusalOf(order, m_spec, ground);
    const auto deletion = refusal ? std::nullopt : GuardedDelete::of(order.guard, m_leftOut);
    if (!refusal && !deletion)
        refusal = Refusal{Outcome::Refused,
                          {ErrorCode::Usage, QStringLiteral("the guard isn't for an etcd lock"), {}}};
    else if (!refusal && (order.mustBeExpired || (order.checkFreshness && deletion->hasLease())))
        refusal = Refusal{Outcome::Refused,
                          {ErrorCode::Unsupported,
                           QStringLiteral("etcd removes a lock whose lease has expired and doesn't record "
                                          "renewals in its key, so neither can be compared"),
                           QStringLiteral("Release it as an operator, without \"if not renewed\".")}};
    if (refusal) {
        later([done, report = refusal->report()] { done(report); });
        return;
    }
    m_gateway.askOnce("kv/txn", deletion->transaction(order.dryRun),
                      [this, deletion = *deletion, cluster = m_cluster, done](const Answer &answer) {
                          ReleaseReport report;
                          report.storeUs = m_clock.nowUs();
                          if (answer.error) {
                              report.error = *answer.error;
                              const bool unsent = answer.error->code == ErrorCode::Unreachable;
                              report.outcome = !answer.untouched ? Outcome::Unknown
                                               : unsent          ? Outcome::Unreachable
                                                                 : Outcome::Refused;
                          } else if (clusterOf(answer.body) != cluster) {
                              report.error = {ErrorCode::Unknown,
                                              QStringLiteral("another cluster answers at this address"),
                                              {}};
                          } else {
                              report.outcome = deletion.outcomeOf(answer.body);
                          }
                          done(report);
                      });
}

} // namespace lockkeeper::stores::etcd
