// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/config/problem.h"

#include <QByteArray>

#include <tl/expected.hpp>
#include <toml++/toml.h>

namespace lockkeeper::config {

/** A file's text, at most 1 MiB. */
tl::expected<QByteArray, Problem> readFile(const QString &path);

/** Parses TOML. Returns the first problem if it is malformed; `path` is only used to name the file in it. */
tl::expected<toml::table, Problem> parseToml(const QByteArray &text, const QString &path);

} // namespace lockkeeper::config
