// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/widgets/console_context.h"

#include <QWidget>

class QPushButton;

namespace lockkeeper::app::views {

class LineList;
class PlainLabel;

/**
 * The active alerts, the gravest first; a line opens its alert. In a low window only the gravest has a line.
 * Hidden while no alert is active. GUI thread.
 */
class FiredList : public QWidget
{
    Q_OBJECT

public:
    static constexpr int kLines = 3;

    explicit FiredList(const ConsoleContext &context, QWidget *parent = nullptr);

    /** `low`: the window has room for one line alone. */
    void refresh(bool low);

private:
    ConsoleContext m_context;
    PlainLabel *m_title;
    QPushButton *m_more;
    LineList *m_lines;
};

} // namespace lockkeeper::app::views
