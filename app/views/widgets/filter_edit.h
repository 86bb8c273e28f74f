// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/filter/completion.h"
#include "app/presentation/theme.h"
#include "app/views/widgets/translated.h"

#include <QLineEdit>
#include <QTimer>

#include <functional>
#include <optional>

class QCompleter;
class QStandardItemModel;

namespace lockkeeper::app::views {

class FieldError;

/**
 * A line for the filter language. Completes fields and values with their counts, and applies the filter 150
 * ms after the last key. Underlines and names a wrong word while the last valid filter stays in force. Down
 * lists the completions, or the recent filters if the line is empty. Esc gives the focus back. Also used by
 * the history.
 */
class FilterEdit : public Translated<QLineEdit>
{
    Q_OBJECT

public:
    static constexpr int kApplyMs = 150;
    static constexpr int kMostRecent = 10;
    using Completer = std::function<QList<filter::Completion>(const QString &text, qsizetype cursor)>;
    using Parser = std::function<tl::expected<filter::Query, filter::QueryError>(const QString &text)>;

    FilterEdit(const presentation::Theme *theme, Parser parser, Completer completer,
               QWidget *parent = nullptr);

    /** Sets the text and applies it at once. */
    void setFilter(const QString &text);
    /** Parses a wrong text again: a name in it may have become known. */
    void retry();
    const std::optional<filter::QueryError> &error() const { return m_error; }
    /** Shows an error below `hint`, which stays in sight. */
    void setErrorBelow(QWidget *hint);

Q_SIGNALS:
    /** A valid filter, after the pause; an empty query once the text has become wrong. */
    void applied(const lockkeeper::app::filter::Query &query);
    /** Esc, or Enter after a valid filter: back to the table. */
    void left();

protected:
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void retranslate() final;
    void apply();
    void tellError();
    void showCompletions();
    void remember();
    void offer(const QList<filter::Completion> &found);
    void take(const QModelIndex &index);

    const presentation::Theme *m_theme;
    Parser m_parser;
    Completer m_complete;
    QCompleter *m_popup;
    QStandardItemModel *m_candidates;
    QStringList m_recent; ///< valid filters of this run, the newest first
    QTimer m_pause;
    QAction *m_clear;
    FieldError *m_told;
    std::optional<filter::QueryError> m_error;
};

} // namespace lockkeeper::app::views
