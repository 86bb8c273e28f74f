// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/protocol/messages.h"

#include <QByteArrayView>
#include <QtEndian>

#include <array>
#include <bit>

namespace lockkeeper::protocol {

/**
 * Walks over the items of one CBOR value (RFC 8949) in memory, without copying them. A stream that reads from
 * a device costs a few hundred instructions per item, and an event has about sixty items. After a fault all
 * calls do nothing. The caller must check type() before it calls a function that only some types allow.
 */
class Items
{
public:
    /** The first eight are CBOR's major types, in their order. */
    enum class ItemType : quint8 {
        Natural = 0,
        Negative, ///< −1 − number()
        Bytes,
        Text,
        Array,
        Map,
        Tag,
        Simple,
        End, ///< end of the container, or of the value
        Fault,
    };
    enum class Simple : quint8 { False = 20, True, Null, Undefined, Half = 25, Float, Double };

    /** `bytes` stay the caller's and must outlive this object. */
    explicit Items(QByteArrayView bytes)
        : m_begin(bytes.data()), m_at(m_begin), m_next(m_begin), m_end(m_begin + bytes.size())
    {
        load();
    }

    ItemType type() const { return m_type; }
    bool is(Simple value) const { return m_type == ItemType::Simple && m_info == quint8(value); }
    bool hasNext() const { return m_type < ItemType::End; }
    bool failed() const { return m_type == ItemType::Fault; }
    /** Offset of the next item, in bytes. */
    qsizetype offset() const { return m_at - m_begin; }
    int depth() const { return m_depth; }

    /** The value of a Natural; a Negative is −1 − number(). */
    quint64 number() const { return m_number; }
    /** Valid if is(Simple::Double). */
    double real() const { return std::bit_cast<double>(m_number); }
    /** For a string or container: true if it states its number of bytes or elements. */
    bool isLengthKnown() const { return m_info != kEndless; }

    /** Skips a number, a simple value or a tag. */
    void next()
    {
        if (failed())
            return;
        m_at = m_next;
        m_tagged = m_type == ItemType::Tag;
        if (!m_tagged)
            ++m_levels[size_t(m_depth)].done;
        load();
    }
    /** Returns the bytes of a string of known length, and skips it. */
    QByteArrayView string()
    {
        if (m_number > quint64(m_end - m_next)) {
            m_type = ItemType::Fault;
            return {};
        }
        const QByteArrayView bytes(m_next, qsizetype(m_number));
        m_next += bytes.size();
        next();
        return bytes;
    }
    /** Enters an array or map; a fault if that is deeper than kMaxNesting. */
    void enter()
    {
        // Each element takes at least one byte, and each element of a map has two parts.
        const quint64 parts = m_type == ItemType::Map ? 2 : 1;
        const bool fits = !isLengthKnown() || m_number <= quint64(m_end - m_next) / parts;
        if (!fits || m_depth == kMaxNesting) {
            m_type = ItemType::Fault;
            return;
        }
        m_levels[size_t(++m_depth)] = {0, m_number * parts, parts, !isLengthKnown()};
        m_at = m_next;
        m_tagged = false;
        load();
    }
    /** Leaves the container; the current item must be its End. */
    void leave()
    {
        if (m_type != ItemType::End || m_depth == 0)
            return;
        m_next = m_at + (m_levels[size_t(m_depth)].endless ? 1 : 0);
        --m_depth;
        next();
    }

private:
    static constexpr quint8 kEndless = 31;
    static constexpr char kBreak = char(0xff);

    struct NestingLevel
    {
        quint64 done = 0;
        quint64 count = 1;
        quint64 parts = 1; ///< items per element
        bool endless = false;
    };

    /** Reads the head of the next item. */
    void load()
    {
        const NestingLevel &level = m_levels[size_t(m_depth)];
        if (!level.endless && level.done == level.count) {
            m_type = ItemType::End;
            return;
        }
        m_type = ItemType::Fault;
        if (m_at == m_end)
            return;
        const auto first = quint8(*m_at);
        m_info = first & 31u;
        m_next = m_at + 1;
        if (m_info < 24) {
            m_number = m_info;
            m_type = ItemType(first >> 5);
        } else {
            loadLong(first, level);
        }
    }
    void loadLong(quint8 first, const NestingLevel &level);

    const char *m_begin;
    const char *m_at;
    const char *m_next; ///< behind the head at m_at
    const char *m_end;
    quint64 m_number = 0;
    int m_depth = 0;
    ItemType m_type = ItemType::Fault;
    quint8 m_info = 0;
    bool m_tagged = false; ///< the previous item is a tag of the next one
    std::array<NestingLevel, kMaxNesting + 1> m_levels{};
};

} // namespace lockkeeper::protocol
