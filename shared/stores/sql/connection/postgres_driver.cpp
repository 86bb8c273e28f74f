// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/connection/postgres_driver.h"

#include <QLibrary>
#include <QSqlError>
#include <QSqlField>
#include <QSqlRecord>
#include <QSqlResult>

#include <optional>

namespace lockkeeper::stores::sql {

/** The functions of libpq that the driver calls. The first PostgreSQL source loads the library. */
struct Libpq
{
    void *(*connect)(const char *const *keys, const char *const *values, int expand) = nullptr;
    int (*status)(const void *link) = nullptr;
    void (*finish)(void *link) = nullptr;
    char *(*errorMessage)(const void *link) = nullptr;
    int (*socket)(const void *link) = nullptr;
    int (*backendId)(const void *link) = nullptr;
    int (*transactionStatus)(const void *link) = nullptr;
    const char *(*parameter)(const void *link, const char *name) = nullptr;
    void *(*setNoticeReceiver)(void *link, void (*take)(void *, const void *), void *context) = nullptr;
    void *(*execute)(void *link, const char *sql) = nullptr;
    int (*resultStatus)(const void *result) = nullptr;
    char *(*resultError)(const void *result) = nullptr;
    char *(*errorField)(const void *result, int field) = nullptr;
    void (*clear)(void *result) = nullptr;
    int (*rows)(const void *result) = nullptr;
    int (*columns)(const void *result) = nullptr;
    char *(*columnName)(const void *result, int column) = nullptr;
    unsigned (*columnType)(const void *result, int column) = nullptr;
    char *(*value)(const void *result, int row, int column) = nullptr;
    int (*length)(const void *result, int row, int column) = nullptr;
    int (*isNull)(const void *result, int row, int column) = nullptr;
    char *(*affected)(void *result) = nullptr;
};

namespace {
// From libpq-fe.h, postgres_ext.h and pg_type.h. The protocol fixes these values.
constexpr int kConnectionOk = 0;
constexpr int kCommandOk = 1;
constexpr int kTuplesOk = 2;
constexpr int kIdle = 0;
constexpr int kSqlState = 'C';
constexpr unsigned kBool = 16;
constexpr unsigned kInt8 = 20;
constexpr unsigned kInt2 = 21;
constexpr unsigned kInt4 = 23;

std::optional<Libpq> loaded()
{
    QLibrary library(QStringLiteral("pq"), 5);
    Libpq pq;
    bool all = true;
    const auto find = [&](auto &function, const char *name) {
        function = reinterpret_cast<std::decay_t<decltype(function)>>(library.resolve(name));
        all = all && function != nullptr;
    };
    find(pq.connect, "PQconnectdbParams");
    find(pq.status, "PQstatus");
    find(pq.finish, "PQfinish");
    find(pq.errorMessage, "PQerrorMessage");
    find(pq.socket, "PQsocket");
    find(pq.backendId, "PQbackendPID");
    find(pq.transactionStatus, "PQtransactionStatus");
    find(pq.parameter, "PQparameterStatus");
    find(pq.setNoticeReceiver, "PQsetNoticeReceiver");
    find(pq.execute, "PQexec");
    find(pq.resultStatus, "PQresultStatus");
    find(pq.resultError, "PQresultErrorMessage");
    find(pq.errorField, "PQresultErrorField");
    find(pq.clear, "PQclear");
    find(pq.rows, "PQntuples");
    find(pq.columns, "PQnfields");
    find(pq.columnName, "PQfname");
    find(pq.columnType, "PQftype");
    find(pq.value, "PQgetvalue");
    find(pq.length, "PQgetlength");
    find(pq.isNull, "PQgetisnull");
    find(pq.affected, "PQcmdTuples");
    return all ? std::optional(pq) : std::nullopt;
}

const Libpq *libpq()
{
    static const std::optional<Libpq> pq = loaded();
    return pq ? &*pq : nullptr;
}

QByteArray literalOf(const QVariant &value, bool anyBytes)
{
    if (value.isNull())
        return "NULL";
    if (value.typeId() != QMetaType::QByteArray)
        return postgresLiteral(value.toString().toUtf8());
    const QByteArray bytes = value.toByteArray();
    if (bytes.isNull())
        return "NULL";
    // Invalid UTF-8 would be an error, although it only means that no such row exists.
    return postgresLiteral(anyBytes ? bytes : QString::fromUtf8(bytes).toUtf8());
}
} // namespace

QByteArray postgresLiteral(const QByteArray &text)
{
    QByteArray inside = text;
    inside.replace('\\', "\\\\").replace('\'', "''");
    inside.removeIf([](char c) { return c == '\0'; }); // no PostgreSQL text contains NUL
    return "E'" + inside + '\'';
}

/** All rows of one statement. */
class PostgresResult final : public QSqlResult
{
public:
    explicit PostgresResult(const PostgresDriver *driver)
        : QSqlResult(driver), m_driver(*driver), m_pq(*driver->m_pq)
    {
    }
    ~PostgresResult() override { clear(); }

protected:
    bool prepare(const QString &query) override
    {
        m_prepared = query.toUtf8();
        return true;
    }

