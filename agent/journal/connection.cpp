// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/connection.h"

#include <QFile>
#include <QLoggingCategory>
#include <QSqlError>
#include <QUuid>

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

/** What a SQLite result code (https://www.sqlite.org/rescode.html, primary part) means to the journal. */
base::Error errorOf(const QSqlError &error)
{
    const int code = error.nativeErrorCode().toInt() & 0xFF;
    const QString cause =
        QStringLiteral("the journal: %1 (SQLite %2)").arg(error.databaseText(), error.nativeErrorCode());
    switch (code) {
    case 11: // SQLITE_CORRUPT
    case 26: // SQLITE_NOTADB
        return {base::ErrorCode::Corrupt, cause,
                QStringLiteral("Restart the agent: it sets the damaged file aside")};
    case 13: // SQLITE_FULL
        return {base::ErrorCode::Storage, cause, QStringLiteral("Free space on the disk of the data folder")};
    case 8:  // SQLITE_READONLY
    case 14: // SQLITE_CANTOPEN
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

bool Statement::prepare(const QString &sql)
{
    // By name, because Qt makes up a name for a position anew each time it is bound.
    QString named;
    named.reserve(sql.size() * 2);
    for (const QChar c : sql) {
        if (c != QLatin1Char('?')) {
            named += c;
            continue;
        }
        m_names.push_back(QStringLiteral(":p%1").arg(m_names.size()));
        named += m_names.back();
    }
    m_last.resize(m_names.size());
    m_query.setForwardOnly(true);
    return m_query.prepare(named);
}

bool Statement::repeats(Bound value)
{
    const auto column = size_t(m_bound);
    if (value.type != Bound::Other && m_last[column] == value) {
        ++m_bound;
        return true;
    }
    m_last[column] = value;
    return false;
}

Statement &Statement::bind(qint64 value)
{
    if (!repeats({Bound::Number, value}))
        set(value);
    return *this;
}

Statement &Statement::bind(const std::optional<qint64> &value)
{
    return value ? bind(*value) : bindNull();
}

Statement &Statement::bindBytes(const QByteArray &bytes)
{
    repeats({Bound::Other, 0});
    // A null QByteArray would be bound as NULL; here only an empty optional is.
    set(bytes.isNull() ? QByteArray("") : bytes);
    return *this;
}

Statement &Statement::bindBytes(const std::optional<QByteArray> &bytes)
{
    return bytes ? bindBytes(*bytes) : bindNull();
}

Statement &Statement::bindNull()
{
    if (!repeats({Bound::Null, 0}))
        set(QVariant());
    return *this;
}

bool Statement::run()
{
    m_bound = 0;
    return m_query.exec();
}

std::optional<qint64> Statement::optionalInteger(int column) const
{
    const QVariant value = m_query.value(column);
    return value.typeId() == QMetaType::LongLong ? std::optional(value.toLongLong()) : std::nullopt;
}

std::optional<QByteArray> Statement::optionalBytes(int column) const
{
    // By type, not by isNull(): an empty blob may come back as a null QByteArray.
    const QVariant value = m_query.value(column);
    return value.typeId() == QMetaType::QByteArray ? std::optional(value.toByteArray()) : std::nullopt;
}

Connection::Connection()
    : m_name(QLatin1String("journal-") + QUuid::createUuid().toString(QUuid::WithoutBraces))
{
}

Connection::~Connection()
{
    close();
}

bool Connection::open(const QString &path, Mode mode)
{
    m_db = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), m_name);
    if (!m_db.isValid()) {
        m_error = {base::ErrorCode::Unsupported, QStringLiteral("Qt's SQLite driver is missing"),
                   QStringLiteral("Install the package libqt6sql6-sqlite")};
        return false;
    }
    m_db.setDatabaseName(path);
    m_db.setConnectOptions(QStringLiteral("QSQLITE_BUSY_TIMEOUT=5000"));
    if (!m_db.open()) {
        keepError(m_db.lastError());
        return false;
    }
    if (mode == Mode::Read)
        return run(QStringLiteral("PRAGMA query_only = ON"));
    // incremental: retention gives space back in small steps. It must come before the first table.
    return run(QStringLiteral("PRAGMA auto_vacuum = INCREMENTAL")) &&
           run(QStringLiteral("PRAGMA journal_mode = WAL")) &&
           run(QStringLiteral("PRAGMA synchronous = NORMAL")) &&
           run(QStringLiteral("PRAGMA cache_size = -32768")) &&
           run(QStringLiteral("PRAGMA wal_autocheckpoint = 4000")) &&
           run(QStringLiteral("PRAGMA journal_size_limit = 67108864"));
}

void Connection::close()
{
    m_statements.clear();
    if (!m_db.isValid())
        return;
    m_db.close();
    m_db = QSqlDatabase();
    QSqlDatabase::removeDatabase(m_name);
}

bool Connection::run(const QString &sql)
{
    QSqlQuery query(m_db);
    query.setForwardOnly(true);
    if (query.exec(sql))
        return true;
    keepError(query.lastError());
    return false;
}

std::optional<QVariant> Connection::scalar(const QString &sql)
{
    QSqlQuery query(m_db);
    query.setForwardOnly(true);
    if (query.exec(sql) && query.next())
        return query.value(0);
    keepError(query.lastError());
    return std::nullopt;
}

Statement &Connection::statement(const char *name)
{
    const QByteArray key = QByteArray::fromRawData(name, qsizetype(qstrlen(name)));
    if (const auto it = m_statements.find(key); it != m_statements.end())
        return *it->second;
    auto made = prepare(statementText(key));
    return *m_statements.emplace(QByteArray(name), std::move(made)).first->second;
}

std::unique_ptr<Statement> Connection::prepare(const QString &sql)
{
    auto statement = std::make_unique<Statement>(m_db);
    if (!statement->prepare(sql)) {
        keepError(statement->query().lastError());
        qCWarning(lcJournalSql).noquote() << "cannot prepare:" << m_error.line();
    }
    return statement;
}

bool Connection::run(Statement &statement)
{
    if (statement.run())
        return true;
    keepError(statement.query().lastError());
    return false;
}

void Connection::rollback()
{
    // A failing rollback has nothing to report: SQLite has then rolled back by itself.
    QSqlQuery(m_db).exec(QStringLiteral("ROLLBACK"));
}

std::optional<QByteArray> Connection::meta(const QByteArray &key)
{
    Statement &get = statement("meta_get");
    get.bindBytes(key);
    if (!run(get))
        return std::nullopt;
    std::optional<QByteArray> value;
    if (get.next())
        value = get.bytes(0);
    get.finish();
    return value;
}

bool Connection::setMeta(const QByteArray &key, const QByteArray &value)
{
    return run(statement("meta_set").bindBytes(key).bindBytes(value));
}

void Connection::keepError(const QSqlError &error)
{
    m_error = errorOf(error);
}

} // namespace lockkeeper::agent::journal
