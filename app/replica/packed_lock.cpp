// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/replica/packed_lock.h"

#include "shared/protocol/cbor_writer.h"
#include "shared/protocol/codec.h"
#include "shared/protocol/fields.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>

namespace lockkeeper::app::replica {

namespace {

enum Text { Source = 0, Scheme, Place, Name, Owner, Token, Guard, Rest, TextCount };

/**
 * The fixed part of each lock, at the start of its block. Unused bytes are 0, so that blocks compare as
 * bytes.
 */
struct Fixed
{
    qint64 acquiredUs = 0;
    qint64 windowUs = 0;
    qint64 renewedUs = 0;
    qint64 longestRenewalGapUs = 0;
    qint64 expiresUs = 0;
    qint64 ttlMs = 0;
    qint64 seenUs = 0;
    std::array<quint32, TextCount> ends{}; ///< the end of each text, counted from the end of this struct
    quint32 hash = 0;
    quint32 renewals = 0;
    domain::Phase phase{};
    domain::Evidence acquiredBy{};
    domain::ExpiryKind expiry{};
    domain::Evidence expiresBy{};
    domain::ReleaseSafety safety{};
    domain::ReleaseOff why{};
    quint16 flags = 0;
};
static_assert(std::has_unique_object_representations_v<Fixed>); // no padding between the members

enum Flag : quint16 {
    HasAcquired = 1,
    HasRenewed = 2,
    HasExpires = 4,
    HasSeen = 8,
    OwnerKnown = 16,
    WaitersVisible = 32,
    PinsDeadline = 64,
    GuardIsHex = 128,   ///< packed as the bytes of its hex digits
    TokenIsOwner = 256, ///< the token isn't stored twice
    StuckShift = 512,   ///< multiplied by the reason
};

quint16 flag(bool is, Flag bit)
{
    return is ? bit : 0;
}

/** True if fromHex() and toHex() give the same text again. */
bool isHex(QByteArrayView text)
{
    return text.size() % 2 == 0 && std::all_of(text.begin(), text.end(), [](char c) {
               return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
           });
}

domain::TimeUs timeOf(const Fixed &fixed, Flag bit, qint64 us)
{
    return (fixed.flags & bit) != 0 ? domain::TimeUs(us) : std::nullopt;
}

Fixed fixedOf(const domain::LockState &state)
{
    Fixed fixed;
    fixed.acquiredUs = state.acquiredUs.value_or(0);
    fixed.windowUs = state.windowUs;
    fixed.renewedUs = state.renewedUs.value_or(0);
    fixed.longestRenewalGapUs = state.longestRenewalGapUs;
    fixed.expiresUs = state.expiresUs.value_or(0);
    fixed.ttlMs = state.ttlMs;
    fixed.seenUs = state.seenUs.value_or(0);
    fixed.hash = PackedLock::hashOf(state.key);
    fixed.renewals = state.renewals;
    fixed.phase = state.phase;
    fixed.acquiredBy = state.acquiredBy;
    fixed.expiry = state.expiry;
    fixed.expiresBy = state.expiresBy;
    fixed.safety = state.release.safety;
    fixed.why = state.release.why;
    fixed.flags = quint16(
        flag(state.acquiredUs.has_value(), HasAcquired) | flag(state.renewedUs.has_value(), HasRenewed) |
        flag(state.expiresUs.has_value(), HasExpires) | flag(state.seenUs.has_value(), HasSeen) |
        flag(state.ownerKnown, OwnerKnown) | flag(state.waitersVisible, WaitersVisible) |
        flag(state.pinsDeadline, PinsDeadline) |
        flag(!state.owner.isEmpty() && state.token == state.owner, TokenIsOwner) |
        quint16(state.stuck) * StuckShift);
    return fixed;
}

/** True for the keys (shared/protocol/fields.h) of what Fixed and the texts contain. */
constexpr bool isPacked(quint64 key)
{
    return key < 16 || key == 18 || (key >= 20 && key < 24) || key == 29;
}

/** A visitor of fields() that encodes the fields that a block has nowhere else, which most locks lack. */
class RestWriter
{
public:
    template <typename T> void need(quint64, const T &) {} // the key and the phase
    template <typename T> void may(quint64 key, const T &item)
    {
        if (!isPacked(key))
            may(key, item, T{});
    }
    template <typename T> void may(quint64 key, const T &item, const std::type_identity_t<T> &missing)
    {
        if (isPacked(key) || item == missing)
            return;
        if (m_bytes.isEmpty()) {
            // A state ends with its map's break (RFC 8949, 3.2.1). Insert the fields before it.
            m_bytes = protocol::encodeState({});
            m_bytes.chop(1);
        }
        protocol::CborWriter(m_bytes).need(key, item);
    }
    /** Empty if the lock lacks all these fields. */
    QByteArray bytes() const { return m_bytes.isEmpty() ? m_bytes : m_bytes + kBreak; }

private:
    static constexpr char kBreak = char(0xff);
    QByteArray m_bytes;
};

QByteArray restOf(const domain::LockState &state)
{
    RestWriter writer;
    protocol::fields(writer, state);
    return writer.bytes();
}

} // namespace

/** Reads a block. */
class PackedLock::TextBlock
{
public:
    explicit TextBlock(const QByteArray &bytes) : m_texts(bytes.constData() + sizeof(Fixed))
    {
        std::memcpy(&m_fixed, bytes.constData(), sizeof(Fixed));
    }

