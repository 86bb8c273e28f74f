// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/domain/advice.h"

#include "shared/base/enum_names.h"

namespace lockkeeper::domain {

namespace {

constexpr base::EnumNames<size_t(kLastAdviceCode) + 1> kAdviceCodes{
    "unknown",          "lease_too_short", "lease_too_long",      "renewal_too_late",
    "polls_too_slowly", "polls_too_fast",  "unusually_long_hold", "never_contended",
    "no_expiry",        "opposite_orders", "client_clock_off",    "chain_head_statement"};
constexpr base::EnumNames<3> kAdviceConfidences{"possible", "likely", "certain"};

} // namespace

QByteArrayView adviceCodeName(AdviceCode code)
{
    return base::enumName(kAdviceCodes, code);
}

QByteArrayView adviceConfidenceName(AdviceConfidence confidence)
{
    return base::enumName(kAdviceConfidences, confidence);
}

} // namespace lockkeeper::domain
