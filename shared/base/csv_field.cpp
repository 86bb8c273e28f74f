// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/base/csv_field.h"

#include "shared/base/text.h"

namespace lockkeeper::base {

bool isFormula(const QString &text)
{
    if (text.isEmpty() || !QStringView(u"=+-@\t\r").contains(text.front()))
        return false;
    bool isNumber = false;
    text.toDouble(&isNumber);
    return !isNumber;
}

QString csvField(const QString &text)
{
    QString field = displayText(text);
    if (isFormula(field))
        field.prepend(QLatin1Char('\''));
    const bool quoted = field.contains(QLatin1Char('"')) || field.contains(QLatin1Char(',')) ||
                        field.startsWith(QLatin1Char(' ')) || field.endsWith(QLatin1Char(' '));
    if (!quoted)
        return field;
    field.replace(QLatin1String("\""), QLatin1String("\"\""));
    return QLatin1Char('"') + field + QLatin1Char('"');
}

} // namespace lockkeeper::base
