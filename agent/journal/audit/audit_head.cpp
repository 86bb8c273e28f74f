// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/audit/audit_chain.h"
#include "shared/base/regular_file.h"

#include <QFile>
#include <QSaveFile>

namespace lockkeeper::agent::journal {

base::Result<void> writeAuditHead(const QString &file, const AuditHead &head)
{
    // QSaveFile syncs the new file before it takes the old one's place.
    QSaveFile out(file);
    const QByteArray line = QByteArray::number(head.count) + ' ' + head.hash.toHex() + '\n';
    if (out.open(QIODevice::WriteOnly) && out.write(line) == line.size() && out.commit())
        return {};
    return base::failure(base::ErrorCode::Storage,
                         QStringLiteral("%1 can't be written: %2").arg(file, out.errorString()),
                         QStringLiteral("Free space on the disk of the data folder, or make it writable"));
}

base::Result<std::optional<AuditHead>> readAuditHead(const QString &file)
{
    QFile in(file);
    if (!in.exists())
        return std::optional<AuditHead>();
    const auto corrupt = [&file] {
        return base::failure(
            base::ErrorCode::Corrupt, QStringLiteral("%1 isn't the head of an audit").arg(file),
            QStringLiteral("Restore it from a backup: until then the audit counts as changed"));
    };
    if (!base::openRegular(in))
        return corrupt();
    const QByteArray content = in.read(200);
    const QList<QByteArray> parts = content.trimmed().split(' ');
    if (!content.endsWith('\n') || parts.size() != 2 || parts.at(1).size() != 64)
        return corrupt();
    bool ok = false;
    const AuditHead head{parts.at(0).toLongLong(&ok), QByteArray::fromHex(parts.at(1))};
    if (!ok || head.count < 0 || head.hash.size() != 32)
        return corrupt();
    return head;
}

} // namespace lockkeeper::agent::journal
