// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/write/opening.h"

#include "agent/journal/storage/event_store.h"
#include "agent/journal/storage/migrations.h"
#include "agent/journal/storage/synced_file.h"
#include "agent/journal/write/commit_log.h"
#include "shared/base/random_id.h"

#include <QFile>
#include <QFileInfo>
#include <QLoggingCategory>
#include <QVariant>

#include <algorithm>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

Q_LOGGING_CATEGORY(lcJournalOpen, "lockkeeper.journal")

namespace lockkeeper::agent::journal {

namespace {

const QLatin1String kAuditFile("/audit.db");
const QLatin1String kHeadFile("/audit.head");
const QLatin1String kKeyFile("/audit.key");
/** Above this size a full check would delay the start of the agent by seconds. The rows' checksums detect
 * damage instead, unless the writer has met a damaged page. */
constexpr qint64 kCheckedBytes = 256LL << 20;

/** True if nothing is damaged but the index of names, or the old index that an earlier repair left in place.
 * Rebuilds a damaged index. */
bool isIndexAlone(SqliteConnection &connection)
{
    const auto rows = connection.prepare(
        QStringLiteral("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0"));
    QStringList tables;
    for (bool any = connection.run(*rows) && rows->next(); any; any = rows->next())
        tables.append(QString::fromUtf8(rows->bytes(0)));
    const bool hasOld = tables.removeOne(QStringLiteral("lock_names_damaged"));
    const bool hasIndex = tables.removeOne(QStringLiteral("lock_names"));
    const auto isIntact = [&connection](const QString &table) {
        const auto verdict = connection.scalar(QStringLiteral("PRAGMA quick_check('%1')").arg(table));
        return verdict && verdict->toString() == QLatin1String("ok");
    };
    if (!connection.endReading() || !hasIndex || !std::all_of(tables.cbegin(), tables.cend(), isIntact))
        return false;
    return isIntact(QStringLiteral("lock_names")) ? hasOld : remakeNames(connection);
}

bool isSound(SqliteConnection &connection, const QString &path)
{
    if (!connection.scalar(QStringLiteral("PRAGMA schema_version")))
        return false;
    if (QFileInfo(path).size() > kCheckedBytes && connection.metaNumber("damaged", 0) == 0)
        return true;
    const auto verdict = connection.scalar(QStringLiteral("PRAGMA quick_check(1)"));
    if (!verdict)
        return false;
    const QString told = verdict->toString().simplified();
    // isIndexAlone() checks table by table, without the freelist; quick_check reports the freelist first.
    if (told == QLatin1String("ok") ||
        (!told.contains(QLatin1String("freelist"), Qt::CaseInsensitive) && isIndexAlone(connection)))
        return true;
    connection.restoreError({base::ErrorCode::Corrupt, told, {}});
    return false;
}

/** The id of the machine's current boot (proc_sys_kernel(5)); empty if it can't be read. */
QByteArray bootId()
{
    QFile file(QStringLiteral("/proc/sys/kernel/random/boot_id"));
    return file.open(QIODevice::ReadOnly) ? file.readAll().trimmed() : QByteArray("");
}

base::Result<void> writeMeta(SqliteConnection &connection,
                             const QList<std::pair<QByteArray, QByteArray>> &pairs)
{
    const auto write = [&connection](const auto &pair) {
        return connection.setMeta(pair.first, pair.second);
    };
    if (connection.transact([&] { return std::all_of(pairs.cbegin(), pairs.cend(), write); }))
        return {};
    return tl::unexpected(connection.error());
}

/** Returns the new name of the journal, or an empty string if renaming failed. */
QString moveAside(const QString &path, qint64 nowUs)
{
    const QString suffix = corruptSuffix(nowUs);
    const auto logs = CommitLog::filesOf(path);
    for (const QString &name :
         {path + QLatin1String("-wal"), path + QLatin1String("-shm"), logs[0], logs[1]}) {
        if (QFile::exists(name) && !QFile::rename(name, name + suffix))
            return {};
    }
    return QFile::rename(path, path + suffix) ? path + suffix : QString();
}

} // namespace

AuditFiles auditFiles(const JournalOptions &options)
{
    const QString folder = QFileInfo(options.path).absolutePath();
    return {folder + kAuditFile, folder + kHeadFile,
            options.auditKey.isEmpty() ? folder + kKeyFile : options.auditKey};
}

base::Result<void> openDatabase(SqliteConnection &connection, const QString &path, qint64 nowUs,
                                QString *setAside)
{
    if (connection.open(path, SqliteConnection::Mode::Write) && isSound(connection, path)) {
        const auto migrated = migrate(connection, Schema::Journal);
        if (migrated || migrated.error().code != base::ErrorCode::Corrupt)
            return migrated;
    }
    if (!connection.isCorrupt())
        return tl::unexpected(connection.error());
    qCWarning(lcJournalOpen).noquote()
        << "the journal is damaged and set aside:" << connection.error().line();
    connection.close();
    *setAside = moveAside(path, nowUs);
    if (setAside->isEmpty()) {
        return base::failure(
            base::ErrorCode::Storage, QStringLiteral("%1 is damaged and can't be renamed").arg(path),
            QStringLiteral("Move it away and make its folder writable for the agent's user"));
    }
    if (!connection.open(path, SqliteConnection::Mode::Write))
        return tl::unexpected(connection.error());
    return migrate(connection, Schema::Journal);
}

base::Result<QByteArray> journalId(SqliteConnection &connection, qint64 nowUs)
{
    if (const auto known = connection.meta("journal_id"))
        return *known;
    const QByteArray id = base::randomId();
    return writeMeta(connection, {{"journal_id", id}, {"created_us", QByteArray::number(nowUs)}}).map([&id] {
        return id;
    });
}

QByteArray idAfter(SqliteConnection &connection, const QByteArray &known, bool interrupted)
{
    const auto before = connection.meta("boot_id");
    const bool mayLackEvents = interrupted && before && *before != bootId();
    return mayLackEvents || connection.meta(kAbandonedId) == known ? base::randomId() : known;
}

bool saveId(SqliteConnection &connection, const QByteArray &id)
{
    const QByteArray boot = bootId();
    return (connection.meta("boot_id") == boot && connection.meta("journal_id") == id) ||
           (connection.setMeta("journal_id", id) && connection.setMeta("boot_id", boot));
}

WriterLock::~WriterLock()
{
    release();
}

base::Result<void> WriterLock::take(const QString &journalPath)
{
    const QString file = journalPath + QLatin1String(".lock");
    m_fd = ::open(QFile::encodeName(file).constData(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (m_fd < 0) {
        return base::failure(base::ErrorCode::Storage,
                             QStringLiteral("%1 can't be made: %2").arg(file, qt_error_string(errno)),
                             QStringLiteral("Make the data folder and give it to the agent's user"));
    }
    if (::flock(m_fd, LOCK_EX | LOCK_NB) == 0)
        return {};
    release();
    return base::failure(base::ErrorCode::Busy, QStringLiteral("another agent writes to %1").arg(journalPath),
                         QStringLiteral("Stop it, or give this agent a different data_dir"));
}

void WriterLock::release()
{
    if (m_fd >= 0)
        ::close(m_fd);
    m_fd = -1;
}

} // namespace lockkeeper::agent::journal
