// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/widgets/translated.h"
#include "shared/stores/discover/discovery.h"

#include <QWidget>

class QCheckBox;
class QGroupBox;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;

namespace lockkeeper::app::views {

class PlainLabel;

/** Two ways on: a private agent of this user, or the section for an agent elsewhere. GUI thread. */
class FinishPage : public Translated<QWidget>
{
    Q_OBJECT

public:
    explicit FinishPage(QWidget *parent = nullptr);

    /** `keepsPassword`: one was typed, and has to be kept somewhere. `lookedBy`: the agent that looked, and
     * whose reach this computer may not have; empty: this computer looked. */
    void setSection(const QString &section, const QString &suggestedName, bool keepsPassword,
                    const QString &lookedBy = {});
    QString section() const;
    bool keeps() const;
    /** What the private agent is doing; empty: nothing. */
    void showProgress(const QString &text);
    /** It didn't work: why, and what the agent said, as it is. */
    void showFailure(const QString &why, const QString &output);
    QString failureText() const;
    QPushButton *startButton() const { return m_start; }
    QPushButton *copyButton() const { return m_copy; }

Q_SIGNALS:
    void startAsked();

private:
    QWidget *buildHere();
    QWidget *buildSection();
    void saveAs();
    void retranslate() final;

    QString m_suggested;
    QString m_lookedBy;
    bool m_keepsPassword = false;
    QGroupBox *m_hereBox = nullptr;
    PlainLabel *m_hereText = nullptr;
    QCheckBox *m_keep = nullptr;
    QPushButton *m_start = nullptr;
    QProgressBar *m_bar = nullptr;
    PlainLabel *m_state = nullptr;
    QPlainTextEdit *m_output = nullptr;
    QGroupBox *m_sectionBox = nullptr;
    QPlainTextEdit *m_section = nullptr;
    QPushButton *m_copy = nullptr;
    QPushButton *m_save = nullptr;
    PlainLabel *m_saved = nullptr;
};

} // namespace lockkeeper::app::views
