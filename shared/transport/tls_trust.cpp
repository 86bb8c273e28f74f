// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/transport/tls_trust.h"

#include "shared/base/text.h"
#include "shared/transport/fingerprint.h"

#include <QAbstractSocket>

#include <algorithm>

namespace lockkeeper::transport {

using base::Error;
using base::ErrorCode;

namespace {

bool isOfTime(const QSslError &error)
{
    return error.error() == QSslError::CertificateExpired ||
           error.error() == QSslError::CertificateNotYetValid;
}

bool isOfHost(const QSslError &error)
{
    return error.error() == QSslError::HostNameMismatch;
}

Error badTime(const QSslCertificate &shown, const Address &address)
{
    const bool early = shown.effectiveDate() > QDateTime::currentDateTimeUtc();
    return {ErrorCode::Authentication,
            (early ? QStringLiteral("the certificate of '%1' isn't valid before %2")
                   : QStringLiteral("the certificate of '%1' expired on %2"))
                .arg(address.text(),
                     (early ? shown.effectiveDate() : shown.expiryDate()).toUTC().toString(Qt::ISODate)),
            QStringLiteral("Check the clock of this machine, or give the agent a new certificate")};
}

Distrust changed(const QByteArray &shown, const TlsOptions &options, const Address &address)
{
    return {
        {ErrorCode::Authentication,
         QStringLiteral(
             "the certificate of '%1' is %2, but %3 was expected: the connection may be intercepted")
             .arg(address.text(), fingerprintText(shown), fingerprintText(options.pin)),
         QStringLiteral("Ask that agent's administrator whether its certificate was changed, and only then "
                        "trust the new one: lockkeeperctl --agent %1 --trust FINGERPRINT status")
             .arg(address.text())},
        {}};
}

Distrust unknown(const QByteArray &shown, const Address &address)
{
    return {{ErrorCode::Authentication,
             QStringLiteral("the certificate of '%1' isn't known: %2")
                 .arg(address.text(), fingerprintText(shown)),
             QStringLiteral("Compare it with what lockkeeper-agent --config FILE --fingerprint prints there, "
                            "then trust it: lockkeeperctl --agent %1 --trust %2 status")
                 .arg(address.text(), fingerprintText(shown))},
            shown};
}

} // namespace

QSslConfiguration clientConfiguration(const TlsOptions &options)
{
    QSslConfiguration configuration = QSslConfiguration::defaultConfiguration();
    configuration.setProtocol(QSsl::TlsV1_2OrLater);
    configuration.setPeerVerifyMode(QSslSocket::VerifyPeer);
    if (!options.ca.isEmpty())
        configuration.setCaCertificates(options.ca); // replaces the system's authorities
    if (!options.certificate.isEmpty()) {
        configuration.setLocalCertificateChain(options.certificate);
        configuration.setPrivateKey(options.key);
    }
    return configuration;
}

std::optional<Distrust> distrust(const QList<QSslError> &found, const QSslCertificate &shown,
                                 const TlsOptions &options, const Address &address)
{
    if (found.isEmpty()) {
        const bool isOther = options.exactly && fingerprintOf(shown) != options.pin;
        return isOther ? std::optional(changed(fingerprintOf(shown), options, address)) : std::nullopt;
    }
    if (shown.isNull())
        return Distrust{
            {ErrorCode::Protocol, QStringLiteral("'%1' shows no certificate").arg(address.text()), {}}, {}};
    const QByteArray fingerprint = fingerprintOf(shown);
    const bool vouched = std::all_of(found.begin(), found.end(),
                                     [](const QSslError &e) { return isOfTime(e) || isOfHost(e); });
    const bool outOfTime = std::any_of(found.begin(), found.end(), isOfTime);
    if (!vouched && options.ca.isEmpty() && !options.pin.isEmpty() && fingerprint != options.pin)
        return changed(fingerprint, options, address);
    if (outOfTime)
        return Distrust{badTime(shown, address), {}};
    if (options.ca.isEmpty() && fingerprint == options.pin)
        return std::nullopt;
    if (vouched)
        return Distrust{{ErrorCode::Authentication,
                         QStringLiteral("the certificate of '%1' is for another host").arg(address.text()),
                         QStringLiteral("Use the name that the certificate carries: %1")
                             .arg(base::singleLine(shown.subjectDisplayName()))},
                        {}};
    if (options.ca.isEmpty())
        return unknown(fingerprint, address);
    return Distrust{{ErrorCode::Authentication,
                     QStringLiteral("the certificate of '%1' isn't signed by the given authority: %2")
                         .arg(address.text(), base::singleLine(found.constFirst().errorString())),
                     QStringLiteral("Use --ca with the file of the authority that signed it")},
                    {}};
}

Error tlsFailure(int socketError, const QString &words, const Address &address)
{
    const QString where = address.text();
    const auto says = [&words](const char *part) { return words.contains(QLatin1String(part)); };
    switch (socketError) {
    case QAbstractSocket::HostNotFoundError:
        return {ErrorCode::Unreachable, QStringLiteral("there is no host named '%1'").arg(address.host),
                QStringLiteral("Check the name")};
    case QAbstractSocket::ConnectionRefusedError:
        return {ErrorCode::Unreachable, QStringLiteral("no agent answers at '%1'").arg(where),
                QStringLiteral("Start lockkeeper-agent there, with this address in listen")};
    case QAbstractSocket::SslHandshakeFailedError:
    case QAbstractSocket::SslInternalError:
        break;
    case QAbstractSocket::RemoteHostClosedError:
        return {ErrorCode::ConnectionLost, QStringLiteral("'%1' closed the connection").arg(where), {}};
    default:
        return {ErrorCode::Unreachable,
                QStringLiteral("can't connect to '%1': %2").arg(where, base::singleLine(words)),
                QStringLiteral("Check the address and the firewall")};
    }
    if (says("alert") && (says("certificate") || says("unknown ca")))
        return {ErrorCode::Authentication,
                QStringLiteral("'%1' rejected our certificate, or requires one: %2")
                    .arg(where, base::singleLine(words)),
                QStringLiteral("Use --certificate and --key, signed by an authority in its client_ca")};
    if (says("protocol version") || says("unsupported protocol"))
        return {ErrorCode::Unsupported,
                QStringLiteral("'%1' speaks only versions of TLS that are no longer safe").arg(where),
                QStringLiteral("TLS 1.2 or later is required; update the server")};
    if (says("wrong version number") || says("packet length too long") || says("record layer failure") ||
        says("http request"))
        return {ErrorCode::Protocol, QStringLiteral("the server at '%1' doesn't use TLS").arg(where),
                QStringLiteral("Use the port of the agent's tls:// address")};
    return {ErrorCode::Protocol,
            QStringLiteral("no TLS connection to '%1': %2").arg(where, base::singleLine(words)),
            QStringLiteral("Check that a lockkeeper-agent listens there")};
}

Error notAnAgent(const Error &end, const Address &address)
{
    const QString where = address.text();
    switch (end.code) {
    case ErrorCode::Protocol:
    case ErrorCode::TooLarge:
        return {ErrorCode::Protocol, QStringLiteral("the server at '%1' isn't a lockkeeper-agent").arg(where),
                QStringLiteral("Use the address in the agent's listen")};
    case ErrorCode::Timeout:
        return {ErrorCode::Timeout,
                QStringLiteral("'%1' didn't complete the handshake: %2").arg(where, end.cause),
                QStringLiteral("Check that it is a lockkeeper-agent, and not overloaded")};
    case ErrorCode::ConnectionLost:
        return {
            ErrorCode::ConnectionLost,
            QStringLiteral("'%1' closed the connection before the handshake").arg(where),
            QStringLiteral("Its log has the reason; it may refuse the client's certificate, or require one")};
    default:
        return end;
    }
}

} // namespace lockkeeper::transport
