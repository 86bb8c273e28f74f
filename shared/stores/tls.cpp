// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/tls.h"

#include "shared/base/text.h"

#include <QFile>
#include <QSslCertificate>
#include <QSslKey>
#include <QSslSocket>

#include <algorithm>

namespace lockkeeper::stores {

using base::Error;
using base::ErrorCode;
using base::failure;

namespace {

base::Result<QByteArray> contentOf(const char *key, const QString &path)
{
    constexpr qint64 kLargest = 4 * 1024 * 1024;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return failure(ErrorCode::NotFound,
                       QStringLiteral("%1: %2 can't be read: %3")
                           .arg(QLatin1String(key), base::displayText(path), file.errorString()),
                       QStringLiteral("Make it readable to the agent's user."));
    return file.read(kLargest);
}

tl::unexpected<Error> useless(const char *key, const QString &path, const char *what)
{
    return failure(ErrorCode::Usage,
                   QStringLiteral("%1: %2 holds no %3")
                       .arg(QLatin1String(key), base::displayText(path), QLatin1String(what)),
                   QStringLiteral("Use a file in PEM format."));
}

base::Result<QList<QSslCertificate>> certificatesOf(const char *key, const QString &path)
{
    const auto content = contentOf(key, path);
    if (!content)
        return tl::unexpected(content.error());
    QList<QSslCertificate> certificates = QSslCertificate::fromData(*content, QSsl::Pem);
    if (certificates.isEmpty())
        return useless(key, path, "certificate");
    return certificates;
}

/**
 * The key that belongs to a certificate. It is read as what that certificate's is and as nothing else: a key
 * read as another kind leaves OpenSSL an error in this thread, at which a connection that is open breaks off.
 */
base::Result<QSslKey> keyOf(const QString &path, const QSslCertificate &certificate)
{
    const auto content = contentOf("tls_key", path);
    if (!content)
        return tl::unexpected(content.error());
    const QSsl::KeyAlgorithm algorithm = certificate.publicKey().algorithm();
    const QSslKey key = algorithm == QSsl::Opaque ? QSslKey() : QSslKey(*content, algorithm, QSsl::Pem);
    if (key.isNull())
        return useless("tls_key", path, "private key of tls_cert without a pass phrase");
    return key;
}

bool isOfName(const QSslError &error)
{
    return error.error() == QSslError::HostNameMismatch;
}

} // namespace

Tls tlsOf(const SourceSpec &spec)
{
    const auto value = [&spec](const char *key) { return spec.tls.value(QLatin1String(key)); };
    Tls tls{value("ca"), value("cert"), value("key")};
    if (value("verify") == QLatin1String("ca"))
        tls.verify = Tls::Verify::Ca;
    else if (value("verify") == QLatin1String("off"))
        tls.verify = Tls::Verify::Off;
    return tls;
}

base::Result<QSslConfiguration> configurationOf(const Tls &tls)
{
    QSslConfiguration configuration = QSslConfiguration::defaultConfiguration();
    configuration.setProtocol(QSsl::TlsV1_2OrLater);
    configuration.setPeerVerifyMode(tls.verify == Tls::Verify::Off ? QSslSocket::VerifyNone
                                                                   : QSslSocket::VerifyPeer);
    if (!tls.ca.isEmpty()) {
        const auto ca = certificatesOf("tls_ca", tls.ca);
        if (!ca)
            return tl::unexpected(ca.error());
        configuration.setCaCertificates(*ca); // these alone, not the system's beside them
    }
    if (!tls.cert.isEmpty()) {
        const auto chain = certificatesOf("tls_cert", tls.cert);
        if (!chain)
            return tl::unexpected(chain.error());
        const auto key = keyOf(tls.key.isEmpty() ? tls.cert : tls.key, chain->constFirst());
        if (!key)
            return tl::unexpected(key.error());
        configuration.setLocalCertificateChain(*chain);
        configuration.setPrivateKey(*key);
    }
    return configuration;
}

QList<QSslError> objections(const QList<QSslError> &found, Tls::Verify verify)
{
    if (verify == Tls::Verify::Off)
        return {};
    QList<QSslError> rest = found;
    if (verify == Tls::Verify::Ca)
        rest.removeIf(isOfName);
    return rest;
}

Error untrusted(const QList<QSslError> &errors, const QString &host)
{
    // Report the chain first: the name in an untrusted certificate proves nothing.
    const auto chain = std::find_if_not(errors.cbegin(), errors.cend(),
                                        [](const QSslError &error) { return isOfName(error); });
    const QSslError error = chain != errors.cend() ? *chain : errors.value(0);
    Error report{ErrorCode::Authentication,
                 QStringLiteral("the server's certificate isn't trusted: ") +
                     base::displayText(error.errorString()),
                 {}};
    switch (error.error()) {
    case QSslError::HostNameMismatch:
        report.cause =
            QStringLiteral("the server's certificate is for another host than ") + base::displayText(host);
        report.remedy = QStringLiteral("Use the name that the certificate carries, or tls_verify = \"ca\".");
        break;
    case QSslError::CertificateExpired:
    case QSslError::CertificateNotYetValid:
        report.cause = QStringLiteral("the server's certificate has expired or isn't valid yet");
        report.remedy = QStringLiteral("Renew it, and check this machine's clock.");
        break;
    default:
        report.remedy = QStringLiteral("Set tls_ca to the file of the CA that signed it.");
    }
    return report;
}

} // namespace lockkeeper::stores
