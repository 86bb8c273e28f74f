// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/login/certificate_user.h"

#include "agent/login/users_file.h"

#include <QSslCertificate>

#include <memory>
#include <openssl/err.h>
#include <openssl/x509v3.h>

namespace lockkeeper::agent::login {

namespace {

/** The first URI of the alternative names, which Qt doesn't report. */
QString firstUri(const QSslCertificate &certificate)
{
    const QByteArray der = certificate.toDer();
    const auto *at = reinterpret_cast<const unsigned char *>(der.constData());
    const std::unique_ptr<X509, decltype(&X509_free)> x509(d2i_X509(nullptr, &at, der.size()), &X509_free);
    if (!x509)
        return {};
    const std::unique_ptr<GENERAL_NAMES, decltype(&GENERAL_NAMES_free)> names(
        static_cast<GENERAL_NAMES *>(X509_get_ext_d2i(x509.get(), NID_subject_alt_name, nullptr, nullptr)),
        &GENERAL_NAMES_free);
    ERR_clear_error();
    for (int i = 0; names && i < sk_GENERAL_NAME_num(names.get()); ++i) {
        const GENERAL_NAME *name = sk_GENERAL_NAME_value(names.get(), i);
        if (name->type == GEN_URI)
            return QString::fromLatin1(
                reinterpret_cast<const char *>(ASN1_STRING_get0_data(name->d.uniformResourceIdentifier)),
                ASN1_STRING_length(name->d.uniformResourceIdentifier));
    }
    return {};
}

} // namespace

QString userOf(const QSslCertificate &certificate)
{
    const auto alternatives = certificate.subjectAlternativeNames();
    QString name = certificate.subjectInfo(QSslCertificate::CommonName).value(0);
    for (const QSsl::AlternativeNameEntryType kind : {QSsl::EmailEntry, QSsl::DnsEntry}) {
        if (name.isEmpty())
            name = alternatives.values(kind).value(0);
    }
    if (name.isEmpty())
        name = firstUri(certificate);
    // A user name has no colon: a colon separates `user:` from the name elsewhere. Use the URI's last
    // segment.
    const bool isUri = name.contains(QLatin1String("://"));
    if (isUri)
        name = name.section(QLatin1Char('/'), -1);
    return isUserName(name) ? name : QString();
}

} // namespace lockkeeper::agent::login
