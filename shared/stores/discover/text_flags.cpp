// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/discover/text_flags.h"

#include "shared/base/text.h"
#include "shared/stores/discover/words.h"

#include <QRegularExpression>

#include <array>
#include <utility>

namespace lockkeeper::stores::discover {

namespace {

constexpr qsizetype kMostShown = 5;

/** A yes and its no: one of them implies the other. */
constexpr std::array<std::pair<QLatin1String, QLatin1String>, 6> kPairs{
    {{QLatin1String("y"), QLatin1String("n")},
     {QLatin1String("yes"), QLatin1String("no")},
     {QLatin1String("t"), QLatin1String("f")},
     {QLatin1String("true"), QLatin1String("false")},
     {QLatin1String("on"), QLatin1String("off")},
     {QLatin1String("1"), QLatin1String("0")}}};

constexpr const char *kHeldWords = "y yes t true on 1 locked held acquired taken busy occupied";
constexpr const char *kFreeWords = "n no f false off 0 unlocked free released available idle";

QString spelledAs(const QString &word, const QString &example)
{
    if (example == example.toUpper())
        return word.toUpper();
    return example.at(0).isUpper() ? word.at(0).toUpper() + word.mid(1) : word;
}

/** The other word of a yes or no; empty: there may be several. */
QString oppositeOf(const QString &word)
{
    for (const auto &[yes, no] : kPairs) {
        if (word.toLower() == yes)
            return spelledAs(no, word);
        if (word.toLower() == no)
            return spelledAs(yes, word);
    }
    return {};
}

/** enum('FREE','LOCKED'), as MySQL writes the type. */
QStringList valuesOfType(const QString &typeText)
{
    static const QRegularExpression quoted(QStringLiteral("'((?:[^']|'')*)'"));
    QStringList values;
    if (!typeText.startsWith(QLatin1String("enum("), Qt::CaseInsensitive))
        return values;
    for (auto it = quoted.globalMatch(typeText); it.hasNext();)
        values.append(it.next().captured(1).replace(QLatin1String("''"), QLatin1String("'")));
    return values;
}

} // namespace

std::optional<FlagWords> flagWords(const QStringList &values)
{
    FlagWords words;
    for (const QString &value : values) {
        const bool held = hasWord({value.toLower()}, kHeldWords);
        QString &known = held ? words.held : words.free;
        if ((!held && !hasWord({value.toLower()}, kFreeWords)) || (!known.isEmpty() && known != value))
            return std::nullopt;
        known = value;
    }
    if (words.held.isEmpty() && !words.free.isEmpty())
        words.held = oppositeOf(words.free);
    else if (words.free.isEmpty() && !words.held.isEmpty())
        words.free = oppositeOf(words.held);
    return words.held.isEmpty() || words.free.isEmpty() ? std::nullopt : std::optional(words);
}

bool awaitsFlagWords(const Candidate &candidate)
{
    return candidate.preset.isEmpty() && !candidate.mapping.status.isEmpty() &&
           candidate.mapping.heldValue.isEmpty() && candidate.missing == QList<Missing>{Missing::Refused};
}

void readFlagWords(Candidate &candidate, const TableFacts &table, const TableSample &sample)
{
    const ColumnFacts *column = table.column(candidate.mapping.status);
    if (column == nullptr || !awaitsFlagWords(candidate))
        return;
    QStringList values = valuesOfType(column->typeText) + sample.flags;
    values.removeDuplicates();
    if (const auto words = flagWords(values)) {
        for (TableMapping *mapping : {&candidate.mapping, &candidate.config}) {
            mapping->heldValue = words->held;
            mapping->freeValue = words->free;
        }
        candidate.missing.clear();
        candidate.refusal = {};
        return;
    }
    QStringList shown;
    for (const QString &value : values.mid(0, kMostShown))
        shown.append(QLatin1Char('"') + base::displayText(value) + QLatin1Char('"'));
    if (!shown.isEmpty())
        candidate.refusal.cause += QStringLiteral(": its values are %1%2")
                                       .arg(shown.join(QLatin1String(", ")),
                                            values.size() > kMostShown ? QStringLiteral(", …") : QString());
}

} // namespace lockkeeper::stores::discover
