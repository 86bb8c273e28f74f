// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/store.h"

#include <QTimer>

#include <functional>
#include <memory>

namespace lockkeeper::agent::election {

/**
 * Reads again and again who holds the lock of an election, over a connection of its own to its store, as an
 * agent reads any lock. Lives in the main thread.
 */
class HolderReader final : public QObject
{
    Q_OBJECT

public:
    using MakeStore = std::function<base::Result<std::unique_ptr<stores::Store>>(const stores::SourceSpec &)>;

    /** `spec` has the lock's scheme as its only set. */
    HolderReader(stores::SourceSpec spec, QByteArray lock, std::chrono::milliseconds every,
                 MakeStore makeStore, QObject *parent = nullptr);
    ~HolderReader() override;

    void start();
    /** Ends the connection; what was read is forgotten. */
    void stop();
    /** As its lock names it; empty: nobody, or it isn't known. */
    const QString &holder() const { return m_holder; }

private:
    void open();
    void read();
    void lost();

    stores::SourceSpec m_spec;
    QByteArray m_lock;
    MakeStore m_makeStore;
    std::unique_ptr<stores::Store> m_store;
    QTimer m_again;
    bool m_open = false;
    QString m_holder;
};

/** A holder for people: without the random part that a token ends with. */
QString holderText(const stores::Observation &lock);

} // namespace lockkeeper::agent::election
