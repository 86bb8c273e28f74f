// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/page_merge.h"

#include <algorithm>
#include <tuple>

namespace lockkeeper::app::session {

namespace {

/** One agent's part of a page. */
template <typename Row> struct PagePart
{
    const QList<Row> *rows;
    bool more;
    qsizetype taken = 0;

    bool isEmpty() const { return taken == rows->size(); }
    const Row &head() const { return rows->at(taken); }
};

/** Takes the first `limit` rows by `isBefore`; true if there are more. */
template <typename Row, typename IsBefore>
bool merge(QList<PagePart<Row>> &parts, int limit, IsBefore isBefore, QList<Row> &into)
{
    while (into.size() < limit) {
        PagePart<Row> *next = nullptr;
        for (PagePart<Row> &part : parts) {
            if (part.isEmpty()) {
                if (part.more)
                    return true; // its next row is unknown
                continue;
            }
            if (!next || isBefore(part.head(), next->head()))
                next = &part;
        }
        if (!next)
            return false;
        into.append(next->head());
        ++next->taken;
    }
    return std::any_of(parts.cbegin(), parts.cend(),
                       [](const PagePart<Row> &part) { return part.more || !part.isEmpty(); });
}

qint64 heldUs(const protocol::TimelineLane &lane, qint64 untilUs)
{
    qint64 sum = 0;
    for (const protocol::Hold &hold : lane.holds)
        sum += hold.toUs.value_or(untilUs) - hold.fromUs;
    for (const protocol::TimelineSlice &slice : lane.slices)
        sum += slice.heldUs;
    return sum;
}

/** The sum, if all pages report the value. */
template <typename Field> std::optional<qint64> sum(const QList<protocol::ContentionPage> &pages, Field field)
{
    qint64 total = 0;
    for (const protocol::ContentionPage &page : pages) {
        if (!(page.*field))
            return std::nullopt;
        total += *(page.*field);
    }
    return total;
}

template <typename T> void cut(QList<T> &rows, int limit, bool &more)
{
    if (rows.size() <= limit)
        return;
    rows.resize(limit);
    more = true;
}

} // namespace

EventsRead mergedEvents(const QMap<QString, protocol::EventPage> &pages, int limit, bool descending)
{
    EventsRead read;
    QList<PagePart<events::LockEvent>> parts;
    const QStringList agents = pages.keys(); // sorted: simultaneous events always have the same order
    for (const QString &agent : agents) {
        const protocol::EventPage &page = *pages.constFind(agent);
        parts.append({&page.events, page.goOnFrom().has_value()});
    }
    read.more = merge(
        parts, limit,
        [descending](const events::LockEvent &a, const events::LockEvent &b) {
            return descending ? a.timeUs > b.timeUs : a.timeUs < b.timeUs;
        },
        read.events);
    for (qsizetype i = 0; i < parts.size(); ++i) {
        const PagePart<events::LockEvent> &part = parts.at(i);
        const protocol::EventPage &page = *pages.constFind(agents.at(i));
        std::optional<quint64> readTo;
        if (part.isEmpty() && part.more)
            readTo = page.goOnFrom();
        else if (part.taken > 0)
            readTo = page.events.at(part.taken - 1).seq;
        read.journals.insert(agents.at(i), {page.firstSeq, page.lastSeq, readTo});
        // All agents have reached the least advanced position.
        if (part.more && page.reachedUs &&
            (!read.reachedUs || (*page.reachedUs > *read.reachedUs) == descending))
            read.reachedUs = page.reachedUs;
    }
    return read;
}

protocol::HoldPage mergedHolds(const QList<protocol::HoldPage> &pages, int limit)
{
    protocol::HoldPage all;
    QList<PagePart<protocol::Hold>> parts;
    for (const protocol::HoldPage &page : pages)
        parts.append({&page.holds, page.more});
    all.more = merge(
        parts, limit, [](const protocol::Hold &a, const protocol::Hold &b) { return a.fromUs > b.fromUs; },
        all.holds);
    return all;
}

protocol::AuditPage mergedAudit(const QList<protocol::AuditPage> &pages, int limit)
{
    protocol::AuditPage all;
    QList<PagePart<domain::AuditEntry>> parts;
    for (const protocol::AuditPage &page : pages)
        parts.append({&page.entries, page.more});
    all.more = merge(
        parts, limit,
        [](const domain::AuditEntry &a, const domain::AuditEntry &b) { return a.timeUs > b.timeUs; },
        all.entries);
    return all;
}

protocol::SnapshotPage mergedLocks(const QList<protocol::SnapshotPage> &pages)
{
    protocol::SnapshotPage all;
    all.last = true;
    for (const protocol::SnapshotPage &page : pages) {
        all.locks += page.locks;
        all.sources += page.sources;
    }
    return all;
}

protocol::ChainsPage mergedChains(const QList<protocol::ChainsPage> &pages)
{
    protocol::ChainsPage all;
    for (const protocol::ChainsPage &page : pages)
        all.graphs += page.graphs;
    return all;
}

protocol::ContentionPage mergedContention(const QList<protocol::ContentionPage> &pages, int limit)
{
    using Page = protocol::ContentionPage;
    Page all;
    for (const Page &page : pages) {
        // The ranges differ only in their end, if that is each agent's now.
        all.fromUs = all.fromUs == 0 ? page.fromUs : std::min(all.fromUs, page.fromUs);
        all.toUs = std::max(all.toUs, page.toUs);
        all.locks += page.locks;
        all.waiters += page.waiters;
        all.blockers += page.blockers;
        all.more = all.more || page.more;
    }
    all.waitedUs = sum(pages, &Page::waitedUs);
    all.waits = sum(pages, &Page::waits);
    all.unattributedUs = sum(pages, &Page::unattributedUs);
    std::stable_sort(all.locks.begin(), all.locks.end(), [](const auto &a, const auto &b) {
        return std::tuple(a.waits.totalUs, a.acquisitions) > std::tuple(b.waits.totalUs, b.acquisitions);
    });
    std::stable_sort(all.waiters.begin(), all.waiters.end(),
                     [](const auto &a, const auto &b) { return a.totalUs > b.totalUs; });
    std::stable_sort(all.blockers.begin(), all.blockers.end(),
                     [](const auto &a, const auto &b) { return a.totalUs > b.totalUs; });
    cut(all.blockers, limit, all.more);
    cut(all.locks, limit, all.more);
    cut(all.waiters, limit, all.more);
    return all;
}

protocol::WaitingPage mergedWaiting(const QList<protocol::WaitingPage> &pages)
{
    protocol::WaitingPage all;
    for (const protocol::WaitingPage &page : pages) {
        all.fromUs = page.fromUs;
        all.toUs = page.toUs;
        all.sources += page.sources;
    }
    return all;
}

protocol::ApprovalsPage mergedApprovals(const QList<protocol::ApprovalsPage> &pages)
{
    protocol::ApprovalsPage all;
    for (const protocol::ApprovalsPage &page : pages)
        all.requests += page.requests;
    std::stable_sort(all.requests.begin(), all.requests.end(),
                     [](const auto &a, const auto &b) { return a.askedUs < b.askedUs; });
    return all;
}

protocol::AdvicePage mergedAdvice(const QList<protocol::AdvicePage> &pages)
{
    protocol::AdvicePage all;
    all.observedPermille = 1000;
    for (const protocol::AdvicePage &page : pages) {
        all.advice += page.advice;
        all.fromUs = all.fromUs == 0 ? page.fromUs : std::min(all.fromUs, page.fromUs);
        all.toUs = std::max(all.toUs, page.toUs);
        all.observedPermille = std::min(all.observedPermille, page.observedPermille);
        all.locks += page.locks;
        all.holds += page.holds;
        all.more = all.more || page.more;
    }
    std::stable_sort(
        all.advice.begin(), all.advice.end(), [](const domain::Advice &a, const domain::Advice &b) {
            return std::tuple(-int(a.confidence), a.code) < std::tuple(-int(b.confidence), b.code);
        });
    return all;
}

protocol::TimelinePage mergedTimeline(const QList<protocol::TimelinePage> &pages, int lanes,
                                      const QList<domain::LockKey> &keys)
{
    protocol::TimelinePage all;
    for (const protocol::TimelinePage &page : pages) {
        all.fromUs = page.fromUs;
        all.toUs = page.toUs;
        all.sliceUs = std::max(all.sliceUs, page.sliceUs);
        all.lanes += page.lanes;
        all.more = all.more || page.more;
        all.gaps += page.gaps;
        if (page.firstUs > 0)
            all.firstUs = all.firstUs > 0 ? std::min(all.firstUs, page.firstUs) : page.firstUs;
        all.strip.resize(std::max(all.strip.size(), page.strip.size()));
        for (qsizetype i = 0; i < page.strip.size(); ++i)
            all.strip[i] += page.strip.at(i);
    }
    if (!keys.isEmpty()) {
        std::stable_sort(all.lanes.begin(), all.lanes.end(), [&keys](const auto &a, const auto &b) {
            return keys.indexOf(a.key.value_or(domain::LockKey())) <
                   keys.indexOf(b.key.value_or(domain::LockKey()));
        });
        return all;
    }
    std::stable_sort(all.lanes.begin(), all.lanes.end(), [&all](const auto &a, const auto &b) {
        return a.waitUs != b.waitUs ? a.waitUs > b.waitUs : heldUs(a, all.toUs) > heldUs(b, all.toUs);
    });
    cut(all.lanes, lanes, all.more);
    return all;
}

} // namespace lockkeeper::app::session
