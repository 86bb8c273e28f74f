// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"

#include <QHash>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QVariant>

#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace lockkeeper::agent::journal {

/**
 * A prepared statement: bind in order, run, read. Bytes go in and come out as they are. A number or NULL that
 * a column had in the run before isn't handed to Qt again: binding is the dearest part of a short INSERT, and
 * most columns repeat.
 */
class Statement
{
public:
    explicit Statement(const QSqlDatabase &db) : m_query(db) {}
    /** The placeholders of `sql` are question marks, and it has none within quotes. */
    bool prepare(const QString &sql);

    Statement &bind(qint64 value);
    Statement &bind(const std::optional<qint64> &value);
    Statement &bindBytes(const QByteArray &bytes);
    Statement &bindBytes(const std::optional<QByteArray> &bytes);
    Statement &bindNull();
    /** Executes with what was bound; the next bind() starts afresh. */
    bool run();
    bool next() { return m_query.next(); }
    /** Ends a reading, so that it holds no snapshot back. */
    void finish() { m_query.finish(); }

    qint64 integer(int column) const { return m_query.value(column).toLongLong(); }
    std::optional<qint64> optionalInteger(int column) const;
    QByteArray bytes(int column) const { return m_query.value(column).toByteArray(); }
    std::optional<QByteArray> optionalBytes(int column) const;
    qint64 lastId() const { return m_query.lastInsertId().toLongLong(); }
    qint64 affected() const { return m_query.numRowsAffected(); }
    const QSqlQuery &query() const { return m_query; }

private:
    struct Bound
    {
        enum Type : quint8 { Other, Null, Number } type = Other;
        qint64 number = 0;
        bool operator==(const Bound &) const = default;
    };
    /** True where the next column has this value already. */
    bool repeats(Bound value);

    void set(const QVariant &value) { m_query.bindValue(m_names[size_t(m_bound++)], value); }

    QSqlQuery m_query;
    std::vector<QString> m_names; ///< of the placeholders, in order
    std::vector<Bound> m_last;
    int m_bound = 0;
};

/**
 * One SQLite connection with its prepared statements (resources/sql/journal/sqlite/statements.sql). Belongs
 * to the thread that opened it. A call that returns false leaves the cause in error().
 */
class Connection
{
public:
    Connection();
    ~Connection();
    Q_DISABLE_COPY_MOVE(Connection)

    enum class Mode { Write, Read };
    bool open(const QString &path, Mode mode);
    void close();

    /** Runs one statement that isn't worth preparing. */
    bool run(const QString &sql);
    /** The first column of its first row. */
    std::optional<QVariant> scalar(const QString &sql);
    /** The named statement, prepared at its first use. */
    Statement &statement(const char *name);
    /** A statement of another text, not kept. */
    std::unique_ptr<Statement> prepare(const QString &sql);
    /** Runs it and keeps the cause of a failure. */
    bool run(Statement &statement);

    bool begin() { return run(QStringLiteral("BEGIN IMMEDIATE")); }
    bool commit() { return run(QStringLiteral("COMMIT")); }
    void rollback();

    std::optional<QByteArray> meta(const QByteArray &key);
    bool setMeta(const QByteArray &key, const QByteArray &value);

    const base::Error &error() const { return m_error; }
    /** Puts back the cause that mattered, after a clean-up that may have changed it. */
    void restoreError(const base::Error &error) { m_error = error; }
    /** The statement failed because the file is damaged or isn't a database. */
    bool isCorrupt() const { return m_error.code == base::ErrorCode::Corrupt; }

private:
    void keepError(const QSqlError &error);

    QString m_name;
    QSqlDatabase m_db;
    std::unordered_map<QByteArray, std::unique_ptr<Statement>> m_statements;
    base::Error m_error;
};

/** The text of a statement by its name in statements.sql; empty where there is none. */
QString statementText(const QByteArray &name);

} // namespace lockkeeper::agent::journal
