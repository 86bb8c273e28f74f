// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

namespace lockkeeper::app {

class Console;

/** A picture of the window, made once data has come, for documents and for machines without a display. */
struct ShotOptions
{
    QString file;       ///< PNG; empty: no picture
    int afterMs = 3000; ///< at the latest
    QString select;     ///< the lock to show among Locks, by its name; empty: the first row, in whatever view
};

/** Takes the picture and ends the program: with 0 where it was written. */
class Shot : public QObject
{
    Q_OBJECT

public:
    Shot(Console *console, ShotOptions options, QObject *parent = nullptr);

private:
    void selectLock();
    void take();

    Console *m_console;
    ShotOptions m_options;
};

} // namespace lockkeeper::app
