// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/binlog/binlog_stream.h"

#include "shared/stores/sql/connection/mysql_tls.h"
#include "shared/stores/sql/connection/sql_connection.h"
#include "shared/stores/sql/connection/sql_errors.h"

#include <QFile>

#include <limits>
#include <mysql.h>

// After mysql.h, whose types it uses.
#include <mariadb_rpl.h>
#include <sys/socket.h>

namespace lockkeeper::stores::sql::binlog {

using base::ErrorCode;
using base::failure;

namespace {
constexpr unsigned kReadSeconds = 15;
/** Bytes of one event, which the library keeps in memory. A compressed transaction is a single event. */
constexpr size_t kMostPacket = 128U << 20;
/** The library's error where it can't keep a packet; 2 means that a socket failed. */
constexpr unsigned kBufferError = 1;
/** The server's error where the account may not read the log, or the log can't be read from the place. */
constexpr unsigned kFatalReading = 1236;

auto interruptedError()
{
    return failure(ErrorCode::Cancelled, QStringLiteral("the connection was closed"));
}
} // namespace

BinlogStream::BinlogStream() = default;

BinlogStream::~BinlogStream()
{
    close();
}

base::Result<void> BinlogStream::open(const SourceSpec &spec)
{
    close();
    const auto endpoint = endpointOf(spec.url);
    if (!endpoint)
        return tl::unexpected(endpoint.error());
    m_mysql = mysql_init(nullptr);
    if (!m_mysql)
        return failure(ErrorCode::Unknown, QStringLiteral("out of memory"));
    const auto connectSeconds = unsigned(std::max<qint64>((spec.connectTimeoutMs + 999) / 1000, 1));
    mysql_options(m_mysql, MYSQL_OPT_CONNECT_TIMEOUT, &connectSeconds);
    mysql_options(m_mysql, MYSQL_OPT_READ_TIMEOUT, &kReadSeconds);
    mysql_options(m_mysql, MYSQL_OPT_WRITE_TIMEOUT, &kReadSeconds);
    mysql_options(m_mysql, MYSQL_OPT_MAX_ALLOWED_PACKET, &kMostPacket);
    mysql_options(m_mysql, MYSQL_SET_CHARSET_NAME, "utf8mb4");
    const bool encrypts = endpoint->socket.isEmpty() && !spec.tls.isEmpty();
    if (encrypts) {
        mysqltls::apply(m_mysql, spec.tls);
        const unsigned protocol = MYSQL_PROTOCOL_TCP; // "localhost" means a socket otherwise
        mysql_options(m_mysql, MYSQL_OPT_PROTOCOL, &protocol);
    }
    const QByteArray host = (encrypts ? endpoint->serverName : endpoint->host).toUtf8();
    const QByteArray socket = QFile::encodeName(endpoint->socket);
    const bool opened = mysql_real_connect(m_mysql, socket.isEmpty() ? host.constData() : nullptr,
                                           endpoint->user.toUtf8().constData(), spec.password.constData(),
                                           endpoint->database.toUtf8().constData(), unsigned(endpoint->port),
                                           socket.isEmpty() ? nullptr : socket.constData(), 0) != nullptr;
    if (!opened) {
        const base::Error error = lastError();
        close();
        return tl::unexpected(error);
    }
    if (encrypts &&
        mysql_get_ssl_cipher(m_mysql) == nullptr) { // without verification, this is the only check
        close();
        return failure(ErrorCode::Unreachable, QStringLiteral("the connection isn't encrypted"),
                       QStringLiteral("Enable TLS on the server."));
    }
    const std::lock_guard lock(m_mutex);
    m_socket = int(mysql_get_socket(m_mysql));
    return m_interrupted ? interruptedError() : base::Result<void>();
}

base::Error BinlogStream::lastError() const
{
    return errorOf(int(mysql_errno(m_mysql)), QString::fromUtf8(mysql_error(m_mysql)));
}

base::Result<QList<BinlogStream::Row>> BinlogStream::query(const QByteArray &sql)
{
    if (mysql_real_query(m_mysql, sql.constData(), static_cast<unsigned long>(sql.size())) != 0)
        return tl::unexpected(lastError());
    QList<Row> rows;
    MYSQL_RES *result = mysql_store_result(m_mysql);
    if (!result)
        return mysql_errno(m_mysql) == 0 ? base::Result<QList<Row>>(rows) : tl::unexpected(lastError());
    const unsigned columns = mysql_num_fields(result);
    while (MYSQL_ROW values = mysql_fetch_row(result)) {
        const unsigned long *sizes = mysql_fetch_lengths(result);
        Row row;
        for (unsigned i = 0; i < columns; ++i)
            row.append(values[i] ? QByteArray(values[i], qsizetype(sizes[i])) : QByteArray());
        rows.append(row);
    }
    mysql_free_result(result);
    return rows;
}

QByteArray BinlogStream::quoted(const QByteArray &text) const
{
    QByteArray escaped(2 * text.size() + 1, '\0');
    escaped.truncate(qsizetype(mysql_real_escape_string(m_mysql, escaped.data(), text.constData(),
                                                        static_cast<unsigned long>(text.size()))));
    return '\'' + escaped + '\'';
}

base::Result<void> BinlogStream::dump(const LogPlace &from, quint32 serverId)
{
    if (from.offset > std::numeric_limits<quint32>::max())
        return failure(ErrorCode::NotFound,
                       QStringLiteral("no server sends its binary log from a position past 4 GiB"));
    m_replication = mariadb_rpl_init(m_mysql);
    if (!m_replication)
        return failure(ErrorCode::Unsupported, QStringLiteral("libmariadb has another version"));
    mariadb_rpl_optionsv(m_replication, MARIADB_RPL_FILENAME, from.file.constData(),
                         size_t(from.file.size()));
    mariadb_rpl_optionsv(m_replication, MARIADB_RPL_START, static_cast<unsigned long>(from.offset));
    mariadb_rpl_optionsv(m_replication, MARIADB_RPL_SERVER_ID, serverId);
    mariadb_rpl_optionsv(m_replication, MARIADB_RPL_FLAGS, 0U);
    if (mariadb_rpl_open(m_replication) != 0)
        return tl::unexpected(lastError());
    return {};
}

base::Result<QByteArrayView> BinlogStream::next()
{
    // Read the packet itself: mariadb_rpl_fetch() decodes only the event types that it lists. It lacks those
    // of MySQL 8 and 9, and isn't meant for untrusted bytes.
    const unsigned long size = mysql_net_read_packet(m_mysql);
    {
        const std::lock_guard lock(m_mutex);
        if (m_interrupted)
            return interruptedError();
    }
    if (size == packet_error) {
        base::Error error = lastError();
        if (mysql_errno(m_mysql) == kFatalReading)
            error.code = ErrorCode::NotFound;
        if (m_mysql->net.error == kBufferError) // the library calls it a lost connection
            error = {
                ErrorCode::TooLarge, QStringLiteral("an event of the binary log has more than 128 MiB"), {}};
        return tl::unexpected(error);
    }
    const auto *bytes = reinterpret_cast<const char *>(m_mysql->net.read_pos);
    if (size < 9 && size > 0 && quint8(bytes[0]) == 0xFE)
        return failure(ErrorCode::ConnectionLost,
                       QStringLiteral("the server ended the stream of its binary log"));
    if (size < 1 || bytes[0] != 0)
        return failure(ErrorCode::Protocol, QStringLiteral("the server sent data that isn't its binary log"));
    return QByteArrayView(bytes + 1, qsizetype(size) - 1);
}

void BinlogStream::close()
{
    {
        const std::lock_guard lock(m_mutex);
        m_socket = -1;
    }
    if (m_replication)
        mariadb_rpl_close(m_replication);
    m_replication = nullptr;
    if (m_mysql)
        mysql_close(m_mysql);
    m_mysql = nullptr;
}

void BinlogStream::interrupt()
{
    const std::lock_guard lock(m_mutex);
    m_interrupted = true;
    if (m_socket >= 0)
        ::shutdown(m_socket, SHUT_RDWR);
}

} // namespace lockkeeper::stores::sql::binlog
