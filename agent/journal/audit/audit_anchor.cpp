// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/audit/audit_anchor.h"

#include "shared/base/regular_file.h"

#include <QFile>
#include <QSaveFile>

namespace lockkeeper::agent::journal {

namespace {

constexpr qint64 kLongestFile = 10'000;

/** The value of a line "name value"; empty if the line has another name. */
QByteArray valueOf(const QByteArray &line, const QByteArray &name)
{
    return line.startsWith(name + ' ') ? line.sliced(name.size() + 1) : QByteArray();
}

std::optional<domain::AuditSignature> parsed(const QByteArray &content)
{
    const QList<QByteArray> lines = content.split('\n');
    if (lines.size() != 7 || !lines.last().isEmpty())
        return std::nullopt;
    domain::AuditSignature head;
    bool isCount = false;
    bool isTime = false;
    head.records = valueOf(lines[0], "lockkeeper-audit-1").toLongLong(&isCount);
    head.hash = QByteArray::fromHex(valueOf(lines[1], "hash"));
    head.timeUs = valueOf(lines[2], "time_us").toLongLong(&isTime);
    head.keyId = QByteArray::fromHex(valueOf(lines[4], "key"));
    head.signature = QByteArray::fromHex(valueOf(lines[5], "signature"));
    const bool isWhole = isCount && isTime && head.records >= 0 && head.hash.size() == 32 &&
                         !head.signature.isEmpty() && content.startsWith(head.text());
    return isWhole ? std::optional(head) : std::nullopt;
}

} // namespace

base::Result<void> writeAuditAnchor(const AuditFiles &files, const domain::AuditSignature &head,
                                    const QByteArray &journalId)
{
    QSaveFile out(files.anchor());
    const QByteArray content = head.text() + "journal " + journalId + "\nkey " + head.keyId.toHex() +
                               "\nsignature " + head.signature.toHex() + '\n';
    if (out.open(QIODevice::WriteOnly) && out.setPermissions(QFile::ReadOwner | QFile::WriteOwner) &&
        out.write(content) == content.size() && out.commit())
        return {};
    return base::failure(base::ErrorCode::Storage,
                         QStringLiteral("%1 can't be written: %2").arg(files.anchor(), out.errorString()),
                         QStringLiteral("Make its folder writable for the agent's user"));
}

base::Result<std::optional<domain::AuditSignature>> readAuditAnchor(const AuditFiles &files)
{
    QFile in(files.anchor());
    if (!in.exists())
        return std::optional<domain::AuditSignature>();
    const auto opened = base::openRegular(in);
    const auto head = opened ? parsed(in.read(kLongestFile)) : std::nullopt;
    const auto key = readPublicKey(files);
    if (head && (!key || head->isBy(*key)))
        return head;
    return base::failure(base::ErrorCode::Corrupt,
                         head ? QStringLiteral("%1 isn't signed with the key beside it").arg(files.anchor())
                              : QStringLiteral("%1 isn't the signed head of an audit").arg(files.anchor()),
                         QStringLiteral("Restore it from a backup, or accept the audit as it is: "
                                        "lockkeeper-agent --config FILE audit accept --reason TEXT"));
}

std::optional<base::PublicKey> readPublicKey(const AuditFiles &files)
{
    QFile in(files.publicKey());
    if (!base::openRegular(in))
        return std::nullopt;
    const auto key = base::PublicKey::fromPem(in.read(kLongestFile));
    return key ? std::optional(*key) : std::nullopt;
}

} // namespace lockkeeper::agent::journal
