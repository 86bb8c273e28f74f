// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/storage/sqlite_connection.h"

#include <QFile>
#include <QFileInfo>
#include <QHash>
#include <QLoggingCategory>

#include <sqlite3.h>

Q_LOGGING_CATEGORY(lcJournalSql, "lockkeeper.journal")

namespace lockkeeper::agent::journal {

namespace {

using Texts = QHash<QByteArray, QString>;

Texts readStatements()
{
    QFile file(QStringLiteral(":/lockkeeper/journal/statements.sql"));
    Texts texts;
    if (!file.open(QIODevice::ReadOnly))
        return texts;
    QByteArray name;
    while (!file.atEnd()) {
        const QByteArray line = file.readLine();
        if (line.startsWith("-- name: "))
            name = line.sliced(9).trimmed();
        else if (!name.isEmpty())
            texts[name] += QString::fromUtf8(line);
    }
    return texts;
}

constexpr int kBusyTimeoutMs = 5'000;
constexpr int kIncremental = 2; ///< as PRAGMA auto_vacuum reports it

// Memory for a few inserts, kept ready. Without it, each allocation is a call of malloc(), which all threads
// share.
constexpr int kSmallBlock = 1'024;
constexpr int kSmallBlocks = 256;

/** Maps a SQLite result code (https://www.sqlite.org/rescode.html, primary part) to a journal error. */
base::Error errorOf(const QString &subject, int extendedCode, const QString &text)
{
    const QString cause = QStringLiteral("%1: %2 (SQLite %3)").arg(subject, text).arg(extendedCode);
    switch (extendedCode & 0xFF) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return {base::ErrorCode::Corrupt, cause,
                QStringLiteral("Restart the agent: it sets the damaged file aside")};
    case SQLITE_FULL:
        return {base::ErrorCode::Storage, cause, QStringLiteral("Free space on the disk of the data folder")};
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
        return {base::ErrorCode::Storage, cause,
                QStringLiteral("Make the data folder writable for the agent's user")};
    default:
        return {base::ErrorCode::Storage, cause, QStringLiteral("Check the disk of the data folder")};
    }
}

} // namespace

QString statementText(const QByteArray &name)
{
    static const Texts texts = readStatements();
    return texts.value(name);
}

SqliteStatement::SqliteStatement(SqliteConnection &connection, sqlite3 *db, const QByteArray &sql)
    : m_connection(connection), m_db(db)
{
    if (db != nullptr)
        sqlite3_prepare_v3(db, sql.constData(), int(sql.size()), SQLITE_PREPARE_PERSISTENT, &m_statement,
                           nullptr);
    m_held.resize(sqlite3_bind_parameter_count(m_statement));
}

SqliteStatement::~SqliteStatement()
{
    sqlite3_finalize(m_statement);
}

SqliteStatement &SqliteStatement::bind(qint64 value)
{
    sqlite3_bind_int64(m_statement, ++m_bound, value);
    return *this;
}

SqliteStatement &SqliteStatement::bind(const std::optional<qint64> &value)
{
    return value ? bind(*value) : bindNull();
}

SqliteStatement &SqliteStatement::bindBytes(const QByteArray &bytes)
{
    if (m_bound >= m_held.size())
        return *this;
    QByteArray &held = m_held[m_bound] = bytes;
    // A null QByteArray isn't an SQL NULL; only an empty optional is.
    sqlite3_bind_blob64(m_statement, ++m_bound, held.isNull() ? "" : held.constData(),
                        sqlite3_uint64(held.size()), SQLITE_STATIC);
    return *this;
}

SqliteStatement &SqliteStatement::bindBytes(const std::optional<QByteArray> &bytes)
{
    return bytes ? bindBytes(*bytes) : bindNull();
}

SqliteStatement &SqliteStatement::bindNull()
{
    sqlite3_bind_null(m_statement, ++m_bound);
    return *this;
}

bool SqliteStatement::run()
{
    if (m_statement == nullptr)
        return false;
    m_bound = 0;
    sqlite3_reset(m_statement); // ends an earlier read that is still open
    const int code = sqlite3_step(m_statement);
    m_firstRow = code == SQLITE_ROW;
    // A failed statement keeps its error until the connection has read it; a finished one needs nothing any
    // more.
    if (code == SQLITE_DONE)
        sqlite3_reset(m_statement);
    return code == SQLITE_ROW || code == SQLITE_DONE;
}

