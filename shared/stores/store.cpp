// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/store.h"

#include <algorithm>
#include <utility>

namespace lockkeeper::stores {

size_t qHash(const Subject &subject, size_t seed) noexcept
{
    return qHashMulti(seed, subject.set, subject.name);
}

domain::LockKey keyOf(const QString &source, const QByteArray &scheme, const QByteArray &setPlace,
                      QByteArrayView subjectName)
{
    if (!setPlace.endsWith('/'))
        return {source, scheme, setPlace, subjectName.toByteArray()};
    const qsizetype slash = std::max<qsizetype>(subjectName.indexOf('/'), 0);
    return {source, scheme, setPlace + subjectName.first(slash).toByteArray(),
            subjectName.sliced(std::min(slash + 1, subjectName.size())).toByteArray()};
}

std::optional<QByteArray> subjectNameOf(const QByteArray &setPlace, const domain::LockKey &key)
{
    if (!setPlace.endsWith('/'))
        return setPlace == key.place ? std::optional(key.name) : std::nullopt;
    if (!key.place.startsWith(setPlace))
        return std::nullopt;
    return key.place.sliced(setPlace.size()) + '/' + key.name;
}

QByteArray setPlaceOf(QByteArrayView scheme, const QByteArray &place)
{
    const bool parted = scheme == "sql.row" || scheme == "redis.semaphore";
    return parted ? place.first(place.lastIndexOf('/') + 1) : place;
}

bool Standing::mayHaveLost(const Standing &later) const
{
    const auto differ = [](const QByteArray &a, const QByteArray &b) {
        return !a.isEmpty() && !b.isEmpty() && a != b;
    };
    if (differ(line, later.line) || differ(branch, later.branch))
        return true;
    for (auto it = reached.cbegin(); it != reached.cend() && !later.reached.isEmpty(); ++it) {
        if (later.reached.value(it.key()) < *it)
            return true;
    }
    return false;
}

base::Error noSuchSet()
{
    return {base::ErrorCode::NotFound, QStringLiteral("no such lock set"), {}};
}

base::Error closedError()
{
    return {base::ErrorCode::Cancelled, QStringLiteral("the connection was closed"), {}};
}

Inspection absent(const Subject &subject, std::optional<base::Error> why)
{
    Inspection inspection;
    inspection.lock.set = subject.set;
    inspection.lock.name = subject.name;
    inspection.lock.present = false;
    inspection.error = std::move(why);
    return inspection;
}

ReleaseReport reportOf(domain::Outcome outcome, const base::Error &error)
{
    return {outcome, {}, error};
}

void Store::probe(const ProbeOrder &, Probed done)
{
    ProbeReport report;
    report.error = base::Error{base::ErrorCode::Unsupported,
                               QStringLiteral("this kind of store doesn't show what its clients attempt"),
                               {}};
    later([done = std::move(done), report] { done(report); });
}

} // namespace lockkeeper::stores
