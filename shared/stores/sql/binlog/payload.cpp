// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/binlog/payload.h"

#include "shared/stores/sql/binlog/byte_reader.h"

#include <zstd.h>

namespace lockkeeper::stores::sql::binlog {

using base::ErrorCode;
using base::failure;

namespace {
constexpr quint64 kEventHeader = 19;
constexpr qsizetype kLengthAt = 9;
constexpr qsizetype kInflateStep = 128 << 10;
constexpr qsizetype kKept = 1 << 20; ///< bytes of memory
constexpr qsizetype kContextKept = 8 << 20;
/** The window of level 22, MySQL's highest compression level: 128 MiB. At the usual level it is 2 MiB. */
constexpr int kWindowLog = 27;
constexpr quint64 kZstd = 0;

enum PayloadField : quint64 { EndOfFields = 0, Size = 1, Compression = 2, InflatedSize = 3 };

auto garbled()
{
    return failure(ErrorCode::Protocol,
                   QStringLiteral("the binary log can't be read: a compressed transaction"));
}

auto tooLarge()
{
    return failure(ErrorCode::TooLarge, QStringLiteral("a compressed transaction is too large to be read"));
}
} // namespace

void Payload::Free::operator()(ZSTD_DCtx_s *context) const
{
    ZSTD_freeDCtx(context);
}

Payload::Payload() = default;
Payload::~Payload() = default;

base::Result<void> Payload::begin(QByteArrayView body)
{
    ByteReader reader(body);
    quint64 size = ~quint64(0);
    quint64 compression = ~quint64(0);
    m_left = kMostInflated;
    quint64 inflated = 0;
    while (const quint64 field = reader.packed()) {
        ByteReader value(reader.take(reader.packed()));
        if (field == Size)
            size = value.packed();
        else if (field == Compression)
            compression = value.packed();
        else if (field == InflatedSize)
            m_left = inflated = value.packed();
        if (!reader.ok() || !value.ok())
            return garbled();
    }
    if (!reader.ok() || size != quint64(reader.left()))
        return garbled();
    if (compression != kZstd)
        return failure(ErrorCode::Unsupported,
                       QStringLiteral("the server compresses transactions in an unknown way"),
                       QStringLiteral("Run: SET GLOBAL binlog_transaction_compression = OFF;"));
    if (inflated > kMostInflated)
        return tooLarge();
    letGo();
    if (!m_context) {
        m_context.reset(ZSTD_createDCtx());
        ZSTD_DCtx_setParameter(m_context.get(), ZSTD_d_windowLogMax, kWindowLog);
    }
    ZSTD_DCtx_reset(m_context.get(), ZSTD_reset_session_only);
    m_input = reader.rest();
    m_inFrame = false;
    return {};
}

base::Result<QByteArrayView> Payload::next()
{
    const auto begun = holds(kEventHeader);
    if (!begun)
        return tl::unexpected(begun.error());
    if (!*begun) {
        if (m_given != m_plain.size())
            return garbled();
        letGo();
        return QByteArrayView();
    }
    const quint64 size = ByteReader(QByteArrayView(m_plain).sliced(m_given + kLengthAt)).little(4);
    if (size < kEventHeader)
        return garbled();
    if (size > kMostEvent)
        return tooLarge();
    const auto whole = holds(size);
    if (!whole)
        return tl::unexpected(whole.error());
    if (!*whole)
        return garbled();
    const auto event = QByteArrayView(m_plain).sliced(m_given, qsizetype(size));
    m_given += qsizetype(size);
    return event;
}

/** Frees the memory beyond a usual transaction's need; the rest is kept for the next one. */
void Payload::letGo()
{
    if (m_plain.capacity() > kKept)
        m_plain = {};
    m_plain.resize(0);
    m_given = 0;
    if (m_context && ZSTD_sizeof_DCtx(m_context.get()) > size_t(kContextKept))
        m_context.reset();
}

/** Inflates until `size` bytes are ready that weren't given yet; false: the payload ends before that. */
base::Result<bool> Payload::holds(quint64 size)
{
    while (quint64(m_plain.size() - m_given) < size) {
        if (m_input.isEmpty() && !m_inFrame)
            return false;
        if (const auto more = inflate(); !more)
            return tl::unexpected(more.error());
    }
    return true;
}

base::Result<void> Payload::inflate()
{
    if (m_given > 0) {
        m_plain.remove(0, m_given);
        m_given = 0;
    }
    const qsizetype had = m_plain.size();
    m_plain.resize(had + kInflateStep);
    ZSTD_outBuffer out{m_plain.data() + had, size_t(kInflateStep), 0};
    ZSTD_inBuffer in{m_input.data(), size_t(m_input.size()), 0};
    const size_t result = ZSTD_decompressStream(m_context.get(), &out, &in);
    m_plain.resize(had + qsizetype(out.pos));
    m_input = m_input.sliced(qsizetype(in.pos));
    m_inFrame = result != 0;
    const bool stands = out.pos == 0 && in.pos == 0;
    if (ZSTD_isError(result) != 0 || stands || out.pos > m_left)
        return garbled();
    m_left -= out.pos;
    return {};
}

} // namespace lockkeeper::stores::sql::binlog
