// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/audit/audit_signer.h"

#include "shared/base/regular_file.h"

#include <QFile>
#include <QSaveFile>

#include <cstdlib>

namespace lockkeeper::agent::journal {

namespace {

constexpr qint64 kRecords = 100;
constexpr qint64 kAtLeastEveryUs = 3'600'000'000;

QString publicFile(const QString &keyFile)
{
    return keyFile + QLatin1String(".pub");
}

/** The public half, too: nothing of the data folder is for others. */
base::Result<void> save(const QString &file, const QByteArray &content)
{
    QSaveFile out(file);
    if (out.open(QIODevice::WriteOnly) && out.setPermissions(QFile::ReadOwner | QFile::WriteOwner) &&
        out.write(content) == content.size() && out.commit())
        return {};
    return base::failure(base::ErrorCode::Storage,
                         QStringLiteral("%1 can't be written: %2").arg(file, out.errorString()),
                         QStringLiteral("Make its folder writable for the agent's user"));
}

} // namespace

base::Result<void> AuditSigner::open(const AuditHead &head)
{
    const auto known = readKey();
    if (!known)
        return tl::unexpected(known.error());
    if (!*known) {
        if (const auto made = makeKey(); !made)
            return made;
    }
    auto continued = checkNewest(*known && head.count > 0);
    if (!continued)
        m_key.reset();
    return continued;
}

base::Result<void> AuditSigner::checkNewest(bool isNeeded)
{
    const auto newest = newestSignature(m_connection, m_keyId);
    if (!newest)
        return tl::unexpected(newest.error());
    const QString remedy = QStringLiteral("Compare the journal with a backup: nothing is signed until then");
    if (!*newest) {
        if (!isNeeded)
            return {};
        return base::failure(base::ErrorCode::Corrupt,
                             QStringLiteral("the audit has lost its signatures by %1").arg(m_keyFile),
                             remedy);
    }
    const domain::AuditSignature &signature = **newest;
    const auto same = isOfChain(m_connection, signature);
    if (!same)
        return tl::unexpected(same.error());
    if (!*same || !signature.isBy(m_key->publicKey()))
        return base::failure(
            base::ErrorCode::Corrupt,
            QStringLiteral("the audit isn't the one that was signed at its record %1").arg(signature.records),
            remedy);
    m_signedRecords = signature.records;
    m_signedUs = signature.timeUs;
    return {};
}

base::Result<bool> AuditSigner::readKey()
{
    QFile in(m_keyFile);
    if (!in.exists())
        return false;
    if (const auto opened = base::openRegular(in); !opened)
        return base::failure(base::ErrorCode::Storage,
                             QStringLiteral("%1 can't be read: %2").arg(m_keyFile, opened.error().cause),
                             QStringLiteral("Make it readable for the agent's user alone"));
    if (in.permissions() & (QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther))
        return base::failure(base::ErrorCode::PermissionDenied,
                             QStringLiteral("%1 is open to others than its owner").arg(m_keyFile),
                             QStringLiteral("chmod 600 %1").arg(m_keyFile));
    const auto key = base::SigningKey::fromPem(in.read(10'000));
    if (!key)
        return base::failure(key.error().code, QStringLiteral("%1: %2").arg(m_keyFile, key.error().cause),
                             QStringLiteral("Restore it from a backup"));
    m_key = *key;
    m_keyId = key->publicKey().id();
    return true;
}

base::Result<void> AuditSigner::makeKey()
{
    const auto key = base::SigningKey::generate();
    if (!key)
        return tl::unexpected(key.error());
    if (const auto saved = save(publicFile(m_keyFile), key->publicKey().pem()); !saved)
        return saved;
    if (const auto saved = save(m_keyFile, key->pem()); !saved)
        return saved;
    m_key = *key;
    m_keyId = key->publicKey().id();
    return {};
}

bool AuditSigner::isDue(const AuditHead &head, qint64 nowUs) const
{
    // A clock that was set back is no reason to sign less.
    return m_key &&
           (head.count - m_signedRecords >= kRecords || std::abs(nowUs - m_signedUs) >= kAtLeastEveryUs);
}

bool AuditSigner::sign(const AuditHead &head, qint64 nowUs)
{
    domain::AuditSignature made{head.count, head.hash, nowUs, m_keyId, {}};
    const auto signature = m_key->sign(made.text());
    if (!signature) {
        m_connection.restoreError(signature.error());
        return false;
    }
    Statement &add = m_connection.statement("audit_sign");
    if (!m_connection.run(
            add.bind(made.records).bindBytes(m_keyId).bind(nowUs).bindBytes(head.hash).bindBytes(*signature)))
        return false;
    m_signedRecords = head.count;
    m_signedUs = nowUs;
    return true;
}

base::Result<std::optional<domain::AuditSignature>> newestSignature(Connection &connection,
                                                                    const QByteArray &keyId)
{
    Statement &newest =
        connection.statement(keyId.isEmpty() ? "audit_newest_signature" : "audit_newest_signature_by");
    if (!keyId.isEmpty())
        newest.bindBytes(keyId);
    if (!connection.run(newest))
        return tl::unexpected(connection.error());
    std::optional<domain::AuditSignature> found;
    if (newest.next())
        found = {newest.integer(0), newest.bytes(3), newest.integer(2), newest.bytes(1), newest.bytes(4)};
    newest.finish();
    return found;
}

base::Result<bool> isOfChain(Connection &connection, const domain::AuditSignature &signature)
{
    if (signature.records == 0)
        return signature.hash == emptyAuditHead().hash;
    Statement &at = connection.statement("audit_hash_of");
    if (!connection.run(at.bind(signature.records)))
        return tl::unexpected(connection.error());
    const bool same = at.next() && at.bytes(0) == signature.hash;
    at.finish();
    return same;
}

} // namespace lockkeeper::agent::journal
