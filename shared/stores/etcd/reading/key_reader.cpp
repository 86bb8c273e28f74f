// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/etcd/reading/key_reader.h"

#include <algorithm>
#include <memory>

namespace lockkeeper::stores::etcd {

namespace {

constexpr qsizetype kLeasesAtOnce = 4;

/** One reading under way; the requests keep it. */
struct Pages : std::enable_shared_from_this<Pages>
{
    Gateway &gateway;
    const LocalClock &clock;
    QList<KeyRange> ranges;
    int limit; ///< keys a page
    ReadingDone done;
    RangeReading reading;
    qsizetype at = 0;
    QByteArray from;

    Pages(Gateway &to, const LocalClock &by, QList<KeyRange> all, int size, ReadingDone then)
        : gateway(to), clock(by), ranges(std::move(all)), limit(size), done(std::move(then))
    {
        reading.keys.resize(ranges.size());
        from = ranges.constFirst().key;
    }

    void ask()
    {
        const KeyRange &range = ranges.at(at);
        QJsonObject body{{QStringLiteral("key"), jsonOf(startOf(from))},
                         {QStringLiteral("limit"), QString::number(limit)}};
        if (range.prefix)
            body.insert(QStringLiteral("range_end"), jsonOf(endOf(range.key)));
        if (reading.revision > 0)
            body.insert(QStringLiteral("revision"), jsonOf(reading.revision));
        gateway.ask("kv/range", body,
                    [self = shared_from_this()](const Answer &answer) { self->take(answer); });
    }

    void take(const Answer &answer)
    {
        reading.endedUs = clock.nowUs();
        if (answer.error && answer.error->code == base::ErrorCode::TooLarge && limit > 1) {
            limit = std::max(limit / 10, 1); // long values
            ask();
            return;
        }
        const bool denied = answer.error && answer.error->code == base::ErrorCode::PermissionDenied;
        if (answer.error && !denied) {
            reading.error = answer.error;
            done(reading);
            return;
        }
        const qsizetype into = at;
        if (denied)
            reading.denied.insert(at, *answer.error);
        else if (reading.revision == 0)
            reading.revision = revisionOf(answer.body);
        if (!denied && answer.body.value(QLatin1String("more")).toBool() && !answer.keys.isEmpty())
            from = answer.keys.constLast().key + '\0';
        else if (++at < ranges.size())
            from = ranges.at(at).key;
        reading.keys[into] += answer.keys;
        if (at == ranges.size())
            done(reading);
        else
            ask();
    }
};

struct Leases : std::enable_shared_from_this<Leases>
{
    Gateway &gateway;
    const LocalClock &clock;
    LeaseBook &book;
    QList<qint64> left;
    std::function<void()> done;
    qsizetype underWay = 0;

    Leases(Gateway &to, const LocalClock &by, LeaseBook &into, QList<qint64> all, std::function<void()> then)
        : gateway(to), clock(by), book(into), left(std::move(all)), done(std::move(then))
    {
    }

    void ask()
    {
        while (!left.isEmpty() && underWay < kLeasesAtOnce) {
            const qint64 lease = left.takeLast();
            const qint64 beganUs = clock.nowUs();
            ++underWay;
            gateway.ask("lease/timetolive", {{QStringLiteral("ID"), jsonOf(lease)}},
                        [self = shared_from_this(), lease, beganUs](const Answer &answer) {
                            self->take(lease, beganUs, answer);
                        });
        }
    }

    void take(qint64 lease, qint64 beganUs, const Answer &answer)
    {
        --underWay;
        if (!answer.error)
            book.take(lease, answer.body, beganUs, clock.nowUs());
        if (left.isEmpty() && underWay == 0)
            done();
        else
            ask();
    }
};

} // namespace

QList<KeyRange> rangesOf(const QByteArray &name)
{
    return {{name, false}, {name + '/', true}};
}

void readRanges(Gateway &gateway, const LocalClock &clock, const QList<KeyRange> &ranges, int pageSize,
                ReadingDone done, qint64 revision)
{
    const auto pages =
        std::make_shared<Pages>(gateway, clock, ranges, std::max(pageSize, 1), std::move(done));
    pages->reading.beganUs = clock.nowUs();
    pages->reading.revision = revision;
    pages->ask();
}

void readLeases(Gateway &gateway, const LocalClock &clock, LeaseBook &book, const QList<qint64> &leases,
                std::function<void()> done)
{
    if (leases.isEmpty()) {
        done();
        return;
    }
    std::make_shared<Leases>(gateway, clock, book, leases, std::move(done))->ask();
}

} // namespace lockkeeper::stores::etcd
