// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/shared/stores/sql/test_database.h"

namespace lockkeeper::tests {

/** The example of a preset (resources/schemes): how applications create and fill its table, in TestDatabase's
 * common words. */
struct Layout
{
    QByteArray preset;
    QByteArray scheme;
    QString table;
    QString create;
    QString hold;         ///< fills the table, with a lock that is held
    QByteArray name;      ///< of that lock
    QByteArray owner;     ///< null: the table has none
    bool identity = true; ///< false: nothing to guard with
    bool expires = false; ///< has a deadline
    /** A change of each column that a guard may rest on, by the mapping's key: "SET" of an UPDATE. */
    QHash<QByteArray, QString> changes;
};

/** Every layout that can be broken. */
const QList<Layout> &breakableLayouts();

/** A layout whose locks are never broken, as its application fills it. */
struct WatchedLayout
{
    QByteArray preset;
    QString create;
    QString fill;
    QByteArray held;
    QByteArray owner; ///< of `held`; null: the layout has none
    QByteArray free;  ///< another row, which is free; null: none is shown
};
const QList<WatchedLayout> &watchedLayouts();

const Layout &layoutNamed(QByteArrayView preset);

/** The rows of a test, "server" and "preset", of every layout that a lock client can take. */
void addTakeableLayouts(std::initializer_list<const char *> servers);

/** A source of that database with one set of that preset. */
stores::SourceSpec layoutSpec(const TestDatabase &database, const Layout &layout,
                              stores::BreakMode mode = stores::BreakMode::Guarded);

} // namespace lockkeeper::tests
