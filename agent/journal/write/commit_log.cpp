// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/write/commit_log.h"

#include "agent/journal/storage/checksum.h"
#include "shared/protocol/codec.h"

#include <QDataStream>
#include <QFile>
#include <QtEndian>

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace lockkeeper::agent::journal {

namespace {

// A record's head, little-endian: size of what follows it, checksum, first number.
constexpr qsizetype kSizeAt = 0;
constexpr qsizetype kChecksumAt = 4;
constexpr qsizetype kFirstAt = 8;
constexpr qsizetype kHead = 16;

constexpr qint64 kLongEnough = 4LL << 20; ///< bytes of a file before the log changes to the other one
constexpr qint64 kMostKept = 16LL << 20;  ///< bytes of a file to overwrite; longer ones are truncated

quint32 checksumOf(const QByteArray &journalId, quint64 firstSeq, QByteArrayView body)
{
    return quint32(Checksum()
                       .addBytes(journalId)
                       .add(qint64(firstSeq))
                       .addBytes(QByteArray::fromRawData(body.data(), body.size()))
                       .value());
}

QByteArray bodyOf(const CommitLog::LogRecord &record)
{
    QByteArray body;
    QDataStream stream(&body, QIODevice::WriteOnly);
    stream.setVersion(QDataStream::Qt_6_0);
    stream << protocol::encode(protocol::EventBatch{record.events}) << qint32(record.progress.size());
    for (const Progress &step : record.progress)
        stream << step.source << step.store << step.lastSeenUs << step.position.has_value()
               << step.position.value_or(QByteArray());
    return body;
}

std::optional<CommitLog::LogRecord> recordOf(const QByteArray &body)
{
    QDataStream stream(body);
    stream.setVersion(QDataStream::Qt_6_0);
    QByteArray events;
    qint32 steps = 0;
    stream >> events >> steps;
    const auto message = protocol::decode(events);
    const auto *batch = message ? std::get_if<protocol::EventBatch>(&*message) : nullptr;
    if (batch == nullptr || batch->events.isEmpty())
        return std::nullopt;
    CommitLog::LogRecord record{batch->events, {}};
    for (qint32 i = 0; i < steps && stream.status() == QDataStream::Ok; ++i) {
        Progress step;
        bool positioned = false;
        QByteArray position;
        stream >> step.source >> step.store >> step.lastSeenUs >> positioned >> position;
        if (positioned)
            step.position = position;
        record.progress.append(step);
    }
    return stream.status() == QDataStream::Ok ? std::optional(std::move(record)) : std::nullopt;
}

bool writeAll(int fd, const QByteArray &bytes, qint64 at)
{
    for (qsizetype done = 0; done < bytes.size();) {
        const ssize_t written =
            ::pwrite(fd, bytes.constData() + done, size_t(bytes.size() - done), at + done);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        done += written;
    }
    return true;
}

} // namespace

std::array<QString, 2> CommitLog::filesOf(const QString &journalPath)
{
    return {journalPath + QLatin1String("-log0"), journalPath + QLatin1String("-log1")};
}

base::Result<void> CommitLog::open(const QString &journalPath, const QByteArray &journalId)
{
    close();
    m_path = journalPath;
    m_journalId = journalId;
    const auto files = filesOf(journalPath);
    for (size_t i = 0; i < m_parts.size(); ++i) {
        LogFile &part = m_parts[i];
        part.fd =
            ::open(QFile::encodeName(files[i]).constData(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
        struct stat status
        {
        };
        if (part.fd < 0 || ::fstat(part.fd, &status) != 0)
            return tl::unexpected(failure("opened"));
        part.size = status.st_size;
    }
    m_isClear = isEmpty();
    return {};
}

void CommitLog::close()
{
    for (LogFile &part : m_parts) {
        if (part.fd >= 0)
            ::close(part.fd);
        part = {};
    }
}

base::Result<QList<CommitLog::LogRecord>> CommitLog::recordsOf(const LogFile &part) const
{
    QByteArray bytes(part.size, Qt::Uninitialized);
    for (qint64 done = 0; done < part.size;) {
        const ssize_t read = ::pread(part.fd, bytes.data() + done, size_t(part.size - done), done);
        if (read < 0 && errno == EINTR)
            continue;
        if (read <= 0)
            return tl::unexpected(failure("read"));
        done += read;
    }
    QList<LogRecord> records;
    for (qsizetype at = 0; bytes.size() - at >= kHead;) {
        const char *head = bytes.constData() + at;
        const quint32 size = qFromLittleEndian<quint32>(head + kSizeAt);
        const quint64 first = qFromLittleEndian<quint64>(head + kFirstAt);
        if (size > quint64(bytes.size() - at - kHead))
            break;
        const QByteArray body = QByteArray::fromRawData(head + kHead, qsizetype(size));
        if (checksumOf(m_journalId, first, body) != qFromLittleEndian<quint32>(head + kChecksumAt))
            break;
        // Bytes behind the last record are left from an earlier use of the file; their numbers are smaller.
        if (!records.isEmpty() && first != records.constLast().events.constLast().seq + 1)
            break;
        auto record = recordOf(body);
        if (!record || record->events.constFirst().seq != first)
            break;
        records.append(std::move(*record));
        at += kHead + qsizetype(size);
    }
    return records;
}

base::Result<QList<CommitLog::LogRecord>> CommitLog::readAfter(quint64 afterSeq) const
{
    auto one = recordsOf(m_parts[0]);
    auto other = recordsOf(m_parts[1]);
    if (!one || !other)
        return one ? other : one;
    QList<LogRecord> older = std::move(*one);
    QList<LogRecord> newer = std::move(*other);
    const auto firstOf = [](const QList<LogRecord> &records) {
        return records.isEmpty() ? 0 : records.constFirst().events.constFirst().seq;
    };
    if (firstOf(newer) < firstOf(older))
        std::swap(older, newer);
    QList<LogRecord> found;
    quint64 last = afterSeq;
    for (LogRecord &record : older + newer) {
        if (record.events.constLast().seq <= last)
            continue;
        if (record.events.constFirst().seq != last + 1)
            break;
        last = record.events.constLast().seq;
        found.append(std::move(record));
    }
    return found;
}

base::Result<void> CommitLog::clear(const QByteArray &journalId)
{
    m_journalId = journalId;
    for (LogFile &part : m_parts) {
        if (::ftruncate(part.fd, 0) != 0)
            return tl::unexpected(failure("emptied"));
        part = {part.fd, 0, 0};
    }
    m_active = 0;
    m_isClear = true;
    return {};
}

base::Result<void> CommitLog::append(const LogRecord &record, quint64 filedSeq)
{
    if (!m_isClear)
        return base::failure(base::ErrorCode::Storage,
                             QStringLiteral("the journal: events of the last run aren't written yet"));
    const size_t other = 1 - m_active;
    if (m_parts[m_active].size >= kLongEnough && m_parts[other].lastSeq <= filedSeq) {
        if (m_parts[other].size > kMostKept && ::ftruncate(m_parts[other].fd, 0) != 0)
            return tl::unexpected(failure("emptied"));
        m_parts[other].size = 0;
        m_active = other;
    }
    LogFile &part = m_parts[m_active];
    const QByteArray body = bodyOf(record);
    const quint64 first = record.events.constFirst().seq;
    QByteArray bytes(kHead, Qt::Uninitialized);
    qToLittleEndian(quint32(body.size()), bytes.data() + kSizeAt);
    qToLittleEndian(checksumOf(m_journalId, first, body), bytes.data() + kChecksumAt);
    qToLittleEndian(first, bytes.data() + kFirstAt);
    bytes += body;
    if (!writeAll(part.fd, bytes, part.size))
        return tl::unexpected(failure("written"));
    part.size += bytes.size();
    part.lastSeq = record.events.constLast().seq;
    return {};
}

base::Error CommitLog::failure(const char *what) const
{
    return {base::ErrorCode::Storage,
            QStringLiteral("the journal: its log %1-log0 or -log1 can't be %2: %3")
                .arg(m_path, QLatin1String(what), qt_error_string(errno)),
            QStringLiteral("Free space on the disk of the data folder, and make it writable")};
}

} // namespace lockkeeper::agent::journal
