// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/error.h"

#include <QTimer>
#include <QWidget>

#include <functional>

class QHBoxLayout;
class QLabel;
class QProgressBar;
class QPushButton;

namespace lockkeeper::app::views {

class PlainLabel;

/**
 * Replaces missing rows: nothing yet, nothing matches, or an error, each with the way out. "Reading…" shows
 * only after 150 ms, so that a quick answer doesn't flash. GUI thread.
 */
class StatePage : public QWidget
{
    Q_OBJECT

public:
    struct Action
    {
        QString text;
        std::function<void()> run;
    };

    explicit StatePage(QWidget *parent = nullptr);

    void showLoading(const QString &text, const Action &cancel = {});
    /** Changes the shown text, and leaves the buttons under the pointer. */
    void setText(const QString &text);
    void showEmpty(const QString &text, const QString &detail, const QList<Action> &actions = {});
    /**
     * Shows the error under its title, or under a `sentence` that names the cause. [Try again] calls `again`,
     * [Copy details] has the unchanged error.
     */
    void showError(const base::Error &error, const std::function<void()> &again,
                   const QString &sentence = {});
    QString text() const;

private:
    void setContent(const QString &icon, const QString &text, const QString &detail,
                    const QList<Action> &actions);

    QLabel *m_icon;
    PlainLabel *m_text;
    PlainLabel *m_detail;
    QProgressBar *m_progress;
    QHBoxLayout *m_buttons;
    QWidget *m_content;
    QTimer m_delay;
};

} // namespace lockkeeper::app::views
