// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/alerts/delivery/curl_client.h"

#include "shared/base/clock.h"
#include "shared/base/text.h"

#include <algorithm>
#include <cstring>
#include <curl/curl.h>

namespace lockkeeper::agent::alerts {

using base::ErrorCode;

namespace {

constexpr long kConnectMs = 5'000;
constexpr long kTotalMs = 15'000;
constexpr qsizetype kMostReply = 64 * 1'024;
constexpr qsizetype kMostRefusal = 200;
constexpr qint64 kMostRetryAfterS = 300;

void initializeCurl()
{
    static const bool once = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
    (void)once; // curl_easy_init() fails otherwise
}

/** A list of lines for CURL, which reads it during the transfer. */
class CurlLines
{
public:
    explicit CurlLines(const QByteArrayList &lines)
    {
        for (const QByteArray &line : lines)
            m_list = curl_slist_append(m_list, line.constData());
    }
    ~CurlLines() { curl_slist_free_all(m_list); }
    Q_DISABLE_COPY_MOVE(CurlLines)
    curl_slist *list() const { return m_list; }

private:
    curl_slist *m_list = nullptr;
};

/** A code that says that the server didn't take the message, as opposed to login and TLS, which change. */
bool isMailRefusal(int code)
{
    return code == CURLE_SEND_ERROR || code == CURLE_RECV_ERROR || code == CURLE_WEIRD_SERVER_REPLY ||
           code == CURLE_UPLOAD_FAILED;
}

QByteArray encodedUrl(const QUrl &url)
{
    return url.toEncoded(QUrl::FullyEncoded);
}

} // namespace

CurlClient::CurlClient(const base::Interrupt &interrupt) : m_interrupt(interrupt)
{
    initializeCurl();
    m_easy = curl_easy_init();
    m_multi = curl_multi_init();
    m_errorText.resize(CURL_ERROR_SIZE);
}

CurlClient::~CurlClient()
{
    curl_easy_cleanup(m_easy);
    curl_multi_cleanup(m_multi);
}

void CurlClient::prepare(const config::ReceiverAccess &access, const QUrl &url, const char *protocols)
{
    curl_easy_reset(m_easy); // keeps the connection
    m_reply = {};
    m_upload.clear();
    m_headerBytes = 0;
    m_errorText[0] = '\0';
    const auto set = [this](CURLoption option, auto value) { curl_easy_setopt(m_easy, option, value); };
    set(CURLOPT_ERRORBUFFER, m_errorText.data());
    set(CURLOPT_URL, encodedUrl(url).constData());
    set(CURLOPT_PROTOCOLS_STR, protocols);
    set(CURLOPT_FOLLOWLOCATION, 0L);
    set(CURLOPT_SSL_VERIFYPEER, 1L);
    set(CURLOPT_SSL_VERIFYHOST, 2L);
    set(CURLOPT_SSLVERSION, long(CURL_SSLVERSION_TLSv1_2));
    if (!access.ca.isEmpty())
        set(CURLOPT_CAINFO, access.ca.toLocal8Bit().constData());
    // An empty text also disables the environment's proxies.
    set(CURLOPT_PROXY, access.proxy.isEmpty() ? "" : encodedUrl(access.proxy).constData());
    set(CURLOPT_NOPROXY, "");
    set(CURLOPT_CONNECTTIMEOUT_MS, kConnectMs);
    set(CURLOPT_TIMEOUT_MS, kTotalMs);
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_QUICK_EXIT, 1L); // don't wait for a name server when the transfer is interrupted
    set(CURLOPT_WRITEFUNCTION, &CurlClient::readBody);
    set(CURLOPT_WRITEDATA, static_cast<void *>(this));
    set(CURLOPT_HEADERFUNCTION, &CurlClient::readHeader);
    set(CURLOPT_HEADERDATA, static_cast<void *>(this));
    if (!access.user.isEmpty()) {
        set(CURLOPT_USERNAME, access.user.toUtf8().constData());
        set(CURLOPT_PASSWORD, access.password.constData());
    }
}

base::Result<TransferReply> CurlClient::post(const config::ReceiverAccess &access, const QUrl &url,
                                             const QByteArrayList &headers, const QByteArray &body)
{
    prepare(access, url, "http,https");
    QByteArrayList lines = headers;
    lines.append("Expect:"); // curl would wait for 100 Continue before a long body
    if (!access.token.isEmpty())
        lines.append("Authorization: Bearer " + access.token);
    const CurlLines list(lines);
    curl_easy_setopt(m_easy, CURLOPT_HTTPHEADER, list.list());
    curl_easy_setopt(m_easy, CURLOPT_HTTP_VERSION, long(CURL_HTTP_VERSION_1_1));
    curl_easy_setopt(m_easy, CURLOPT_HTTPAUTH, long(CURLAUTH_BASIC));
    curl_easy_setopt(m_easy, CURLOPT_USERAGENT, "lockkeeper-agent/" LOCKKEEPER_VERSION);
    curl_easy_setopt(m_easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.size()));
    curl_easy_setopt(m_easy, CURLOPT_POSTFIELDS, body.constData());
    return perform();
}

