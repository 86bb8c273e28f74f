// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/widgets/console_context.h"
#include "app/views/widgets/translated.h"

#include <QDialog>

class QDialogButtonBox;
class QFormLayout;
class QLineEdit;
class QPushButton;

namespace lockkeeper::app::views {

class PlainLabel;

/**
 * The operator's preferences; each takes effect at once, as Settings::changed() notifies the parts concerned.
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
    struct Preference;

    /** All but the export folder, from the top, worded in the present language. */
    QList<Preference> preferences() const;
    void build();
    QWidget *makeField(const Preference &preference);
    PlainLabel *makeLabel(QWidget *field);
    void browse();
    void retranslate() final;

    ConsoleContext m_context;
    QList<std::pair<QByteArray, QString>> m_views;
    QFormLayout *m_form = nullptr;
    QList<QWidget *> m_fields; ///< of preferences()
    QLineEdit *m_exportFolder = nullptr;
    PlainLabel *m_exportLabel = nullptr;
    QPushButton *m_browse = nullptr;
    QDialogButtonBox *m_buttons = nullptr;
    bool m_filling = false;
};

} // namespace lockkeeper::app::views
