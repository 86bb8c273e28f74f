// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/hub/pg_connection.h"

#include "agent/hub/pg_errors.h"

#include <QDeadlineTimer>

#include <algorithm>
#include <array>
#include <cerrno>
#include <libpq-fe.h>
#include <poll.h>

namespace lockkeeper::agent::hub {

using base::ErrorCode;

namespace {

constexpr int kTextFormat = 0;
constexpr qsizetype kCopyChunk = 64 * 1024;
/** The server ends a statement by its own limit; this margin is for its answer. */
constexpr int kAnswerMarginMs = 5'000;

base::Error errorOfResult(const PGresult *result)
{
    return pgError(PQresultErrorField(result, PG_DIAG_SQLSTATE),
                   PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY),
                   PQresultErrorField(result, PG_DIAG_MESSAGE_HINT));
}

/** QUrl leaves out the slashes before an empty host; libpq needs them. */
QByteArray libpqUrl(const QString &url)
{
    static const QString kScheme = QStringLiteral("postgresql:/");
    const bool lacksHost = url.startsWith(kScheme) && !url.mid(kScheme.size()).startsWith(QLatin1Char('/'));
    return (lacksHost ? kScheme + QStringLiteral("//") + url.mid(kScheme.size()) : url).toUtf8();
}

bool isFailure(const PGresult *result)
{
    const ExecStatusType status = PQresultStatus(result);
    return status == PGRES_FATAL_ERROR || status == PGRES_BAD_RESPONSE || status == PGRES_NONFATAL_ERROR;
}

} // namespace

void PgRows::ClearResult::operator()(pg_result *result) const
{
    PQclear(result);
}

PgRows::PgRows(pg_result *result) : m_result(result) {}

int PgRows::size() const
{
    return PQntuples(m_result.get());
}

bool PgRows::isNull(int row, int column) const
{
    return PQgetisnull(m_result.get(), row, column) != 0;
}

QByteArray PgRows::text(int row, int column) const
{
    return {PQgetvalue(m_result.get(), row, column), PQgetlength(m_result.get(), row, column)};
}

QByteArray PgRows::bytes(int row, int column) const
{
    size_t size = 0;
    const std::unique_ptr<unsigned char, decltype(&PQfreemem)> bytes(
        PQunescapeBytea(reinterpret_cast<const unsigned char *>(text(row, column).constData()), &size),
        &PQfreemem);
    return bytes ? QByteArray(reinterpret_cast<const char *>(bytes.get()), qsizetype(size)) : QByteArray();
}

void PgConnection::CloseLink::operator()(pg_conn *link) const
{
    PQfinish(link);
}

base::Result<void> PgConnection::open(const HubTarget &target)
{
    m_statementTimeoutMs = target.statementTimeoutMs;
    const QByteArray url = libpqUrl(target.url);
    QList<const char *> keys{"dbname", "client_encoding", "fallback_application_name", "tcp_user_timeout"};
    QList<const char *> values{url.constData(), "UTF8", "lockkeeper-agent", "30000"};
    if (!target.password.isEmpty()) {
        keys.append("password");
        values.append(target.password.constData());
    }
    keys.append(nullptr);
    values.append(nullptr);
    m_link.reset(PQconnectStartParams(keys.constData(), values.constData(), 1));
    if (!m_link)
        return base::failure(ErrorCode::Unreachable, QStringLiteral("libpq has no memory"));
    PQsetErrorVerbosity(m_link.get(), PQERRORS_VERBOSE); // with the SQLSTATE of a refused login
    PQsetNoticeReceiver(
        m_link.get(), [](void *, const PGresult *) {}, nullptr); // by default it prints to standard error
    const QDeadlineTimer limit(target.connectTimeoutMs);
    PostgresPollingStatusType next = PGRES_POLLING_WRITING;
    while (PQstatus(m_link.get()) != CONNECTION_BAD && next != PGRES_POLLING_OK) {
        if (auto ready = await(next == PGRES_POLLING_READING ? POLLIN : POLLOUT, limit); !ready)
            return ready;
        next = PQconnectPoll(m_link.get());
        if (next == PGRES_POLLING_FAILED)
            break;
    }
    if (PQstatus(m_link.get()) != CONNECTION_OK)
        return giveUp(pgConnectError(PQerrorMessage(m_link.get())));
    if (PQsetnonblocking(m_link.get(), 1) != 0)
        return giveUp(lost());
    return {};
}

base::Result<void> PgConnection::begin()
{
    const QByteArray limit = QByteArray::number(m_statementTimeoutMs);
    return runScript("BEGIN; SET LOCAL statement_timeout = " + limit +
                     "; SET LOCAL idle_in_transaction_session_timeout = 60000");
}

base::Result<void> PgConnection::commit()
{
    return runScript("COMMIT");
}

void PgConnection::rollBack()
{
    if (!m_link || PQtransactionStatus(m_link.get()) == PQTRANS_IDLE)
        return;
    if (!runScript("ROLLBACK"))
        close();
}

base::Result<PgRows> PgConnection::run(const char *sql, const QList<PgValue> &bound)
{
    if (!m_link)
        return tl::unexpected(lost());
    QList<const char *> values;
    QList<int> lengths;
    QList<int> formats;
    for (const PgValue &value : bound) {
        values.append(value.value ? value.value->constData() : nullptr);
        lengths.append(value.value ? int(value.value->size()) : 0);
        formats.append(value.binary ? 1 : kTextFormat);
    }
    if (PQsendQueryParams(m_link.get(), sql, int(values.size()), nullptr, values.constData(),
                          lengths.constData(), formats.constData(), kTextFormat) == 0)
        return giveUp(lost());
    return takeResults(statementLimit());
}

