// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <memory>
#include <string>

namespace CLI {
class Formatter;
} // namespace CLI

namespace lockkeeper::app::cli {

/** Lays out help as CLI11 does, with translated titles and columns that stay aligned. */
std::shared_ptr<CLI::Formatter> helpFormatter();

/** CLI11's error message, translated, in one line. A message without a translation stays as it is. */
QString faultText(const std::string &message);

} // namespace lockkeeper::app::cli
