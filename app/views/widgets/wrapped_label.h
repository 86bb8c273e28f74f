// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/widgets/plain_label.h"

namespace lockkeeper::app::views {

/** A PlainLabel for sentences: as many lines as they need. */
class WrappedLabel : public PlainLabel
{
    Q_OBJECT

public:
    explicit WrappedLabel(const QString &text = {}, QWidget *parent = nullptr) : PlainLabel(text, parent)
    {
        setWordWrap(true);
    }
};

} // namespace lockkeeper::app::views
