// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QHash>
#include <QList>

namespace lockkeeper::tests {

/**
 * One acquisition as its holder knew it: times of one steady clock, microseconds, of the moments at which it
 * saw itself hold. It did so without a break in between.
 */
struct Hold
{
    QByteArray lock;
    QByteArray holder;
    qint64 fromUs = 0;
    qint64 toUs = 0;
    QByteArray fencing;    ///< decimal; empty: there is none
    bool released = false; ///< and the store answered that it was this holder's until then

    bool operator==(const Hold &) const = default;
};

/** Two acquisitions of one lock that exclude each other. */
struct Violation
{
    enum class Kind : quint8 {
        Overlap, ///< both held it at the same time
        Fencing, ///< the later one's fencing token isn't greater
    };
    Kind kind = Kind::Overlap;
    Hold earlier;
    Hold later;

    /** One line, for a report. */
    QByteArray text() const;
    bool operator==(const Violation &) const = default;
};

/** Replays the holds of one history, in any order, and finds what no lock may allow. */
QList<Violation> check(QList<Hold> holds);

/**
 * Gathers holds from the lines that `lockkeeperctl simulate` prints; several processes' in one history. A
 * holder that was killed, and so says nothing of its end, held until the last time it said that it did.
 */
class HistoryReader
{
public:
    /** `process` identifies the process that printed these lines. Half a line waits for its rest. */
    void add(const QByteArray &process, const QByteArray &bytes);
    QList<Hold> holds() const;

private:
    void addLine(const QByteArray &process, const QByteArray &line);

    QHash<QByteArray, QByteArray> m_rests; ///< by process
    QHash<QByteArray, qsizetype> m_open;   ///< by process, worker and token: a hold that hasn't ended
    QList<Hold> m_holds;
};

} // namespace lockkeeper::tests
