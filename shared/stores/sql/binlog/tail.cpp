// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/binlog/tail.h"

#include "shared/base/clock.h"

#include <QLoggingCategory>
#include <QRandomGenerator>

#include <utility>

namespace lockkeeper::stores::sql::binlog {

Q_LOGGING_CATEGORY(lcBinlog, "lockkeeper.stores.sql.binlog")

using base::Error;
using base::ErrorCode;
using base::failure;

namespace {
constexpr qsizetype kPiece = 200;
constexpr int kMostUnderWay = 64;
constexpr qint64 kKeepEveryUs = 1'000'000;

qint64 monotonicUs()
{
    return base::SystemClock().monotonicUs();
}

Error startAfresh(const QString &cause)
{
    return {ErrorCode::NotFound, cause, {}};
}
} // namespace

Tail::Tail(SourceSpec spec, QList<WatchedSet> sets, std::shared_ptr<ClockBound> clock, QByteArray instance,
           QByteArray resumeAfter)
    : m_spec(std::move(spec)),
      m_sets(std::move(sets)),
      m_clock(std::move(clock)),
      m_instance(std::move(instance)),
      m_resumeAfter(std::move(resumeAfter))
{
}

void Tail::stop()
{
    m_stopped = true;
    m_stream.interrupt();
    const std::lock_guard lock(m_mutex);
    if (m_aside)
        m_aside->interrupt();
    m_room.notify_all();
}

void Tail::taken()
{
    const std::lock_guard lock(m_mutex);
    --m_underWay;
    m_room.notify_all();
}

bool Tail::await(const LogPlace &place)
{
    const std::lock_guard lock(m_mutex);
    if (!m_reached.isNull() && m_reached.isAtLeast(place))
        return true;
    if (!m_awaited || m_awaited->isAtLeast(place))
        m_awaited = place;
    return false;
}

void Tail::run()
{
    const auto result = follow();
    m_stream.close();
    if (isStopped())
        return;
    const Error why = result ? Error{ErrorCode::ConnectionLost, QStringLiteral("the binary log ended"), {}}
                             : result.error();
    qCInfo(lcBinlog).noquote() << "reading the binary log of" << m_spec.name << "ended:" << why.line();
    Q_EMIT ended(why);
}

base::Result<void> Tail::follow()
{
    const auto facts = prepareStream(m_stream, m_spec, *m_clock, m_instance);
    if (!facts)
        return tl::unexpected(facts.error());
    auto shapes = readShapes(m_stream, m_sets);
    if (!shapes)
        return tl::unexpected(shapes.error());
    m_shapes = *std::move(shapes);
    m_position = {facts->server, m_shapes.digest, 0, 0, facts->end};
    const auto kept = BinlogPosition::decoded(m_resumeAfter);
    m_resuming = kept && kept->server == facts->server && kept->tables == m_shapes.digest &&
                 facts->end.isAtLeast(kept->place);
    if (kept && !m_resuming)
        m_why = startAfresh(kept->server != facts->server ? QStringLiteral("it is another server than before")
                            : kept->tables != m_shapes.digest
                                ? QStringLiteral("the tables or their columns have changed")
                                : QStringLiteral("the binary log is older than the position that was read"));
    if (m_resuming) {
        auto read = begin(*kept).and_then([this] { return loop(); });
        // The file was purged, or restarted under the same name. If reading hadn't begun, try again from the
        // end of the log.
        if (read || m_began || isStopped() || read.error().code != ErrorCode::NotFound)
            return read;
        m_why = read.error();
        m_resuming = false;
        m_stream.close();
        if (const auto again = prepareStream(m_stream, m_spec, *m_clock, m_instance); !again)
            return tl::unexpected(again.error());
        else
            m_position.place = again->end;
    }
    return begin(m_position).and_then([this] { return loop(); });
}

base::Result<void> Tail::begin(const BinlogPosition &from)
{
    m_expectedStamp = m_resuming ? from.fileStamp : 0;
    m_skip = m_resuming ? from.skip : 0;
    m_reader = std::make_unique<LogReader>(m_shapes.tables);
    m_feed = std::make_unique<ChangeFeed>(m_sets, m_shapes.columns, m_shapes.tableOf);
    // Replicas rarely have ids of this size. The server disconnects another replica of the same id.
    return m_stream.dump(from.place, QRandomGenerator::global()->generate() | 0x80000000U);
}

base::Result<void> Tail::loop()
{
    while (!isStopped()) {
        const auto event = m_stream.next();
        if (!event)
            return tl::unexpected(event.error());
        const qint64 receivedUs = m_clock->latestUs(monotonicUs());
        const LogPlace before = m_reader->place();
        for (auto item = m_reader->read(*event);; item = m_reader->readInner()) {
            if (!item)
                return tl::unexpected(item.error());
            if (const auto handled = handle(*std::move(item), before, receivedUs); !handled)
                return handled;
            if (!m_reader->isInside() || isStopped())
                break;
        }
        const std::lock_guard lock(m_mutex);
        m_reached = m_reader->place();
        if (m_awaited && m_began && m_reached.isAtLeast(*m_awaited)) {
            m_awaited.reset();
            Q_EMIT reached(m_reached);
        }
    }
    return {};
}

base::Result<void> Tail::handle(LogItem item, const LogPlace &before, qint64 receivedUs)
{
    if (item.kind == LogItem::LogEvent::Described) {
        if (const auto ok = described(); !ok)
            return ok;
    }
    const bool newFile = item.kind == LogItem::LogEvent::Described;
    auto fed = m_feed->take(std::move(item), before, receivedUs);
    if (!fed)
        return tl::unexpected(fed.error());
    switch (fed->kind) {
    case Fed::FeedEvent::Nothing:
        if (newFile) {
            m_keptUs = 0; // the previous file may be purged now
            keepPlace();
        }
        return {};
    case Fed::FeedEvent::Changes:
        deliver(*std::move(fed));
        return {};
    case Fed::FeedEvent::Blind:
        Q_EMIT blind(fed->why);
        return {};
    case Fed::FeedEvent::Altered:
        return readAgain(*fed);
    case Fed::FeedEvent::NotByRow:
        break;
    }
    return tl::unexpected(fed->why);
}

base::Result<void> Tail::described()
{
    m_position.fileStamp = m_reader->fileStamp();
    if (m_began)
        return {};
    if (m_resuming && m_expectedStamp != m_position.fileStamp)
        return tl::unexpected(
            startAfresh(QStringLiteral("the binary log was recreated under the same name")));
    m_began = true;
    qCInfo(lcBinlog).noquote() << "reads the binary log of" << m_spec.name << "from"
                               << m_reader->place().file + ':' + QByteArray::number(m_reader->place().offset)
                               << (m_resuming ? "on" : "on, afresh");
    Q_EMIT began(m_resuming, m_why);
    return {};
}

base::Result<void> Tail::readAgain(const Fed &fed)
{
    BinlogStream aside;
    {
        const std::lock_guard lock(m_mutex);
        m_aside = &aside;
    }
    auto shapes = aside.open(m_spec).and_then([&] { return readShapes(aside, m_sets); });
    {
        const std::lock_guard lock(m_mutex);
        m_aside = nullptr;
    }
    if (!shapes || shapes->wantedDigest != m_shapes.wantedDigest) {
        if (!isStopped())
            Q_EMIT altered(shapes ? fed.why : shapes.error());
        return tl::unexpected(fed.why);
    }
    m_shapes = *std::move(shapes);
    m_position.tables = m_shapes.digest;
    m_reader->setTables(m_shapes.tables);
    m_feed = std::make_unique<ChangeFeed>(m_sets, m_shapes.columns, m_shapes.tableOf);
    if (fed.alsoBlind)
        Q_EMIT blind(fed.why);
    return {};
}

void Tail::deliver(Fed fed)
{
    const quint32 skipped = std::exchange(m_skip, 0);
    QList<Change> &changes = fed.changes;
    if (changes.isEmpty()) {
        keepPlace();
        return;
    }
    for (qsizetype at = skipped; at < changes.size() && !isStopped(); at += kPiece) {
        const bool last = at + kPiece >= changes.size();
        if (last)
            send(changes.mid(at), m_reader->place(), 0);
        else
            send(changes.mid(at, kPiece), fed.from, quint32(at + kPiece));
    }
}

void Tail::send(QList<Change> changes, const LogPlace &place, quint32 skip)
{
    if (!waitForRoom())
        return;
    m_keptUs = monotonicUs();
    m_position.place = place;
    m_position.skip = skip;
    Q_EMIT pushed(Push{std::move(changes), m_position.encoded()});
}

/** The place advances with other tables' transactions too: the server may purge the log behind it. */
void Tail::keepPlace()
{
    if (monotonicUs() - m_keptUs >= kKeepEveryUs && m_feed->isBetween() && m_began && m_skip == 0)
        send({}, m_reader->place(), 0);
}

bool Tail::waitForRoom()
{
    std::unique_lock lock(m_mutex);
    m_room.wait(lock, [this] { return m_underWay < kMostUnderWay || m_stopped; });
    ++m_underWay;
    return !m_stopped;
}

} // namespace lockkeeper::stores::sql::binlog
