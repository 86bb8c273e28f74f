// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/mongodb/connection/driver.h"

#include "shared/base/text.h"
#include "shared/stores/host_list.h"
#include "shared/stores/tls.h"

#include <QLoggingCategory>

#include <algorithm>
#include <array>
#include <mutex>

namespace lockkeeper::stores::mongodb {

Q_LOGGING_CATEGORY(lcMongodb, "lockkeeper.mongodb")

using base::Error;
using base::ErrorCode;

namespace {

// https://github.com/mongodb/mongo/blob/master/src/mongo/base/error_codes.yml
constexpr uint32_t kUnauthorized = 13;
constexpr uint32_t kAuthenticationFailed = 18;
constexpr uint32_t kNotWritablePrimary = 10107;
constexpr uint32_t kNotPrimaryNoSecondaryOk = 13435;
constexpr uint32_t kMaxTimeMsExpired = 50;
constexpr uint32_t kObjectTooLarge = 10334;
/** A new primary has no moment yet that a majority confirmed. */
constexpr uint32_t kNoMajorityYet = 134;
constexpr uint32_t kNoSnapshotYet = 246;
/** The member is being stopped, or its role changes. */
constexpr std::array<uint32_t, 5> kChanging{91, 189, 11600, 11602, 13436};

/** It isn't the primary, and so did nothing. */
bool isElsewhere(const bson_error_t &error)
{
    return error.domain == MONGOC_ERROR_SERVER &&
           (error.code == kNotWritablePrimary || error.code == kNotPrimaryNoSecondaryOk);
}

bool isChanging(const bson_error_t &error)
{
    return error.domain == MONGOC_ERROR_SERVER &&
           std::find(kChanging.cbegin(), kChanging.cend(), error.code) != kChanging.cend();
}

void logLine(mongoc_log_level_t level, const char *domain, const char *message, void *)
{
    const QString line =
        QStringLiteral("%1: %2").arg(QLatin1String(domain), base::displayText(QByteArrayView(message)));
    if (level <= MONGOC_LOG_LEVEL_CRITICAL) // a failed call returns its own error
        qCWarning(lcMongodb).noquote() << line;
    else
        qCDebug(lcMongodb).noquote() << line;
}

base::Result<void> setTls(mongoc_uri_t *uri, const Tls &tls)
{
    mongoc_uri_set_option_as_bool(uri, MONGOC_URI_TLS, true);
    if (!tls.ca.isEmpty())
        mongoc_uri_set_option_as_utf8(uri, MONGOC_URI_TLSCAFILE, tls.ca.toUtf8().constData());
    if (!tls.cert.isEmpty()) {
        if (!tls.key.isEmpty() && tls.key != tls.cert)
            return base::failure(ErrorCode::Usage,
                                 QStringLiteral("MongoDB's driver reads certificate and key from one file"),
                                 QStringLiteral("Write both into one PEM file and name it as tls_cert."));
        mongoc_uri_set_option_as_utf8(uri, MONGOC_URI_TLSCERTIFICATEKEYFILE, tls.cert.toUtf8().constData());
    }
    if (tls.verify == Tls::Verify::Ca)
        mongoc_uri_set_option_as_bool(uri, MONGOC_URI_TLSALLOWINVALIDHOSTNAMES, true);
    if (tls.verify == Tls::Verify::Off)
        mongoc_uri_set_option_as_bool(uri, MONGOC_URI_TLSINSECURE, true);
    return {};
}

} // namespace

void startDriver()
{
    static std::once_flag once;
    std::call_once(once, [] {
        // The driver keeps its counters in a file named after the process; it remains after a kill.
        if (!qEnvironmentVariableIsSet("MONGOC_DISABLE_SHM"))
            qputenv("MONGOC_DISABLE_SHM", "1");
        mongoc_log_set_handler(logLine, nullptr);
        mongoc_init();
    });
}

base::Result<Owned<mongoc_uri_t>> uriOf(const SourceSpec &spec)
{
    startDriver();
    bson_error_t error;
    Owned<mongoc_uri_t> uri(mongoc_uri_new_with_error(stores::textOf(spec.url).toUtf8().constData(), &error));
    if (!uri)
        return base::failure(
            ErrorCode::Usage,
            QStringLiteral("the URL can't be read: %1").arg(base::displayText(QByteArrayView(error.message))),
            QStringLiteral("Write mongodb://host:27017/database?replicaSet=name."));
    const char *database = mongoc_uri_get_database(uri.get());
    if (database == nullptr || *database == '\0')
        return base::failure(ErrorCode::Usage, QStringLiteral("the URL names no database"),
                             QStringLiteral("Write mongodb://host:27017/database."));
    if (!spec.password.isEmpty())
        mongoc_uri_set_password(uri.get(), spec.password.constData());
    mongoc_uri_set_option_as_int32(uri.get(), MONGOC_URI_SERVERSELECTIONTIMEOUTMS,
                                   int(spec.connectTimeoutMs));
    mongoc_uri_set_option_as_int32(uri.get(), MONGOC_URI_CONNECTTIMEOUTMS, int(spec.connectTimeoutMs));
    mongoc_uri_set_option_as_int32(uri.get(), MONGOC_URI_SOCKETTIMEOUTMS, int(2 * spec.statementTimeoutMs));
    mongoc_uri_set_option_as_bool(uri.get(), MONGOC_URI_RETRYWRITES, false);
    mongoc_uri_set_option_as_bool(uri.get(), MONGOC_URI_RETRYREADS, false);
    mongoc_uri_set_appname(uri.get(), "lockkeeper");
    if (!spec.tls.isEmpty() || mongoc_uri_get_tls(uri.get())) {
        if (const auto set = setTls(uri.get(), tlsOf(spec)); !set)
            return tl::unexpected(set.error());
    }
    return uri;
}

Error errorOf(const bson_error_t &error)
{
    const QString text = base::displayText(QByteArrayView(error.message));
    if (error.domain == MONGOC_ERROR_SERVER_SELECTION) {
        const bool unheard = text.contains(QLatin1String("closed"));
        return {ErrorCode::Unreachable, QStringLiteral("no primary of MongoDB can be reached: %1").arg(text),
                unheard
                    ? QStringLiteral("A server that asks for TLS closes other connections: add ?tls=true.")
                    : QString()};
    }
    if (error.domain == MONGOC_ERROR_STREAM && error.code == MONGOC_ERROR_STREAM_NAME_RESOLUTION)
        return {ErrorCode::Unreachable, QStringLiteral("no MongoDB server has that name: %1").arg(text),
                QStringLiteral("mongodb+srv:// needs a DNS record. Without one, name the servers themselves: "
                               "mongodb://host:27017.")};
    if (error.domain == MONGOC_ERROR_STREAM)
        return {ErrorCode::ConnectionLost, QStringLiteral("the link to MongoDB broke: %1").arg(text), {}};
    if ((error.domain == MONGOC_ERROR_CLIENT && error.code == MONGOC_ERROR_CLIENT_AUTHENTICATE) ||
        error.code == kAuthenticationFailed)
        return {ErrorCode::Authentication, QStringLiteral("MongoDB refused the login: %1").arg(text),
                QStringLiteral("Check the user, the password and authSource.")};
    if (error.domain == MONGOC_ERROR_SERVER && error.code == kUnauthorized)
        return {ErrorCode::PermissionDenied, text, {}};
    if (isElsewhere(error) || isChanging(error))
        return {ErrorCode::ConnectionLost, QStringLiteral("MongoDB's primary is changing: %1").arg(text), {}};
    if (error.domain == MONGOC_ERROR_SERVER && (error.code == kNoMajorityYet || error.code == kNoSnapshotYet))
        return {ErrorCode::Busy, text, {}};
    if (error.domain == MONGOC_ERROR_SERVER && error.code == kMaxTimeMsExpired)
        return {ErrorCode::Timeout, text, {}};
    if (error.domain == MONGOC_ERROR_SERVER && error.code == kObjectTooLarge)
        return {ErrorCode::TooLarge, text, {}};
    if (error.domain == MONGOC_ERROR_WRITE_CONCERN)
        return {ErrorCode::Timeout, QStringLiteral("a majority didn't confirm it in time: %1").arg(text), {}};
    return {ErrorCode::Unknown, text, {}};
}

bool endsLink(const bson_error_t &error)
{
    const ErrorCode code = errorOf(error).code;
    return code == ErrorCode::Unreachable || code == ErrorCode::ConnectionLost ||
           code == ErrorCode::Authentication;
}

bool isUntouched(const bson_error_t &error)
{
    const ErrorCode code = errorOf(error).code;
    return code == ErrorCode::Unreachable || code == ErrorCode::Authentication ||
           code == ErrorCode::PermissionDenied || isElsewhere(error);
}

} // namespace lockkeeper::stores::mongodb
