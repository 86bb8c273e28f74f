// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

namespace lockkeeper::app {

class Console;

/** A picture of the window, taken once data has arrived, for documents and for machines without a display. */
struct ShotOptions
{
    QString file;       ///< PNG; empty: no picture
    int afterMs = 3000; ///< at the latest
    QString select;     ///< name of the lock to show in Locks; empty: the first row of the current view
};

/** Takes the picture and exits the program, with status 0 if the file was written. */
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
