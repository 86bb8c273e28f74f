// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/protocol/codec.h"

#include <QtEndian>

namespace lockkeeper::protocol {

namespace {

constexpr qsizetype kHeader = 4;
/** Number of consumed bytes after which they are removed from the front of the buffer. */
constexpr qsizetype kCompactAt = 64 * 1024;

} // namespace

QByteArray frame(QByteArrayView payload)
{
    QByteArray bytes(kHeader + payload.size(), Qt::Uninitialized);
    qToBigEndian(quint32(payload.size()), bytes.data());
    std::copy(payload.begin(), payload.end(), bytes.begin() + kHeader);
    return bytes;
}

void Deframer::feed(QByteArrayView bytes)
{
    if (m_read == m_buffer.size()) {
        m_buffer.clear();
        m_read = 0;
    } else if (m_read > kCompactAt) {
        m_buffer.remove(0, m_read);
        m_read = 0;
    }
    m_buffer.append(bytes);
}

base::Result<std::optional<QByteArray>> Deframer::next()
{
    if (m_failed || pending() < kHeader)
        return m_failed ? base::Result<std::optional<QByteArray>>(tl::unexpected(*m_failed))
                        : std::optional<QByteArray>();
    const quint32 length = qFromBigEndian<quint32>(m_buffer.constData() + m_read);
    if (length == 0 || length > m_limit) {
        const bool empty = length == 0;
        m_failed =
            base::Error{empty ? base::ErrorCode::Protocol : base::ErrorCode::TooLarge,
                        empty ? QStringLiteral("the peer sent an empty frame")
                              : QStringLiteral("the peer announced a frame of %1 bytes, the limit is %2")
                                    .arg(length)
                                    .arg(m_limit),
                        {}};
        m_buffer.clear();
        m_read = 0;
        return tl::unexpected(*m_failed);
    }
    if (pending() - kHeader < qsizetype(length))
        return std::optional<QByteArray>();
    QByteArray payload = m_buffer.mid(m_read + kHeader, qsizetype(length));
    m_read += kHeader + qsizetype(length);
    return std::optional<QByteArray>(std::move(payload));
}

} // namespace lockkeeper::protocol
