// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/base/clock.h"
#include "shared/stores/redis/cluster/cluster_parts.h"
#include "shared/stores/redis/cluster/cluster_store.h"

#include <QPointer>

#include <algorithm>
#include <chrono>
#include <utility>

namespace lockkeeper::stores::redis {

using namespace std::chrono_literals;
using base::Error;
using base::ErrorCode;
using domain::Outcome;

namespace {

Error nodeDown()
{
    return {ErrorCode::Unreachable,
            QStringLiteral("the node of the cluster that has this lock can't be reached"),
            {}};
}

Error noSuchSet()
{
    return {ErrorCode::NotFound, QStringLiteral("no such lock set"), {}};
}

} // namespace

quint16 ClusterStore::slotOf(const Subject &subject) const
{
    return hashSlotOf(m_schemes->at(subject.set)->keyOf(subject.name));
}

Subject ClusterStore::keyOf(const Subject &subject) const
{
    return {subject.set, m_schemes->at(subject.set)->keyOf(subject.name).toByteArray()};
}

void ClusterStore::scan(PageTaken page, ScanEnded done)
{
    m_scan = std::make_shared<ClusterScan>();
    m_scan->page = std::move(page);
    m_scan->done = std::move(done);
    m_scan->owner = m_owner;
    for (const auto &part : m_parts) {
        if (m_open && part->up)
            m_scan->waiting.insert(part.get());
    }
    if (m_scan->waiting.isEmpty()) {
        m_scan->end.error = nodeDown();
        later([this] { finishScanIfDone(); });
        return;
    }
    const QSet<ClusterPart *> waiting = m_scan->waiting;
    for (ClusterPart *part : waiting) {
        const QPointer<ClusterStore> self(this);
        part->store->scanHere(
            [self, scan = m_scan, from = part->speaker()](KeyPage &read) {
                if (!self.isNull() && self->m_scan == scan)
                    self->takePage(scan, from, read);
            },
            [self, scan = m_scan, part](const ScanEnd &end) {
                if (!self.isNull() && self->m_scan == scan)
                    self->partScanEnded(scan, part, end);
            });
    }
}

void ClusterStore::noteClock(const ClusterSpeaker &from, qint64 us)
{
    if (ClusterPart *speaker = partOf(from); speaker != nullptr && us > 0)
        speaker->lead.read(us, base::SystemClock().wallUs());
}

/** What a node says of a slot that it hasn't got (any more) is no news: it is taken out of the page, to be
 * read where it belongs. */
QList<Subject> ClusterStore::takeAstray(const ClusterSpeaker &from, QList<Observation> &locks, qint64 endedUs)
{
    noteClock(from, endedUs);
    QList<Subject> astray;
    locks.removeIf([&](const Observation &lock) {
        const ClusterPart *owner = m_owner[slotOf({lock.set, lock.name})];
        const bool isAstray = owner == nullptr || owner->server != from.server;
        if (isAstray)
            astray.append({lock.set, lock.name});
        else if (!m_view->elsewhere.isEmpty())
            m_view->elsewhere.remove(keyOf({lock.set, lock.name}));
        return isAstray;
    });
    for (const Subject &lock : std::as_const(astray))
        noteMoving(slotOf(lock));
    return astray;
}

/** What the page lacks because another node has it is read there, at the end of the scan. */
void ClusterStore::takePage(const std::shared_ptr<ClusterScan> &scan, const ClusterSpeaker &from,
                            KeyPage &page)
{
    for (const Elsewhere &key : std::exchange(page.elsewhere, {})) {
        noteMoving(hashSlotOf(key.lock.name));
        scan->astray.insert(key.lock);
    }
    for (const Subject &lock : takeAstray(from, page.locks, page.endedUs))
        scan->astray.insert(keyOf(lock));
    scan->page({page.beganUs, page.endedUs, std::move(page.locks)});
}

void ClusterStore::partScanEnded(const std::shared_ptr<ClusterScan> &scan, ClusterPart *part,
                                 const ScanEnd &end)
{
    if (!scan->waiting.remove(part))
        return;
    ScanEnd &whole = scan->end;
    whole.scanned += end.scanned;
    if (end.complete) {
        whole.beganUs = whole.complete ? std::min(whole.beganUs, end.beganUs) : end.beganUs;
        whole.endedUs = std::max(whole.endedUs, end.endedUs);
        whole.complete = true;
        scan->whole.insert(part);
        if (end.covers)
            scan->covers.append(end.covers);
    } else {
        whole.error = end.error;
    }
    finishScanIfDone();
}

void ClusterStore::finishScanIfDone()
{
    if (!m_scan || !m_scan->waiting.isEmpty() || m_scan->reading)
        return;
    if (m_scan->astray.isEmpty())
        finishScan();
    else
        readAstray();
}

/** Covered is what the same node had all the time, and read to its end. */
void ClusterStore::finishScan()
{
    const std::shared_ptr<ClusterScan> scan = std::exchange(m_scan, nullptr);
    QBitArray covered(kHashSlots);
    for (size_t slot = 0; slot < m_owner.size(); ++slot)
        covered.setBit(qsizetype(slot), m_owner[slot] != nullptr && m_owner[slot] == scan->owner[slot] &&
                                            scan->whole.contains(m_owner[slot]));
    const bool whole = covered.count(true) == kHashSlots && scan->covers.isEmpty() && scan->unread.isEmpty();
    if (scan->end.complete && !whole)
        scan->end.covers = [inSlot = coverOf(covered, m_schemes), parts = scan->covers, unread = scan->unread,
                            schemes = m_schemes](const Subject &lock) {
            return inSlot(lock) &&
                   !unread.contains({lock.set, schemes->at(lock.set)->keyOf(lock.name).toByteArray()}) &&
                   std::all_of(parts.cbegin(), parts.cend(),
                               [&lock](const auto &part) { return part(lock); });
        };
    scan->done(scan->end);
}

void ClusterStore::readPoints(const QList<Subject> &subjects, PageTaken page, PointsRead done)
{
    QHash<ClusterPart *, QList<Subject>> byPart;
    for (const Subject &subject : subjects) {
        ClusterPart *part = m_open ? m_owner[slotOf(subject)] : nullptr;
        if (part != nullptr && part->up)
            byPart[part].append(subject);
    }
    const auto take = [page = std::move(page)](const KeyPage &read, const ClusterHop &) {
        page({read.beganUs, read.endedUs, read.locks});
    };
    const auto end = [done = std::move(done)](const QList<Subject> &) { done(); };
    const auto reading = std::make_shared<ClusterReading>(ClusterReading{false, take, end});
    reading->waiting = int(byPart.size()) + 1;
    for (auto it = byPart.cbegin(); it != byPart.cend(); ++it) {
        const auto takePart = [self = QPointer<ClusterStore>(this), reading,
                               from = it.key()->speaker()](KeyPage &read) {
            if (!self.isNull() && !read.error)
                self->takePoints(reading, from, read);
        };
        it.key()->store->readPointsHere(it.value(), takePart, [reading] { settle(reading); });
    }
    later([reading] { settle(reading); });
}

void ClusterStore::inspect(const Subject &subject, Inspected done)
{
    const bool known = subject.set < m_spec.locks.size();
    ClusterPart *part = known && m_open ? m_owner[slotOf(subject)] : nullptr;
    if (part != nullptr) {
        inspectAt(part, subject, false, 0, done); // it answers for itself where it is down
        return;
    }
    Inspection answer;
    answer.lock.set = subject.set;
    answer.lock.name = subject.name;
    answer.lock.present = false;
    answer.error = known ? nodeDown() : noSuchSet();
    later([done, answer] { done(answer); });
}

void ClusterStore::inspectAt(ClusterPart *part, const Subject &subject, bool asking, int hops,
                             const Inspected &done)
{
    const auto take = [self = QPointer<ClusterStore>(this), from = part->speaker(), subject, hops,
                       done](const Inspection &inspection) {
        const auto to = inspection.error ? redirectOf(inspection.error->cause.toUtf8()) : std::nullopt;
        ClusterPart *next = to && !self.isNull() ? self->followRedirect(to, from, hops) : nullptr;
        if (next != nullptr)
            self->inspectAt(next, subject, to->ask, hops + 1, done);
        else
            done(inspection);
    };
    if (asking)
        part->store->inspectAsking(subject, take);
    else
        part->store->inspect(subject, take);
}

/** To the server that the lock was seen at, wherever its slot is by now: that one knows where it went. */
void ClusterStore::release(const ReleaseOrder &order, Released done)
{
    ReleaseReport report;
    report.outcome = Outcome::Unreachable;
    report.error = nodeDown();
    if (order.set >= m_spec.locks.size()) {
        report.outcome = Outcome::Refused;
        report.error = noSuchSet();
    } else if (m_open) {
        const QByteArray place = setPlaceIn(QByteArrayLiteral("db0"), *m_schemes->at(order.set));
        const auto name = subjectNameOf(place, order.guard.key);
        ClusterPart *owner = m_owner[slotOf({order.set, name.value_or(order.guard.key.name)})];
        const auto seenAt = std::find_if(m_parts.cbegin(), m_parts.cend(), [&order](const auto &part) {
            return part->up && part->info.instance == order.guard.instance;
        });
        const bool astray = seenAt != m_parts.cend() && seenAt->get() != owner;
        if (astray || owner != nullptr) {
            releaseAt(astray ? seenAt->get() : owner, order, astray, 0, done);
            return;
        }
    }
    later([done, report] { done(report); });
}

void ClusterStore::releaseAt(ClusterPart *part, const ReleaseOrder &order, bool asking, int hops,
                             const Released &done)
{
    const auto take = [self = QPointer<ClusterStore>(this), from = part->speaker(), order, hops,
                       done](const ReleaseReport &report) {
        const QByteArray words = report.error.cause.toUtf8();
        const bool elsewhere = report.outcome == Outcome::Refused &&
                               (sendsElsewhere(words) || words.contains("access a non local key"));
        ReleaseReport end = report;
        if (elsewhere && !self.isNull()) {
            self->askSoon(0ms);
            if (self->sendOn(from, order, hops, report, done))
                return;
            end.error.remedy = QStringLiteral("Its slot is moving to another node: look at the lock again.");
        }
        done(end);
    };
    if (asking)
        part->store->releaseAsking(order, take);
    else
        part->store->release(order, take);
}

/**
 * The node that the lock was seen at has run nothing, and names the one that has the lock's slot now. That
 * one is asked in its place, under the same identity. A deadline can't be compared there: it is by another
 * clock. False where there is nobody to ask.
 */
bool ClusterStore::sendOn(const ClusterSpeaker &from, const ReleaseOrder &order, int hops,
                          const ReleaseReport &report, const Released &done)
{
    if (order.checkFreshness || order.mustBeExpired)
        return false;
    const auto to = redirectOf(report.error.cause.toUtf8());
    ClusterPart *part = followRedirect(to, from, hops);
    if (part == nullptr)
        return false;
    ReleaseOrder there = order;
    there.guard.instance = part->info.instance;
    releaseAt(part, there, to->ask, hops + 1, done);
    return true;
}

} // namespace lockkeeper::stores::redis
