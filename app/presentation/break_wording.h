// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>
#include <QCoreApplication>

namespace lockkeeper::app::presentation {

/** What follows a force-release, by scheme. */
class BreakWording
{
    Q_DECLARE_TR_FUNCTIONS(BreakWording)

public:
    /** What a holder that is alive notices of it, and when; empty where the scheme says nothing of that. */
    static QString noticed(QByteArrayView scheme);
};

} // namespace lockkeeper::app::presentation
