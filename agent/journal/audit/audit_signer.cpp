// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/audit/audit_signer.h"

#include "shared/base/regular_file.h"

#include <QFile>
#include <QLoggingCategory>
#include <QSaveFile>

#include <cstdlib>
#include <utility>

Q_LOGGING_CATEGORY(lcAuditSigner, "lockkeeper.journal")

namespace lockkeeper::agent::journal {

namespace {

constexpr qint64 kRecords = 100;
constexpr qint64 kAtLeastEveryUs = 3'600'000'000;

/** Saves a file for the owner alone. That includes the public half: other users read nothing in the data
 * folder. */
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

base::Result<void> AuditSigner::open()
{
    const auto known = readKey();
    if (!known)
        return tl::unexpected(known.error());
    return *known ? base::Result<void>() : makeKey();
}

base::Result<bool> AuditSigner::readKey()
{
    QFile in(m_files.key);
    if (!in.exists())
        return false;
    if (const auto opened = base::openRegular(in); !opened)
        return base::failure(base::ErrorCode::Storage,
                             QStringLiteral("%1 can't be read: %2").arg(m_files.key, opened.error().cause),
                             QStringLiteral("Make it readable for the agent's user alone"));
    if (in.permissions() & (QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther))
        return base::failure(base::ErrorCode::PermissionDenied,
                             QStringLiteral("%1 is open to others than its owner").arg(m_files.key),
                             QStringLiteral("Run: chmod 600 %1").arg(m_files.key));
    const auto key = base::SigningKey::fromPem(in.read(10'000));
    if (!key)
        return base::failure(key.error().code, QStringLiteral("%1: %2").arg(m_files.key, key.error().cause),
                             QStringLiteral("Restore it from a backup"));
    if (!readPublicKey(m_files)) {
        if (const auto saved = save(m_files.publicKey(), key->publicKey().pem()); !saved)
            qCWarning(lcAuditSigner).noquote() << saved.error().line();
    }
    m_key = *key;
    m_keyId = key->publicKey().id();
    return true;
}

base::Result<void> AuditSigner::makeKey()
{
    const auto key = base::SigningKey::generate();
    if (!key)
        return tl::unexpected(key.error());
    if (const auto saved = save(m_files.publicKey(), key->publicKey().pem()); !saved)
        return saved;
    if (const auto saved = save(m_files.key, key->pem()); !saved)
        return saved;
    m_key = *key;
    m_keyId = key->publicKey().id();
    return {};
}

bool AuditSigner::isDue(const AuditHead &head, qint64 nowUs) const
{
    // A clock that was set back must not delay a signature.
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
    SqliteStatement &add = m_connection.statement("audit_sign");
    if (!m_connection.run(
            add.bind(made.records).bindBytes(m_keyId).bind(nowUs).bindBytes(head.hash).bindBytes(*signature)))
        return false;
    made.signature = *signature;
    m_unpublished = made;
    m_signedRecords = head.count;
    m_signedUs = nowUs;
    return true;
}

std::optional<domain::AuditSignature> AuditSigner::publish(const QByteArray &journalId)
{
    const auto made = std::exchange(m_unpublished, std::nullopt);
    if (made) {
        if (const auto kept = writeAuditAnchor(m_files, *made, journalId); !kept)
            qCWarning(lcAuditSigner).noquote() << kept.error().line();
    }
    return made;
}

domain::AuditSignature readAuditSignature(const SqliteStatement &row)
{
    return {row.integer(0), row.bytes(3), row.integer(2), row.bytes(1), row.bytes(4)};
}

base::Result<std::optional<domain::AuditSignature>> newestSignature(SqliteConnection &connection,
                                                                    const QByteArray &keyId)
{
    SqliteStatement &newest =
        connection.statement(keyId.isEmpty() ? "audit_newest_signature" : "audit_newest_signature_by");
    if (!keyId.isEmpty())
        newest.bindBytes(keyId);
    if (!connection.run(newest))
        return tl::unexpected(connection.error());
    std::optional<domain::AuditSignature> found;
    if (newest.next())
        found = readAuditSignature(newest);
    newest.finish();
    return found;
}

base::Result<bool> isOfChain(SqliteConnection &connection, const domain::AuditSignature &signature)
{
    if (signature.records == 0)
        return signature.hash == emptyAuditHead().hash;
    SqliteStatement &at = connection.statement("audit_hash_of");
    if (!connection.run(at.bind(signature.records)))
        return tl::unexpected(connection.error());
    const bool same = at.next() && at.bytes(0) == signature.hash;
    at.finish();
    return same;
}

} // namespace lockkeeper::agent::journal
