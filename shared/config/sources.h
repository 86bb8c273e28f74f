// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/config/table_reader.h"
#include "shared/stores/source_spec.h"

namespace lockkeeper::config {

/** Reads each `[[source]]` of a file whose top level is `root`. `folder` anchors the paths of secrets. */
QList<stores::SourceSpec> readSources(const TableReader &root, const QString &folder, Problems &problems);
/** Reads one `[[source]]` with its lock sets. */
stores::SourceSpec readSource(const toml::table &table, const QString &folder, Problems &problems);

/** Reads one `[[source.locks]]` of a source whose store is `storeKind`; empty kind: not known. */
stores::LockSet readLockSet(const toml::table &table, const QByteArray &storeKind, Problems &problems);

/**
 * Refuses lock sets of one source that take the same locks, unless the `match` of one contains the other's.
 * The narrower set then has the locks, and its `break` and `approval` become at least as strict as the wider
 * one's. `tables`: the sets as they were written.
 */
void settleOverlaps(const QList<const toml::table *> &tables, QList<stores::LockSet> &sets,
                    Problems &problems);

/**
 * Refuses lock sets of two sources of one server that take the same locks, where only one has a restriction:
 * the other source would be the way around it. `tables`: the sources as they were written.
 */
void compareSources(const QList<const toml::table *> &tables, const QList<stores::SourceSpec> &sources,
                    Problems &problems);

/** The keys that only a scheme of Redis takes; of an empty scheme all of them. */
QStringList keysOfRedis(const QByteArray &scheme);
/** Reads them into `set`, whose preset is in it already. */
void readRedisSet(const TableReader &reader, stores::LockSet &set);

/** The keys of a lock set's reaper, and what they say; off unless told. */
QStringList reaperKeys();
stores::ReaperPolicy readReaper(const TableReader &reader, const QByteArray &scheme,
                                stores::BreakMode breakMode);

} // namespace lockkeeper::config
