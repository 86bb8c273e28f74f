// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/etcd/connection/gateway.h"

#include "shared/base/text.h"

#include <QIODevice>
#include <QJsonDocument>
#include <QNetworkProxy>
#include <QNetworkReply>
#include <QPointer>
#include <QSslCipher>

#include <cstring>
#include <utility>

namespace lockkeeper::stores::etcd {

using base::Error;
using base::ErrorCode;

namespace {

constexpr qint64 kLongestAnswer = qint64(64) * 1024 * 1024;
constexpr char kTooLong[] = "tooLong";

// gRPC's codes, which the gateway puts into its errors.
constexpr int kInvalidArgument = 3;
constexpr int kPermissionDenied = 7;
constexpr int kExhausted = 8;
constexpr int kFailedPrecondition = 9;
constexpr int kOutOfRange = 11;
constexpr int kUnavailable = 14;
constexpr int kUnauthenticated = 16;

/**
 * A request's body that can be read once. QNetworkAccessManager sends a request again by itself where a
 * connection ends before the answer has begun, POST or not, but can't without the body.
 */
class OnceDevice final : public QIODevice
{
public:
    OnceDevice(QByteArray bytes, QObject *parent) : QIODevice(parent), m_bytes(std::move(bytes))
    {
        open(QIODevice::ReadOnly | QIODevice::Unbuffered);
    }
    bool isSequential() const override { return true; }
    bool reset() override { return false; }
    qint64 bytesAvailable() const override { return m_bytes.size() - m_read; }
    bool atEnd() const override { return m_read == m_bytes.size(); }

protected:
    qint64 readData(char *data, qint64 most) override
    {
        if (atEnd())
            return -1;
        const qint64 size = std::min(most, m_bytes.size() - m_read);
        std::memcpy(data, m_bytes.constData() + m_read, size_t(size));
        m_read += size;
        return size;
    }
    qint64 writeData(const char *, qint64) override { return -1; }

private:
    QByteArray m_bytes;
    qint64 m_read = 0;
};

/** etcd's message decides where its code is ambiguous. */
ErrorCode codeOf(int grpc, const QString &words)
{
    if (words.contains(QLatin1String("invalid user ID or password")) ||
        words.contains(QLatin1String("user name is empty")) || grpc == kUnauthenticated)
        return ErrorCode::Authentication;
    if (grpc == kPermissionDenied)
        return ErrorCode::PermissionDenied;
    if (grpc == kExhausted)
        return ErrorCode::Busy;
    if (grpc == kUnavailable)
        return ErrorCode::Unreachable;
    if (words.contains(QLatin1String("timed out")))
        return ErrorCode::Timeout;
    return ErrorCode::Unknown;
}

QString remedyOf(ErrorCode code, const QString &words)
{
    if (words.contains(QLatin1String("user name is empty")))
        return QStringLiteral("Write the user into the URL, etcd://USER@HOST, and its password beside it.");
    if (code == ErrorCode::Authentication)
        return QStringLiteral("Check the user in the URL and the source's password.");
    return {};
}

Answer refusalOf(const QJsonObject &body)
{
    // etcd 3.6 says it in "message" alone.
    const QString words =
        body.value(body.contains(QLatin1String("error")) ? QLatin1String("error") : QLatin1String("message"))
            .toString();
    const int grpc = body.value(QLatin1String("code")).toInt();
    const ErrorCode code = codeOf(grpc, words);
    Answer answer;
    answer.error = Error{code, base::displayText(words), remedyOf(code, words)};
    // Any other error may have come after the request was carried out.
    answer.untouched = grpc == kInvalidArgument || grpc == kPermissionDenied || grpc == kUnauthenticated ||
                       grpc == kFailedPrecondition || grpc == kOutOfRange;
    return answer;
}

/** The member hung up before a handshake was done: without TLS on that port it does so. */
bool isUnencrypted(const QNetworkReply &reply)
{
    return reply.url().scheme() == QLatin1String("https") &&
           reply.error() == QNetworkReply::RemoteHostClosedError &&
           reply.sslConfiguration().sessionCipher().isNull();
}

Answer lossOf(const QNetworkReply &reply, const QString &member)
{
    Answer answer;
    Error error{ErrorCode::ConnectionLost, member + QLatin1String(": ") + reply.errorString(), {}};
    switch (reply.error()) {
    case QNetworkReply::ConnectionRefusedError:
    case QNetworkReply::HostNotFoundError:
        error.code = ErrorCode::Unreachable;
        answer.untouched = true;
        break;
    case QNetworkReply::OperationCanceledError:
    case QNetworkReply::TimeoutError:
        error.code = ErrorCode::Timeout;
        error.cause = member + QLatin1String(" didn't answer in time");
        if (reply.property(kTooLong).toBool())
            error = {ErrorCode::TooLarge, member + QLatin1String(" answered with more than 64 MiB"),
                     QStringLiteral("Write a smaller page_size.")};
        break;
    default:
        break;
    }
    const QString words = reply.errorString();
    if (words.contains(QLatin1String("alert")) && words.contains(QLatin1String("certificate"))) {
        error.code = ErrorCode::Authentication;
        error.remedy = QStringLiteral("Set tls_cert and tls_key to a certificate that the members accept.");
    } else if (reply.error() == QNetworkReply::SslHandshakeFailedError || isUnencrypted(reply)) {
        error.code = ErrorCode::Protocol;
        error.remedy = QStringLiteral("Use the port for TLS, or etcd:// for this one.");
        answer.untouched = true;
    }
    answer.error = error;
    return answer;
}

Answer answerOf(QNetworkReply &reply, const QString &member, bool isRange)
{
    if (!reply.attribute(QNetworkRequest::HttpStatusCodeAttribute).isValid())
        return lossOf(reply, member);
    if (reply.error() == QNetworkReply::OperationCanceledError)
        return lossOf(reply, member);
    // After an error the gateway's trailer follows the object.
    QByteArray bytes = reply.readAll();
    const QList<KeyValue> keys = isRange ? takeKeys(bytes) : QList<KeyValue>();
    QJsonDocument document = QJsonDocument::fromJson(bytes);
    if (!document.isObject())
        document = QJsonDocument::fromJson(bytes.left(bytes.lastIndexOf('}') + 1));
    const QJsonObject body = document.object();
    const int status = reply.attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    if (document.isObject() && (status >= 400 || body.value(QLatin1String("error")).isString())) {
        Answer refusal = refusalOf(body);
        if (refusal.error->cause.isEmpty())
            refusal.error->cause =
                QStringLiteral("%1 answers with the HTTP status %2").arg(member).arg(status);
        return refusal;
    }
    Answer answer;
    answer.body = body;
    answer.keys = isRange && keys.isEmpty() ? keysOf(body) : keys;
    if (!document.isObject())
        answer.error = Error{ErrorCode::Protocol, member + QLatin1String(" is no JSON gateway of etcd"),
                             QStringLiteral("Write the address that clients use, with etcds:// for TLS.")};
    return answer;
}

bool isTokenRefused(const Answer &answer)
{
    return answer.error && answer.untouched &&
           (answer.error->cause.contains(QLatin1String("invalid auth token")) ||
            answer.error->cause.contains(QLatin1String("revision of auth store is old")));
}

} // namespace

Gateway::Gateway(Endpoints endpoints, QByteArray password, QObject *parent)
    : QObject(parent),
      m_endpoints(std::move(endpoints)),
      m_password(std::move(password)),
      m_network(new QNetworkAccessManager(this))
{
    m_network->setProxy(QNetworkProxy(QNetworkProxy::NoProxy));
    m_network->setRedirectPolicy(QNetworkRequest::ManualRedirectPolicy);
}

Gateway::~Gateway()
{
    for (QNetworkReply *reply : m_network->findChildren<QNetworkReply *>())
        reply->disconnect(this);
    m_network->setParent(nullptr);
    m_network->deleteLater(); // one of its replies may be what calls this
}

void Gateway::next()
{
    m_at = (m_at + 1) % members();
    m_token.clear();
}

void Gateway::abort()
{
    for (QNetworkReply *reply : m_network->findChildren<QNetworkReply *>())
        reply->abort();
    m_network->clearConnectionCache();
    m_ssl.reset(); // read again for the next connection
}

QByteArray Gateway::compact(const QJsonObject &body)
{
    return QJsonDocument(body).toJson(QJsonDocument::Compact);
}

void Gateway::follow(const char *path, const QList<QJsonObject> &bodies, Line line, Done ended)
{
    QByteArray all;
    for (const QJsonObject &body : bodies)
        all += compact(body);
    send({path, all, true, std::move(ended), 0, std::move(line)});
}

void Gateway::send(const Request &request)
{
    if (m_endpoints.user.isEmpty() || !m_token.isEmpty())
        post(request);
    else
        login(request);
}

void Gateway::login(const Request &request)
{
    Request again = request;
    ++again.logins;
    const QJsonObject body{{QStringLiteral("name"), QString::fromUtf8(m_endpoints.user)},
                           {QStringLiteral("password"), QString::fromUtf8(m_password)}};
    const Done taken = [this, again](const Answer &answer) {
        if (answer.error) {
            Answer refused = answer;
            refused.untouched = true; // what was asked hasn't been sent
            again.done(refused);
            return;
        }
        m_token = answer.body.value(QLatin1String("token")).toString().toLatin1();
        post(again);
    };
    post({"auth/authenticate", compact(body), false, taken, 2, {}});
}

void Gateway::post(const Request &request)
{
    if (const auto error = prepareTls()) {
        Answer unsent;
        unsent.error = error;
        unsent.untouched = true;
        QMetaObject::invokeMethod(
            this, [request, unsent] { request.done(unsent); }, Qt::QueuedConnection);
        return;
    }
    QUrl url = m_endpoints.members.at(m_at);
    url.setPath(QLatin1String("/v3/") + QString::fromLatin1(request.path));
    QNetworkRequest head(url);
    head.setAttribute(QNetworkRequest::Http2AllowedAttribute, false); // 44 ms a request with it
    head.setHeader(QNetworkRequest::ContentTypeHeader, QByteArrayLiteral("application/json"));
    head.setTransferTimeout(request.line ? 0 : m_timeoutMs);
    if (m_ssl)
        head.setSslConfiguration(*m_ssl);
    if (!m_token.isEmpty() && request.path != "auth/authenticate")
        head.setRawHeader("Authorization", m_token);
    const QByteArray &bytes = request.body;
    QNetworkReply *reply = nullptr;
    if (request.once) {
        head.setAttribute(QNetworkRequest::DoNotBufferUploadDataAttribute, true);
        head.setHeader(QNetworkRequest::ContentLengthHeader, bytes.size());
        auto *device = new OnceDevice(bytes, nullptr);
        reply = m_network->post(head, device);
        device->setParent(reply);
    } else {
        reply = m_network->post(head, bytes);
    }
    if (request.line) {
        connect(reply, &QNetworkReply::readyRead, this, [this, reply, line = request.line] {
            const QPointer<Gateway> self(this); // which the reply outlives
            while (!self.isNull() && reply->canReadLine()) {
                const QByteArray one = reply->readLine();
                line(QJsonDocument::fromJson(one).object());
            }
        });
    } else {
        connect(reply, &QNetworkReply::downloadProgress, this, [reply](qint64 received, qint64) {
            if (received <= kLongestAnswer)
                return;
            reply->setProperty(kTooLong, true);
            reply->abort();
        });
    }
    connect(reply, &QNetworkReply::sslErrors, this,
            [this, reply](const QList<QSslError> &found) { judge(reply, found); });
    const QString member = address();
    connect(reply, &QNetworkReply::finished, this, [this, reply, request, member] {
        reply->deleteLater();
        Answer answer = answerOf(*reply, member, request.path == "kv/range");
        if (reply->error() == QNetworkReply::SslHandshakeFailedError && m_untrusted)
            answer.error = std::exchange(m_untrusted, std::nullopt);
        answer.member = member;
        take(request, answer);
    });
}

std::optional<Error> Gateway::prepareTls()
{
    if (!m_endpoints.tls || m_ssl)
        return std::nullopt;
    const auto configuration = configurationOf(*m_endpoints.tls);
    if (!configuration)
        return configuration.error();
    m_ssl = *configuration;
    return std::nullopt;
}

void Gateway::judge(QNetworkReply *reply, const QList<QSslError> &found)
{
    const QList<QSslError> left = objections(found, m_endpoints.tls->verify);
    if (left.isEmpty()) {
        reply->ignoreSslErrors(found);
        return;
    }
    m_untrusted = untrusted(left, m_endpoints.members.at(m_at).host());
}

void Gateway::take(const Request &request, const Answer &answer)
{
    if (isTokenRefused(answer) && request.logins == 0 && !m_endpoints.user.isEmpty()) {
        m_token.clear();
        login(request);
        return;
    }
    request.done(answer);
}

} // namespace lockkeeper::stores::etcd
