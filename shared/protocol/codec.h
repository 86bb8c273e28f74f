// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"
#include "shared/protocol/messages.h"

#include <QByteArray>
#include <QByteArrayView>

namespace lockkeeper::protocol {

/** Encodes a message as the payload of a frame (CBOR, RFC 8949). Never fails. */
QByteArray encode(const Message &message);

/**
 * Decodes a payload. Fails (Protocol) on anything that PROTOCOL.md doesn't allow: bad UTF-8 text, nesting
 * past 16, missing or duplicate keys or keys out of order, numbers out of range, trailing bytes. Skips
 * unknown keys. Safe on untrusted bytes: time and memory are bounded by a multiple of the payload's size.
 */
base::Result<Message> decode(QByteArrayView payload);

/** Encodes one lock's state alone, as the journal stores it with its event. */
QByteArray encodeState(const domain::LockState &state);
base::Result<domain::LockState> decodeState(QByteArrayView bytes);
/** Encodes only the difference from `base`; decoding needs the same `base`. For storage, not for the wire. */
QByteArray encodeDifference(const domain::LockState &state, const domain::LockState &base);
base::Result<domain::LockState> decodeDifference(QByteArrayView bytes, const domain::LockState &base);

/** A SnapshotPage, not the last one, of `count` states. `states`: concatenated results of encodeState(). */
QByteArray encodePage(quint64 id, quint64 atSeq, quint32 count, QByteArrayView states);

/** Encodes an event's `detail` alone, as the journal stores it: a map, cut to the limits of a message. */
QByteArray encodeDetail(const QJsonObject &detail);

/** A length-prefixed frame: 4 bytes, big-endian, then the payload. */
QByteArray frame(QByteArrayView payload);

/** Cuts a byte stream into frames. Refuses a length of 0 or above the limit before allocating for it. */
class Deframer
{
public:
    explicit Deframer(quint32 limit = kMaxFrameBeforeLogin) : m_limit(limit) {}
    void setLimit(quint32 limit) { m_limit = limit; }
    void feed(QByteArrayView bytes);
    /** The next whole payload; empty optional: not enough bytes yet; an error is final. */
    base::Result<std::optional<QByteArray>> next();
    /** The number of bytes fed but not returned yet, with their length prefixes. */
    qsizetype pending() const { return m_buffer.size() - m_read; }

private:
    QByteArray m_buffer;
    qsizetype m_read = 0;
    quint32 m_limit;
    std::optional<base::Error> m_failed;
};

} // namespace lockkeeper::protocol
