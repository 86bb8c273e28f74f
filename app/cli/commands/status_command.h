// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command_spec.h"

namespace lockkeeper::app::cli {

std::unique_ptr<CommandSpec> statusCommand();

} // namespace lockkeeper::app::cli
