// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/sessions/postgres_source.h"

#include "shared/stores/sql/connection/advisory_keys.h"
#include "shared/stores/sql/connection/postgres_driver.h"
#include "shared/stores/sql/connection/sql_errors.h"
#include "shared/stores/sql/sessions/process_list.h"
#include "shared/stores/sql/tables/row_identity.h"

#include <algorithm>

namespace lockkeeper::stores::sql {

using domain::ReleaseOff;

namespace {
constexpr int kMostEntries = 20'000;
constexpr qsizetype kMostNamesAScan = 200; ///< of a table

QByteArray textList(const QSet<QByteArray> &tables)
{
    QByteArrayList list;
    for (const QByteArray &table : tables)
        list.append(postgresLiteral(table.mid(table.indexOf('.') + 1)));
    return list.isEmpty() ? QByteArrayLiteral("NULL") : list.join(", ");
}

QByteArray backendId(const QByteArray &pid, const QByteArray &transaction)
{
    return pid.isEmpty() ? "xa:" + transaction : pid;
}
} // namespace

/** The relevant part of pg_locks. */
struct PostgresSource::Entries
{
    struct PgLockEntry
    {
        QByteArray pid; ///< empty: a prepared transaction
        QByteArray type;
        bool shared = false;
        bool granted = false;
        qint64 waitUs = 0;
        QByteArray table;       ///< "app.jobs"; empty: of another database, or not asked for
        QByteArray tuple;       ///< "(0,1)"
        QByteArray transaction; ///< of type transactionid
        QByteArray key;         ///< of type advisory
    };
    QList<PgLockEntry> all;
};

PostgresSource::PostgresSource(SqlConnection &connection, const ServerFacts &facts)
    : m_connection(connection), m_facts(facts)
{
}

base::Result<SessionRights> PostgresSource::check(const SessionWants &wants)
{
    auto rows = m_connection.query(QStringLiteral(
        "SELECT pg_backend_pid()::text, r.rolsuper OR pg_has_role(current_user, 'pg_read_all_stats', "
        "'USAGE'), "
        "r.rolsuper OR pg_has_role(current_user, 'pg_signal_backend', 'USAGE'), quote_ident(current_user), "
        "current_setting('track_activities') = 'on', current_setting('server_version_num')::int >= 140000 "
        "FROM pg_roles r WHERE r.rolname = current_user"));
    if (!rows)
        return tl::unexpected(rows.error());
    SessionRights rights;
    if (!rows->next())
        return rights;
    if (!m_connection.isPooled()) // behind a pooler, the session may belong to another client
        m_own = rows->value(0).toByteArray();
    const bool sees = rows->value(1).toBool();
    const bool kills = rows->value(2).toBool();
    const bool tracked = rows->value(4).toBool();
    m_hasWaitStart = rows->value(5).toBool();
    const QString account = rows->value(3).toString();
    for (const auto &[scheme, wanted] : {std::pair(QByteArrayLiteral("sql.row"), wants.rows),
                                         std::pair(QByteArrayLiteral("sql.advisory"), wants.advisory)}) {
        if (!wanted)
            continue;
        rights.access.append(
            {"observe:" + scheme, sees, false,
             sees ? QString() : QStringLiteral("GRANT pg_read_all_stats TO %1;").arg(account)});
        rights.access.append(
            {"break:" + scheme, kills, true,
             kills ? QString() : QStringLiteral("GRANT pg_signal_backend TO %1;").arg(account)});
        rights.access.append({"instrument:" + scheme, tracked, true,
                              tracked ? QString()
                                      : QStringLiteral("ALTER SYSTEM SET track_activities = on; "
                                                       "SELECT pg_reload_conf();")});
    }
    if (!wants.rows)
        return rights;
    const auto closed = readPrimaryKeys(wants);
    if (!closed)
        return tl::unexpected(closed.error());
    rights.warning = {base::ErrorCode::Unsupported,
                      QStringLiteral("PostgreSQL shows a row lock only while a session waits for it"),
                      {}};
    if (closed->isEmpty())
        return rights;
    rights.warning.cause += QStringLiteral("; rows of a table that this account may not read are named by "
                                           "their place in it (ctid) instead of their primary key");
    for (const QString &table : *closed)
        rights.warning.remedy +=
            QStringLiteral("%1GRANT SELECT ON %2 TO %3;")
                .arg(rights.warning.remedy.isEmpty() ? QStringLiteral("Run: ") : QStringLiteral(" "), table,
                     account);
    return rights;
}

base::Result<QStringList> PostgresSource::readPrimaryKeys(const SessionWants &wants)
{
    m_keys.clear();
    m_names.clear();
    auto rows = m_connection.query(
        QStringLiteral(
            "SELECT current_database() || '.' || c.relname, i.relname, c.oid::regclass::text, "
            "(SELECT string_agg('CAST(' || quote_ident(a.attname) || ' AS text)', ', ' ORDER BY k.place) "
            "FROM unnest(x.indkey::int2[]) WITH ORDINALITY k(number, place) "
            "JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.number), x.indnkeyatts, "
            "has_table_privilege(c.oid, 'SELECT'), quote_ident(n.nspname) || '.' || quote_ident(c.relname) "
            "FROM pg_index x JOIN pg_class c ON c.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid "
            "JOIN pg_namespace n ON n.oid = c.relnamespace "
            "WHERE x.indisprimary AND c.relname IN (%1) AND pg_table_is_visible(c.oid)")
            .arg(QString::fromUtf8(textList(wants.tables))));
    if (!rows)
        return tl::unexpected(rows.error());
    QStringList closed;
    while (rows->next()) {
        if (rows->value(5).toBool())
            m_keys.insert(rows->value(0).toByteArray(),
                          {rows->value(1).toByteArray(), rows->value(2).toString(), rows->value(3).toString(),
                           rows->value(4).toInt()});
        else
            closed.append(rows->value(6).toString());
    }
    return closed;
}

base::Result<void> PostgresSource::nameRows(const Entries &entries)
{
    QHash<QByteArray, QByteArray> known;
    QHash<QByteArray, QByteArrayList> unknown; // by table
    for (const Entries::PgLockEntry &entry : entries.all) {
        if (entry.type != "tuple" || !m_keys.contains(entry.table))
            continue;
        const QByteArray row = entry.table + entry.tuple;
        if (const auto it = m_names.constFind(row); it != m_names.constEnd())
            known.insert(row, *it);
        else if (QByteArrayList &tuples = unknown[entry.table];
                 tuples.size() < kMostNamesAScan && !tuples.contains(entry.tuple))
            tuples.append(entry.tuple);
    }
    m_names = known;
    for (auto it = unknown.cbegin(); it != unknown.cend(); ++it) {
        if (const auto read = readNames(it.key(), *it); !read)
            return read;
    }
    return {};
}

base::Result<void> PostgresSource::readNames(const QByteArray &table, const QByteArrayList &tuples)
{
    const PrimaryKey key = m_keys.value(table);
    // Read only while a session still waits there: nothing else keeps the place for this row.
    auto rows = m_connection.query(
        QStringLiteral(
            "SELECT ctid::text, %1 FROM %2 WHERE ctid = ANY(ARRAY['%3']::tid[]) AND ctid::text IN "
            "(SELECT '(' || page || ',' || tuple || ')' FROM pg_locks WHERE locktype = 'tuple' AND "
            "relation = %4::regclass)")
            .arg(key.columns, key.table, QString::fromLatin1(tuples.join("','")),
                 QString::fromUtf8(postgresLiteral(key.table.toUtf8()))));
    if (!rows) // the table may have changed since: then places name its rows
        return isLinkLost(rows.error().code) ? base::Result<void>(tl::unexpected(rows.error()))
                                             : base::Result<void>();
    while (rows->next()) {
        QByteArrayList parts;
        for (int i = 1; i <= key.count; ++i)
            parts.append(rows->value(i).toByteArray());
        m_names.insert(table + rows->value(0).toByteArray(), joinedName(parts));
    }
    return {};
}

base::Result<PostgresSource::Entries> PostgresSource::readEntries(const SessionWants &wants)
{
    auto rows = m_connection.query(
        QStringLiteral(
            "WITH l AS MATERIALIZED (SELECT l.*, c.relname FROM pg_locks l LEFT JOIN pg_class c ON c.oid = "
            "l.relation "
            "AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()) "
            "AND c.relname IN (%1) AND pg_table_is_visible(c.oid) "
            "WHERE l.locktype IN ('transactionid', 'tuple', 'relation', 'advisory')) "
            "SELECT pid::text, locktype, mode LIKE '%Share%', granted, %2, current_database() || '.' || "
            "relname, "
            "'(' || page || ',' || tuple || ')', transactionid::text, "
            "CASE WHEN objsubid = 1 THEN ((classid::bigint << 32) | objid::bigint)::text "
            "ELSE (classid::bigint::bit(32)::int)::text || ',' || (objid::bigint::bit(32)::int)::text END "
            "FROM l WHERE (locktype = 'tuple' AND relname IS NOT NULL) "
            "OR (locktype = 'relation' AND relname IS NOT NULL AND granted) "
            "OR (locktype = 'transactionid' AND (NOT granted OR transactionid IN "
            "(SELECT w.transactionid FROM l w WHERE w.locktype = 'transactionid' AND NOT w.granted))) "
            "OR (locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = "
            "current_database())) "
            "ORDER BY 5, pid LIMIT %3")
            .arg(QString::fromUtf8(textList(wants.tables)),
                 m_hasWaitStart ? QStringLiteral("(EXTRACT(EPOCH FROM waitstart) * 1000000)::bigint")
                                : QStringLiteral("NULL::bigint"))
            .arg(kMostEntries));
    if (!rows)
        return tl::unexpected(rows.error());
    Entries entries;
    while (rows->next()) {
        Entries::PgLockEntry entry;
        entry.pid = rows->value(0).toByteArray();
        entry.type = rows->value(1).toByteArray();
        entry.shared = rows->value(2).toBool();
        entry.granted = rows->value(3).toBool();
        entry.waitUs = rows->value(4).toLongLong();
        entry.table = rows->value(5).toByteArray();
        entry.tuple = rows->value(6).toByteArray();
        entry.transaction = rows->value(7).toByteArray();
        entry.key = rows->value(8).toByteArray();
        entries.all.append(entry);
    }
    return entries;
}

void PostgresSource::addRowClaims(const SessionWants &wants, const Entries &entries, Picture &picture) const
{
    QHash<QByteArray, QByteArray> ownerOf; // session, by transaction
    QHash<QByteArray, std::pair<QByteArray, QByteArray>>
        rowOf;                             // table and place, by the first session in a row's queue
    QHash<QByteArray, QByteArray> tableOf; // a table that the session works on
    for (const Entries::PgLockEntry &entry : entries.all) {
        if (entry.type == "transactionid" && entry.granted)
            ownerOf.insert(entry.transaction, backendId(entry.pid, entry.transaction));
        else if (entry.type == "tuple" && entry.granted)
            rowOf.insert(entry.pid, {entry.table, entry.tuple});
        else if (entry.type == "relation")
            tableOf.insert(entry.pid, entry.table);
    }
    const auto rowName = [&](const QByteArray &table, const QByteArray &tuple) {
        const auto name = m_names.constFind(table + tuple);
        return name == m_names.constEnd() ? std::pair(table + "/ctid", tuple)
                                          : std::pair(table + '/' + m_keys.value(table).index, *name);
    };
    const auto add = [&](const QByteArray &place, const QByteArray &name, const Entries::PgLockEntry &waiter,
                         const QByteArray &holder) {
        Claim claim;
        claim.place = place;
        claim.name = name;
        if (!holder.isEmpty()) {
            claim.session = holder;
            picture.claims.append(claim);
        }
        claim.session = waiter.pid;
        claim.waiting = true;
        claim.mode = waiter.shared && waiter.type == "tuple" ? Shared : Exclusive;
        if (waiter.waitUs > 0)
            claim.sinceUs = waiter.waitUs;
        picture.claims.append(claim);
    };
    for (const Entries::PgLockEntry &entry : entries.all) {
        if (entry.granted || entry.pid.isEmpty())
            continue;
        if (entry.type == "tuple") {
            const auto [place, name] = rowName(entry.table, entry.tuple);
            add(place, name, entry, {});
        } else if (entry.type == "transactionid") {
            const QByteArray holder = ownerOf.value(entry.transaction);
            const auto row = rowOf.value(entry.pid);
            if (wants.tables.contains(row.first)) {
                const auto [place, name] = rowName(row.first, row.second);
                add(place, name, entry, holder);
            } else if (const QByteArray table = tableOf.value(entry.pid); !table.isEmpty()) {
                add(table + "/xid", entry.transaction, entry, holder);
            }
        }
    }
}

void PostgresSource::addAdvisoryClaims(const SessionWants &wants, const Entries &entries,
                                       Picture &picture) const
{
    for (const Entries::PgLockEntry &entry : entries.all) {
        if (entry.type != "advisory")
            continue;
        Claim claim;
        claim.advisory = true;
        claim.place = wants.advisoryPlace;
        claim.name = entry.key;
        claim.session = backendId(entry.pid, "advisory");
        claim.waiting = !entry.granted;
        claim.mode = entry.shared ? Shared : Exclusive;
        if (claim.waiting && entry.waitUs > 0)
            claim.sinceUs = entry.waitUs;
        picture.claims.append(claim);
    }
}

base::Result<void> PostgresSource::readSessions(Picture &picture)
{
    m_statementUs.clear();
    auto rows = m_connection.query(QStringLiteral(
        "SELECT pid::text, usename, COALESCE(host(client_addr) || ':' || client_port, 'local'), "
        "application_name, "
        "COALESCE(backend_xid::text, '0'), (EXTRACT(EPOCH FROM backend_start) * 1000000)::bigint, "
        "COALESCE((EXTRACT(EPOCH FROM xact_start) * 1000000)::bigint, 0), "
        "COALESCE((EXTRACT(EPOCH FROM state_change) * 1000000)::bigint, 0), state, LEFT(query, 1025), "
        "backend_type, COALESCE((EXTRACT(EPOCH FROM query_start) * 1000000)::bigint, 0) "
        "FROM pg_stat_activity WHERE backend_start IS NOT NULL LIMIT 20000"));
    if (!rows)
        return tl::unexpected(rows.error());
    while (rows->next()) {
        SessionFacts facts;
        domain::Session &session = facts.session;
        session.id = rows->value(0).toByteArray();
        session.user = rows->value(1).toByteArray();
        session.client = rows->value(2).toByteArray();
        session.program = rows->value(3).toByteArray().left(256);
        const QByteArray transaction = rows->value(4).toByteArray();
        const qint64 transactionUs = rows->value(6).toLongLong();
        session.transaction = transaction == "0" ? QByteArray() : transaction;
        if (transactionUs > 0)
            session.transactionSinceUs = transactionUs;
        if (rows->value(8).toByteArray().startsWith("idle"))
            session.idleSinceUs = rows->value(7).toLongLong();
        setStatement(session, rows->value(9).toByteArray());
        if (rows->value(10).toByteArray() != "client backend" || session.id == m_own)
            session.protectedAs = ReleaseOff::System;
        protectOwn(session);
        const QByteArray backend = session.id + '/' + rows->value(5).toByteArray();
        facts.identity = backend + '/' + QByteArray::number(transactionUs) + '/' + transaction;
        facts.instrumented = true;
        m_statementUs.insert(session.id, rows->value(11).toLongLong());
        picture.sessions.insert(session.id, facts);
        for (Claim &claim : picture.claims) {
            if (claim.session == session.id && claim.advisory && !claim.waiting) {
                claim.event = backend;
                claim.freshness = rows->value(7).toByteArray();
            }
        }
    }
    for (const Claim &claim : std::as_const(picture.claims)) {
        SessionFacts &facts = picture.sessions[claim.session];
        if (!facts.session.id.isEmpty())
            continue;
        facts.session.id = claim.session;
        facts.identity = claim.session;
        facts.session.protectedAs =
            claim.session.startsWith("xa:") ? ReleaseOff::PreparedXa : ReleaseOff::System;
        facts.session.transaction = claim.session.startsWith("xa:") ? claim.session.mid(3) : QByteArray();
    }
    return {};
}

/** A row's holder acquired it at some time during its transaction. */
void PostgresSource::dateClaims(Picture &picture) const
{
    for (Claim &claim : picture.claims) {
        if (!claim.waiting)
            continue;
        if (!claim.sinceUs) {
            const qint64 from = m_statementUs.value(claim.session, picture.beganUs);
            claim.sinceUs = picture.endedUs;
            claim.windowUs = std::max<qint64>(0, picture.endedUs - from);
        }
    }
    for (Claim &claim : picture.claims) {
        const auto began = picture.sessions.value(claim.session).session.transactionSinceUs;
        if (claim.waiting || claim.advisory || !began)
            continue;
        claim.sinceUs = std::max(picture.endedUs, *began);
        claim.windowUs = std::max<qint64>(*claim.sinceUs - *began, 1);
    }
}

base::Result<QByteArray> PostgresSource::spelled(const QByteArray &name)
{
    if (const auto key = advisoryKey(name))
        return key->text();
    return oneText(m_connection, QStringLiteral("SELECT hashtextextended(?, 0)::text"), {name})
        .map([](const QString &key) { return key.toUtf8(); });
}

base::Result<Picture> PostgresSource::read(const SessionWants &wants, const QSet<QByteArray> &keep)
{
    Q_UNUSED(keep) // every session is read
    Picture picture;
    picture.evidence = "pg_locks";
    picture.seesAdvisoryWaiters = true;
    const auto began = m_connection.storeTimeUs();
    const auto entries = began ? readEntries(wants) : tl::unexpected(began.error());
    if (!entries)
        return tl::unexpected(entries.error());
    picture.beganUs = *began;
    picture.truncated = entries->all.size() == kMostEntries;
    if (const auto named = nameRows(*entries); !named)
        return tl::unexpected(named.error());
    if (wants.rows)
        addRowClaims(wants, *entries, picture);
    if (wants.advisory)
        addAdvisoryClaims(wants, *entries, picture);
    if (const auto sessions = readSessions(picture); !sessions)
        return tl::unexpected(sessions.error());
    const auto ended = m_connection.storeTimeUs();
    if (!ended)
        return tl::unexpected(ended.error());
    picture.endedUs = *ended;
    dateClaims(picture);
    return picture;
}

} // namespace lockkeeper::stores::sql
