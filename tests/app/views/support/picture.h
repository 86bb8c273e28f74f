// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace lockkeeper::tests {

/** A picture for the eye, where LOCKKEEPER_PICTURES names a folder. */
inline void picture(QWidget *widget, const char *name)
{
    const QString folder = qEnvironmentVariable("LOCKKEEPER_PICTURES");
    if (!folder.isEmpty())
        widget->grab().save(folder + QLatin1Char('/') + QLatin1String(name) + QStringLiteral(".png"));
}

} // namespace lockkeeper::tests
