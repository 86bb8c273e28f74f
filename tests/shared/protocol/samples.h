// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/protocol/messages.h"

#include <QByteArray>
#include <QList>

namespace lockkeeper::tests {

/** A message under the name of its golden frame. */
struct Sample
{
    QByteArray name;
    protocol::Message message;
};

/** Each message with every field set to something that isn't its default, and each as it is by default. */
QList<Sample> samples();

domain::LockState sampleState();
/** The same with the additions after version 1's first frames. */
domain::LockState sampleStateOfASession();
events::LockEvent sampleEvent();

} // namespace lockkeeper::tests
