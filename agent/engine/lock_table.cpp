// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/engine/lock_table.h"

#include <QHashFunctions>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace lockkeeper::agent::engine {

/** Doesn't count the session: the locks of one connection share it. */
qint64 Extras::bytes() const
{
    qint64 sum = qint64(sizeof(Extras)) + fencing.size() + (rate ? qint64(sizeof(ChangeRate)) : 0);
    for (const domain::Waiter &waiter : waiters)
        sum += qint64(sizeof waiter) + waiter.id.size() + waiter.detail.size();
    for (const domain::NodeView &node : nodes)
        sum += qint64(sizeof node) + node.token.size();
    return sum;
}

Texts::~Texts()
{
    delete[] m_bytes;
}

void Texts::swap(Texts &other) noexcept
{
    std::swap(m_bytes, other.m_bytes);
    std::swap(m_size, other.m_size);
    const auto [nameSize, split] = std::array<quint32, 2>{m_nameSize, m_split};
    m_nameSize = other.m_nameSize;
    m_split = other.m_split;
    other.m_nameSize = nameSize & 0x7FFFFFFF;
    other.m_split = split & 1;
}

void Texts::keep(QByteArrayView bytes, qsizetype nameSize, const Slices *slices)
{
    const size_t size = size_t(bytes.size());
    Texts made;
    made.m_bytes = new char[size + (slices != nullptr ? sizeof *slices : 0)];
    made.m_size = quint32(size);
    made.m_nameSize = quint32(nameSize) & 0x7FFFFFFF;
    made.m_split = slices != nullptr;
    if (size > 0)
        std::memcpy(made.m_bytes, bytes.data(), size);
    if (slices != nullptr)
        std::memcpy(made.m_bytes + size, slices, sizeof *slices);
    swap(made);
}

void Texts::setName(QByteArrayView name)
{
    keep(name, name.size(), nullptr);
}

void Texts::set(QByteArrayView identity, QByteArrayView owner, QByteArrayView token)
{
    QByteArray packed;
    packed.reserve(name().size() + identity.size() + owner.size() + token.size());
    packed.append(name());
    if (identity == owner && identity == token) {
        packed.append(identity);
        keep(packed, m_nameSize, nullptr);
        return;
    }
    std::array<std::pair<size_t, QByteArrayView>, 3> parts{{{0, identity}, {1, owner}, {2, token}}};
    // The longest first, so that shorter ones are found inside it.
    std::sort(parts.begin(), parts.end(),
              [](const auto &a, const auto &b) { return a.second.size() > b.second.size(); });
    Slices slices;
    for (const auto &[which, bytes] : parts) {
        qsizetype at = bytes.isEmpty() ? 0 : QByteArrayView(packed).indexOf(bytes);
        if (at < 0) {
            at = packed.size();
            packed.append(bytes);
        }
        slices[which] = TextSlice{quint32(at), quint32(bytes.size())};
    }
    keep(packed, m_nameSize, &slices);
}

QByteArrayView Texts::part(size_t which) const
{
    if (!m_split)
        return {m_bytes + m_nameSize, qsizetype(m_size - m_nameSize)};
    TextSlice slice;
    std::memcpy(&slice, m_bytes + m_size + which * sizeof slice, sizeof slice);
    return {m_bytes + slice.at, qsizetype(slice.size)};
}

LockRecord LockRecord::clone() const
{
    LockRecord copy;
    static_cast<RecordValues &>(copy) = *this;
    copy.texts.setName(name());
    copy.texts.set(identity(), owner(), token());
    if (extras) {
        copy.extras = std::make_unique<Extras>();
        copy.extras->waiters = extras->waiters;
        copy.extras->session = extras->session;
        copy.extras->fencing = extras->fencing;
        copy.extras->nodes = extras->nodes;
        copy.extras->mode = extras->mode;
        copy.extras->waiting = extras->waiting;
        copy.extras->rate = extras->rate ? std::make_unique<ChangeRate>(*extras->rate) : nullptr;
    }
    copy.dueUs = copy.queuedUs = kNever;
    copy.readAsked = copy.readQueued = false;
    return copy;
}

void LockRecord::noteSeen(const Bracket &bracket)
{
    seenUs = bracket.endedUs;
    seenSpanUs = quint32(std::clamp<qint64>(bracket.endedUs - bracket.beganUs, 0, kLongestSpanUs));
}

LockTable::LockTable() : m_slots(16), m_seed(size_t(QHashSeed::globalSeed())) {}

