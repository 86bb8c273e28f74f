// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPlainTextEdit>

namespace lockkeeper::app::views {

/**
 * A statement or a command, whole, to be read and copied: in the fixed font, wrapped if necessary, in a
 * fixed number of lines that scroll. Its height never depends on the text. GUI thread.
 */
class CodeBox : public QPlainTextEdit
{
    Q_OBJECT

public:
    explicit CodeBox(int lines, QWidget *parent = nullptr);

    /** The same text again keeps the place and the selection in it. */
    void setCode(const QString &code);
};

} // namespace lockkeeper::app::views