bool SqliteStatement::next()
{
    if (std::exchange(m_firstRow, false))
        return true;
    if (m_statement == nullptr || sqlite3_stmt_busy(m_statement) == 0)
        return false;
    const int code = sqlite3_step(m_statement);
    if (code == SQLITE_ROW)
        return true;
    if (code != SQLITE_DONE) {
        m_connection.keepError();
        m_connection.m_cutShort = true;
    }
    sqlite3_reset(m_statement);
    return false;
}

void SqliteStatement::finish()
{
    m_firstRow = false;
    sqlite3_reset(m_statement);
}

qint64 SqliteStatement::integer(int column) const
{
    return sqlite3_column_int64(m_statement, column);
}

std::optional<qint64> SqliteStatement::optionalInteger(int column) const
{
    return sqlite3_column_type(m_statement, column) == SQLITE_INTEGER ? std::optional(integer(column))
                                                                      : std::nullopt;
}

QByteArray SqliteStatement::bytes(int column) const
{
    const void *data = sqlite3_column_blob(m_statement, column);
    return {static_cast<const char *>(data), qsizetype(sqlite3_column_bytes(m_statement, column))};
}

QByteArray SqliteStatement::bytesHere(int column) const
{
    const void *data = sqlite3_column_blob(m_statement, column);
    return QByteArray::fromRawData(static_cast<const char *>(data),
                                   qsizetype(sqlite3_column_bytes(m_statement, column)));
}

std::optional<QByteArray> SqliteStatement::optionalBytes(int column) const
{
    return sqlite3_column_type(m_statement, column) == SQLITE_BLOB ? std::optional(bytes(column))
                                                                   : std::nullopt;
}

bool SqliteStatement::isNull(int column) const
{
    return sqlite3_column_type(m_statement, column) == SQLITE_NULL;
}

qint64 SqliteStatement::lastId() const
{
    return sqlite3_last_insert_rowid(m_db);
}

qint64 SqliteStatement::affected() const
{
    return sqlite3_changes(m_db);
}

SqliteConnection::~SqliteConnection()
{
    close();
}

bool SqliteConnection::open(const QString &path, Mode mode)
{
    // SQLITE_OPEN_NOFOLLOW would also refuse a data folder below a link.
    if (mode == Mode::Write && QFileInfo(path).isSymLink()) {
        m_error = {base::ErrorCode::Storage, QStringLiteral("%1 is a symbolic link").arg(path), {}};
        return false;
    }
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(QFile::encodeName(path).constData(), &m_db, flags, nullptr) != SQLITE_OK) {
        keepError();
        return false;
    }
    sqlite3_extended_result_codes(m_db, 1);
    sqlite3_busy_timeout(m_db, kBusyTimeoutMs);
    if (mode == Mode::Write) // if it fails, SQLite's usual smaller memory remains
        sqlite3_db_config(m_db, SQLITE_DBCONFIG_LOOKASIDE, nullptr, kSmallBlock, kSmallBlocks);
    if (mode == Mode::Read)
        return run(QStringLiteral("PRAGMA query_only = ON")) &&
               // For the rows of some locks on a busy day: each page is needed once for each lock.
               run(QStringLiteral("PRAGMA cache_size = -16384"));
    if (mode == Mode::Copy)
        return run(QStringLiteral("PRAGMA synchronous = NORMAL")) &&
               run(QStringLiteral("PRAGMA cache_size = -256"));
    // Replaces SQLite's own hook, which copies the log within a commit.
    sqlite3_wal_hook(
        m_db,
        [](void *self, sqlite3 *, const char *, int pages) {
            static_cast<SqliteConnection *>(self)->m_walPages = pages;
            return SQLITE_OK;
        },
        this);
    // The first two settings apply to new files. Pages are small because a commit of a few events writes each
    // page that they touch, twice in the end. Incremental vacuum lets retention release space in small steps.
    // It must be set before the first table. To set it again would write, and the disk may be full.
    const auto vacuum = scalar(QStringLiteral("PRAGMA auto_vacuum"));
    return vacuum && run(QStringLiteral("PRAGMA page_size = 2048")) &&
           (vacuum->toInt() == kIncremental || run(QStringLiteral("PRAGMA auto_vacuum = INCREMENTAL"))) &&
           run(QStringLiteral("PRAGMA journal_mode = WAL")) &&
           run(QStringLiteral("PRAGMA synchronous = NORMAL")) &&
           // Each commit that splits a page searches the whole cache for pages behind the end.
           run(QStringLiteral("PRAGMA cache_size = -8192")) &&
           run(QStringLiteral("PRAGMA journal_size_limit = 268435456"));
}

