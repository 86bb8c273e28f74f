// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/redis/invalidation/changed_keys.h"
#include "shared/stores/redis/reading/key_reader.h"

#include <QSet>

namespace lockkeeper::stores::redis::push {

/** The locks of keys that hold many (a semaphore's members), by their names, as they were shown last: one
 * that isn't shown any more is gone, and only its name can say so. */
using KeyMembers = QHash<Subject, QSet<QByteArray>>;

/** Which keys a page asks for: one question for each lock set that a key belongs to. */
QList<Observation> questionsOf(const QList<ChangedKey> &keys, const SourceSpec &spec,
                               const KeySchemes &schemes);

/**
 * Makes changes of what was read of the keys; see Tracker for the rule. Of those that another node of a
 * cluster has there is none. `oneDatabase`: a notification can be of no other database. Pure but for
 * `members`.
 */
QList<Change> changesOf(const QList<ChangedKey> &keys, const KeyPage &page, const ReadMode &mode,
                        bool oneDatabase, KeyMembers &members);

/** The lock sets that a key belongs to; which of its own keys a client keeps beside its locks isn't one. */
QList<quint16> setsOf(const SourceSpec &spec, const KeySchemes &schemes, QByteArrayView key);

/** The lock that a key is kept beside (its queue); empty: none. */
QByteArray lockBeside(const SourceSpec &spec, const KeySchemes &schemes, QByteArrayView key);

/**
 * The prefixes that CLIENT TRACKING is asked for, so that every key of every lock set is among them: a server
 * refuses overlapping ones, and one that begins another stands for both. Empty where a set's names have
 * no beginning in common: then the server would have to tell of every key there is. `beside`: of the keys
 * that are read with a lock.
 */
QList<QByteArray> trackedPrefixes(const QList<LockSet> &sets, const QList<QByteArray> &beside = {});

} // namespace lockkeeper::stores::redis::push
