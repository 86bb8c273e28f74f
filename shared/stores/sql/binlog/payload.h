// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"

#include <QByteArray>
#include <QByteArrayView>

#include <memory>

struct ZSTD_DCtx_s;

namespace lockkeeper::stores::sql::binlog {

/**
 * The events within a compressed transaction of MySQL 8.0.20 and later (TRANSACTION_PAYLOAD_EVENT; MySQL
 * source documentation, "Transaction_payload_event": fields of type, length and value, then a stream of
 * zstd), one after the other. Pure. It inflates piece by piece: it needs the memory of the largest event and
 * of zstd's window, whatever lengths the bytes claim. Malformed bytes end in a Protocol error, sizes above
 * the limits below in TooLarge. After any error, only begin() may be called.
 */
class Payload
{
public:
    static constexpr quint64 kMostEvent = 64ULL << 20;   ///< of one event, in bytes
    static constexpr quint64 kMostInflated = 4ULL << 30; ///< of all together, in bytes

    Payload();
    ~Payload();
    Q_DISABLE_COPY_MOVE(Payload)

    /** `body`: the event without header and checksum, valid until the last next(). Unsupported: another
     * compression than zstd. */
    base::Result<void> begin(QByteArrayView body);
    /** The next event with its header, whose length is checked; valid until the next call. Empty: no more
     * events. */
    base::Result<QByteArrayView> next();

private:
    struct Free
    {
        void operator()(ZSTD_DCtx_s *context) const;
    };

    base::Result<bool> holds(quint64 size);
    base::Result<void> inflate();
    void letGo();

    std::unique_ptr<ZSTD_DCtx_s, Free> m_context;
    QByteArrayView m_input;
    QByteArray m_plain;
    qsizetype m_given = 0; ///< bytes of m_plain that next() has returned
    quint64 m_left = 0;    ///< bytes that may still come
    bool m_inFrame = false;
};

} // namespace lockkeeper::stores::sql::binlog
