// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shared/stores/discover/corpus.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>

namespace lockkeeper::tests {

using stores::discover::ColumnFacts;

namespace {

void addColumn(CorpusTable &table, const QString &text)
{
    const QStringList words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    if (words.size() < 2)
        qFatal("corpus: a column without a type: %s", qPrintable(text));
    ColumnFacts column;
    column.name = words.at(0);
    column.typeText = words.at(1);
    const QString word = words.at(1).section(QLatin1Char('('), 0, 0);
    column.kind = stores::discover::kindOf(word);
    column.counted = words.contains(QLatin1String("auto"));
    column.nullable = !words.contains(QLatin1String("notnull"));
    if (words.contains(QLatin1String("primary"))) {
        table.primaryKey.append(column.name);
        column.nullable = false;
    }
    if (words.contains(QLatin1String("unique")))
        table.facts.keys.append(QStringList{column.name});
    table.facts.columns.append(column);
}

void addKey(CorpusTable &table, const QString &text)
{
    static const QRegularExpression form(QStringLiteral("^(primary|unique)\\(([^)]*)\\)$"));
    const auto match = form.match(text);
    if (!match.hasMatch())
        qFatal("corpus: no key: %s", qPrintable(text));
    QStringList columns;
    for (const QString &column : match.captured(2).split(QLatin1Char(',')))
        columns.append(column.trimmed());
    if (match.captured(1) == QLatin1String("unique"))
        table.facts.keys.append(columns);
    else
        table.primaryKey = columns;
}

/** `text`: "TABLE : COLUMNS ; KEYS". */
CorpusTable tableOf(const QString &text)
{
    CorpusTable table;
    table.facts.name = text.section(QLatin1Char(' '), 0, 0);
    const QStringList parts = text.section(QLatin1String(" : "), 1).split(QLatin1String(" ; "));
    for (const QString &column : parts.first().split(QLatin1String(", ")))
        addColumn(table, column);
    for (const QString &key : parts.mid(1))
        addKey(table, key.trimmed());
    if (!table.primaryKey.isEmpty())
        table.facts.keys.prepend(table.primaryKey);
    return table;
}

CorpusTable tableOfLine(const QString &line)
{
    CorpusTable table = tableOf(line.mid(2));
    table.isLock = line.startsWith(QLatin1Char('+'));
    const QString scheme = line.section(QLatin1String(" : "), 0, 0).section(QLatin1String("scheme="), 1);
    table.scheme = scheme.toLatin1();
    return table;
}

/** The tables that discovery has to recognise as those of a preset. */
QList<CorpusTable> tablesOfPreset(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("corpus: can't read %s", qPrintable(path));
    const QJsonObject preset = QJsonDocument::fromJson(file.readAll()).object();
    const QJsonArray lines =
        preset.value(QLatin1String("example")).toObject().value(QLatin1String("discover")).toArray();
    QList<CorpusTable> tables;
    for (const QJsonValue &line : lines) {
        CorpusTable table = tableOf(line.toString());
        table.isLock = true;
        table.preset = preset.value(QLatin1String("preset")).toString();
        table.scheme = preset.value(QLatin1String("scheme")).toString().toLatin1();
        tables.append(table);
    }
    return tables;
}

QString quoted(const QString &name, const QByteArray &store)
{
    const QLatin1Char mark(store == "mysql" ? '`' : '"');
    return mark + name + mark;
}

QString quotedList(const QStringList &names, const QByteArray &store)
{
    QStringList all;
    for (const QString &name : names)
        all.append(quoted(name, store));
    return all.join(QLatin1String(", "));
}

QString typeFor(const ColumnFacts &column, const QByteArray &store)
{
    const QString &type = column.typeText;
    if (store == "postgresql") {
        if (column.counted)
            return type == QLatin1String("int") ? QStringLiteral("serial") : QStringLiteral("bigserial");
        if (type == QLatin1String("datetime"))
            return QStringLiteral("timestamp");
        if (type == QLatin1String("timestamp"))
            return QStringLiteral("timestamptz");
        if (type == QLatin1String("blob"))
            return QStringLiteral("bytea");
        if (type == QLatin1String("bool"))
            return QStringLiteral("boolean");
    }
    if (store == "mysql") {
        if (type == QLatin1String("bool"))
            return QStringLiteral("tinyint(1)");
        if (type == QLatin1String("timestamp"))
            return QStringLiteral("timestamp(6) NULL");
        if (column.counted)
            return type + QStringLiteral(" AUTO_INCREMENT");
    }
    return column.counted && store == "sqlite" ? QStringLiteral("INTEGER") : type;
}

} // namespace

QList<CorpusTable> corpus()
{
    const QString source = qEnvironmentVariable("LOCKKEEPER_SOURCE");
    QFile file(source + QStringLiteral("/tests/data/discover/tables.txt"));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("corpus: LOCKKEEPER_SOURCE names the source tree");
    QList<CorpusTable> tables;
    for (const QString &line : QString::fromUtf8(file.readAll()).split(QLatin1Char('\n'))) {
        if (line.startsWith(QLatin1String("+ ")) || line.startsWith(QLatin1String("- ")))
            tables.append(tableOfLine(line));
    }
    const QDir presets(source + QStringLiteral("/resources/schemes"));
    for (const QString &name : presets.entryList({QStringLiteral("*.json")}, QDir::Files, QDir::Name))
        tables += tablesOfPreset(presets.filePath(name));
    return tables;
}

QString createStatement(const CorpusTable &table, const QByteArray &store)
{
    QStringList parts;
    for (const ColumnFacts &column : table.facts.columns)
        parts.append(quoted(column.name, store) + QLatin1Char(' ') + typeFor(column, store) +
                     (column.nullable ? QString() : QStringLiteral(" NOT NULL")));
    for (const QStringList &key : table.facts.keys)
        parts.append(
            (key == table.primaryKey ? QStringLiteral("PRIMARY KEY (%1)") : QStringLiteral("UNIQUE (%1)"))
                .arg(quotedList(key, store)));
    return QStringLiteral("CREATE TABLE %1 (%2)")
        .arg(quoted(table.facts.name, store), parts.join(QLatin1String(", ")));
}

} // namespace lockkeeper::tests
