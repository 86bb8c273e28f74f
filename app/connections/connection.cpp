// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/connections/connection.h"

#include "app/connections/known_agents.h"
#include "shared/base/text.h"
#include "shared/stores/secret.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

namespace lockkeeper::app::connections {

using base::ErrorCode;
using base::failure;

namespace {

base::Result<QList<QSslCertificate>> certificatesOf(const QString &path)
{
    QList<QSslCertificate> certificates;
    if (path.isEmpty())
        return certificates;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return failure(ErrorCode::NotFound,
                       QStringLiteral("%1: %2").arg(base::displayText(path), file.errorString()));
    certificates = QSslCertificate::fromDevice(&file, QSsl::Pem);
    if (certificates.isEmpty())
        return failure(ErrorCode::Usage,
                       SavedAgents::tr("%1 holds no certificate").arg(base::displayText(path)),
                       SavedAgents::tr("Use a file in PEM format"));
    return certificates;
}

base::Result<QSslKey> keyOf(const QString &path, const QSslCertificate &certificate)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return failure(ErrorCode::NotFound,
                       QStringLiteral("%1: %2").arg(base::displayText(path), file.errorString()),
                       SavedAgents::tr("Specify the certificate's private key with --key"));
    // Tries only the certificate's kind of key: a wrong attempt leaves an OpenSSL error that ends
    // connections.
    const QSsl::KeyAlgorithm kind = certificate.publicKey().algorithm();
    const QSslKey key = kind == QSsl::Opaque ? QSslKey() : QSslKey(&file, kind, QSsl::Pem);
    if (key.isNull())
        return failure(ErrorCode::Usage,
                       SavedAgents::tr("%1 isn't the certificate's private key, without a pass phrase")
                           .arg(base::displayText(path)),
                       SavedAgents::tr("Use a file in PEM format"));
    return key;
}

base::Result<transport::TlsOptions> tlsOf(const Credentials &credentials, const transport::Address &address)
{
    transport::TlsOptions tls;
    const auto ca = certificatesOf(credentials.ca);
    const auto own = certificatesOf(credentials.certificate);
    if (!ca || !own)
        return tl::unexpected(ca ? own.error() : ca.error());
    tls.ca = *ca;
    tls.certificate = *own;
    if (!own->isEmpty()) {
        const auto key =
            keyOf(credentials.key.isEmpty() ? credentials.certificate : credentials.key, own->constFirst());
        if (!key)
            return tl::unexpected(key.error());
        tls.key = *key;
    }
    const auto pin = KnownAgents::fingerprintAt(address, KnownAgents::defaultFile());
    if (!pin)
        return tl::unexpected(pin.error());
    tls.pin = *pin;
    return tls;
}

/** Values of `given` where set, otherwise those of the file; the file's paths are relative to its folder. */
Credentials merged(const Credentials &given, const Credentials &saved, const QString &baseDir)
{
    const QDir folder = QFileInfo(SavedAgents::defaultFile()).dir();
    const auto path = [&](const QString &typed, const QString &kept) {
        if (!typed.isEmpty())
            return QDir(baseDir).absoluteFilePath(typed);
        return kept.isEmpty() ? QString() : folder.absoluteFilePath(kept);
    };
    const bool own = !given.certificate.isEmpty(); // a key belongs to its certificate
    return {given.user.isEmpty() ? saved.user : given.user,
            given.password.isEmpty() ? saved.password : given.password,
            path(given.certificate, saved.certificate), path(given.key, own ? QString() : saved.key),
            path(given.ca, saved.ca)};
}

} // namespace

base::Result<Connection> resolveConnection(const QString &text, const QString &baseDir,
                                           const Credentials &given)
{
    SavedAgent agent{{}, text, {}};
    if (!text.contains(QLatin1Char(':'))) { // an address is valid whatever the file contains
        const auto saved = SavedAgents::read(SavedAgents::defaultFile());
        const auto found = saved ? saved->find(text) : tl::unexpected(saved.error());
        if (!found)
            return tl::unexpected(found.error());
        agent = *found;
    }
    const auto address = transport::parseAddress(agent.address, baseDir);
    if (!address)
        return tl::unexpected(address.error());
    Connection connection;
    connection.address = *address;
    const Credentials credentials = merged(given, agent.credentials, baseDir);
    if (!address->isTls) {
        if (credentials != merged({}, {}, baseDir))
            return failure(
                ErrorCode::Usage,
                SavedAgents::tr("a login is for agents over TLS, and '%1' is none").arg(address->text()),
                SavedAgents::tr("Use tls://HOST, or omit user, password and certificate"));
        return connection;
    }
    auto tls = tlsOf(credentials, *address);
    if (!tls)
        return tl::unexpected(tls.error());
    connection.tls = *std::move(tls);
    connection.user = credentials.user.isEmpty() ? qEnvironmentVariable("USER") : credentials.user;
    if (!credentials.password.isEmpty()) {
        const QString folder =
            given.password.isEmpty() ? QFileInfo(SavedAgents::defaultFile()).absolutePath() : baseDir;
        const auto password = stores::resolveSecret(credentials.password, folder);
        if (!password)
            return tl::unexpected(password.error());
        connection.password = *password;
    }
    return connection;
}

base::Result<QList<Connection>> resolveConnections(const QString &text, const QString &baseDir)
{
    QList<Connection> all;
    for (const QString &one : text.split(QLatin1String(", "), Qt::SkipEmptyParts)) {
        auto connection = resolveConnection(one.trimmed(), baseDir);
        if (!connection)
            return tl::unexpected(connection.error());
        all.append(*std::move(connection));
    }
    if (all.isEmpty()) // it reports why an empty text isn't an address
        return resolveConnection(text, baseDir).map([](const Connection &one) { return QList{one}; });
    return all;
}

} // namespace lockkeeper::app::connections
