// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/config/receiver_settings.h"
#include "shared/base/interrupt.h"
#include "shared/base/result.h"

#include <QByteArrayList>

#include <optional>

using CURL = void;
using CURLM = void;

namespace lockkeeper::agent::alerts {

/** The answer of a server. */
struct TransferReply
{
    int status = 0;  ///< of HTTP, or the last one of SMTP
    QByteArray body; ///< at most its first 64 KiB
    std::optional<qint64> retryAfterUs;
    QByteArrayList refusals; ///< SMTP: lines with a permanent refusal, of single recipients for instance
};

/**
 * HTTP and SMTP by libcurl, for one receiver. A call blocks for at most 15 s, or until the interrupt is
 * raised. It follows no redirect, verifies certificates, uses no other protocol, and no proxy but the
 * configured one. It reads 64 KiB of a reply, then gives up the connection and returns what it has. Belongs
 * to one thread, and keeps the connection between calls. The program must ignore SIGPIPE.
 * Errors: Unreachable, Timeout, ConnectionLost, Authentication, Protocol, Shutdown (interrupted).
 */
class CurlClient
{
public:
    /** `interrupt` must outlive this object. */
    explicit CurlClient(const base::Interrupt &interrupt);
    ~CurlClient();
    Q_DISABLE_COPY_MOVE(CurlClient)

    /** `headers`: lines without CRLF. Any status is a reply. */
    base::Result<TransferReply> post(const config::ReceiverAccess &access, const QUrl &url,
                                     const QByteArrayList &headers, const QByteArray &body);
    /** Sends a message to all recipients that the server accepts. A status of 4xx or 5xx is a reply too. */
    base::Result<TransferReply> mail(const config::EmailReceiver &receiver, const QByteArray &message);

private:
    void prepare(const config::ReceiverAccess &access, const QUrl &url, const char *protocols);
    base::Result<TransferReply> perform();
    /** Returns CURL's code of the finished transfer; empty: interrupted. */
    std::optional<int> wait();
    base::Error errorOf(int code) const;
    static size_t readBody(char *data, size_t size, size_t count, void *self);
    static size_t readHeader(char *data, size_t size, size_t count, void *self);
    static size_t giveMail(char *data, size_t size, size_t count, void *self);

    const base::Interrupt &m_interrupt;
    CURL *m_easy;
    CURLM *m_multi;
    QByteArray m_errorText;
    TransferReply m_reply;
    qsizetype m_headerBytes = 0;
    QByteArray m_upload; ///< a mail; empty with HTTP
    qsizetype m_uploaded = 0;
};

} // namespace lockkeeper::agent::alerts