base::Result<void> PgConnection::runScript(const QByteArray &sql)
{
    if (!m_link)
        return tl::unexpected(lost());
    if (PQsendQuery(m_link.get(), sql.constData()) == 0)
        return giveUp(lost());
    const auto done = takeResults(statementLimit());
    return done ? base::Result<void>() : tl::unexpected(done.error());
}

base::Result<void> PgConnection::copy(const char *sql, const QByteArray &data)
{
    if (!m_link)
        return tl::unexpected(lost());
    if (PQsendQuery(m_link.get(), sql) == 0)
        return giveUp(lost());
    const QDeadlineTimer limit = statementLimit();
    if (auto flushed = flush(limit); !flushed)
        return flushed;
    const auto first = nextResult(limit);
    if (!first)
        return tl::unexpected(first.error());
    const PgRows answer(*first);
    if (*first == nullptr || PQresultStatus(*first) != PGRES_COPY_IN) {
        const base::Error error = *first == nullptr ? lost() : errorOfResult(*first);
        if (const auto rest = takeResults(limit); !rest && !m_link)
            return tl::unexpected(rest.error());
        return tl::unexpected(error);
    }
    if (auto sent = sendCopy(data, limit); !sent)
        return sent;
    const auto done = takeResults(limit);
    return done ? base::Result<void>() : tl::unexpected(done.error());
}

base::Result<void> PgConnection::sendCopy(const QByteArray &data, const QDeadlineTimer &limit)
{
    for (qsizetype at = 0; at < data.size();) {
        const qsizetype size = std::min(kCopyChunk, data.size() - at);
        const int taken = PQputCopyData(m_link.get(), data.constData() + at, int(size));
        if (taken < 0)
            return giveUp(lost());
        if (taken > 0)
            at += size;
        if (auto flushed = flush(limit); !flushed)
            return flushed;
    }
    int ended = 0;
    while ((ended = PQputCopyEnd(m_link.get(), nullptr)) == 0) {
        if (auto flushed = flush(limit); !flushed)
            return flushed;
    }
    return ended < 0 ? base::Result<void>(giveUp(lost())) : base::Result<void>();
}

/** Waits for the socket. The interrupt and the limit end the connection. */
base::Result<void> PgConnection::await(short events, const QDeadlineTimer &limit)
{
    std::array<pollfd, 2> waits{pollfd{PQsocket(m_link.get()), events, 0},
                                pollfd{m_interrupt.descriptor(), POLLIN, 0}};
    int ready = -1;
    do {
        const qint64 left = limit.isForever() ? -1 : limit.remainingTime();
        ready = ::poll(waits.data(), waits.size(), int(std::min<qint64>(left, 60'000)));
        if (m_interrupt.isRaised())
            return giveUp({ErrorCode::Cancelled, QStringLiteral("interrupted"), {}});
    } while ((ready < 0 && errno == EINTR) || (ready == 0 && !limit.hasExpired()));
    if (ready == 0)
        return giveUp({ErrorCode::Timeout, QStringLiteral("the database didn't answer in time"), {}});
    return ready < 0 ? base::Result<void>(giveUp(lost())) : base::Result<void>();
}

base::Result<void> PgConnection::flush(const QDeadlineTimer &limit)
{
    for (;;) {
        const int left = PQflush(m_link.get());
        if (left == 0)
            return {};
        if (left < 0)
            return giveUp(lost());
        if (auto ready = await(POLLIN | POLLOUT, limit); !ready)
            return ready;
        if (PQconsumeInput(m_link.get()) == 0) // the server may wait until its messages are read
            return giveUp(lost());
    }
}

base::Result<pg_result *> PgConnection::nextResult(const QDeadlineTimer &limit)
{
    while (PQisBusy(m_link.get()) != 0) {
        if (auto ready = await(POLLIN, limit); !ready)
            return tl::unexpected(ready.error());
        if (PQconsumeInput(m_link.get()) == 0)
            return giveUp(lost());
    }
    return PQgetResult(m_link.get());
}

base::Result<PgRows> PgConnection::takeResults(const QDeadlineTimer &limit)
{
    if (auto flushed = flush(limit); !flushed)
        return tl::unexpected(flushed.error());
    std::optional<base::Error> failed;
    PgRows last(nullptr);
    for (;;) {
        const auto next = nextResult(limit);
        if (!next)
            return tl::unexpected(failed.value_or(next.error()));
        if (*next == nullptr)
            break;
        last = PgRows(*next);
        if (isFailure(*next) && !failed)
            failed = errorOfResult(*next);
    }
    if (PQstatus(m_link.get()) != CONNECTION_OK) {
        const base::Error error = lost();
        close();
        return tl::unexpected(failed.value_or(error));
    }
    if (failed)
        return tl::unexpected(*failed);
    return last;
}

QDeadlineTimer PgConnection::statementLimit() const
{
    return m_statementTimeoutMs > 0 ? QDeadlineTimer(m_statementTimeoutMs + kAnswerMarginMs)
                                    : QDeadlineTimer(QDeadlineTimer::Forever);
}

base::Error PgConnection::lost()
{
    const QByteArray text = m_link ? QByteArray(PQerrorMessage(m_link.get())) : QByteArray();
    return {ErrorCode::ConnectionLost,
            text.isEmpty() ? QStringLiteral("not connected") : QString::fromUtf8(text).simplified(),
            {}};
}

tl::unexpected<base::Error> PgConnection::giveUp(base::Error error)
{
    close();
    return tl::unexpected<base::Error>(std::move(error));
}

} // namespace lockkeeper::agent::hub
