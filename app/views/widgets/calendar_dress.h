// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QCalendarWidget;

namespace lockkeeper::app::presentation {
class Theme;
}

namespace lockkeeper::app::views {

/**
 * Gives a calendar the console's icons and colours, also after a change of theme: Qt's weekends are red, and
 * its days after the last one look as if they could be chosen. Call it after setMaximumDate().
 */
void dressCalendar(QCalendarWidget *calendar, const presentation::Theme *theme);

} // namespace lockkeeper::app::views
