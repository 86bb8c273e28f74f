// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/lock_table.h"

#include "shared/base/text.h"

namespace lockkeeper::stores::sql {

using base::ErrorCode;
using base::failure;

namespace {
constexpr int kNowColumn = 4; ///< of the statement [row]

RawTime rawTimeOf(const QSqlQuery &row, int raw, int odd)
{
    const QVariant value = row.value(raw);
    if (!value.isNull())
        return {value.toLongLong(), {}};
    const QVariant text = odd < 0 ? QVariant() : row.value(odd);
    return {std::nullopt, text.isNull() ? QByteArray() : text.toByteArray()};
}

/** A value that SQL may not take for NULL, whatever its length. */
QVariant bytesValue(const QByteArray &bytes)
{
    return bytes.isNull() ? QByteArrayLiteral("") : bytes;
}

base::Error withRemedy(base::Error error, const QString &grant)
{
    if (error.code == ErrorCode::PermissionDenied)
        error.remedy = QStringLiteral("Run: %1;").arg(grant);
    return error;
}
} // namespace

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

/** Reads the columns of the statement [row]. */
LockRow LockTable::lockRowOf(const QSqlQuery &row) const
{
    LockRow lock;
    lock.name = row.value(0).toByteArray();
    lock.expiresAt = rawTimeOf(row, 1, m_oddExpiry);
    lock.acquiredAt = rawTimeOf(row, 2, m_oddAcquisition);
    if (const QVariant holder = row.value(3); !holder.isNull()) {
        lock.holder = holder.toByteArray();
        if (lock.holder.isNull())
            lock.holder = QByteArrayLiteral(""); // empty isn't NULL
    }
    return lock;
}

LockTable::LockTable(Connection &connection, Table table, const QTimeZone &zone, Statements statements,
                     quint16 set)
    : m_connection(connection),
      m_table(std::move(table)),
      m_reader(m_table, zone),
      m_statements(std::move(statements)),
      m_set(set)
{
}

base::Result<std::unique_ptr<LockTable>> LockTable::open(Connection &connection, const SourceSpec &spec,
                                                         quint16 set, const ServerFacts &facts,
                                                         const QSet<QByteArray> &withoutTerms)
{
    const LockSet &lockSet = spec.locks.at(set);
    const auto preset =
        presetOf(lockSet.scheme).and_then([&](TablePreset p) { return mapped(std::move(p), lockSet.table); });
    if (!preset)
        return tl::unexpected(preset.error());
    const auto text = statementText(*preset);
    if (!text)
        return tl::unexpected(text.error());
    const auto catalogue = readCatalogue(connection, preset->tables, facts.account);
    if (!catalogue)
        return tl::unexpected(catalogue.error());
    auto table = resolve(*preset, lockSet.table, *catalogue);
    if (!table)
        return tl::unexpected(table.error());
    auto statements = Statements::build(*text, *table, withoutTerms);
    if (!statements)
        return tl::unexpected(statements.error());
    const QTimeZone zone(spec.timeZone);
    std::unique_ptr<LockTable> made(new LockTable(connection, *table, zone, *std::move(statements), set));
    int column = kNowColumn;
    if (table->column("expires_at").kind == ColumnKind::DateTime)
        made->m_oddExpiry = ++column;
    if (table->column("acquired_at").kind == ColumnKind::DateTime)
        made->m_oddAcquisition = ++column;
    made->m_match = lockSet.match;
    made->m_likePrefix = likePrefix(lockSet.match);
    made->m_observeGrant = grantStatement(table->database, table->name, {}, facts.account);
    made->m_breakGrant = grantStatement(table->database, table->name, table->written, facts.account);
    if (const auto readable = made->statement("one"); !readable)
        return tl::unexpected(withRemedy(readable.error(), made->m_observeGrant));
    return made;
}

base::Result<Prepared *> LockTable::statement(const QByteArray &name)
{
    if (const auto it = m_prepared.constFind(name); it != m_prepared.constEnd())
        return it->get();
    auto prepared = m_connection.prepare(m_statements.statement(name));
    if (!prepared)
        return tl::unexpected(prepared.error());
    return m_prepared.insert(name, std::shared_ptr<Prepared>(std::move(*prepared)))->get();
}

base::Result<qint64> LockTable::storeTimeUs()
{
    const auto statement = this->statement("store_time");
    if (!statement)
        return tl::unexpected(statement.error());
    if (const auto failed = (*statement)->run({}))
        return tl::unexpected(failed->error);
    QSqlQuery &rows = (*statement)->rows();
    const qint64 now = rows.next() ? rows.value(0).toLongLong() : 0;
    (*statement)->finish();
    return now;
}

void LockTable::rewind()
{
    m_range = {};
    m_lastName = {};
}

base::Result<void> LockTable::beginRange(int limit)
{
    const QByteArray name = QByteArray(m_lastName.isNull() ? "first_page" : "next_page") +
                            (m_likePrefix.isEmpty() ? "" : "_like");
    const auto statement = this->statement(name);
    if (!statement)
        return tl::unexpected(withRemedy(statement.error(), m_observeGrant));
    const Values values{{"after", bytesValue(m_lastName)}, {"prefix", m_likePrefix}, {"limit", limit}};
    if (const auto failed = (*statement)->run(values))
        return tl::unexpected(withRemedy(failed->error, m_observeGrant));
    const auto ended = storeTimeUs();
    if (!ended)
        return tl::unexpected(ended.error());
    m_range = {*statement, limit, 0, 0, *ended};
    return {};
}

TablePage LockTable::page(int most, QList<Observation> spare)
{
    const bool matchesAll = m_match == "*";
    QSqlQuery &rows = m_range.statement->rows();
    TablePage page;
    page.locks = std::move(spare);
    page.locks.resize(most);
    qsizetype kept = 0;
    bool more = true;
    while (page.scanned < most && (more = rows.next())) {
        ++page.scanned;
        if (m_range.beganUs == 0)
            m_range.beganUs = rows.value(kNowColumn).toLongLong();
        LockRow row = lockRowOf(rows);
        m_lastName = row.name;
        if (matchesAll || base::globMatches(m_match, row.name))
            m_reader.observe(page.locks[kept++], m_set, std::move(row), m_range.beganUs);
    }
    page.locks.resize(kept);
    m_range.scanned += page.scanned;
    page.endedUs = m_range.endedUs;
    page.beganUs = m_range.beganUs == 0 ? m_range.endedUs : m_range.beganUs;
    page.tableEnds = !more && m_range.scanned < m_range.limit;
    page.rangeEnds = !more || m_range.scanned == m_range.limit;
    if (page.rangeEnds)
        m_range.statement->finish();
    // An empty name is a name; null would begin the table again.
    if (m_lastName.isNull() && m_range.scanned > 0)
        m_lastName = QByteArrayLiteral("");
    return page;
}

base::Result<RowReading> LockTable::one(const QByteArray &name)
{
    const auto statement = this->statement("one");
    if (!statement)
        return tl::unexpected(withRemedy(statement.error(), m_observeGrant));
    if (const auto failed = (*statement)->run({{"name", bytesValue(name)}}))
        return tl::unexpected(withRemedy(failed->error, m_observeGrant));
    QSqlQuery &rows = (*statement)->rows();
    RowReading reading;
    if (rows.next()) {
        reading.row = lockRowOf(rows);
        reading.nowUs = rows.value(kNowColumn).toLongLong();
        (*statement)->finish();
        return reading;
    }
    (*statement)->finish();
    const auto now = storeTimeUs();
    if (!now)
        return tl::unexpected(now.error());
    reading.nowUs = *now;
    return reading;
}

Observation LockTable::observation(const QByteArray &name, const RowReading &reading) const
{
    if (reading.row)
        return m_reader.observation(m_set, *reading.row, reading.nowUs);
    Observation absent;
    absent.set = m_set;
    absent.present = false;
    absent.name = name;
    return absent;
}

} // namespace lockkeeper::stores::sql
