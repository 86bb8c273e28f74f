// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/store/open_sets.h"

#include "shared/base/clock.h"
#include "shared/stores/set_part.h"
#include "shared/stores/sql/connection/sql_errors.h"
#include "shared/stores/sql/sessions/session_set.h"
#include "shared/stores/sql/sets/mapped_table.h"

#include <algorithm>

namespace lockkeeper::stores::sql {

using base::Error;
using base::ErrorCode;

namespace {
constexpr qint64 kAgainUs = 3'000'000;

void addTo(QString &text, const QString &more, QLatin1String between)
{
    if (!text.isEmpty() && !more.isEmpty())
        text += between;
    text += more;
}

/** Keeps the first error, and adds the statements that other sets need to its remedy. */
void addError(std::optional<Error> &all, const Error &more)
{
    static const QLatin1String kRun("Run: ");
    if (!all) {
        all = more;
        return;
    }
    if (all->code != more.code || !all->remedy.startsWith(kRun) || !more.remedy.startsWith(kRun) ||
        all->remedy.contains(more.remedy.sliced(kRun.size())))
        return;
    for (QString statement : more.remedy.sliced(kRun.size()).split(QLatin1String("; "))) {
        if (!statement.endsWith(QLatin1Char(';')))
            statement += QLatin1Char(';');
        if (!all->remedy.contains(statement))
            addTo(all->remedy, statement, QLatin1String(" "));
    }
}

/** True for errors after which a set needn't be opened again. */
bool mayPass(ErrorCode code)
{
    return code == ErrorCode::Timeout || code == ErrorCode::Busy;
}
} // namespace

void addWarning(ServerInfo &info, const Error &warning)
{
    if (warning.cause.isEmpty())
        return;
    info.warning.code = warning.code;
    addTo(info.warning.cause, warning.cause, QLatin1String("; "));
    addTo(info.warning.remedy, warning.remedy, QLatin1String(" "));
}

bool OpenSets::isOfSessions(size_t set) const
{
    return domain::isConnectionScheme(m_spec.locks.at(qsizetype(set)).scheme);
}

/** The place of a set that couldn't be opened, so that its earlier locks keep their names. */
QByteArray OpenSets::expectedPlace(size_t set) const
{
    const LockSet &wanted = m_spec.locks.at(qsizetype(set));
    const QByteArray database = databaseName(m_connection).value_or(QString()).toUtf8();
    if (wanted.scheme == "sql.advisory")
        return m_connection.dialect() == Dialect::PostgreSql ? database : QByteArrayLiteral("server");
    if (isOfSessions(set))
        return database + '.' + wanted.table.table.toUtf8() + '/';
    const auto layout = layoutOf(wanted);
    return database + '.' + (layout ? layout->tables.value(0) : QString()).toUtf8();
}

base::Result<void> OpenSets::openOne(size_t set)
{
    const SetContext context{m_connection, m_spec,       m_facts,
                             m_seams,      quint16(set), m_apart ? nullptr : &m_sessions};
    base::Result<std::unique_ptr<SetReader>> opened =
        isOfSessions(set) ? SessionSet::open(context)
                          : MappedTable::open(context).map([](std::unique_ptr<MappedTable> table) {
                                return std::unique_ptr<SetReader>(std::move(table));
                            });
    OpenSet &own = m_sets[set];
    if (!opened) {
        own.reader.reset();
        if (!isLinkLost(opened.error().code) && own.place.isEmpty())
            own.place = expectedPlace(set);
        return tl::unexpected(opened.error());
    }
    own.reader = std::move(*opened);
    return {};
}

base::Result<void> OpenSets::open()
{
    m_sets.clear();
    m_sets.resize(size_t(m_spec.locks.size()));
    m_sessions.reset();
    m_apart = false;
    const qint64 nowUs = base::SystemClock().monotonicUs();
    std::optional<Error> first;
    for (size_t set = 0; set < m_sets.size(); ++set) {
        auto opened = openOne(set);
        if (!opened && isOfSessions(set) && !m_apart && !isLinkLost(opened.error().code)) {
            m_apart = true; // the rows of one table may hide what another set has
            opened = openOne(set);
        }
        if (!opened && isLinkLost(opened.error().code))
            return opened;
        if (opened) {
            m_sets[set].place = m_sets[set].reader->place();
            continue;
        }
        m_sets[set].aside = opened.error();
        m_sets[set].againUs = nowUs + kAgainUs;
        addError(first, opened.error());
    }
    const bool none =
        std::all_of(m_sets.cbegin(), m_sets.cend(), [](const OpenSet &set) { return set.aside; });
    return none && first ? base::Result<void>(tl::unexpected(*first)) : base::Result<void>();
}

void OpenSets::tellAside() const
{
    for (size_t set = 0; set < m_sets.size(); ++set) {
        if (m_sets[set].aside)
            tell(set);
    }
}

void OpenSets::tell(size_t set) const
{
    const OpenSet &own = m_sets[set];
    ShardState part;
    part.ranges = kSetPart;
    part.node = own.place;
    part.up = !own.aside;
    part.error = own.aside.value_or(Error{});
    part.holds = [set](const Subject &subject) { return subject.set == set; };
    m_tell(part);
}

void OpenSets::describe(ServerInfo &info) const
{
    for (const OpenSet &set : m_sets) {
        info.places.append(set.place);
        if (!set.reader)
            continue;
        info.access.append(set.reader->access());
        addWarning(info, set.reader->warning());
    }
}

base::Result<SetReader *> OpenSets::of(size_t set) const
{
    if (set >= m_sets.size())
        return tl::unexpected(noSuchSet());
    if (!m_sets[set].reader)
        return tl::unexpected(*m_sets[set].aside);
    return m_sets[set].reader.get();
}

void OpenSets::close()
{
    m_sets.clear();
    m_sessions.reset();
}

QList<SetReader *> OpenSets::readers() const
{
    QList<SetReader *> readers;
    for (const OpenSet &set : m_sets) {
        if (set.reader)
            readers.append(set.reader.get());
    }
    return readers;
}

base::Result<bool> OpenSets::tryAgain(qint64 monotonicUs)
{
    for (size_t set = 0; set < m_sets.size(); ++set) {
        OpenSet &own = m_sets[set];
        own.failed = false;
        if (own.reader || monotonicUs < own.againUs)
            continue;
        own.againUs = monotonicUs + kAgainUs;
        const auto opened = openOne(set);
        if (opened && own.reader->place() != own.place)
            return false;
        if (opened)
            continue;
        if (isLinkLost(opened.error().code))
            return tl::unexpected(opened.error());
        own.aside = opened.error();
    }
    return true;
}

bool OpenSets::setAside(size_t set, const Error &why, qint64 monotonicUs)
{
    const bool together = isOfSessions(set) && !m_apart; // they share one reading
    const auto concerned = [&](size_t other) { return other == set || (together && isOfSessions(other)); };
    bool othersLeft = false;
    for (size_t other = 0; other < m_sets.size(); ++other)
        othersLeft = othersLeft || (!concerned(other) && m_sets[other].reader && !m_sets[other].aside);
    if (!othersLeft)
        return false;
    for (size_t other = 0; other < m_sets.size(); ++other) {
        OpenSet &own = m_sets[other];
        if (!concerned(other) || (own.aside && !own.reader))
            continue;
        const bool known = own.aside.has_value();
        own.aside = why;
        own.failed = true;
        if (!mayPass(why.code)) {
            own.reader.reset();
            own.againUs = monotonicUs + (together ? 0 : kAgainUs);
        }
        if (!known)
            tell(other);
    }
    if (together && !mayPass(why.code)) {
        m_sessions.reset();
        m_apart = true;
    }
    return true;
}

void OpenSets::noteRead(size_t set)
{
    if (std::exchange(m_sets[set].aside, std::nullopt))
        tell(set);
}

std::function<bool(const Subject &)> OpenSets::covers() const
{
    QList<quint16> aside;
    for (size_t set = 0; set < m_sets.size(); ++set) {
        if (m_sets[set].aside)
            aside.append(quint16(set));
    }
    if (aside.isEmpty())
        return {};
    return [aside](const Subject &subject) { return !aside.contains(subject.set); };
}

} // namespace lockkeeper::stores::sql
