// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/login/certificate_maker.h"

#include "shared/base/text.h"
#include "shared/transport/fingerprint.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QHostAddress>
#include <QSslCertificate>

#include <memory>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

namespace lockkeeper::agent::login {

using base::ErrorCode;
using base::failure;

namespace {

constexpr long kDay = 24L * 3600;
constexpr long kValidDays = 3650;

using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using Certificate = std::unique_ptr<X509, decltype(&X509_free)>;
using Memory = std::unique_ptr<BIO, decltype(&BIO_free)>;

bool addExtension(X509 *certificate, int kind, const QByteArray &value)
{
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, certificate, certificate, nullptr, nullptr, 0);
    const std::unique_ptr<X509_EXTENSION, decltype(&X509_EXTENSION_free)> extension(
        X509V3_EXT_conf_nid(nullptr, &context, kind, value.constData()), &X509_EXTENSION_free);
    return extension && X509_add_ext(certificate, extension.get(), -1) == 1;
}

bool addNames(X509 *certificate, const QStringList &hosts)
{
    QByteArrayList names;
    for (const QString &host : hosts)
        names.append((QHostAddress(host).isNull() ? "DNS:" : "IP:") + host.toLatin1());
    X509_NAME *subject = X509_get_subject_name(certificate);
    const QByteArray first = hosts.constFirst().left(64).toLatin1();
    return X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC,
                                      reinterpret_cast<const unsigned char *>(first.constData()),
                                      int(first.size()), -1, 0) == 1 &&
           X509_set_issuer_name(certificate, subject) == 1 &&
           addExtension(certificate, NID_subject_alt_name, names.join(',')) &&
           addExtension(certificate, NID_basic_constraints, "critical,CA:FALSE") &&
           addExtension(certificate, NID_ext_key_usage, "serverAuth");
}

Certificate signedBy(EVP_PKEY *key, const QStringList &hosts)
{
    Certificate certificate(X509_new(), &X509_free);
    quint64 serial = 0;
    const bool made = certificate && RAND_bytes(reinterpret_cast<unsigned char *>(&serial), 8) == 1 &&
                      X509_set_version(certificate.get(), 2) == 1 &&
                      ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate.get()), serial >> 1) == 1 &&
                      X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -2 * kDay) &&
                      X509_gmtime_adj(X509_getm_notAfter(certificate.get()), kValidDays * kDay) &&
                      X509_set_pubkey(certificate.get(), key) == 1 && addNames(certificate.get(), hosts) &&
                      X509_sign(certificate.get(), key, EVP_sha256()) > 0;
    if (!made)
        certificate.reset();
    return certificate;
}

QByteArray contentOf(BIO *bio)
{
    char *data = nullptr;
    const long size = BIO_get_mem_data(bio, &data);
    return QByteArray(data, qsizetype(size));
}

/** Creates the file, and fails if it exists. Mode 0600, like the process's umask. */
base::Result<void> writeNew(const QString &path, const QByteArray &content)
{
    QFile file(path);
    if (!QDir().mkpath(QFileInfo(path).absolutePath()) ||
        !file.open(QIODevice::WriteOnly | QIODevice::NewOnly) ||
        !file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner) ||
        file.write(content) != content.size() || !file.flush())
        return failure(ErrorCode::Storage,
                       QStringLiteral("%1: %2").arg(base::displayText(path), file.errorString()),
                       QStringLiteral("An existing certificate is never replaced; remove it first."));
    return {};
}

bool isHostName(const QString &host)
{
    return !host.isEmpty() && host.size() <= 253 && std::all_of(host.begin(), host.end(), [](QChar c) {
        return c.unicode() < 128 && (c.isLetterOrNumber() || QStringView(u".-:*").contains(c));
    });
}

} // namespace

base::Result<QString> makeCertificate(const config::TlsSettings &tls, const QStringList &hosts)
{
    for (const QString &host : hosts) {
        if (!isHostName(host))
            return failure(
                ErrorCode::Usage,
                QStringLiteral("'%1' is neither a host's name nor an address").arg(base::displayText(host)),
                QStringLiteral("Give --host NAME for each name that clients use."));
    }
    for (const QString &path : {tls.certificate, tls.key}) {
        if (QFileInfo::exists(path))
            return failure(ErrorCode::Storage, QStringLiteral("%1 is there").arg(base::displayText(path)),
                           QStringLiteral("An existing certificate is never replaced; remove it first."));
    }
    const Key key(EVP_EC_gen("P-256"), &EVP_PKEY_free);
    const Certificate certificate = key ? signedBy(key.get(), hosts) : Certificate(nullptr, &X509_free);
    const Memory keyText(BIO_new(BIO_s_mem()), &BIO_free);
    const Memory certificateText(BIO_new(BIO_s_mem()), &BIO_free);
    if (!certificate ||
        PEM_write_bio_PrivateKey(keyText.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) != 1 ||
        PEM_write_bio_X509(certificateText.get(), certificate.get()) != 1) {
        ERR_clear_error();
        return failure(ErrorCode::Unknown, QStringLiteral("OpenSSL can't make a certificate"));
    }
    if (const auto written = writeNew(tls.key, contentOf(keyText.get())); !written)
        return tl::unexpected(written.error());
    if (const auto written = writeNew(tls.certificate, contentOf(certificateText.get())); !written)
        return tl::unexpected(written.error());
    return fingerprintOfServer(tls);
}

base::Result<QString> fingerprintOfServer(const config::TlsSettings &tls)
{
    const QList<QSslCertificate> chain = QSslCertificate::fromPath(tls.certificate);
    if (chain.isEmpty())
        return failure(ErrorCode::NotFound,
                       QStringLiteral("[tls] certificate: %1 doesn't exist or contains no certificate")
                           .arg(base::displayText(tls.certificate)),
                       QStringLiteral("Run: lockkeeper-agent --config FILE --make-certificate"));
    return transport::fingerprintText(transport::fingerprintOf(chain.constFirst()));
}

} // namespace lockkeeper::agent::login
