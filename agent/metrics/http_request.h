// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <optional>

namespace lockkeeper::agent::metrics {

/** What is needed of an HTTP/1.1 request (RFC 9112): its method and the path without the query. */
struct HttpRequest
{
    int status = 200; ///< or the answer to a request that can't be used: 400, 405, 431, 505
    QByteArray path;
};

inline constexpr qsizetype kMaxRequestBytes = 8192;

/** Empty while the head isn't complete. Never reads a body: only GET is answered, and the connection closes
 * after it. */
std::optional<HttpRequest> parseRequest(const QByteArray &bytes);

/** A whole answer with its head; "Connection: close" always. */
QByteArray httpResponse(int status, const QByteArray &contentType, const QByteArray &body);

} // namespace lockkeeper::agent::metrics
