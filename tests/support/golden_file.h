// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

namespace lockkeeper::tests {

/**
 * Compares `got` with the golden file at `path` in the source tree. Returns a description of the first line
 * that differs; empty: none does. With LOCKKEEPER_WRITE_GOLDEN=1 it writes the file instead: then read the
 * difference, and explain it in the commit.
 */
QString compareWithGolden(const QString &path, const QByteArray &got);

} // namespace lockkeeper::tests
