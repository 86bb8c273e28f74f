// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/commands_model.h"
#include "app/views/release/release_controller.h"
#include "tests/app/views/support/view_rig.h"

#include <QWidget>

namespace lockkeeper::tests {

/** A rig that sends force-releases as well. */
class ReleaseRig : public ViewRig
{
public:
    ReleaseRig() : controller(std::make_unique<app::views::ReleaseController>(context, &commands, &window)) {}

    app::models::CommandsModel commands;
    QWidget window;
    std::unique_ptr<app::views::ReleaseController> controller;
};

} // namespace lockkeeper::tests
