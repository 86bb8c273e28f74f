// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

namespace lockkeeper::tests {

/**
 * A TCP port of 127.0.0.1 for a server that a test is about to start. Not of those that the kernel gives to
 * outgoing connections: one of another test's would take it before the server does. Nor one that a test that
 * runs beside this one was given. 0: none is free.
 */
quint16 freePort();

} // namespace lockkeeper::tests