quint32 LockTable::hashOf(quint16 set, QByteArrayView name) const
{
    const size_t hash = qHashBits(name.data(), size_t(name.size()), m_seed + set);
    return quint32(hash ^ (quint64(hash) >> 32));
}

quint32 LockTable::find(quint16 set, QByteArrayView name) const
{
    const quint32 hash = hashOf(set, name);
    const size_t mask = m_slots.size() - 1;
    for (size_t slot = hash & mask; m_slots[slot] != 0; slot = (slot + 1) & mask) {
        const LockRecord &record = at(m_slots[slot] - 1);
        if (record.hash == hash && record.set == set && record.name() == name)
            return m_slots[slot] - 1;
    }
    return kNone;
}

quint32 LockTable::insert(quint16 set, QByteArrayView name)
{
    if (size_t(m_size + 1) * 4 > m_slots.size() * 3)
        grow();
    quint32 index = m_end;
    if (!m_free.empty()) {
        index = m_free.back();
        m_free.pop_back();
    } else if (m_end++ % kChunk == 0) {
        m_chunks.push_back(std::make_unique<LockRecord[]>(kChunk));
        m_idle.resize(m_chunks.size() * kChunk, kUnused);
    }
    LockRecord &record = at(index);
    record = LockRecord();
    record.set = set;
    record.texts.setName(name);
    record.hash = hashOf(set, name);
    place(index);
    ++m_size;
    return index;
}

void LockTable::place(quint32 index)
{
    const size_t mask = m_slots.size() - 1;
    size_t slot = std::as_const(*this).at(index).hash & mask;
    while (m_slots[slot] != 0)
        slot = (slot + 1) & mask;
    m_slots[slot] = index + 1;
}

void LockTable::grow()
{
    m_slots.assign(m_slots.size() * 2, 0);
    for (quint32 index = 0; index < m_end; ++index) {
        if (isUsed(index))
            place(index);
    }
}

quint32 LockTable::slotOf(quint32 index) const
{
    const size_t mask = m_slots.size() - 1;
    size_t slot = at(index).hash & mask;
    while (m_slots[slot] != index + 1)
        slot = (slot + 1) & mask;
    return quint32(slot);
}

void LockTable::remove(quint32 index)
{
    const size_t mask = m_slots.size() - 1;
    size_t hole = slotOf(index);
    // Close the gap: move back every later entry of the run whose home isn't behind the hole.
    for (size_t slot = (hole + 1) & mask; m_slots[slot] != 0; slot = (slot + 1) & mask) {
        const size_t home = std::as_const(*this).at(m_slots[slot] - 1).hash & mask;
        if (((slot - home) & mask) >= ((slot - hole) & mask)) {
            m_slots[hole] = m_slots[slot];
            hole = slot;
        }
    }
    m_slots[hole] = 0;
    at(index) = LockRecord();
    m_idle[index] = kUnused;
    if (--m_size > 0) {
        m_free.push_back(index);
        return;
    }
    m_chunks.clear();
    m_idle = std::vector<quint16>();
    m_free = std::vector<quint32>();
    m_slots = std::vector<quint32>(16);
    m_end = 0;
}

void LockTable::setIdle(quint32 index)
{
    const quint16 set = std::as_const(*this).at(index).set;
    if (set < kUnused - 1)
        m_idle[index] = quint16(set + 1);
}

quint32 LockTable::nextBusy(quint32 index, const QList<quint16> &sets) const
{
    // Usually there is one set.
    const quint16 skipped =
        sets.size() == 1 && sets.first() < kUnused - 1 ? quint16(sets.first() + 1) : kUnused;
    for (; index < m_end; ++index) {
        const quint16 idle = m_idle[index];
        if (idle == skipped || idle == kUnused)
            continue;
        if (idle == kBusy || !sets.contains(quint16(idle - 1)))
            return index;
    }
    return m_end;
}

qint64 LockTable::bytes() const
{
    constexpr qint64 kAllocation = 16; // at most: a header, or the rounding of a size
    qint64 sum = qint64(m_chunks.size()) * (qint64(kChunk * sizeof(LockRecord)) + kAllocation) +
                 qint64(m_slots.capacity() + m_free.capacity()) * qint64(sizeof(quint32)) +
                 qint64(m_idle.capacity() * sizeof(quint16));
    for (quint32 index = 0; index < m_end; ++index) {
        if (!isUsed(index))
            continue;
        sum += std::max<qint64>(32, (at(index).texts.bytes() + 8 + 15) / 16 * 16);
        if (at(index).extras)
            sum += at(index).extras->bytes() + kAllocation;
    }
    return sum;
}

} // namespace lockkeeper::agent::engine
