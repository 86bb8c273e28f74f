// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/widgets/code_box.h"

#include "app/presentation/theme.h"

namespace lockkeeper::app::views {

CodeBox::CodeBox(int lines, QWidget *parent) : QPlainTextEdit(parent)
{
    setReadOnly(true);
    setTabChangesFocus(true);
    setFont(presentation::codeFont(font()));
    setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFixedHeight(lines * fontMetrics().lineSpacing() + 2 * frameWidth() +
                   int(2 * document()->documentMargin()));
}

void CodeBox::setCode(const QString &code)
{
    if (toPlainText() != code)
        setPlainText(code);
}

} // namespace lockkeeper::app::views
