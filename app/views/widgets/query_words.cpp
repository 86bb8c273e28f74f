// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/widgets/query_words.h"

namespace lockkeeper::app::views {

QString QueryWords::error(const filter::QueryError &error)
{
    using Mistake = filter::QueryError::Mistake;
    switch (error.kind) {
    case Mistake::UnknownField:
        if (error.suggestion.isEmpty())
            return tr("Unknown field “%1”.").arg(error.word);
        return tr("Unknown field “%1”. Did you mean “%2”?").arg(error.word, error.suggestion);
    case Mistake::UnknownValue:
        if (error.suggestion.isEmpty())
            return tr("“%1” isn't a value of “%2”.").arg(error.word, error.field);
        return tr("“%1” isn't a value of “%2”. Did you mean “%3”?")
            .arg(error.word, error.field, error.suggestion);
    case Mistake::MissingValue:
        return tr("A value is missing after “%1”.").arg(error.field);
    case Mistake::BadNumber:
        return tr("“%1” needs a whole number, not “%2”.").arg(error.field, error.word);
    case Mistake::BadDuration:
        return tr("“%1” needs a duration such as 30s or 10m, not “%2”.").arg(error.field, error.word);
    case Mistake::BadTime:
        return tr("“%1” needs a time such as 02:40 or -15m, not “%2”.").arg(error.field, error.word);
    case Mistake::WrongOperator:
        return tr("“%1” can't be compared like that.").arg(error.field);
    case Mistake::OpenQuote:
        return tr("A closing quotation mark is missing.");
    }
    return {};
}

} // namespace lockkeeper::app::views
