// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/config/table_reader.h"
#include "shared/stores/source_spec.h"

namespace lockkeeper::config {

/** Reads each `[[source]]` of a file whose top level is `root`. Paths of secrets are relative to `folder`. */
QList<stores::SourceSpec> readSources(const TableReader &root, const QString &folder, Problems &problems);
/** Reads one `[[source]]` with its lock sets. */
stores::SourceSpec readSource(const toml::table &table, const QString &folder, Problems &problems);

/** Reads one `[[source.locks]]` of a source with a store of kind `storeKind`; empty kind: not known. */
stores::LockSet readLockSet(const toml::table &table, const QByteArray &storeKind, Problems &problems);

/** All keys of a `[[source.locks]]`, of every scheme. */
QStringList lockSetKeys();
/** Sets in `set` what a running source can take over: what its store doesn't read. */
void adoptEngineKeys(stores::LockSet &set, const stores::LockSet &from);

/**
 * Reports lock sets of one source that match the same locks, unless the `match` of one contains the other's.
 * Then the narrower set owns the locks, and its `break` and `approval` become at least as strict as the wider
 * set's. `tables`: the sets as written in the file.
 */
void settleOverlaps(const QList<const toml::table *> &tables, QList<stores::LockSet> &sets,
                    Problems &problems);

/**
 * Reports lock sets of two sources of one server that match the same locks if only one set is restricted: the
 * other source would bypass the restriction. `tables`: the sources as written in the file.
 */
void compareSources(const QList<const toml::table *> &tables, const QList<stores::SourceSpec> &sources,
                    Problems &problems);

/** The keys that only this Redis scheme accepts; with an empty scheme: those of all Redis schemes. */
QStringList keysOfRedis(const QByteArray &scheme);
/** Reads these keys into `set`, in which the preset's values are already set. */
void readRedisSet(const TableReader &reader, stores::LockSet &set);

/** The configuration keys of a lock set's reaper. readReaper() reads them; by default the reaper is off. */
QStringList reaperKeys();
stores::ReaperPolicy readReaper(const TableReader &reader, const QByteArray &scheme,
                                stores::BreakMode breakMode);

} // namespace lockkeeper::config
