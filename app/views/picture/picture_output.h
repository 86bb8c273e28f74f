// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/widgets/console_context.h"
#include "app/views/widgets/view_picture.h"

#include <QByteArray>
#include <QCoreApplication>

class QPrinter;
class QWidget;

namespace lockkeeper::app::views {

/** Draws a view's picture below its title and range: into a file, for the clipboard, or on paper. */
class PictureOutput
{
    Q_DECLARE_TR_FUNCTIONS(PictureOutput)

public:
    /** `widget` gives the font and the parent of dialogs; it isn't owned. */
    PictureOutput(const ConsoleContext &context, QWidget *widget) : m_context(context), m_widget(widget) {}

    /** As PNG, or as SVG by the suffix of `path`. */
    QByteArray bytes(const ViewPicture &picture, const QString &path) const;
    /** Asks for a file, and writes the picture there. */
    void save(const ViewPicture &picture) const;
    /** Asks for a printer, and prints on one page, always in the light colours. */
    void print(const ViewPicture &picture) const;
    void printOn(QPrinter &printer, const ViewPicture &picture) const;

private:
    int headHeight() const;
    QSize wholeSize(const ViewPicture &picture) const;
    void paint(QPainter &painter, const ViewPicture &picture) const;

    ConsoleContext m_context;
    QWidget *m_widget;
};

} // namespace lockkeeper::app::views
