// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/store_harness.h"

#include <QTest>

namespace lockkeeper::tests {

/** A store with push, and everything that it and its predecessors have reported since forget(). */
class PushLog
{
protected:
    void watch(std::unique_ptr<stores::Store> store)
    {
        using stores::Store;
        m_store = std::make_unique<StoreHarness>(std::move(store));
        Store *from = &m_store->store();
        QObject::connect(from, &Store::pushed, m_store.get(), [this](const stores::Push &push) {
            m_position = push.position;
            m_everything += push.everything ? 1 : 0;
            m_told += push.changes;
        });
        QObject::connect(from, &Store::pushStateChanged, m_store.get(),
                         [this](const stores::PushState &state) { m_states.append(state); });
        QObject::connect(from, &Store::pageTold, m_store.get(),
                         [this](const stores::Page &page) { m_seenUs = page.endedUs; });
    }
    /** Opens the store and waits until it pushes; it resumes after `position`. */
    bool opened(const QByteArray &position = {})
    {
        m_states.clear();
        m_store->store().resumeAfter(position);
        return m_store->open() &&
               QTest::qWaitFor([this] { return !m_states.isEmpty() && m_states.constLast().on; }, 15'000);
    }
    void forget()
    {
        m_store.reset();
        m_told.clear();
        m_states.clear();
        m_position.clear();
        m_everything = 0;
    }

    std::unique_ptr<StoreHarness> m_store;
    QList<stores::Change> m_told;
    QList<stores::PushState> m_states;
    QByteArray m_position;
    qint64 m_seenUs = 0;  ///< until when the store has seen everything
    int m_everything = 0; ///< how often everything may have changed
};

} // namespace lockkeeper::tests
