// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/widgets/code_box.h"

#include "app/presentation/theme.h"

#include <QFontMetricsF>

#include <cmath>

namespace lockkeeper::app::views {

CodeBox::CodeBox(int lines, QWidget *parent) : QPlainTextEdit(parent)
{
    setReadOnly(true);
    setTabChangesFocus(true);
    setFont(presentation::codeFont(font()));
    setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    // The last line needs all of its height, or there would be something to scroll to.
    const auto text = int(std::ceil((lines + 0.25) * QFontMetricsF(font()).lineSpacing()));
    setFixedHeight(text + 2 * frameWidth() + int(2 * document()->documentMargin()));
}

void CodeBox::setCode(const QString &code)
{
    if (toPlainText() != code)
        setPlainText(code);
}

} // namespace lockkeeper::app::views
