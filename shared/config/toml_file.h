// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/config/problem.h"

#include <QByteArray>

#include <tl/expected.hpp>
#include <toml++/toml.h>

namespace lockkeeper::config {

/** A file's text, of at most 1 MiB. */
tl::expected<QByteArray, Problem> readFile(const QString &path);

/** A TOML file's tree, or the one problem that keeps it from being one; `path` only names it there. */
tl::expected<toml::table, Problem> parseToml(const QByteArray &text, const QString &path);

} // namespace lockkeeper::config
