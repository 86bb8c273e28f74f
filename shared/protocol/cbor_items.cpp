// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/protocol/cbor_items.h"

namespace lockkeeper::protocol {

/** Reads a head of several bytes, a head without a length, or the break that ends a container without one. */
void Items::loadLong(quint8 first, const NestingLevel &level)
{
    const auto type = ItemType(first >> 5);
    if (m_info == kEndless) {
        const bool whole = level.done % level.parts == 0 && !m_tagged;
        if (char(first) == kBreak)
            m_type = level.endless && whole ? ItemType::End : ItemType::Fault;
        else if (type >= ItemType::Bytes && type <= ItemType::Map)
            m_type = type;
        return;
    }
    const int log = m_info - 24;
    if (log > 3 || m_end - m_next < (1 << log))
        return;
    m_number = 0;
    for (int left = 1 << log; left > 0; --left)
        m_number = m_number << 8 | quint8(*m_next++);
    // RFC 8949, 3.3: simple values below 32 must not be encoded in a second byte.
    if (type != ItemType::Simple || log > 0 || m_number >= 32)
        m_type = type;
}

} // namespace lockkeeper::protocol