    bool exec() override
    {
        QByteArray sql;
        qsizetype next = 0;
        char quote = '\0';
        for (const char c : std::as_const(m_prepared)) {
            if (quote != '\0')
                quote = c == quote ? '\0' : quote; // a doubled quote closes and reopens
            else if (c == '\'' || c == '"')
                quote = c;
            if (quote == '\0' && c == '?')
                sql += literalOf(boundValue(int(next++)), m_driver.m_anyBytes);
            else
                sql += c;
        }
        return run(sql);
    }

    bool reset(const QString &query) override { return run(query.toUtf8()); }

    QVariant data(int column) override
    {
        if (isNull(column))
            return {};
        const QByteArray text(m_pq.value(m_result, at(), column), m_pq.length(m_result, at(), column));
        switch (m_pq.columnType(m_result, column)) {
        case kBool:
            return text == "t";
        case kInt8:
            return text.toLongLong();
        case kInt4:
        case kInt2:
            return text.toInt();
        default:
            return text;
        }
    }

    bool isNull(int column) override
    {
        return m_result == nullptr || at() < 0 || at() >= m_rows || column >= m_pq.columns(m_result) ||
               m_pq.isNull(m_result, at(), column) != 0;
    }

    bool fetch(int row) override
    {
        if (!isActive() || row < 0 || row >= m_rows)
            return false;
        setAt(row);
        return true;
    }

    bool fetchFirst() override { return fetch(0); }
    bool fetchLast() override { return fetch(m_rows - 1); }
    int size() override { return m_rows; }

    int numRowsAffected() override
    {
        return m_result == nullptr ? -1 : QByteArray(m_pq.affected(m_result)).toInt();
    }

    QSqlRecord record() const override
    {
        QSqlRecord record;
        for (int i = 0; m_result != nullptr && i < m_pq.columns(m_result); ++i)
            record.append(QSqlField(QString::fromUtf8(m_pq.columnName(m_result, i))));
        return record;
    }

    void detachFromResultSet() override { clear(); }

private:
    bool run(const QByteArray &sql)
    {
        clear();
        setAt(QSql::BeforeFirstRow);
        setActive(false);
        if (m_driver.m_link == nullptr)
            return false;
        const bool begins = !m_driver.m_prefix.isEmpty() && m_pq.transactionStatus(m_driver.m_link) == kIdle;
        m_result = m_pq.execute(m_driver.m_link, (begins ? m_driver.m_prefix + sql : sql).constData());
        const int status = m_result == nullptr ? -1 : m_pq.resultStatus(m_result);
        if (status != kTuplesOk && status != kCommandOk) {
            const char *state = m_result == nullptr ? nullptr : m_pq.errorField(m_result, kSqlState);
            const char *text =
                m_result == nullptr ? m_pq.errorMessage(m_driver.m_link) : m_pq.resultError(m_result);
            setLastError(QSqlError(QStringLiteral("the statement failed"), QString::fromUtf8(text),
                                   QSqlError::StatementError, QString::fromLatin1(state)));
            clear();
            return false;
        }
        setLastError({});
        setSelect(status == kTuplesOk);
        m_rows = m_pq.rows(m_result);
        setActive(true);
        return true;
    }

