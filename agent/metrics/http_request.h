// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <optional>

namespace lockkeeper::agent::metrics {

/** The part of an HTTP/1.1 request (RFC 9112) that the endpoint needs: the path without the query. */
struct HttpRequest
{
    int status = 200; ///< or the answer to an unusable request: 400, 405, 431, 505
    QByteArray path;
};

inline constexpr qsizetype kMaxRequestBytes = 8192;

/** Empty until the head is complete. Never reads a body: the endpoint answers only GET, and then closes the
 * connection. */
std::optional<HttpRequest> parseRequest(const QByteArray &bytes);

/** A whole answer with its head, which always has "Connection: close". */
QByteArray httpResponse(int status, const QByteArray &contentType, const QByteArray &body);

} // namespace lockkeeper::agent::metrics
