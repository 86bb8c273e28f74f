// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSqlDriver>

namespace lockkeeper::stores::sql {

struct Libpq;

/** `text` as a literal of no type; backslashes mean the same whatever standard_conforming_strings is. */
QByteArray postgresLiteral(const QByteArray &text);

/**
 * PostgreSQL through libpq. The driver sends each statement as one text that includes its values. Qt's own
 * driver sets bytea_output and DateStyle for the session and prepares statements in it. Behind a pooler, that
 * session belongs to other programs too, and the next statement may reach another session.
 *
 * Values are texts: integers and booleans have their types, anything else is a QByteArray.
 */
class PostgresDriver final : public QSqlDriver
{
    Q_OBJECT

public:
    PostgresDriver();
    ~PostgresDriver() override;

    /** True where libpq could be loaded. */
    static bool isAvailable();

    /** The backend's process id, as the server or a pooler announced it at the connection's start. */
    int backendId() const;
    int socket() const;
    /** Statements that the driver sends before each statement that begins a transaction. They are in the same
     * message, and so in the same transaction. */
    void setPrefix(const QByteArray &prefix) { m_prefix = prefix; }

    bool hasFeature(DriverFeature feature) const override;
    /** `options` as "key=value;key=value", keys of libpq. */
    bool open(const QString &database, const QString &user, const QString &password, const QString &host,
              int port, const QString &options) override;
    void close() override;
    QSqlResult *createResult() const override;

private:
    friend class PostgresResult;

    const Libpq *m_pq;
    void *m_link = nullptr; ///< PGconn
    QByteArray m_prefix;
    bool m_anyBytes = false; ///< the server keeps texts of any bytes (SQL_ASCII)
};

} // namespace lockkeeper::stores::sql
