// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shared/stores/sql/layouts.h"

#include "shared/stores/sql/catalogue/preset.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <algorithm>

namespace lockkeeper::tests {

using namespace stores;

namespace {

QByteArray bytes(const QJsonValue &text)
{
    return text.isString() ? text.toString().toUtf8() : QByteArray();
}

QJsonObject presetObject(const QString &preset)
{
    QFile file(QStringLiteral(":/lockkeeper/schemes/%1.json").arg(preset));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("no preset %s", qPrintable(preset));
    return QJsonDocument::fromJson(file.readAll()).object();
}

/** The table's name in "CREATE TABLE `lock` (…". */
QString createdTable(const QString &create)
{
    return create.section(QLatin1Char(' '), 2, 2).remove(QLatin1Char('`'));
}

Layout layoutOf(const sql::TablePreset &preset, const QJsonObject &example)
{
    Layout layout{preset.id,
                  preset.scheme,
                  createdTable(example.value(QLatin1String("create")).toString()),
                  example.value(QLatin1String("create")).toString(),
                  example.value(QLatin1String("rows")).toString(),
                  bytes(example.value(QLatin1String("held"))),
                  bytes(example.value(QLatin1String("owner"))),
                  example.value(QLatin1String("identity")).toBool(true),
                  example.value(QLatin1String("expires")).toBool(),
                  {}};
    const QJsonObject changes = example.value(QLatin1String("changes")).toObject();
    for (auto it = changes.begin(); it != changes.end(); ++it)
        layout.changes.insert(it.key().toUtf8(), it.value().toString());
    return layout;
}

struct Layouts
{
    QList<Layout> breakable;
    QList<WatchedLayout> watched;
};

Layouts readLayouts()
{
    Layouts layouts;
    for (const QString &id : sql::presetIds()) {
        const sql::TablePreset preset = *sql::presetNamed(id);
        const QJsonObject example = presetObject(id).value(QLatin1String("example")).toObject();
        if (!example.contains(QLatin1String("create")))
            continue;
        const Layout layout = layoutOf(preset, example);
        if (preset.neverBroken)
            layouts.watched.append({layout.preset, layout.create, layout.hold, layout.name, layout.owner,
                                    bytes(example.value(QLatin1String("free")))});
        else
            layouts.breakable.append(layout);
    }
    return layouts;
}

const Layouts &allLayouts()
{
    static const Layouts all = readLayouts();
    return all;
}

} // namespace

const QList<Layout> &breakableLayouts()
{
    return allLayouts().breakable;
}

const QList<WatchedLayout> &watchedLayouts()
{
    return allLayouts().watched;
}

const Layout &layoutNamed(QByteArrayView preset)
{
    const QList<Layout> &all = breakableLayouts();
    return *std::find_if(all.begin(), all.end(),
                         [&](const Layout &layout) { return layout.preset == preset; });
}

void addTakeableLayouts(std::initializer_list<const char *> servers)
{
    QTest::addColumn<QString>("server");
    QTest::addColumn<QByteArray>("preset");
    for (const char *server : servers) {
        for (const char *preset : {"lock-holder", "lock-timeout", "laravel", "lock-lease",
                                   "distribute-lock-lease", "t-tag-lock", "shedlock"})
            QTest::addRow("%s %s", server, preset) << QString::fromLatin1(server) << QByteArray(preset);
    }
}

SourceSpec layoutSpec(const TestDatabase &database, const Layout &layout, BreakMode mode)
{
    SourceSpec spec = database.spec();
    LockSet set;
    set.scheme = layout.scheme;
    set.preset = QString::fromLatin1(layout.preset);
    set.breakMode = mode;
    spec.locks = {set};
    return spec;
}

} // namespace lockkeeper::tests
