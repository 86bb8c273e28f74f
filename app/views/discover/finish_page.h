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

/**
 * Offers two ways to continue: a private agent of this user, or the section for an agent elsewhere. GUI
 * thread.
 */
class FinishPage : public Translated<QWidget>
{
    Q_OBJECT

public:
    explicit FinishPage(QWidget *parent = nullptr);

    /**
     * `keepsPassword`: the user typed a password, which has to be kept somewhere. `lookedBy`: the agent that
     * looked, which may reach stores that this computer doesn't; empty: this computer looked.
     */
    void setSection(const QString &section, const QString &suggestedName, bool keepsPassword,
                    const QString &lookedBy = {});
    QString section() const;
    bool keeps() const;
    /** Shows the private agent's present step; empty: none. */
    void showProgress(const QString &text);
    /** Shows why the agent didn't start, and its output unchanged. */
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
