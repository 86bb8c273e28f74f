// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QList>

#include <optional>

namespace lockkeeper::agent::application {

/**
 * A queue that serves its sessions in turn: a session that asks for much delays only itself. Within a
 * session, the order stays.
 */
template <typename Item> class Turns final
{
public:
    void push(quintptr session, const Item &item)
    {
        QList<Item> &waiting = m_waiting[session];
        if (waiting.isEmpty())
            m_order.append(session);
        waiting.append(item);
    }
    bool isEmpty() const { return m_order.isEmpty(); }
    /** The first item of the session whose turn it is; empty: nothing waits. */
    std::optional<Item> take()
    {
        if (m_order.isEmpty())
            return std::nullopt;
        const quintptr session = m_order.takeFirst();
        const auto waiting = m_waiting.find(session);
        Item item = waiting->takeFirst();
        if (waiting->isEmpty())
            m_waiting.erase(waiting);
        else
            m_order.append(session);
        return item;
    }

private:
    QHash<quintptr, QList<Item>> m_waiting;
    QList<quintptr> m_order; ///< the next session first
};

} // namespace lockkeeper::agent::application
