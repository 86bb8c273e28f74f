// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/source_spec.h"

#include <QStringList>

namespace lockkeeper::stores::redis {

/** How a client library names and lays out its keys, as data (resources/schemes/redis). */
struct KeyPreset
{
    QByteArray scheme;
    QByteArray match; ///< where the configuration has none
    KeyLayout keys;
    QByteArray wakes; ///< how its unlock wakes waiters: "channel", "list", "message"; empty: it doesn't
    bool neverBroken = false; ///< a client that no longer finds such a key repeats its work
    QString value;  ///< a regular expression that its values fit and others hardly do; empty: none is known
    QString member; ///< the same of "FIELD VALUE" of a hash
};

/** The ids of all presets of this build, sorted. */
QStringList keyPresetIds();

/** One of them. */
base::Result<KeyPreset> keyPresetNamed(const QString &id);

} // namespace lockkeeper::stores::redis
