// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QPainter;
class QWidget;

namespace lockkeeper::app::views {

/**
 * Paints the background of a clickable part of the overview: a frame, brighter under the pointer, and the
 * focus.
 */
void paintCard(QPainter *painter, const QWidget &widget, bool hot);

} // namespace lockkeeper::app::views
