// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/error.h"

#include <QList>
#include <QString>

namespace lockkeeper::config {

/** A mistake in the file: one line with file, line and the nearest right name. */
struct Problem
{
    QString file;
    int line = 0; ///< from 1; 0: the file as a whole
    base::Error error;

    /** "FILE:LINE: cause. remedy" */
    QString text() const;
};

/** Every mistake found so far; reading goes on after each, so that one run tells them all. */
struct Problems
{
    QString file;
    QList<Problem> list;

    void add(int line, const QString &cause, const QString &remedy = {});
    /** In the order of the file. */
    QList<Problem> sorted() const;
};

} // namespace lockkeeper::config
