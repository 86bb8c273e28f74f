// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/protocol/codec.h"

#include "shared/protocol/cbor_reader.h"
#include "shared/protocol/cbor_writer.h"
#include "shared/protocol/message_fields.h"

#include <utility>

namespace lockkeeper::protocol {

namespace {

/** Reads into the alternative of `message` with the number `type`; false: no such message. */
template <size_t... Index>
bool readBody(quint64 type, Message &message, CborReader &reader, std::index_sequence<Index...>)
{
    const auto read = [&](auto index) {
        using M = std::variant_alternative_t<decltype(index)::value, AnyMessage>;
        if (type != quint64(TypeOf<M>::value))
            return false;
        reader.value(message.emplace<M>());
        return true;
    };
    return (read(std::integral_constant<size_t, Index>()) || ...);
}

/** Decodes all of `bytes` as one value, or as its difference from `base`. */
template <typename T, typename... Base> base::Result<T> decodeWhole(QByteArrayView bytes, const Base &...base)
{
    CborReader reader(bytes);
    T item;
    reader.value(item, base...);
    reader.end();
    if (reader.failed())
        return tl::unexpected(reader.error());
    return item;
}

/** Room for a typical message, so that most encodings allocate once. */
constexpr qsizetype kUsualSize = 512;

} // namespace

QByteArray encode(const Message &message)
{
    QByteArray bytes;
    bytes.reserve(kUsualSize);
    CborWriter writer(bytes);
    std::visit(
        [&writer](const auto &body) { writer.message(TypeOf<std::decay_t<decltype(body)>>::value, body); },
        message);
    return bytes;
}

base::Result<Message> decode(QByteArrayView payload)
{
    CborReader reader(payload);
    Message message;
    const quint64 type = reader.openMessage();
    const bool known =
        reader.failed() ||
        readBody(type, message, reader, std::make_index_sequence<std::variant_size_v<AnyMessage>>());
    if (!known)
        reader.fail(QStringLiteral("there is no message of type %1").arg(type));
    reader.closeMessage();
    reader.end();
    if (reader.failed())
        return tl::unexpected(reader.error());
    return message;
}

QByteArray encodeState(const domain::LockState &state)
{
    QByteArray bytes;
    bytes.reserve(kUsualSize);
    CborWriter writer(bytes);
    writer.value(state);
    return bytes;
}

QByteArray encodeDetail(const QJsonObject &detail)
{
    QByteArray bytes;
    CborWriter(bytes).value(detail);
    return bytes;
}

base::Result<domain::LockState> decodeState(QByteArrayView bytes)
{
    return decodeWhole<domain::LockState>(bytes);
}

QByteArray encodeDifference(const domain::LockState &state, const domain::LockState &base)
{
    QByteArray bytes;
    CborWriter writer(bytes);
    writer.value(state, base);
    return bytes;
}

base::Result<domain::LockState> decodeDifference(QByteArrayView bytes, const domain::LockState &base)
{
    return decodeWhole<domain::LockState>(bytes, base);
}

QByteArray encodePage(quint64 id, quint64 atSeq, quint32 count, QByteArrayView states)
{
    // A page without locks ends with its map's break (RFC 8949, 3.2.1). Insert the locks before it, as key 3.
    QByteArray bytes = encode(SnapshotPage{id, atSeq, false, {}, {}});
    if (count == 0)
        return bytes;
    const char end = bytes.back();
    bytes.chop(1);
    bytes.reserve(bytes.size() + states.size() + 8);
    CborWriter(bytes).list(3, count);
    bytes += states;
    bytes += end;
    return bytes;
}

} // namespace lockkeeper::protocol
