// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/error.h"

#include <QList>
#include <QString>

namespace lockkeeper::config {

/** A mistake in the file, with its line and, in the remedy, the nearest correct name. */
struct Problem
{
    QString file;
    int line = 0; ///< from 1; 0: the whole file
    base::Error error;

    /** "FILE:LINE: cause. remedy" */
    QString text() const;
};

/** All mistakes found so far. Reading continues after each, so that one run reports all of them. */
struct Problems
{
    QString file;
    QList<Problem> list;

    void add(int line, const QString &cause, const QString &remedy = {});
    /** Sorted by their order in the file. */
    QList<Problem> sorted() const;
};

} // namespace lockkeeper::config
