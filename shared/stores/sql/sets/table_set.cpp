// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/sets/table_set.h"

#include "shared/base/text.h"
#include "shared/stores/sql/connection/sql_errors.h"
#include "shared/stores/sql/tables/long_values.h"
#include "shared/stores/sql/tables/row_layout.h"

#include <QSqlQuery>
#include <QSqlRecord>

namespace lockkeeper::stores::sql {

using base::ErrorCode;

QByteArray likePrefix(const QByteArray &glob)
{
    QByteArray prefix;
    for (const char c : glob) {
        // Plain ASCII compares alike in every collation, or at least no more strictly than byte by byte.
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                           c == '-' || c == ':' || c == '.' || c == '/' || c == '_';
        if (!plain)
            break;
        prefix += c == '_' ? QByteArray("\\_") : QByteArray(1, c);
    }
    return prefix.isEmpty() ? prefix : prefix + '%';
}

QVariant notNull(const QByteArray &bytes)
{
    return bytes.isNull() ? QByteArrayLiteral("") : bytes;
}

namespace {
/** More than a column truncates or rounds, and more than a statement's delay on its way. */
constexpr qint64 kHeldSlackUs = 2'000'000;
constexpr int kMostNameless = 1'000;

/** True where nobody holds a row once the store's clock has passed its column "expires_at". */
bool deadlinesHold(const ResolvedTable &table, const SourceSpec &spec, const LockSet &set)
{
    // With a binary log, every scan verifies the changes that the log reported. SQLite compares times as
    // texts. Calendar times in a zone that changes its offset have no order.
    if (table.expiryIndex.isEmpty() || spec.clientClock || spec.binlog || set.scheme == "sql.version" ||
        table.dialect == Dialect::Sqlite)
        return false;
    const ColumnKind kind = table.column("expires_at").kind;
    return kind == ColumnKind::Timestamp || kind == ColumnKind::Epoch ||
           (kind == ColumnKind::DateTime && spec.timeZone == "UTC");
}
} // namespace

TableSet::TableSet(const SetContext &context, ResolvedTable table, Statements statements)
    : m_connection(context.connection),
      m_table(std::move(table)),
      m_statements(std::move(statements)),
      m_set(context.set),
      m_match(context.lockSet().match),
      m_takesAll(m_match == "*"),
      m_account(context.facts.account),
      m_observeGrant(grantStatement(m_table, TableRight::Observe, context.facts.account)),
      m_breakGrant(grantStatement(m_table, TableRight::Break, context.facts.account))
{
    m_longNames = std::any_of(m_table.names.cbegin(), m_table.names.cend(),
                              [](const Column &column) { return column.isLong; });
    m_nameless =
        m_table.names.size() > 1 && std::any_of(m_table.names.cbegin(), m_table.names.cend(),
                                                [](const Column &column) { return column.nullable; });
    m_deadlinesHold = deadlinesHold(m_table, context.spec, context.lockSet());
    if (context.lockSet().waitersRegistered) {
        m_waiters.emplace(m_connection, m_table.place());
        ResolvedTable waiters = m_table;
        waiters.name = kWaitersTable;
        m_waitersGrant = grantStatement(waiters, TableRight::Observe, context.facts.account);
    }
    // The glob matches a joined name only as a whole; SQLite's LIKE has no escapes.
    if (m_table.names.size() == 1 && m_table.names.first().kind == ColumnKind::Text &&
        m_table.dialect != Dialect::Sqlite)
        m_likePrefix = likePrefix(m_match);
}

base::Error TableSet::explained(base::Error error, const QString &grant) const
{
    if (error.code != ErrorCode::PermissionDenied)
        return error;
    const bool postgres = m_table.dialect == Dialect::PostgreSql;
    if (postgres && mayHideRows(m_connection, m_table).value_or(false))
        return {
            error.code,
            QStringLiteral("row level security may hide rows of \"%1\" from this account: %2")
                .arg(base::displayText(m_table.name), error.cause),
            QStringLiteral("Run: ALTER ROLE %1 BYPASSRLS; (as a superuser), or connect as the table's owner.")
                .arg(m_account)};
    if (!grant.isEmpty())
        error.remedy = QStringLiteral("Run: %1;").arg(grant);
    return error;
}

base::Result<void> TableSet::tryReading()
{
    if (m_table.dialect == Dialect::PostgreSql) {
        const auto policed = mayHideRows(m_connection, m_table);
        if (!policed)
            return tl::unexpected(policed.error());
        m_policed = *policed;
    }
    const auto readable = statement("one");
    if (!readable)
        return tl::unexpected(explained(readable.error(), m_observeGrant));
    if (m_table.dialect != Dialect::PostgreSql)
        return {};
    // PostgreSQL checks rights, and rules that hide rows, when a statement is run.
    const auto first = statement("first_page");
    if (!first)
        return tl::unexpected(explained(first.error(), m_observeGrant));
    Values values{{"limit", 0}};
    addValues(values);
    if (const auto failed = (*first)->run(values))
        return tl::unexpected(explained(failed->error, m_observeGrant));
    (*first)->finish();
    return {};
}

base::Error TableSet::longName() const
{
    return {ErrorCode::Unsupported,
            QStringLiteral("\"%1\" has names longer than 64 KiB, of which only the beginning is read")
                .arg(base::displayText(m_table.name)),
            {}};
}

bool TableSet::matches(const QByteArray &name) const
{
    return m_takesAll || base::globMatches(m_match, name);
}

base::Result<Prepared *> TableSet::statement(const QByteArray &name)
{
    if (const auto it = m_prepared.constFind(name); it != m_prepared.constEnd())
        return it->get();
    Statement statement = m_statements.statement(name);
    if (m_policed)
        statement.sql = underPolicies(m_table, statement);
    auto prepared = m_connection.prepare(statement);
    if (!prepared)
        return tl::unexpected(prepared.error());
    return m_prepared.insert(name, std::shared_ptr<Prepared>(std::move(*prepared)))->get();
}

QList<domain::Access> TableSet::access()
{
    const QByteArray name = m_table.name.toUtf8();
    bool mayBreak = statement("release").has_value();
    // PostgreSQL checks rights when a statement is run, not when it is prepared.
    if (mayBreak && m_table.dialect == Dialect::PostgreSql)
        mayBreak = mayBreakPostgresql(m_connection, m_table).value_or(false);
    return QList<domain::Access>{
               {"observe:" + name, true, false, {}},
               {"break:" + name, mayBreak, true, mayBreak ? QString() : m_breakGrant + QLatin1Char(';')}} +
           waitersAccess();
}

QList<domain::Access> TableSet::waitersAccess()
{
    if (!m_waiters)
        return {};
    const auto read = m_waiters->read();
    const bool denied = !read && read.error().code == ErrorCode::PermissionDenied;
    return {{"observe:" + QByteArray(kWaitersTable.data()), read.has_value(), false,
             read     ? QString()
             : denied ? m_waitersGrant + QLatin1Char(';')
                      : waitersTableStatement(m_table.dialect) + QLatin1Char(';')}};
}

base::Result<void> TableSet::readWaiters()
{
    if (!m_waiters)
        return {};
    const auto read = m_waiters->read();
    return read || !isLinkLost(read.error().code) ? base::Result<void>() : read;
}

base::Result<void> TableSet::beginScan()
{
    return readWaiters();
}

void TableSet::rewind()
{
    m_leftOut = false;
    restart();
}

void TableSet::restart()
{
    m_range = {};
    m_lastKey.clear();
}

base::Result<void> TableSet::beginRange(const ReadSize &size)
{
    const QByteArray name = QByteArray(m_lastKey.isEmpty() ? "first_page" : "next_page") +
                            (m_likePrefix.isEmpty() ? "" : "_like");
    Values values{{"prefix", m_likePrefix}, {"limit", size.range}};
    addValues(values);
    for (qsizetype i = 0; i < m_lastKey.size(); ++i)
        values.insert(partName("after", i), m_lastKey.at(i));
    const auto read = readRange(name, values, size);
    return read && m_range.isLast ? readNameless(size) : read;
}

base::Result<void> TableSet::readNameless(const ReadSize &size)
{
    if (!m_nameless)
        return {};
    const auto statement = this->statement("nameless");
    if (!statement)
        return tl::unexpected(explained(statement.error(), m_observeGrant));
    Values values{{"limit", kMostNameless}};
    addValues(values);
    if (const auto failed = (*statement)->run(values))
        return tl::unexpected(explained(failed->error, m_observeGrant));
    QSqlQuery &rows = (*statement)->rows();
    const int columns = rows.record().count();
    const auto now = size_t(nowColumn());
    QueryCells cells;
    QHash<QByteArray, qsizetype> places;
    QList<Observation> page;
    while (rows.next()) {
        const RowCells &row = cells.read(rows, columns);
        Observation lock;
        ++m_range.scanned;
        if (hasLongName(row, int(m_table.names.size())) || !observeRow(lock, row, row[now].toNumber()))
            continue;
        // A unique key allows several NULLs: it is uncertain which row an operation would find.
        lock.identity.clear();
        lock.flaw = lock.flaw == Flaw::None ? Flaw::NullIdentity : lock.flaw;
        if (const auto again = places.constFind(lock.name); again != places.constEnd()) {
            page[*again].flaw = Flaw::Malformed;
            continue;
        }
        addWaiters(lock);
        places.insert(lock.name, page.size());
        page.append(lock);
    }
    (*statement)->finish();
    for (qsizetype at = 0; at < page.size(); at += size.page)
        m_range.pages.push_back(page.mid(at, size.page));
    const auto ended = storeTimeUs();
    if (!ended)
        return tl::unexpected(ended.error());
    m_range.endedUs = *ended;
    return {};
}

base::Result<void> TableSet::readRange(const QByteArray &name, const Values &values, const ReadSize &size)
{
    const auto statement = this->statement(name);
    if (!statement)
        return tl::unexpected(explained(statement.error(), m_observeGrant));
    // Without a row, the time of the statement is unknown, but it isn't before this time.
    const auto asked = m_range.endedUs == 0 ? storeTimeUs() : base::Result<qint64>(m_range.endedUs);
    if (!asked)
        return tl::unexpected(asked.error());
    m_range = {};
    std::optional<base::Error> failed;
    if (const auto refused = (*statement)->run(values))
        failed = refused->error;
    else
        failed = readRows((*statement)->rows(), size);
    (*statement)->finish();
    if (failed) {
        m_range = {};
        return tl::unexpected(explained(*failed, m_observeGrant));
    }
    // The statement shows the state at some time before its last row arrived.
    const auto ended = storeTimeUs();
    if (!ended)
        return tl::unexpected(ended.error());
    m_range.endedUs = *ended;
    m_range.beganUs = m_range.beganUs == 0 ? *asked : m_range.beganUs;
    m_range.isLast = m_range.scanned < size.range;
    return {};
}

std::optional<base::Error> TableSet::readRows(QSqlQuery &rows, const ReadSize &size)
{
    const auto now = size_t(nowColumn());
    const int columns = rows.record().count();
    QueryCells cells;
    QList<Observation> page = newPage(size.page);
    qsizetype kept = 0;
    while (m_range.scanned < size.range && rows.next()) {
        // After the row's own columns come the clock, the same in each row, and the texts of times that read
        // as NULL. With a million rows, each column that is read costs time.
        const RowCells &row = cells.read(rows, columns, m_range.beganUs == 0 ? columns : int(now));
        if (m_range.beganUs == 0)
            m_range.beganUs = row[now].toNumber();
        if (m_longNames && hasLongName(row, int(m_table.names.size())))
            m_leftOut = true;
        else if (observeRow(page[kept], row, m_range.beganUs))
            addWaiters(page[kept++]);
        if (++m_range.scanned == size.range && !noteKey(row))
            return longName();
        if (kept == page.size()) {
            m_range.pages.push_back(std::exchange(page, newPage(size.page)));
            kept = 0;
        }
    }
    page.resize(kept);
    if (kept > 0 || m_range.pages.empty())
        m_range.pages.push_back(std::move(page));
    return std::nullopt;
}

void TableSet::addWaiters(Observation &lock) const
{
    if (m_waiters)
        m_waiters->addTo(lock);
}

/** Reuses the memory of a returned page, unless a caller kept it. */
QList<Observation> TableSet::newPage(int size)
{
    QList<Observation> page;
    if (!m_spare.isEmpty()) {
        page = m_spare.takeLast();
        if (!page.isDetached())
            page = {};
    }
    page.resize(size);
    return page;
}

QString TableSet::heldIndex()
{
    // The catalogue may list an index that is out of use.
    m_deadlinesHold = m_deadlinesHold && statement("held").has_value();
    return m_deadlinesHold ? m_table.expiryIndex : QString();
}

base::Result<bool> TableSet::beginHeld(qint64 sinceUs, const ReadSize &size)
{
    restart();
    const auto now = storeTimeUs();
    if (!now)
        return tl::unexpected(now.error());
    if (!m_deadlinesHold || sinceUs <= 0 ||
        *now < sinceUs) // clock set back: a passed deadline may be ahead again
        return false;
    m_range.endedUs = *now;
    Values values{{"limit", size.range}, {"offset_us", 0}, {"ttl_us", sinceUs - *now - kHeldSlackUs}};
    addValues(values);
    if (const auto read = readRange("held", values, size); !read) {
        if (isLinkLost(read.error().code))
            return tl::unexpected(read.error());
        m_deadlinesHold = false; // its index was dropped; a whole reading shows any other error
        restart();
        return false;
    }
    // The statement counts from its own moment, which is later than `now`.
    const bool inTime = m_range.endedUs >= *now && m_range.endedUs - *now <= kHeldSlackUs / 2;
    if (inTime && m_range.isLast)
        return readNameless(size).map([] { return true; });
    restart();
    return false;
}

int TableSet::firstKeyColumn() const
{
    if (m_table.pageKey.isEmpty())
        return 0;
    const RowLayout layout = RowLayout::of(m_table);
    return layout.field(m_table.pageKey)->at;
}

bool TableSet::noteKey(const RowCells &row)
{
    const QList<QByteArray> before = m_lastKey;
    const qsizetype columns = std::max<qsizetype>(m_table.pageColumns().size(), 1);
    const auto first = size_t(firstKeyColumn());
    m_lastKey.resize(columns);
    for (qsizetype i = 0; i < columns; ++i) // an empty name is a name
        m_lastKey[i] = notNull(row[first + size_t(i)].bytes()).toByteArray();
    return m_lastKey != before;
}

SetPage TableSet::page(QList<Observation> spare)
{
    if (!spare.isEmpty())
        m_spare.append(std::move(spare));
    SetPage page;
    page.locks = std::move(m_range.pages.front());
    m_range.pages.pop_front();
    page.scanned = std::exchange(m_range.scanned, 0);
    page.endedUs = m_range.endedUs;
    page.beganUs = m_range.beganUs;
    page.rangeEnds = m_range.pages.empty();
    page.setEnds = page.rangeEnds && m_range.isLast;
    if (page.setEnds)
        m_spare.clear();
    return page;
}

} // namespace lockkeeper::stores::sql