base::Result<TransferReply> CurlClient::mail(const config::EmailReceiver &receiver, const QByteArray &message)
{
    QUrl url = receiver.access.url;
    url.setPath({}); // curl takes a path for the name of this host
    url.setQuery(QString());
    prepare(receiver.access, url, "smtp,smtps");
    QByteArrayList recipients;
    for (const QString &address : receiver.to)
        recipients.append('<' + address.toLatin1() + '>');
    const CurlLines list(recipients);
    m_upload = message;
    m_uploaded = 0;
    curl_easy_setopt(m_easy, CURLOPT_USE_SSL, long(receiver.startTls ? CURLUSESSL_ALL : CURLUSESSL_NONE));
    curl_easy_setopt(m_easy, CURLOPT_MAIL_FROM, ('<' + receiver.from.toLatin1() + '>').constData());
    curl_easy_setopt(m_easy, CURLOPT_MAIL_RCPT, list.list());
    // One mistyped address must not keep the message from the others.
    curl_easy_setopt(m_easy, CURLOPT_MAIL_RCPT_ALLLOWFAILS, 1L);
    curl_easy_setopt(m_easy, CURLOPT_UPLOAD, 1L);
    curl_easy_setopt(m_easy, CURLOPT_READFUNCTION, &CurlClient::giveMail);
    curl_easy_setopt(m_easy, CURLOPT_READDATA, static_cast<void *>(this));
    curl_easy_setopt(m_easy, CURLOPT_INFILESIZE_LARGE, curl_off_t(m_upload.size()));
    return perform();
}

base::Result<TransferReply> CurlClient::perform()
{
    const auto code = wait();
    if (!code)
        return base::failure(ErrorCode::Shutdown, QStringLiteral("the transfer was interrupted"));
    long status = 0;
    curl_easy_getinfo(m_easy, CURLINFO_RESPONSE_CODE, &status);
    m_reply.status = int(status);
    curl_off_t afterS = 0;
    if (curl_easy_getinfo(m_easy, CURLINFO_RETRY_AFTER, &afterS) == CURLE_OK && afterS > 0)
        m_reply.retryAfterUs = std::min<qint64>(afterS, kMostRetryAfterS) * base::kSecondUs;
    // A server that answered has decided, even if the rest of its reply is too long or never ends.
    const bool isAnswered = m_upload.isEmpty() ? status >= 200 : isMailRefusal(*code) && status >= 400;
    if (*code == CURLE_OK || isAnswered)
        return m_reply;
    return tl::unexpected(errorOf(*code));
}

std::optional<int> CurlClient::wait()
{
    curl_multi_add_handle(m_multi, m_easy);
    int running = 1;
    while (running > 0 && !m_interrupt.isRaised()) {
        curl_multi_perform(m_multi, &running);
        curl_waitfd interrupted{m_interrupt.descriptor(), CURL_WAIT_POLLIN, 0};
        if (running > 0)
            curl_multi_poll(m_multi, &interrupted, interrupted.fd >= 0 ? 1 : 0, 1'000, nullptr);
    }
    std::optional<int> code;
    int left = 0;
    while (const CURLMsg *message = curl_multi_info_read(m_multi, &left)) {
        if (message->msg == CURLMSG_DONE)
            code = int(message->data.result);
    }
    curl_multi_remove_handle(m_multi, m_easy);
    return code;
}

base::Error CurlClient::errorOf(int code) const
{
    const char *text =
        m_errorText.at(0) != '\0' ? m_errorText.constData() : curl_easy_strerror(CURLcode(code));
    const QString cause = base::singleLine(QString::fromUtf8(text));
    switch (code) {
    case CURLE_OPERATION_TIMEDOUT:
        return {ErrorCode::Timeout, cause, {}};
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_CONNECT:
        return {ErrorCode::Unreachable, cause, {}};
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
        return {ErrorCode::Authentication, cause,
                QStringLiteral("Set \"ca\" of the receiver to the authority of its certificate")};
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_USE_SSL_FAILED:
        return {ErrorCode::Protocol, cause, QStringLiteral("Check the port and whether it expects TLS")};
    case CURLE_LOGIN_DENIED:
        return {ErrorCode::Authentication, cause, QStringLiteral("Check user and password of the receiver")};
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_GOT_NOTHING:
    case CURLE_PARTIAL_FILE:
        return {ErrorCode::ConnectionLost, cause, {}};
    default:
        return {ErrorCode::Protocol, cause, {}};
    }
}

size_t CurlClient::readBody(char *data, size_t size, size_t count, void *self)
{
    auto &client = *static_cast<CurlClient *>(self);
    const auto bytes = qsizetype(size * count);
    const qsizetype room = kMostReply - client.m_reply.body.size();
    client.m_reply.body.append(data, std::min(bytes, room));
    return bytes > room ? 0 : size * count; // 0 ends the transfer
}

size_t CurlClient::readHeader(char *data, size_t size, size_t count, void *self)
{
    auto &client = *static_cast<CurlClient *>(self);
    const QByteArrayView line(data, qsizetype(size * count));
    client.m_headerBytes += line.size();
    // A refusal of SMTP is "550 text".
    if (!client.m_upload.isEmpty() && line.startsWith('5') && client.m_reply.refusals.size() < 10)
        client.m_reply.refusals.append(
            line.trimmed().first(std::min<qsizetype>(line.trimmed().size(), kMostRefusal)).toByteArray());
    return client.m_headerBytes > kMostReply ? 0 : size * count;
}

size_t CurlClient::giveMail(char *data, size_t size, size_t count, void *self)
{
    auto &client = *static_cast<CurlClient *>(self);
    const qsizetype bytes = std::min(qsizetype(size * count), client.m_upload.size() - client.m_uploaded);
    std::memcpy(data, client.m_upload.constData() + client.m_uploaded, size_t(bytes));
    client.m_uploaded += bytes;
    return size_t(bytes);
}

} // namespace lockkeeper::agent::alerts
