// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/login/server_certificate.h"

#include "shared/base/regular_file.h"
#include "shared/base/text.h"
#include "shared/transport/fingerprint.h"

#include <QFile>
#include <QLoggingCategory>
#include <QSslCertificate>
#include <QSslKey>
#include <QSslSocket>

#include <chrono>
#include <memory>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

namespace lockkeeper::agent::login {

Q_LOGGING_CATEGORY(lcCertificate, "lockkeeper.login.certificate")

using namespace std::chrono_literals;
using base::ErrorCode;
using base::failure;

namespace {

constexpr auto kStatEvery = 2s;
constexpr qint64 kLargest = 1'048'576;
/** The group may read a key, as with Debian's ssl-cert; others may not. */
constexpr unsigned kKeyForbidden = 0037;

base::Result<QByteArray> pemOf(const char *what, const QString &path)
{
    QFile file(path);
    if (const auto opened = base::openRegular(file); !opened)
        return failure(ErrorCode::NotFound,
                       QStringLiteral("[tls] %1: %2: %3")
                           .arg(QLatin1String(what), base::displayText(path), opened.error().cause),
                       QStringLiteral("Run: lockkeeper-agent --config FILE --make-certificate"));
    return file.read(kLargest);
}

base::Result<QList<QSslCertificate>> certificatesOf(const char *what, const QString &path)
{
    const auto pem = pemOf(what, path);
    if (!pem)
        return tl::unexpected(pem.error());
    QList<QSslCertificate> certificates = QSslCertificate::fromData(*pem, QSsl::Pem);
    if (certificates.isEmpty())
        return failure(ErrorCode::Usage,
                       QStringLiteral("[tls] %1: %2 holds no certificate")
                           .arg(QLatin1String(what), base::displayText(path)),
                       QStringLiteral("Use a file in PEM format."));
    return certificates;
}

/** Never asks at the terminal. */
int noPassPhrase(char *, int, int, void *)
{
    return 0;
}

/** Whether OpenSSL accepts the pair. Clears OpenSSL's errors, because a leftover error would break a
 * connection. */
bool belongTogether(const QSslCertificate &certificate, const QByteArray &keyPem)
{
    const QByteArray der = certificate.toDer();
    const auto *at = reinterpret_cast<const unsigned char *>(der.constData());
    const std::unique_ptr<X509, decltype(&X509_free)> x509(d2i_X509(nullptr, &at, der.size()), &X509_free);
    const std::unique_ptr<BIO, decltype(&BIO_free)> bio(
        BIO_new_mem_buf(keyPem.constData(), int(keyPem.size())), &BIO_free);
    const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(
        PEM_read_bio_PrivateKey(bio.get(), nullptr, &noPassPhrase, nullptr), &EVP_PKEY_free);
    const bool fits = x509 && key && X509_check_private_key(x509.get(), key.get()) == 1;
    ERR_clear_error();
    return fits;
}

base::Result<QSslKey> keyOf(const QString &path, const QSslCertificate &certificate)
{
    const auto pem = pemOf("key", path);
    if (!pem)
        return tl::unexpected(pem.error());
    if (const auto kept = isKeptSecret(path, kKeyForbidden); !kept)
        return tl::unexpected(kept.error());
    const QSsl::KeyAlgorithm algorithm = certificate.publicKey().algorithm();
    const QSslKey key = belongTogether(certificate, *pem) ? QSslKey(*pem, algorithm) : QSslKey();
    if (key.isNull())
        return failure(
            ErrorCode::Usage,
            QStringLiteral("[tls] key: %1 isn't the private key of the certificate, without a pass "
                           "phrase")
                .arg(base::displayText(path)),
            QStringLiteral("Give the two files that were made together, in PEM format."));
    return key;
}

} // namespace

base::Result<QSslConfiguration> serverConfiguration(const config::TlsSettings &tls)
{
    const auto chain = certificatesOf("certificate", tls.certificate);
    if (!chain)
        return tl::unexpected(chain.error());
    const auto key = keyOf(tls.key, chain->constFirst());
    if (!key)
        return tl::unexpected(key.error());
    QSslConfiguration configuration;
    configuration.setProtocol(QSsl::TlsV1_2OrLater);
    configuration.setLocalCertificateChain(*chain);
    configuration.setPrivateKey(*key);
    configuration.setSslOption(QSsl::SslOptionDisableSessionTickets, true);
    configuration.setPeerVerifyMode(QSslSocket::VerifyNone);
    configuration.setCaCertificates({});
    if (!tls.clientCa.isEmpty()) {
        const auto authorities = certificatesOf("client_ca", tls.clientCa);
        if (!authorities)
            return tl::unexpected(authorities.error());
        configuration.setCaCertificates(*authorities);
        configuration.setPeerVerifyMode(tls.login == config::TlsSettings::LoginMethod::Certificate
                                            ? QSslSocket::VerifyPeer
                                            : QSslSocket::QueryPeer);
    }
    return configuration;
}

ServerCertificate::ServerCertificate(QObject *parent) : QObject(parent)
{
    connect(&m_due, &QTimer::timeout, this, &ServerCertificate::look);
}

base::Result<void> ServerCertificate::configure(const config::TlsSettings &tls)
{
    const config::TlsSettings before = std::exchange(m_tls, tls);
    const auto loaded = load();
    if (!loaded)
        m_tls = before;
    else
        m_due.start(kStatEvery);
    return loaded;
}

base::Result<void> ServerCertificate::load()
{
    const QList<FileStamp> seen = stamps();
    const auto read = serverConfiguration(m_tls);
    if (!read)
        return tl::unexpected(read.error());
    m_stamps = seen;
    m_configuration = *read;
    const QSslCertificate shown = m_configuration.localCertificateChain().constFirst();
    qCInfo(lcCertificate).noquote() << "the certificate is"
                                    << transport::fingerprintText(transport::fingerprintOf(shown))
                                    << "and valid until" << shown.expiryDate().toUTC().toString(Qt::ISODate);
    if (shown.expiryDate() < QDateTime::currentDateTimeUtc())
        qCWarning(lcCertificate) << "the certificate has expired: clients refuse it";
    Q_EMIT changed();
    return {};
}

void ServerCertificate::look()
{
    const QList<FileStamp> now = stamps();
    if (now == m_stamps)
        return;
    if (const auto loaded = load(); !loaded) {
        m_stamps = now; // log it once
        qCCritical(lcCertificate).noquote()
            << "the previous certificate stays in use:" << loaded.error().line();
    }
}

QList<FileStamp> ServerCertificate::stamps() const
{
    QList<FileStamp> all;
    for (const QString &path : {m_tls.certificate, m_tls.key, m_tls.clientCa})
        all.append(path.isEmpty() ? FileStamp() : stampOf(path));
    return all;
}

} // namespace lockkeeper::agent::login
