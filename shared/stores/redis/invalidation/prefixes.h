// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/source_spec.h"

namespace lockkeeper::stores::redis::push {

/** What every name that fits a glob begins with: "lock:*" gives "lock:", "*" nothing. Pure. */
QByteArray literalHead(QByteArrayView glob);

/**
 * The prefixes that CLIENT TRACKING is asked for, so that every key of every lock set is among them: a server
 * refuses overlapping ones, and one that begins another stands for both. Empty where a set's names have
 * no beginning in common: then the server would have to tell of every key there is. `beside`: of the keys
 * that are read with a lock.
 */
QList<QByteArray> trackedPrefixes(const QList<LockSet> &sets, const QList<QByteArray> &beside = {});

/** A glob that fits exactly the names that begin with `prefix`. */
QByteArray globOf(QByteArrayView prefix);

} // namespace lockkeeper::stores::redis::push