void SqliteConnection::close()
{
    m_statements.clear();
    sqlite3_close_v2(std::exchange(m_db, nullptr));
}

bool SqliteConnection::run(const QString &sql)
{
    if (sqlite3_exec(m_db, sql.toUtf8().constData(), nullptr, nullptr, nullptr) == SQLITE_OK)
        return true;
    keepError();
    return false;
}

std::optional<QVariant> SqliteConnection::scalar(const QString &sql)
{
    SqliteStatement query(*this, m_db, sql.toUtf8());
    if (!run(query) || !query.next())
        return std::nullopt;
    return query.isNull(0) ? QVariant() : QVariant(query.bytes(0));
}

SqliteStatement &SqliteConnection::statement(const char *name)
{
    const QByteArray key = QByteArray::fromRawData(name, qsizetype(qstrlen(name)));
    if (const auto it = m_statements.find(key); it != m_statements.end())
        return *it->second;
    auto made = prepare(statementText(key));
    return *m_statements.emplace(QByteArray(name), std::move(made)).first->second;
}

std::unique_ptr<SqliteStatement> SqliteConnection::prepare(const QString &sql)
{
    auto statement = std::make_unique<SqliteStatement>(*this, m_db, sql.toUtf8());
    if (!statement->isPrepared()) {
        keepError();
        qCWarning(lcJournalSql).noquote() << "cannot prepare:" << m_error.line();
    }
    return statement;
}

bool SqliteConnection::run(SqliteStatement &statement)
{
    if (statement.run())
        return true;
    keepError();
    statement.finish();
    return false;
}

base::Result<std::optional<qint64>> SqliteConnection::firstNumber(SqliteStatement &statement)
{
    if (!run(statement))
        return tl::unexpected(m_error);
    std::optional<qint64> number;
    if (statement.next())
        number = statement.optionalInteger(0);
    statement.finish();
    return number;
}

void SqliteConnection::rollback()
{
    // A rollback that fails needs no report: SQLite has then rolled back already.
    sqlite3_exec(m_db, "ROLLBACK", nullptr, nullptr, nullptr);
}

qint64 SqliteConnection::checkpoint()
{
    int pages = 0;
    int copied = 0;
    const int code = sqlite3_wal_checkpoint_v2(m_db, nullptr, SQLITE_CHECKPOINT_PASSIVE, &pages, &copied);
    return code == SQLITE_OK ? copied : 0;
}

void SqliteConnection::releaseMemory()
{
    sqlite3_db_release_memory(m_db);
}

std::optional<QByteArray> SqliteConnection::meta(const QByteArray &key)
{
    SqliteStatement &get = statement("meta_get");
    get.bindBytes(key);
    if (!run(get))
        return std::nullopt;
    std::optional<QByteArray> value;
    if (get.next())
        value = get.bytes(0);
    get.finish();
    return value;
}

qint64 SqliteConnection::metaNumber(const QByteArray &key, qint64 otherwise)
{
    const auto value = meta(key);
    return value ? value->toLongLong() : otherwise;
}

bool SqliteConnection::setMeta(const QByteArray &key, const QByteArray &value)
{
    return run(statement("meta_set").bindBytes(key).bindBytes(value));
}

void SqliteConnection::keepError()
{
    const char *text = sqlite3_errmsg(m_db); // also works without a connection: out of memory
    m_failure = sqlite3_extended_errcode(m_db);
    m_error = errorOf(m_subject, m_failure, QString::fromUtf8(text));
}

bool SqliteConnection::isUnreadable() const
{
    switch (m_failure) {
    case SQLITE_IOERR_READ:
    case SQLITE_IOERR_SHORT_READ:
    case SQLITE_IOERR_DATA:
    case SQLITE_IOERR_CORRUPTFS:
        return true;
    default:
        return (m_failure & 0xFF) == SQLITE_CORRUPT || (m_failure & 0xFF) == SQLITE_NOTADB;
    }
}

} // namespace lockkeeper::agent::journal
