// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/domain/finding.h"

namespace lockkeeper::domain {

QByteArrayView severityName(Severity value)
{
    switch (value) {
    case Severity::Notice:
        return "notice";
    case Severity::Warning:
        return "warning";
    case Severity::Danger:
        return "danger";
    }
    return "unknown";
}

} // namespace lockkeeper::domain
