// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/sql/mapped_client.h"

#include "shared/base/clock.h"
#include "shared/base/random_id.h"
#include "shared/locks/sql/create_table.h"
#include "shared/stores/sql/connection/identifiers.h"
#include "shared/stores/sql/tables/client_sql.h"
#include "shared/stores/sql/tables/row_identity.h"

#include <QUtf8StringView>

#include <algorithm>
#include <zlib.h>

namespace lockkeeper::locks::sql {

using namespace stores::sql;
using namespace stores;
using base::ErrorCode;
using base::failure;

namespace {
constexpr qint64 kNeverUs = -100LL * 366 * 86'400'000'000; ///< no lease is that long
constexpr char kOr = '|';                                  ///< between the times of a proof

/** `error`, with a remedy: it isn't known who owns the row. */
base::Error undecided(base::Error error)
{
    error.remedy = QStringLiteral(
        "It is unknown whether the lock was acquired: times in whole seconds don't distinguish its row from "
        "another one. Check the row, and add an id or a holder column.");
    return error;
}

/** The precision of a time column, in microseconds. */
qint64 stepUs(const Column &column)
{
    if (column.kind == ColumnKind::Epoch)
        return column.unitUs;
    qint64 step = 1;
    for (int digits = column.precision; digits < 6; ++digits)
        step *= 10;
    return step;
}

/** Fails if a column wouldn't keep a text exactly. Without strict mode MySQL would cut it, or write '?'. */
base::Result<void> fits(const QByteArray &text, const Column &column, Dialect dialect)
{
    const bool isText = column.kind == ColumnKind::Text;
    const qsizetype length = isText ? QString::fromUtf8(text).toUcs4().size() : text.size();
    if (dialect != Dialect::Sqlite && (isText || column.kind == ColumnKind::Bytes) && column.length > 0 &&
        length > column.length)
        return failure(ErrorCode::TooLarge,
                       QStringLiteral("the column \"%1\" keeps %2 characters, and this text has %3")
                           .arg(column.name)
                           .arg(column.length)
                           .arg(length));
    const auto above = [&text](uchar first) {
        return std::any_of(text.begin(), text.end(), [first](char byte) { return uchar(byte) >= first; });
    };
    const bool whole = column.charset.isEmpty() || column.charset == "utf8mb4";
    if (isText && !whole && above(column.charset.startsWith("utf8") ? 0xf0 : 0x80))
        return failure(
            ErrorCode::Usage,
            QStringLiteral("the column \"%1\" of the character set %2 doesn't keep this text exactly")
                .arg(column.name, QString::fromLatin1(column.charset)));
    const bool padded = column.typeText.startsWith(QLatin1String("char"), Qt::CaseInsensitive) &&
                        !column.typeText.contains(QLatin1String("varying"), Qt::CaseInsensitive);
    if (dialect != Dialect::Sqlite && padded && text.endsWith(' '))
        return failure(ErrorCode::Usage,
                       QStringLiteral("the column \"%1\" doesn't keep spaces at the end").arg(column.name));
    return {};
}

/** If the table is missing, adds the statement that creates it to the error. */
base::Error withCreation(base::Error error, const SetContext &context)
{
    const auto layout = layoutOf(context.lockSet());
    const auto statement = createTableStatement(context.lockSet(), context.connection.dialect());
    if (!layout || !statement)
        return error;
    const auto catalogue = readCatalogue(context.connection, *layout, context.facts.account);
    if (!catalogue || !catalogue->found.isEmpty())
        return error;
    error.remedy += (error.remedy.isEmpty() ? QString() : QStringLiteral(" ")) +
                    QStringLiteral("This creates it: %1;").arg(*statement);
    return error;
}
} // namespace

base::Result<bool> isReadOnly(SqlConnection &connection)
{
    if (connection.dialect() == Dialect::Sqlite)
        return false;
    const bool postgres = connection.dialect() == Dialect::PostgreSql; // a standby has this setting as well
    return oneText(connection,
                   postgres ? QStringLiteral(
                                  "SELECT CASE current_setting('transaction_read_only') WHEN 'on' THEN 1 END")
                            : QStringLiteral("SELECT @@GLOBAL.read_only OR @@GLOBAL.innodb_read_only"))
        .map([](const QString &yes) { return yes == QLatin1String("1"); });
}

QByteArray holderText(const QByteArray &owner, qsizetype length)
{
    const QByteArray random = base::randomId();
    qsizetype kept = std::min(owner.size(), length - random.size() - 1);
    if (kept <= 0)
        return random;
    while (kept > 0 && kept < owner.size() && (uchar(owner.at(kept)) & 0xc0) == 0x80)
        --kept; // don't cut a character in half
    return owner.first(kept) + ':' + random;
}

QByteArray slotDigits(const QByteArray &name)
{
    const auto sum = crc32_z(0, reinterpret_cast<const Bytef *>(name.constData()), size_t(name.size()));
    return QByteArray::number(quint32(sum) % 100).rightJustified(2, '0');
}

MappedClient::MappedClient(const SetContext &context, std::unique_ptr<MappedTable> table)
    : m_connection(context.connection),
      m_table(std::move(table)),
      m_leaseUs(context.lockSet().table.leaseUs),
      m_atLeastUs(context.lockSet().atLeastUs)
{
    const ResolvedTable &own = m_table->table();
    const bool takesSlots = own.names.size() == 1 && own.names.first().kind != ColumnKind::Epoch;
    if (m_table->rules().protocol() == Protocol::Reentrant && takesSlots)
        m_slots = "center_lock_";
    m_asksTime = provesByTime(own) && own.has("acquired_at");
    m_isCoarse = m_asksTime && !own.column("acquired_at").isFine();
    for (const QByteArray &key : columnKeys()) {
        if (isTimeKey(key) && own.has(key))
            m_asksTime = m_asksTime || !m_table->rules().time(key).writesUtc();
    }
}

base::Result<std::unique_ptr<MappedClient>> MappedClient::open(const SetContext &context)
{
    auto table = MappedTable::open(context);
    if (!table)
        return tl::unexpected(withCreation(table.error(), context));
    // The application itself counts a generation, or readers.
    if ((*table)->table().writes.contains("version") || !(*table)->table().freeValue.isEmpty())
        return failure(ErrorCode::Unsupported,
                       QStringLiteral("only its own application can acquire the locks of \"%1\"")
                           .arg((*table)->table().name));
    const bool proves = !provesByTime((*table)->table()) || (*table)->table().has("acquired_at");
    if (!proves && (*table)->rules().protocol() != Protocol::Version)
        return failure(
            ErrorCode::Unsupported,
            QStringLiteral(
                "the rows of \"%1\" have no identity: a lock acquired there could not be released safely")
                .arg((*table)->table().name),
            QStringLiteral("Add an id or a holder column."));
    std::unique_ptr<MappedClient> client(new MappedClient(context, *std::move(table)));
    if (const auto found = client->findFence(); !found)
        return tl::unexpected(found.error());
    const ResolvedTable &own = client->m_table->table();
    if (client->m_atLeastUs > 0 && (client->m_table->rules().protocol() != Protocol::ShedLock ||
                                    own.column("acquired_at").kind != own.column("expires_at").kind))
        return failure(ErrorCode::Unsupported,
                       QStringLiteral("\"%1\" can't keep a lock for a least time").arg(own.name));
    return client;
}

base::Result<void> MappedClient::findFence()
{
    const ResolvedTable &table = m_table->table();
    const Protocol protocol = m_table->rules().protocol();
    m_countsVersions = protocol != Protocol::Version && countsAcquisitions(table);
    if (protocol != Protocol::Insert || !table.has("id") || !table.deletes)
        return {};
    base::Result<bool> counts = false;
    if (table.dialect == Dialect::Sqlite) { // without AUTOINCREMENT an id may be used again
        counts = oneText(m_connection, QStringLiteral("SELECT sql FROM sqlite_master WHERE name = ?"),
                         {table.name})
                     .map([](const QString &sql) {
                         return sql.contains(QLatin1String("AUTOINCREMENT"), Qt::CaseInsensitive);
                     });
    } else if (table.dialect == Dialect::PostgreSql) { // ids that sessions cache are used out of order
        counts = oneText(m_connection,
                         QStringLiteral("SELECT CASE WHEN seqcache = 1 AND NOT seqcycle AND seqincrement > 0 "
                                        "AND has_sequence_privilege(seqrelid, 'USAGE') THEN 1 END "
                                        "FROM pg_catalog.pg_sequence WHERE seqrelid = "
                                        "CAST(pg_catalog.pg_get_serial_sequence(?, ?) AS regclass)"),
                         {quotedIdentifier(table.schema, table.dialect) + QLatin1Char('.') +
                              quotedIdentifier(table.name, table.dialect),
                          table.column("id").name})
                     .map([](const QString &yes) { return yes == QLatin1String("1"); });
    }
    if (!counts)
        return tl::unexpected(counts.error());
    m_countsIds = *counts;
    return {};
}

base::Result<void> MappedClient::check(const Lease &lease) const
{
    const ResolvedTable &table = m_table->table();
    if (lease.name.isEmpty() || lease.name.contains('\0') || !QUtf8StringView(lease.name).isValidUtf8())
        return failure(ErrorCode::Usage, QStringLiteral("the name of a lock in a table is UTF-8 text"));
    if (lease.ttlUs <= 0)
        return failure(ErrorCode::Usage, QStringLiteral("a lease must be longer than zero"));
    if (grantedUs(lease.ttlUs) <= 0 || (m_isCoarse && !table.deletes && lease.ttlUs < base::kSecondUs))
        return failure(ErrorCode::Usage, QStringLiteral("a TTL of %1 ms is finer than the times of \"%2\"")
                                             .arg(lease.ttlUs / 1'000)
                                             .arg(table.name));
    const auto parts = splitName(lease.name, table.names.size());
    for (qsizetype i = 0; i < table.names.size() && parts && i < parts->size(); ++i) {
        if (parts->at(i).isNull())
            return failure(
                ErrorCode::Usage,
                QStringLiteral("no key of the table keeps two locks with NULL in their name apart"),
                QStringLiteral("Write \\NULL for the text NULL."));
        if (const auto kept = fits(parts->at(i), table.names.at(i), table.dialect); !kept)
            return kept;
    }
    for (const char *key : {"holder", "request"}) {
        if (!table.has(key) || lease.token.isEmpty())
            continue;
        if (const auto kept = fits(lease.token, table.column(key), table.dialect); !kept)
            return kept;
    }
    return {};
}

qint64 MappedClient::grantedUs(qint64 ttlUs) const
{
    const ResolvedTable &table = m_table->table();
    const char *base = table.has("renewed_at") ? "renewed_at" : "acquired_at";
    if (table.deletes || table.has("expires_at") || !table.has(base) || (table.has("status") && !m_leaseUs))
        return ttlUs;
    return std::min(ttlUs, m_leaseUs.value_or(ttlUs)) - stepUs(table.column(base));
}

base::Result<qint64> MappedClient::run(const QByteArray &name, const Values &values)
{
    const auto statement = m_table->statement(name);
    if (!statement)
        return tl::unexpected(statement.error());
    if (const auto failed = (*statement)->run(values)) {
        m_unsure = m_unsure || !failed->refused;
        return tl::unexpected(failed->error);
    }
    QSqlQuery &rows = (*statement)->rows();
    const qint64 count = rows.isSelect() ? (rows.next() ? 1 : 0) : rows.numRowsAffected();
    (*statement)->finish();
    return count;
}

QByteArray MappedClient::newToken(const QByteArray &owner) const
{
    const ResolvedTable &table = m_table->table();
    const Column column = table.column(table.has("request") ? "request" : "holder");
    return holderText(owner, column.length > 0 ? column.length : 255);
}

std::pair<QByteArray, QByteArray> MappedClient::timeTexts(qint64 nowUs) const
{
    const Column column = m_table->table().column("acquired_at");
    const TimeColumn &time = m_table->rules().time("acquired_at");
    if (column.kind == ColumnKind::Epoch) {
        const QByteArray number = QByteArray::number(nowUs / column.unitUs);
        return {number, number};
    }
    qint64 wallUs = nowUs + time.writeOffsetUs(nowUs);
    for (int digits = column.precision, unit = 1; digits < 6; ++digits)
        wallUs -= wallUs % (unit *= 10);
    Column asText = column;
    asText.kind = ColumnKind::DateTime;
    const QByteArray written = TimeColumn(asText, QTimeZone::utc()).text({wallUs, {}});
    const bool countsItself = m_table->table().dialect == Dialect::PostgreSql;
    return {written, countsItself ? QByteArray::number(wallUs) : written};
}

base::Result<Values> MappedClient::values(const Lease &lease)
{
    auto values = m_table->fixedValues(lease.name);
    if (!values)
        return values;
    const auto now = m_asksTime ? m_table->storeTimeUs() : base::Result<qint64>(0);
    if (!now)
        return tl::unexpected(now.error());
    const ResolvedTable &table = m_table->table();
    // A held flag that is never cleared may stay for ever: only a configured lease ends it.
    const qint64 leaseUs = m_leaseUs ? -*m_leaseUs : table.has("status") ? kNeverUs : -lease.ttlUs;
    const qint64 unitUs = std::max<qint64>(table.column("timeout").unitUs, 1);
    values->insert("token", lease.token);
    values->insert("nobody", QByteArrayLiteral(""));
    const auto stepOf = [&table](const char *key) {
        return table.has(key) ? stepUs(table.column(key)) : qint64(1);
    };
    const qint64 fromUs = std::max(stepOf("renewed_at"), stepOf("acquired_at")) - 1;
    values->insert("ttl_us", lease.ttlUs + stepOf("expires_at") - 1);
    values->insert("least_us", m_atLeastUs + stepOf("acquired_at") - 1);
    values->insert("lease_us", leaseUs);
    values->insert("timeout", QByteArray::number((lease.ttlUs + fromUs + unitUs - 1) / unitUs));
    values->insert("own_id", lease.proof);
    values->insert("own_time", lease.proof);
    for (const QByteArray &key : columnKeys()) {
        if (isTimeKey(key) && table.has(key))
            values->insert("offset_us", m_table->rules().time(key).writeOffsetUs(*now));
    }
    if (provesByTime(table) && table.has("acquired_at")) {
        const auto [written, guarded] = timeTexts(*now);
        values->insert("new_time", QString::fromLatin1(written));
        values->insert("new_proof", guarded);
    }
    return values;
}

void MappedClient::noteTime(Lease &lease, const Values &values) const
{
    if (provesByTime(m_table->table()))
        lease.proof = values.value("new_proof").toByteArray();
}

base::Result<Attempt> MappedClient::insert(Lease &lease, const Values &values)
{
    const auto statement = m_table->statement(m_countsIds ? "client_insert_fenced" : "client_insert");
    if (!statement)
        return tl::unexpected(statement.error());
    noteTime(lease, values);
    const auto failed = (*statement)->run(values);
    if (failed && failed->duplicate)
        return Attempt::Held;
    if (failed) {
        m_unsure = m_unsure || !failed->refused;
        return tl::unexpected(failed->error);
    }
    QSqlQuery &rows = (*statement)->rows();
    if (m_table->table().has("id") && m_table->table().deletes) {
        const bool returned = rows.next();
        lease.proof = returned ? rows.value(0).toByteArray() : rows.lastInsertId().toByteArray();
        if (m_countsIds)
            lease.fencing = returned ? rows.value(1).toByteArray() : lease.proof;
    }
    (*statement)->finish();
    return m_countsVersions ? readFence(lease, values) : base::Result<Attempt>(Attempt::Done);
}

base::Result<Attempt> MappedClient::insertBehindSlot(Lease &lease, const Values &values)
{
    const bool mySql = m_table->table().dialect == Dialect::MySql;
    const QString begin = mySql ? QStringLiteral("START TRANSACTION") : QStringLiteral("BEGIN");
    if (const auto begun = m_connection.query(begin); !begun)
        return tl::unexpected(begun.error());
    auto slot = m_table->fixedValues(m_slots + slotDigits(lease.name));
    const auto waited = run("client_slot", *slot);
    const auto attempt =
        waited ? insert(lease, values) : base::Result<Attempt>(tl::unexpected(waited.error()));
    const bool keep = attempt && *attempt == Attempt::Done;
    const auto ended = m_connection.query(keep ? QStringLiteral("COMMIT") : QStringLiteral("ROLLBACK"));
    if (keep && !ended) {
        m_unsure = true;
        return tl::unexpected(ended.error());
    }
    return attempt;
}

base::Result<Attempt> MappedClient::readVersion(Lease &lease, const Values &values)
{
    const auto statement = m_table->statement("client_version");
    if (!statement)
        return tl::unexpected(statement.error());
    if (const auto failed = (*statement)->run(values))
        return tl::unexpected(failed->error);
    QSqlQuery &rows = (*statement)->rows();
    const bool found = rows.next();
    if (found)
        lease.proof = rows.value(0).toByteArray();
    (*statement)->finish();
    if (!found)
        return failure(ErrorCode::NotFound, QStringLiteral("there is no such row"),
                       QStringLiteral("Insert it with its first version."));
    return Attempt::Done;
}

base::Result<Attempt> MappedClient::acquire(Lease &lease, const QByteArray &owner)
{
    m_unsure = false;
    const auto checked = check(lease);
    const auto attempt =
        checked ? tryToTake(lease, owner) : base::Result<Attempt>(tl::unexpected(checked.error()));
    if (!attempt && (!m_unsure || m_isCoarse))
        lease.token.clear(); // nothing was acquired, or the owner isn't known
    else if (attempt)
        lease.ttlUs = grantedUs(lease.ttlUs);
    if (!attempt && m_unsure && m_isCoarse)
        return tl::unexpected(undecided(attempt.error()));
    return attempt;
}

base::Result<Attempt> MappedClient::tryToTake(Lease &lease, const QByteArray &owner)
{
    const bool chosen = !lease.token.isEmpty();
    if (!chosen)
        lease.token = newToken(owner);
    const auto values = this->values(lease);
    if (!values)
        return tl::unexpected(values.error());
    const Protocol protocol = m_table->rules().protocol();
    if (protocol == Protocol::Version)
        return readVersion(lease, *values);
    if (protocol == Protocol::Insert)
        return insert(lease, *values);
    if (protocol == Protocol::Reentrant && chosen) {
        const auto entered = run("client_enter", *values);
        m_unsure = false; // don't release an entry that may not exist: that could release the hold itself
        if (!entered)
            return tl::unexpected(entered.error());
        if (*entered == 1)
            return Attempt::Done;
    }
    return take(lease, *values);
}

base::Result<Attempt> MappedClient::take(Lease &lease, const Values &values)
{
    noteTime(lease, values);
    const auto taken = run("client_take", values);
    if (!taken)
        return tl::unexpected(taken.error());
    if (*taken == 1)
        return m_countsVersions ? readFence(lease, values) : base::Result<Attempt>(Attempt::Done);
    const auto exists = run("client_exists", values);
    if (!exists)
        return tl::unexpected(exists.error());
    if (*exists == 1)
        return Attempt::Held;
    if (m_table->table().names.isEmpty())
        return failure(ErrorCode::NotFound, QStringLiteral("the table has no row"));
    return m_slots.isEmpty() ? insert(lease, values) : insertBehindSlot(lease, values);
}

base::Result<Attempt> MappedClient::readFence(Lease &lease, const Values &values)
{
    m_unsure = true; // until the version is read
    const auto statement = m_table->statement("client_fence");
    if (!statement)
        return tl::unexpected(statement.error());
    auto own = values;
    own.insert("own_time", lease.proof);
    if (const auto failed = (*statement)->run(own))
        return tl::unexpected(failed->error);
    QSqlQuery &rows = (*statement)->rows();
    const bool found = rows.next();
    if (found)
        lease.fencing = rows.value(0).toByteArray();
    (*statement)->finish();
    return found ? Attempt::Done : Attempt::Held; // broken already
}

base::Result<void> MappedClient::checkWritable()
{
    const auto readOnly = isReadOnly(m_connection);
    if (!readOnly)
        return tl::unexpected(readOnly.error());
    if (*readOnly)
        return failure(ErrorCode::ReadOnly,
                       QStringLiteral("the server is read-only: another server may have the locks now"));
    return {};
}

base::Result<Attempt> MappedClient::renew(Lease &lease)
{
    auto values = this->values(lease);
    if (!values)
        return tl::unexpected(values.error());
    if (m_table->rules().protocol() == Protocol::Version)
        return failure(ErrorCode::Unsupported, QStringLiteral("an optimistic lock has no lease to renew"));
    lease.ttlUs = grantedUs(lease.ttlUs);
    const QByteArrayList keys = renewedKeys(m_table->table());
    const bool movesProof = keys.contains("acquired_at") && provesByTime(m_table->table());
    const QByteArrayList proofs = lease.proof.split(kOr);
    for (qsizetype i = 0; i < proofs.size(); ++i) {
        values->insert("own_time", proofs.at(i));
        m_unsure = false;
        const auto renewed =
            keys.isEmpty() ? checkWritable().map([] { return qint64(0); }) : run("client_renew", *values);
        if (!renewed && m_unsure && movesProof && !m_isCoarse)
            lease.proof = (proofs.mid(i) << values->value("new_proof").toByteArray()).join(kOr);
        if (!renewed)
            return tl::unexpected(renewed.error());
        if (*renewed == 1) {
            if (movesProof)
                noteTime(lease, *values);
            return Attempt::Done;
        }
        // A second renewal within the column's precision changes no row, although the lease may be ours.
        const auto held = run("client_still_held", *values);
        if (!held)
            return tl::unexpected(held.error());
        if (*held == 1) {
            lease.proof = proofs.at(i);
            return Attempt::Done;
        }
    }
    return Attempt::Lost;
}

base::Result<Attempt> MappedClient::release(Lease &lease)
{
    auto values = this->values(lease);
    if (!values)
        return tl::unexpected(values.error());
    values->insert("version", lease.proof);
    m_unsure = false;
    const Protocol protocol = m_table->rules().protocol();
    const bool isVersion = protocol == Protocol::Version;
    if (protocol == Protocol::Reentrant) {
        const auto left = run("client_leave", *values);
        if (!left || *left == 1)
            return left ? base::Result<Attempt>(Attempt::Done) : tl::unexpected(left.error());
    }
    const QByteArrayList proofs = lease.proof.split(kOr);
    base::Result<qint64> rows = 0;
    for (qsizetype i = 0; i < proofs.size() && rows && *rows == 0; ++i) {
        values->insert("own_time", proofs.at(i));
        rows = run(isVersion         ? "client_increment"
                   : m_atLeastUs > 0 ? "client_release_later"
                                     : "client_release",
                   *values);
    }
    if (!rows && m_unsure && m_isCoarse && values->value("new_proof").toByteArray() == lease.proof) {
        base::Error error = undecided(rows.error());
        error.code = ErrorCode::Unknown; // this code isn't retried
        return tl::unexpected(error);
    }
    if (!rows)
        return tl::unexpected(rows.error());
    if (isVersion && *rows == 1)
        lease.fencing = QByteArray::number(lease.proof.toULongLong() + 1);
    return *rows == 1 ? Attempt::Done : Attempt::Lost;
}

} // namespace lockkeeper::locks::sql
