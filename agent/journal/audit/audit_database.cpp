// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/audit/audit_database.h"

#include "agent/journal/audit/audit_chain.h"
#include "agent/journal/storage/migrations.h"
#include "agent/journal/storage/synced_file.h"

#include <QFile>
#include <QFileInfo>
#include <QLoggingCategory>

#include <algorithm>

Q_LOGGING_CATEGORY(lcAuditDatabase, "lockkeeper.journal")

namespace lockkeeper::agent::journal {

namespace {

/** A record has two hashes of 32 bytes: a file has no room for more records than this divisor allows. */
constexpr qint64 kLeastRecordBytes = 64;

/** Copies what a damaged database still yields into a new one. A row that can't be read costs that row. */
class Recovery
{
public:
    Recovery(SqliteConnection &from, SqliteConnection &to, const AuditFiles &files) : m_from(from), m_to(to)
    {
        const auto head = readAuditHead(files.head);
        if (head && *head)
            m_head = **head;
        const auto anchor = readAuditAnchor(files);
        m_expected = std::max(m_head.count, anchor && *anchor ? (*anchor)->records : 0);
        const auto last = m_from.scalar(QStringLiteral("SELECT max(record) FROM audit_log"));
        // Damage can make this number as large as it likes.
        const qint64 room = QFileInfo(files.database).size() / kLeastRecordBytes;
        m_expected = std::max(m_expected, last ? std::min(last->toLongLong(), room) : 0);
    }

    bool run()
    {
        for (qint64 record = 0; record <= m_expected; ++record) {
            if (!copyRecord(record) || !copySignatures(record))
                return false;
        }
        return copyMeta();
    }
    QString report() const
    {
        return m_read == m_expected
                   ? QStringLiteral("the audit was damaged, and all its %1 records were recovered")
                         .arg(m_read)
                   : QStringLiteral("the audit was damaged, and %1 of its %2 records couldn't be recovered")
                         .arg(m_expected - m_read)
                         .arg(m_expected);
    }

private:
    bool copyRecord(qint64 number)
    {
        SqliteStatement &row = m_from.statement("audit_record");
        if (!m_from.run(row.bind(number)) || !row.next())
            return true;
        const AuditRecord record = readAuditRecord(row);
        row.finish();
        // Damage can give two records the same id. The second one is lost then.
        SqliteStatement &restore = m_to.statement("audit_restore");
        bindAuditRecord(restore, record);
        if (!m_to.run(restore))
            return false;
        m_read += restore.affected();
        return true;
    }
    bool copySignatures(qint64 records)
    {
        SqliteStatement &rows = m_from.statement("audit_signatures_at");
        if (!m_from.run(rows.bind(records)))
            return true;
        while (rows.next()) {
            SqliteStatement &sign = m_to.statement("audit_sign");
            sign.bind(rows.integer(0)).bindBytes(rows.bytes(1)).bind(rows.integer(2));
            if (!m_to.run(sign.bindBytes(rows.bytes(3)).bindBytes(rows.bytes(4))))
                return false;
        }
        return true;
    }
    /** Without the head in the damaged file, the head beside it takes its place: the check of the chain then
     * finds the records that are missing at the end. */
    bool copyMeta()
    {
        const auto journal = m_from.meta("journal_id");
        const auto count = m_from.meta("audit_count");
        const auto hash = m_from.meta("audit_head");
        if (count && hash && hash->size() == 32 && count->toLongLong() > m_head.count)
            m_head = {count->toLongLong(), *hash};
        return (!journal || m_to.setMeta("journal_id", *journal)) &&
               (m_head.count == 0 || (m_to.setMeta("audit_count", QByteArray::number(m_head.count)) &&
                                      m_to.setMeta("audit_head", m_head.hash)));
    }

    SqliteConnection &m_from;
    SqliteConnection &m_to;
    AuditHead m_head = emptyAuditHead();
    qint64 m_expected = 0; ///< records that there were
    qint64 m_read = 0;
};

QString recoveredFile(const QString &path)
{
    return path + QLatin1String(".recovered");
}

/** Puts the recovered file in the place of the damaged one, which keeps its content under the name `aside`.
 * openAuditDatabase() completes a rename that a crash has cut off. */
bool exchange(const QString &path, const QString &aside)
{
    const QString log = path + QLatin1String("-wal");
    if (QFile::exists(log) && !QFile::rename(log, aside + QLatin1String("-wal")))
        return false;
    QFile::remove(path + QLatin1String("-shm"));
    return QFile::rename(path, aside) && QFile::rename(recoveredFile(path), path);
}

base::Result<void> recover(const AuditFiles &files, const QString &aside)
{
    const QString recovered = recoveredFile(files.database);
    for (const QLatin1String suffix : {QLatin1String(""), QLatin1String("-wal"), QLatin1String("-shm")})
        QFile::remove(recovered + suffix);
    SqliteConnection to;
    if (!openSynced(to, recovered))
        return tl::unexpected(to.error());
    if (const auto migrated = migrate(to, Schema::Audit); !migrated)
        return migrated;
    SqliteConnection from;
    (void)from.open(files.database,
                    SqliteConnection::Mode::Read); // a file that can't be opened yields no rows
    Recovery recovery(from, to, files);
    QString report;
    const auto copy = [&] {
        if (!recovery.run())
            return false;
        report = QStringLiteral("%1; the damaged file is %2 now").arg(recovery.report(), aside);
        return to.setMeta(kAuditDamage, report.toUtf8());
    };
    if (!to.transact(copy))
        return tl::unexpected(to.error());
    qCCritical(lcAuditDatabase).noquote() << report;
    return {};
}

} // namespace

base::Result<void> openAuditDatabase(SqliteConnection &connection, const AuditFiles &files, qint64 nowUs)
{
    const QString &path = files.database;
    if (!QFile::exists(path) && QFile::exists(recoveredFile(path)))
        (void)QFile::rename(recoveredFile(path), path); // it was complete before the damaged file was renamed
    const auto open = [&]() -> base::Result<void> {
        if (!openSynced(connection, path) || !isIntact(connection))
            return tl::unexpected(connection.error());
        return migrate(connection, Schema::Audit);
    };
    const auto opened = open();
    if (opened || opened.error().code != base::ErrorCode::Corrupt)
        return opened;
    qCCritical(lcAuditDatabase).noquote() << "the audit is damaged:" << opened.error().line();
    connection.close();
    const QString aside = path + corruptSuffix(nowUs);
    if (const auto recovered = recover(files, aside); !recovered)
        return recovered;
    if (!exchange(path, aside))
        return base::failure(base::ErrorCode::Storage,
                             QStringLiteral("%1 is damaged and can't be renamed").arg(path),
                             QStringLiteral("Make its folder writable for the agent's user"));
    return open();
}

} // namespace lockkeeper::agent::journal