    const Fixed &fixed() const { return m_fixed; }
    QByteArrayView view(Text text) const
    {
        const quint32 begin = text == 0 ? 0 : m_fixed.ends[size_t(text) - 1];
        return {m_texts + begin, qsizetype(m_fixed.ends[size_t(text)] - begin)};
    }
    /** Own texts, or such as lie in the block. */
    QByteArray bytes(Text text, bool own) const
    {
        const QByteArrayView there = view(text);
        if (there.isEmpty())
            return {};
        return own ? there.toByteArray() : QByteArray::fromRawData(there.data(), there.size());
    }
    QString source(bool own) const
    {
        // The first text, and so as aligned as the block.
        const QByteArrayView utf16 = view(Source);
        const auto *source = reinterpret_cast<const QChar *>(utf16.data());
        const qsizetype size = utf16.size() / qsizetype(sizeof(QChar));
        return own ? QString(source, size) : QString::fromRawData(source, size);
    }
    domain::LockKey key(bool own) const
    {
        return {source(own), bytes(Scheme, own), bytes(Place, own), bytes(Name, own)};
    }
    domain::LockState state(bool own) const;

private:
    const char *m_texts;
    Fixed m_fixed;
};

domain::LockState PackedLock::TextBlock::state(bool own) const
{
    domain::LockState state;
    if (const QByteArrayView rest = view(Rest); !rest.isEmpty())
        state = protocol::decodeState(rest).value_or(domain::LockState()); // our own encoding
    state.key = key(own);
    state.phase = m_fixed.phase;
    state.stuck = domain::StuckReason(m_fixed.flags / StuckShift);
    state.ownerKnown = (m_fixed.flags & OwnerKnown) != 0;
    state.owner = bytes(Owner, own);
    state.token = (m_fixed.flags & TokenIsOwner) != 0 ? state.owner : bytes(Token, own);
    state.acquiredUs = timeOf(m_fixed, HasAcquired, m_fixed.acquiredUs);
    state.windowUs = m_fixed.windowUs;
    state.acquiredBy = m_fixed.acquiredBy;
    state.renewedUs = timeOf(m_fixed, HasRenewed, m_fixed.renewedUs);
    state.renewals = m_fixed.renewals;
    state.longestRenewalGapUs = m_fixed.longestRenewalGapUs;
    state.expiry = m_fixed.expiry;
    state.expiresUs = timeOf(m_fixed, HasExpires, m_fixed.expiresUs);
    state.ttlMs = m_fixed.ttlMs;
    state.expiresBy = m_fixed.expiresBy;
    state.waitersVisible = (m_fixed.flags & WaitersVisible) != 0;
    state.release = {m_fixed.safety, m_fixed.why};
    state.pinsDeadline = (m_fixed.flags & PinsDeadline) != 0;
    if (own)
        state.guard = (m_fixed.flags & GuardIsHex) != 0 ? bytes(Guard, false).toHex() : bytes(Guard, true);
    state.seenUs = timeOf(m_fixed, HasSeen, m_fixed.seenUs);
    return state;
}

PackedLock::PackedLock(const domain::LockState &state)
{
    Fixed fixed = fixedOf(state);
    const bool hex = isHex(state.guard);
    if (hex)
        fixed.flags |= GuardIsHex;
    const QByteArray guard = hex ? QByteArray::fromHex(state.guard) : state.guard;
    const QByteArray rest = restOf(state);
    const auto *source = reinterpret_cast<const char *>(state.key.source.constData());
    const std::array<QByteArrayView, TextCount> texts{
        QByteArrayView(source, state.key.source.size() * qsizetype(sizeof(QChar))),
        state.key.scheme,
        state.key.place,
        state.key.name,
        state.owner,
        (fixed.flags & TokenIsOwner) != 0 ? QByteArrayView() : QByteArrayView(state.token),
        guard,
        rest};
    quint32 end = 0;
    for (size_t i = 0; i < texts.size(); ++i)
        fixed.ends[i] = end += quint32(texts[i].size());
    m_bytes.reserve(qsizetype(sizeof(Fixed) + end));
    m_bytes.append(reinterpret_cast<const char *>(&fixed), qsizetype(sizeof(Fixed)));
    for (const QByteArrayView text : texts)
        m_bytes.append(text);
}

domain::LockState PackedLock::state() const
{
    return TextBlock(m_bytes).state(true);
}

domain::LockState PackedLock::peek() const
{
    return TextBlock(m_bytes).state(false);
}

domain::LockKey PackedLock::key() const
{
    return TextBlock(m_bytes).key(true);
}

QByteArrayView PackedLock::name() const
{
    return TextBlock(m_bytes).view(Name);
}

QString PackedLock::source() const
{
    return TextBlock(m_bytes).source(false);
}

quint32 PackedLock::hash() const
{
    quint32 hash = 0;
    std::memcpy(&hash, m_bytes.constData() + offsetof(Fixed, hash), sizeof hash);
    return hash;
}

bool PackedLock::isSameHold(const PackedLock &other) const
{
    const TextBlock mine(m_bytes), others(other.m_bytes);
    return mine.view(Owner) == others.view(Owner) && mine.view(Guard) == others.view(Guard);
}

bool PackedLock::isOf(const domain::LockKey &key) const
{
    return TextBlock(m_bytes).key(false) == key;
}

bool PackedLock::isSameLock(const PackedLock &other) const
{
    const TextBlock mine(m_bytes), others(other.m_bytes);
    return mine.key(false) == others.key(false);
}

} // namespace lockkeeper::app::replica
