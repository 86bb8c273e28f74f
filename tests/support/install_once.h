// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <functional>

namespace lockkeeper::tests {

/**
 * Fills the folder `data` as `install` does, which costs a second of processor time. The first installation
 * for each build and `program`, the server's executable, is kept and copied from then on. For all test
 * programs at once; it waits for another one that installs. False where that failed.
 */
bool installOnce(const QString &program, const QString &data, const std::function<bool()> &install);

} // namespace lockkeeper::tests
