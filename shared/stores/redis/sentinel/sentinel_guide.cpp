// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/sentinel/sentinel_guide.h"

#include "shared/base/text.h"
#include "shared/stores/host_list.h"
#include "shared/stores/redis/connection/errors.h"
#include "shared/stores/redis/connection/handshake.h"
#include "shared/stores/redis/connection/log.h"
#include "shared/stores/secret.h"

#include <QUrlQuery>

#include <chrono>
#include <hiredis/hiredis.h>

namespace lockkeeper::stores::redis {

using namespace std::chrono_literals;
using base::Error;
using base::ErrorCode;
using base::failure;

namespace {

constexpr auto kAskSentinelEvery = 5s;
constexpr qint64 kSentinelConnectMs = 2'000;
constexpr qint64 kSentinelSilenceMs = 3'000;
constexpr QByteArrayView kSwitchChannel("+switch-master");
/** The rights that a sentinel's user needs: one refusal names them all. */
constexpr char kSentinelRules[] = "+sentinel|get-master-addr-by-name +subscribe +unsubscribe &+switch-master";

tl::unexpected<Error> badUrl(const QString &cause)
{
    return failure(ErrorCode::Usage, cause,
                   QStringLiteral("Write redis+sentinel://HOST:PORT,HOST:PORT/NAME or …/NAME/DB."));
}

} // namespace

base::Result<SentinelGroup> sentinelGroupOf(const SourceSpec &spec)
{
    const QList<Host> hosts = hostsOf(spec.url);
    const QStringList path = spec.url.path(QUrl::FullyDecoded).mid(1).split(QLatin1Char('/'));
    if (hosts.isEmpty() || path.first().isEmpty() || path.size() > 2)
        return badUrl(QStringLiteral("a Sentinel URL names sentinels and a primary"));
    SentinelGroup group;
    group.name = path.first().toUtf8();
    QUrl one = urlOfHost(spec.url, QStringLiteral("redis"), hosts.first());
    one.setPath(QLatin1Char('/') + path.value(1));
    auto primary = endpointOf(one);
    if (!primary)
        return tl::unexpected(primary.error());
    group.primary = *primary;
    if (!spec.tls.isEmpty())
        group.primary.tls = tlsOf(spec);
    const QUrlQuery query(spec.url);
    const auto item = [&query](const char *key) {
        return query.queryItemValue(QLatin1String(key), QUrl::FullyDecoded);
    };
    if (!item("sentinel_password").isEmpty()) {
        const auto secret = resolveSecret(item("sentinel_password"), QStringLiteral("/"));
        if (!secret)
            return tl::unexpected(secret.error());
        group.password = *secret;
    }
    for (const Host &host : hosts) {
        Endpoint sentinel;
        sentinel.host = host.name;
        sentinel.port = quint16(host.port == 0 ? 26379 : host.port);
        sentinel.user = item("sentinel_user").toUtf8();
        sentinel.tls = group.primary.tls;
        group.sentinels.append(sentinel);
    }
    return group;
}

SentinelGuide::SentinelGuide(SentinelGroup group, QObject *parent)
    : QObject(parent), m_group(std::move(group))
{
    m_again.setSingleShot(true);
    connect(&m_again, &QTimer::timeout, this, [this] {
        if (m_link != nullptr && m_link->isOpen())
            ask();
        else
            openNext();
    });
}

void SentinelGuide::find()
{
    m_finding = true;
    m_tried = 0;
    m_host.clear();
    m_again.stop();
    if (m_link != nullptr && m_link->isOpen())
        ask();
    else
        openNext();
}

void SentinelGuide::stop()
{
    m_finding = false;
    m_host.clear();
    m_again.stop();
    dropLink();
}

void SentinelGuide::mistrust()
{
    m_at = (m_at + 1) % m_group.sentinels.size();
    dropLink();
}

void SentinelGuide::dropLink()
{
    if (m_link == nullptr)
        return;
    m_link->close();
    m_link.release()->deleteLater(); // the connection itself may be the caller
}

void SentinelGuide::openNext()
{
    dropLink();
    m_link = std::make_unique<RedisConnection>(m_group.sentinels.at(m_at), kSentinelSilenceMs);
    m_link->setPushHandler([this](const redisReply *message) { takeMessage(message); });
    connect(m_link.get(), &RedisConnection::connected, this, &SentinelGuide::ask);
    connect(m_link.get(), &RedisConnection::lost, this, &SentinelGuide::takeLoss);
    m_link->open(kSentinelConnectMs);
}

/** Leaves the channel, as a subscribed client may ask nothing else, and subscribes to it again. The answer
 * shows any change that happens meanwhile. */
void SentinelGuide::ask()
{
    const auto check = [this](const redisReply *reply) {
        if (isError(reply))
            refused(reply);
    };
    logIn(*m_link, m_link->endpoint().user, m_group.password);
    m_link->send({"UNSUBSCRIBE", kSwitchChannel}, check);
    m_link->send({"SENTINEL", "GET-MASTER-ADDR-BY-NAME", m_group.name},
                 [this](const redisReply *reply) { takeAddress(reply); });
    m_link->send({"SUBSCRIBE", kSwitchChannel}, check);
    m_again.start(kAskSentinelEvery);
}

void SentinelGuide::takeAddress(const redisReply *reply)
{
    if (reply == nullptr)
        return; // takeLoss() follows
    bool ok = false;
    if (reply->type == REDIS_REPLY_ARRAY && reply->elements == 2) {
        const quint16 port = bytesOf(reply->element[1]).toByteArray().toUShort(&ok);
        if (ok && port != 0) {
            tell(QString::fromUtf8(bytesOf(reply->element[0])), port);
            return;
        }
    }
    if (isError(reply)) {
        refused(reply);
        return;
    }
    fail({ErrorCode::NotFound,
          QStringLiteral("the sentinel doesn't know \"%1\"").arg(base::displayText(m_group.name)),
          QStringLiteral("Check the name in the URL with SENTINEL MASTERS.")});
}

void SentinelGuide::refused(const redisReply *reply)
{
    const AclSubject asker{m_link->endpoint().user, {}};
    Error error = errorOf(reply, asker);
    if (error.code == ErrorCode::PermissionDenied)
        error.remedy = QStringLiteral("Run on each sentinel: ") + aclStatement(asker, kSentinelRules);
    fail(std::move(error));
}

void SentinelGuide::fail(Error error)
{
    error.cause.prepend(m_link->endpoint().address() + QStringLiteral(": "));
    m_link->fail(error);
}

/** "NAME OLDHOST OLDPORT NEWHOST NEWPORT" */
void SentinelGuide::takeMessage(const redisReply *message)
{
    const QByteArrayList words = bytesOf(message->element[message->elements - 1]).toByteArray().split(' ');
    if (words.size() == 5 && words.at(0) == m_group.name)
        tell(QString::fromUtf8(words.at(3)), words.at(4).toUShort());
}

void SentinelGuide::tell(const QString &host, quint16 port)
{
    const bool same = host == m_host && port == m_port;
    const bool first = m_host.isEmpty();
    m_host = host;
    m_port = port;
    if (m_finding) {
        m_finding = false;
        Endpoint primary = m_group.primary;
        primary.host = host;
        primary.port = port;
        Q_EMIT found(primary);
    } else if (!same && !first) {
        Q_EMIT moved(QStringLiteral("the sentinel %1 says that the primary is now %2:%3")
                         .arg(m_link->endpoint().address(), base::displayText(host))
                         .arg(port));
    }
}

void SentinelGuide::takeLoss(const Error &error)
{
    qCDebug(lcRedis) << "sentinel:" << error.line();
    m_at = (m_at + 1) % m_group.sentinels.size();
    if (!m_finding) {
        m_again.start(1s); // another one from now on
        return;
    }
    if (++m_tried < m_group.sentinels.size()) {
        openNext();
        return;
    }
    m_finding = false;
    m_again.stop();
    Error report = error;
    report.cause = QStringLiteral("no sentinel knows the address of \"%1\": %2")
                       .arg(base::displayText(m_group.name), error.cause);
    Q_EMIT notFound(report);
}

} // namespace lockkeeper::stores::redis
