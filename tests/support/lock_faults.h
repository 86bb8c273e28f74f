// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/checker.h"

#include <QElapsedTimer>
#include <QObject>
#include <QProcess>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTimer>

#include <chrono>
#include <functional>
#include <memory>
#include <vector>

namespace lockkeeper::tests {

/** How processes fight for locks, and the faults that hit them. */
struct FaultPlan
{
    QByteArray source; ///< `[[source]]` with one lock set, in the configuration's words
    int processes = 4;
    int workers = 4; ///< of each process, on one connection
    int locks = 3;
    QByteArray name = "fight-{n}"; ///< of each lock, {n} its number
    std::chrono::milliseconds ttl{700};
    std::chrono::milliseconds longestHold{250};
    std::chrono::milliseconds lasts{4'000};
    bool kills = true;                 ///< SIGKILL, and another one in its place
    bool stops = true;                 ///< SIGSTOP for two TTLs
    std::chrono::seconds clocksOff{0}; ///< the first process's clock runs ahead by this, the second's behind
    std::chrono::milliseconds faultEvery{0}; ///< the interval between calls of `fault`; 0: never
    std::function<void()> fault = {};        ///< befalls the store
    /**
     * For this long, a holder whose link was cut may count as a holder, although the store has freed its
     * lock.
     */
    std::chrono::milliseconds window{0};
};

/** The results of a run. */
struct FaultReport
{
    int holds = 0;
    int kills = 0;
    int stops = 0;
    int faults = 0;
    QList<Violation> violations;

    qsizetype overlaps() const;
    /** One line, and the first violations. */
    QByteArray text() const;
};

/**
 * Processes of `lockkeeperctl simulate` that fight for the same locks, are killed, stopped and replaced, and
 * whose histories are replayed: the checker's findings are the faults of the locks.
 */
class LockFaults final : public QObject
{
    Q_OBJECT

public:
    explicit LockFaults(FaultPlan plan, quint32 seed = 1);
    ~LockFaults() override;

    void start();
    /** Waits for its end, and replays the histories with the holds that `others` had. */
    FaultReport finished(const std::function<QList<Hold>()> &others = {});

private:
    struct Fighter
    {
        std::unique_ptr<QProcess> process;
        QByteArray name;
        QElapsedTimer since = {}; ///< it was started
    };

    void spawn(size_t place);
    void kill();
    void stop();
    bool hasSuffered() const;
    void end();

    FaultPlan m_plan;
    QTemporaryDir m_folder;
    QRandomGenerator m_random;
    std::vector<Fighter> m_fighters;
    QList<qint64> m_stopped; ///< processes
    HistoryReader m_history;
    QTimer m_kills;
    QTimer m_stops;
    QTimer m_faults;
    QTimer m_end;
    QElapsedTimer m_since;
    FaultReport m_report;
    int m_spawned = 0;
    bool m_ending = false;
    bool m_done = false;
};

FaultReport runFaults(const FaultPlan &plan, quint32 seed = 1);

} // namespace lockkeeper::tests
