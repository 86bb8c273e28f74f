// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/interrupt.h"
#include "shared/base/result.h"

#include <QByteArray>
#include <QByteArrayList>
#include <QList>

#include <memory>
#include <optional>

struct pg_conn;
struct pg_result;
class QDeadlineTimer;

namespace lockkeeper::agent::hub {

/** The hub's database, and the login. */
struct HubTarget
{
    /** postgresql://…, without a password. TLS by libpq's own options in the query: sslmode, sslrootcert, …
     */
    QString url;
    QByteArray password; ///< empty: none, or that of libpq's password file
    int connectTimeoutMs = 10'000;
    int statementTimeoutMs = 30'000; ///< of each statement; 0: none
};

/** A value of a statement, bound as text or as bytes. */
struct PgValue
{
    std::optional<QByteArray> value; ///< empty: NULL
    bool binary = false;

    static PgValue number(qint64 value) { return {QByteArray::number(value), false}; }
    static PgValue text(const QString &text) { return {text.toUtf8(), false}; }
    static PgValue bytes(const QByteArray &bytes) { return {bytes.isNull() ? QByteArray("") : bytes, true}; }
    static PgValue null() { return {std::nullopt, false}; }
};

/** The rows of one statement, as texts. */
class PgRows
{
public:
    explicit PgRows(pg_result *result);

    int size() const;
    bool isNull(int row, int column) const;
    QByteArray text(int row, int column) const;
    qint64 number(int row, int column) const { return text(row, column).toLongLong(); }
    bool isTrue(int row, int column) const { return text(row, column) == "t"; }
    /** The bytes of a bytea. */
    QByteArray bytes(int row, int column) const;

private:
    struct ClearResult
    {
        void operator()(pg_result *result) const;
    };
    std::unique_ptr<pg_result, ClearResult> m_result;
};

/**
 * A connection to PostgreSQL by libpq. Calls block, at most for the time limits of the target, and end with
 * Cancelled once the interrupt is raised. (libpq looks host names up before it can be interrupted.) A
 * connection that failed, timed out or was interrupted is closed. Belongs to one thread.
 *
 * Errors name the server's message; the codes follow the SQLSTATE, also those of resources/sql/hub.
 */
class PgConnection
{
public:
    /** `interrupt` must outlive this object. */
    explicit PgConnection(const base::Interrupt &interrupt) : m_interrupt(interrupt) {}

    base::Result<void> open(const HubTarget &target);
    bool isOpen() const { return m_link != nullptr; }
    void close() { m_link.reset(); }

    /** Begins a transaction with the target's time limit, that of this transaction only: a pooler may give
     * the session to others. */
    base::Result<void> begin();
    base::Result<void> commit();
    /** After an error: rolls back, or closes the connection if that isn't possible. */
    void rollBack();
    /** One statement with its values. */
    base::Result<PgRows> run(const char *sql, const QList<PgValue> &values = {});
    /** Several statements without values or rows. */
    base::Result<void> runScript(const QByteArray &sql);
    /** `sql` is a COPY … FROM STDIN, `data` everything that follows. */
    base::Result<void> copy(const char *sql, const QByteArray &data);

private:
    struct CloseLink
    {
        void operator()(pg_conn *link) const;
    };

    base::Result<void> await(short events, const QDeadlineTimer &limit);
    base::Result<void> sendCopy(const QByteArray &data, const QDeadlineTimer &limit);
    base::Result<void> flush(const QDeadlineTimer &limit);
    /** Waits for all results; returns the last one, or the first error. */
    base::Result<PgRows> takeResults(const QDeadlineTimer &limit);
    base::Result<pg_result *> nextResult(const QDeadlineTimer &limit);
    QDeadlineTimer statementLimit() const;
    base::Error lost();
    tl::unexpected<base::Error> giveUp(base::Error error);

    const base::Interrupt &m_interrupt;
    std::unique_ptr<pg_conn, CloseLink> m_link;
    int m_statementTimeoutMs = 0;
};

} // namespace lockkeeper::agent::hub
