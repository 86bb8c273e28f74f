// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/transport/fingerprint.h"

#include <QCryptographicHash>
#include <QSslCertificate>

namespace lockkeeper::transport {

namespace {
constexpr qsizetype kSize = 32;
}

QByteArray fingerprintOf(const QSslCertificate &certificate)
{
    return certificate.digest(QCryptographicHash::Sha256);
}

QString fingerprintText(const QByteArray &fingerprint)
{
    return QStringLiteral("SHA256:") +
           QString::fromLatin1(fingerprint.toBase64(QByteArray::OmitTrailingEquals));
}

base::Result<QByteArray> parseFingerprint(const QString &text)
{
    const QString prefix = QStringLiteral("SHA256:");
    const QByteArray digits = text.trimmed().toLatin1();
    if (text.trimmed().startsWith(prefix)) {
        const auto decoded = QByteArray::fromBase64Encoding(digits.sliced(prefix.size()),
                                                            QByteArray::AbortOnBase64DecodingErrors);
        if (decoded && decoded.decoded.size() == kSize)
            return decoded.decoded;
    }
    QByteArray hex = digits;
    hex.replace(":", "");
    if (const QByteArray bytes = QByteArray::fromHex(hex); bytes.size() == kSize && hex.size() == 2 * kSize)
        return bytes;
    return base::failure(base::ErrorCode::Usage,
                         QStringLiteral("'%1' isn't the fingerprint of a certificate").arg(text),
                         QStringLiteral("Use the output of lockkeeper-agent --fingerprint: SHA256:…"));
}

} // namespace lockkeeper::transport
