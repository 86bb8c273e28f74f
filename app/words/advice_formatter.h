// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/advice.h"

#include <QCoreApplication>

namespace lockkeeper::app::words {

/** Describes advice in words. Text from the store is escaped; the texts are plain. */
class AdviceFormatter
{
    Q_DECLARE_TR_FUNCTIONS(lockkeeper::app::words::AdviceFormatter)

public:
    /** The fault, in a few words: "lease too short". */
    static QString title(domain::AdviceCode code);
    /** "certain", "likely", "possible". */
    static QString confidence(domain::AdviceConfidence confidence);
    /** The evidence with its figures, in a sentence or two. */
    static QString evidence(const domain::Advice &advice);
    /** The change to make, in a sentence. */
    static QString change(const domain::Advice &advice);
    /** The section of the operators' documents: "advice.md#lease_too_short". */
    static QString document(domain::AdviceCode code);
    /** "340 ms", "9.2 s", "12 min", "3.5 h". */
    static QString duration(qint64 us);

private:
    static QString leaseEvidence(const domain::Advice &advice);
    static QString holdEvidence(const domain::Advice &advice);
    static QString waitEvidence(const domain::Advice &advice);
};

} // namespace lockkeeper::app::words
