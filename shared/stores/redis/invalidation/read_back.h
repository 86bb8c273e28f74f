// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/redis/invalidation/changed_keys.h"
#include "shared/stores/redis/reading/key_reader.h"

#include <QSet>

namespace lockkeeper::stores::redis::push {

/** The locks of keys that hold many (a semaphore's members), by their names, as they were shown last. A lock
 * that isn't shown any more is gone, and only the name kept here can reveal it. */
using KeyMembers = QHash<Subject, QSet<QByteArray>>;

/** The questions of a page: one for each lock set that a key belongs to. */
QList<Observation> questionsOf(const QList<ChangedKey> &keys, const SourceSpec &spec,
                               const KeySchemes &schemes);

/**
 * Converts the readings of the keys to changes; see Tracker for the rule. Keys that another node of a cluster
 * has yield no change. `oneDatabase`: a notification can be of no other database. Pure but for `members`.
 */
QList<Change> changesOf(const QList<ChangedKey> &keys, const KeyPage &page, const ReadMode &mode,
                        bool oneDatabase, KeyMembers &members);

/** The lock sets that a key belongs to. A key that a client keeps beside its locks belongs to none. */
QList<quint16> setsOf(const SourceSpec &spec, const KeySchemes &schemes, QByteArrayView key);

/** The lock that a key is kept beside (its queue); empty: none. */
QByteArray lockBeside(const SourceSpec &spec, const KeySchemes &schemes, QByteArrayView key);

/**
 * The prefixes for CLIENT TRACKING, which cover every key of every lock set. A server refuses overlapping
 * prefixes, so a prefix that begins another stands for both. Empty where a set's names have no beginning in
 * common: the server would then have to announce changes of every key. `beside`: the prefixes of the keys
 * that are read with a lock.
 */
QList<QByteArray> trackedPrefixes(const QList<LockSet> &sets, const QList<QByteArray> &beside = {});

} // namespace lockkeeper::stores::redis::push
