// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/widgets/console_context.h"
#include "app/views/widgets/translated.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QDialogButtonBox;
class QFormLayout;
class QLineEdit;
class QPushButton;

namespace lockkeeper::app::views {

class PlainLabel;

/**
 * The operator's preferences; each takes effect at once, as Settings::changed() tells the parts concerned.
 * None weakens a confirmation. GUI thread.
 */
class PreferencesDialog : public Translated<QDialog>
{
    Q_OBJECT

public:
    /** `views` are the ids and titles that a default view is chosen from. */
    PreferencesDialog(const ConsoleContext &context, const QList<std::pair<QByteArray, QString>> &views,
                      QWidget *parent = nullptr);

private:
    void build();
    void addRow(QWidget *field);
    void connectAll();
    void fill();
    void retranslate() final;
    static void choose(QComboBox *box, const QVariant &value);

    ConsoleContext m_context;
    QList<std::pair<QByteArray, QString>> m_views;
    QFormLayout *m_form = nullptr;
    QList<PlainLabel *> m_labels; ///< of the rows that have one, from the top
    QComboBox *m_language = nullptr;
    QComboBox *m_appearance = nullptr;
    QComboBox *m_density = nullptr;
    QComboBox *m_zone = nullptr;
    QCheckBox *m_milliseconds = nullptr;
    QComboBox *m_tick = nullptr;
    QCheckBox *m_rowMarks = nullptr;
    QCheckBox *m_tints = nullptr;
    QComboBox *m_defaultView = nullptr;
    QLineEdit *m_exportFolder = nullptr;
    QPushButton *m_browse = nullptr;
    QDialogButtonBox *m_buttons = nullptr;
    bool m_filling = false;
};

} // namespace lockkeeper::app::views
