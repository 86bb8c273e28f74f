// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"
#include "shared/protocol/messages.h"

#include <QByteArray>
#include <QByteArrayView>

namespace lockkeeper::protocol {

/** A message as the payload of a frame (CBOR, RFC 8949). Never fails. */
QByteArray encode(const Message &message);

/**
 * The inverse. Refuses (Protocol) what PROTOCOL.md doesn't allow: bad UTF-8 text, nesting past 16, doubled or
 * missing keys or keys out of order, numbers out of range, trailing bytes. Unknown keys are skipped. Safe on
 * hostile bytes: time and memory are bounded by a multiple of the payload's size.
 */
base::Result<Message> decode(QByteArrayView payload);

/** One lock's state by itself, as the journal keeps it beside its event. */
QByteArray encodeState(const domain::LockState &state);
base::Result<domain::LockState> decodeState(QByteArrayView bytes);
/** The same as it differs from `base`, and read with that very base. For storage; not on the wire. */
QByteArray encodeDifference(const domain::LockState &state, const domain::LockState &base);
base::Result<domain::LockState> decodeDifference(QByteArrayView bytes, const domain::LockState &base);

/** The SnapshotPage, not the last one, of `count` states: encodeState() of each, one after the other. */
QByteArray encodePage(quint64 id, quint64 atSeq, quint32 count, QByteArrayView states);

/** An event's `detail` by itself, as the journal keeps it: a map, of which as much as a message may carry. */
QByteArray encodeDetail(const QJsonObject &detail);

/** A length-prefixed frame: 4 bytes, big-endian, then the payload. */
QByteArray frame(QByteArrayView payload);

/** Cuts a byte stream into frames. Refuses a length of 0 or above the limit before allocating for it. */
class Deframer
{
public:
    explicit Deframer(quint32 limit = kMaxFrameBeforeLogin) : m_limit(limit) {}
    void setLimit(quint32 limit) { m_limit = limit; }
    /** Adds bytes as they come. */
    void feed(QByteArrayView bytes);
    /** The next whole payload; empty optional: not enough bytes yet; an error is final. */
    base::Result<std::optional<QByteArray>> next();
    /** Bytes of an unfinished frame: a peer that stays here too long is closed. */
    qsizetype pending() const { return m_buffer.size() - m_read; }

private:
    QByteArray m_buffer;
    qsizetype m_read = 0;
    quint32 m_limit;
    std::optional<base::Error> m_failed;
};

} // namespace lockkeeper::protocol
