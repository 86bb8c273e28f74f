// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QStringList>

namespace lockkeeper::stores {

/**
 * How other clients of etcd and ZooKeeper name what stands for a holder, for the lock library, which has to
 * do the same where it shares locks with them. Who observes knows them all without being told.
 */
QStringList queuePresetIds();
/** The scheme that one belongs to; empty: there is no such preset. */
QByteArray queuePresetScheme(const QString &id);

} // namespace lockkeeper::stores