    void clear()
    {
        if (m_result != nullptr)
            m_pq.clear(m_result);
        m_result = nullptr;
        m_rows = 0;
    }

    const PostgresDriver &m_driver;
    const Libpq &m_pq;        ///< outlives the driver, as a result may
    void *m_result = nullptr; ///< PGresult
    int m_rows = 0;
    QByteArray m_prepared;
};

PostgresDriver::PostgresDriver() : m_pq(libpq()) {}

PostgresDriver::~PostgresDriver()
{
    close();
}

bool PostgresDriver::isAvailable()
{
    return libpq() != nullptr;
}

int PostgresDriver::backendId() const
{
    return m_link == nullptr ? 0 : m_pq->backendId(m_link);
}

int PostgresDriver::socket() const
{
    return m_link == nullptr ? -1 : m_pq->socket(m_link);
}

bool PostgresDriver::hasFeature(DriverFeature feature) const
{
    return feature == PreparedQueries || feature == PositionalPlaceholders || feature == QuerySize ||
           feature == Unicode;
}

bool PostgresDriver::open(const QString &database, const QString &user, const QString &password,
                          const QString &host, int port, const QString &options)
{
    close();
    // Where a value is empty, libpq uses its default, for example for the user.
    QList<std::pair<QByteArray, QByteArray>> settings{{"dbname", database.toUtf8()},
                                                      {"user", user.toUtf8()},
                                                      {"password", password.toUtf8()},
                                                      {"host", host.toUtf8()},
                                                      {"client_encoding", "UTF8"}};
    if (port > 0)
        settings.append({"port", QByteArray::number(port)});
    const QStringList more = options.split(QLatin1Char(';'), Qt::SkipEmptyParts);
    for (const QString &option : more)
        settings.append(
            {option.section(QLatin1Char('='), 0, 0).toUtf8(), option.section(QLatin1Char('='), 1).toUtf8()});
    QList<const char *> keys;
    QList<const char *> values;
    for (const auto &[key, value] : std::as_const(settings)) {
        if (value.isEmpty())
            continue;
        keys.append(key.constData());
        values.append(value.constData());
    }
    keys.append(nullptr);
    values.append(nullptr);
    m_link = m_pq->connect(keys.constData(), values.constData(), 0);
    if (m_link == nullptr || m_pq->status(m_link) != kConnectionOk) {
        const QString why = m_link == nullptr ? QString() : QString::fromUtf8(m_pq->errorMessage(m_link));
        close();
        setLastError(QSqlError(QStringLiteral("not connected"), why, QSqlError::ConnectionError));
        setOpenError(true);
        return false;
    }
    m_pq->setNoticeReceiver(
        m_link, [](void *, const void *) {}, nullptr); // by default libpq prints notices to standard error
    m_anyBytes = QByteArrayView(m_pq->parameter(m_link, "server_encoding")) == "SQL_ASCII";
    setOpenError(false);
    setOpen(true);
    return true;
}

void PostgresDriver::close()
{
    if (m_link != nullptr)
        m_pq->finish(m_link);
    m_link = nullptr;
    m_prefix.clear();
    setOpen(false);
}

QSqlResult *PostgresDriver::createResult() const
{
    return new PostgresResult(this);
}

} // namespace lockkeeper::stores::sql
