// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/metrics/http_request.h"

#include <QList>

#include <algorithm>

namespace lockkeeper::agent::metrics {

namespace {

QByteArray reasonOf(int status)
{
    switch (status) {
    case 200:
        return "OK";
    case 400:
        return "Bad Request";
    case 404:
        return "Not Found";
    case 405:
        return "Method Not Allowed";
    case 431:
        return "Request Header Fields Too Large";
    case 503:
        return "Service Unavailable";
    case 505:
        return "HTTP Version Not Supported";
    default:
        return "Error";
    }
}

bool isToken(const QByteArray &method)
{
    return !method.isEmpty() &&
           std::all_of(method.cbegin(), method.cend(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

HttpRequest parseLine(const QByteArray &line)
{
    const QList<QByteArray> parts = line.split(' ');
    if (parts.size() != 3 || !isToken(parts.at(0)) || !parts.at(1).startsWith('/'))
        return {400, {}};
    const bool printable =
        std::all_of(line.cbegin(), line.cend(), [](char c) { return c >= 0x20 && c < 0x7f; });
    if (!printable || !parts.at(2).startsWith("HTTP/"))
        return {400, {}};
    if (!parts.at(2).startsWith("HTTP/1."))
        return {505, {}};
    if (parts.at(0) != "GET")
        return {405, {}};
    return {200, parts.at(1).split('?').first()};
}

} // namespace

std::optional<HttpRequest> parseRequest(const QByteArray &bytes)
{
    const qsizetype end = bytes.indexOf("\r\n\r\n");
    if (end > kMaxRequestBytes || (end < 0 && bytes.size() > kMaxRequestBytes))
        return HttpRequest{431, {}};
    // A first line that isn't HTTP is answered at once: such a peer may never send the empty line.
    const qsizetype lineEnd = bytes.indexOf("\r\n");
    if (lineEnd < 0)
        return bytes.contains('\n') ? std::optional(HttpRequest{400, {}}) : std::nullopt;
    HttpRequest request = parseLine(bytes.first(lineEnd));
    if (request.status == 200 && end < 0)
        return std::nullopt;
    return request;
}

QByteArray httpResponse(int status, const QByteArray &contentType, const QByteArray &body)
{
    QByteArray out = "HTTP/1.1 " + QByteArray::number(status) + ' ' + reasonOf(status) + "\r\n";
    if (status == 405)
        out += "Allow: GET\r\n";
    out += "Content-Type: " + contentType + "\r\nContent-Length: " + QByteArray::number(body.size());
    out += "\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n";
    return out + body;
}

} // namespace lockkeeper::agent::metrics
