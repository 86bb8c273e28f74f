// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"

#include <QByteArray>
#include <QString>
#include <QVariant>

#include <memory>
#include <optional>
#include <type_traits>
#include <unordered_map>
#include <utility>

struct sqlite3;
struct sqlite3_stmt;

namespace lockkeeper::agent::journal {

class SqliteConnection;

/** A prepared statement of one Connection: bind in order, run, read. Bytes are stored and read unchanged. */
class SqliteStatement
{
public:
    /** `sql` has question marks for its values. If it can't be prepared, run() returns false. */
    SqliteStatement(SqliteConnection &connection, sqlite3 *db, const QByteArray &sql);
    ~SqliteStatement();
    Q_DISABLE_COPY_MOVE(SqliteStatement)
    bool isPrepared() const { return m_statement != nullptr; }

    SqliteStatement &bind(qint64 value);
    SqliteStatement &bind(const std::optional<qint64> &value);
    SqliteStatement &bindBytes(const QByteArray &bytes);
    SqliteStatement &bindBytes(const std::optional<QByteArray> &bytes);
    SqliteStatement &bindNull();
    /** Executes with the bound values; the next bind() starts with the first value again. */
    bool run();
    /** Moves to the first row, then to the following rows. False after the last row, or if the next row can't
     * be read; see Connection::endReading(). */
    bool next();
    /** Ends a read, so that it doesn't keep its snapshot open. */
    void finish();

    qint64 integer(int column) const;
    std::optional<qint64> optionalInteger(int column) const;
    QByteArray bytes(int column) const;
    /** Like bytes(), but without a copy; valid until the next step. */
    QByteArray bytesHere(int column) const;
    std::optional<QByteArray> optionalBytes(int column) const;
    bool isNull(int column) const;
    qint64 lastId() const;
    qint64 affected() const;

private:
    SqliteConnection &m_connection;
    sqlite3 *m_db; ///< not owned
    sqlite3_stmt *m_statement = nullptr;
    QList<QByteArray> m_held; ///< shares the bound bytes, so that SQLite needs no copy
    int m_bound = 0;
    bool m_firstRow = false; ///< run() has stepped to the first row already
};

/**
 * One SQLite connection with its prepared statements (resources/sql/journal/sqlite/statements.sql). It calls
 * the SQLite library directly, because Qt's driver spends more time on binding a short INSERT than SQLite on
 * executing it. Belongs to the thread that opened it. A call that returns false leaves the cause in error().
 */
class SqliteConnection
{
public:
    /** `subject` begins the cause of each error. */
    explicit SqliteConnection(QString subject = QStringLiteral("the journal")) : m_subject(std::move(subject))
    {
    }
    ~SqliteConnection();
    Q_DISABLE_COPY_MOVE(SqliteConnection)

    enum class Mode {
        Write, ///< never copies its log into the database automatically, see walPages()
        Read,
        Copy, ///< only for checkpoint()
    };
    bool open(const QString &path, Mode mode);
    void close();

    /** Runs statements that aren't worth preparing. */
    bool run(const QString &sql);
    /** The first column of its first row, as bytes; an invalid QVariant for NULL. */
    std::optional<QVariant> scalar(const QString &sql);
    /** The named statement, prepared at its first use. */
    SqliteStatement &statement(const char *name);
    /** Prepares any other statement, which the connection doesn't keep. */
    std::unique_ptr<SqliteStatement> prepare(const QString &sql);
    /** Runs the statement and keeps the cause of a failure. */
    bool run(SqliteStatement &statement);
    /** Runs the statement and returns its first value; empty: no value. */
    base::Result<std::optional<qint64>> firstNumber(SqliteStatement &statement);

    bool begin() { return run(statement("begin")); }
    bool commit() { return run(statement("commit")); }
    /** Doesn't change error(). */
    void rollback();
    /** Commits everything that `work` writes, or nothing if `work` returns false. */
    template <typename Work> bool transact(const Work &work)
    {
        if (!begin())
            return false;
        const bool done = work();
        if (endReading() && done && commit())
            return true;
        rollback();
        return false;
    }
    /** False if any read since the last call ended before its last row. */
    bool endReading() { return !std::exchange(m_cutShort, false); }
    /** Returns the answer of `reads`, which sees the database as of one moment and no later change. */
    template <typename Reads> std::invoke_result_t<Reads> inSnapshot(const Reads &reads)
    {
        if (!run(QStringLiteral("BEGIN")))
            return tl::unexpected(m_error);
        auto answer = reads();
        rollback();
        return answer;
    }

    /** Pages in the write-ahead log at the last commit. */
    qint64 walPages() const { return m_walPages; }
    /** Copies as much of the log into the database as other connections allow. Returns how many pages of the
     * log are in the database now. */
    qint64 checkpoint();
    /** Releases the memory of cached pages. */
    void releaseMemory();

    std::optional<QByteArray> meta(const QByteArray &key);
    qint64 metaNumber(const QByteArray &key, qint64 otherwise);
    bool setMeta(const QByteArray &key, const QByteArray &value);

    const QString &subject() const { return m_subject; }
    const base::Error &error() const { return m_error; }
    /** Restores the cause that matters, after a clean-up that may have changed it. */
    void restoreError(const base::Error &error) { m_error = error; }
    /** The statement failed because the file is damaged or isn't a database. */
    bool isCorrupt() const { return m_error.code == base::ErrorCode::Corrupt; }
    /** The last failure was a failed read: the data is damaged, or the disk doesn't return it. */
    bool isUnreadable() const;

private:
    friend class SqliteStatement;
    void keepError();

    const QString m_subject;
    sqlite3 *m_db = nullptr;
    bool m_cutShort = false; ///< a read ended early
    qint64 m_walPages = 0;
    std::unordered_map<QByteArray, std::unique_ptr<SqliteStatement>> m_statements;
    base::Error m_error;
    int m_failure = 0; ///< SQLite's extended code of the last failure
};

/** The text of a statement by its name in statements.sql; empty for an unknown name. */
QString statementText(const QByteArray &name);

} // namespace lockkeeper::agent::journal
