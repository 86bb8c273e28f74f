// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/preferences/preferences_dialog.h"

#include "app/settings/settings.h"
#include "app/views/widgets/named.h"
#include "app/views/widgets/plain_label.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace lockkeeper::app::views {

using settings::Key;

namespace {
constexpr int kPreferencesWidth = 460;
}

/** A setting as it is shown: a list of choices, or a check box if it has no choices. */
struct PreferencesDialog::Preference
{
    Key key;
    QString name; ///< of its control
    QString text; ///< a list's label with its colon; or the text beside a check box
    QList<std::pair<QString, QVariant>> choices;
};

PreferencesDialog::PreferencesDialog(const ConsoleContext &context,
                                     const QList<std::pair<QByteArray, QString>> &views, QWidget *parent)
    : Translated(parent), m_context(context), m_views(views)
{
    setWindowModality(Qt::WindowModal);
    setMinimumWidth(kPreferencesWidth);
    build();
    retranslate();
}

QList<PreferencesDialog::Preference> PreferencesDialog::preferences() const
{
    QList<std::pair<QString, QVariant>> views{{tr("The last one"), QStringLiteral("last")}};
    for (const auto &[id, title] : m_views)
        views.append({title, QString::fromLatin1(id)});
    return {
        // Each language is named in itself: a user who can't read the present language finds the way back.
        {Key::Language,
         QStringLiteral("language"),
         tr("Language:"),
         {{tr("The system's"), QString()},
          {QStringLiteral("English"), QStringLiteral("en")},
          {QStringLiteral("简体中文"), QStringLiteral("zh_CN")}}},
        {Key::Appearance,
         QStringLiteral("appearance"),
         tr("Appearance:"),
         {{tr("The system's"), QStringLiteral("system")},
          {tr("Light"), QStringLiteral("light")},
          {tr("Dark"), QStringLiteral("dark")}}},
        {Key::Density,
         QStringLiteral("density"),
         tr("Row height:"),
         {{tr("Compact"), QStringLiteral("compact")}, {tr("Comfortable"), QStringLiteral("comfortable")}}},
        {Key::TimeZone,
         QStringLiteral("zone"),
         tr("Times in:"),
         {{tr("Local"), QStringLiteral("local")}, {QStringLiteral("UTC"), QStringLiteral("utc")}}},
        {Key::Milliseconds, QStringLiteral("milliseconds"), tr("Show milliseconds in every view"), {}},
        {Key::TickSeconds,
         QStringLiteral("tick"),
         tr("Re-sort every:"),
         {{tr("%n second(s)", nullptr, 1), 1},
          {tr("%n second(s)", nullptr, 2), 2},
          {tr("%n second(s)", nullptr, 5), 5}}},
        {Key::RowMarks, QStringLiteral("row_marks"), tr("Mark rows whose state has changed"), {}},
        {Key::Tints, QStringLiteral("tints"), tr("Tint stuck and expired rows"), {}},
        {Key::DefaultView, QStringLiteral("default_view"), tr("Start with:"), views},
        {Key::Notifications, QStringLiteral("notifications"), tr("Notify of approval requests"), {}},
        {Key::AttentionNews,
         QStringLiteral("attention_news"),
         tr("Notify of alerts"),
         {}},
        {Key::Reconnect, QStringLiteral("reconnect"), tr("Reconnect automatically"), {}},
    };
}

void PreferencesDialog::build()
{
    m_form = new QFormLayout;
    m_form->setVerticalSpacing(8);
    m_form->setHorizontalSpacing(12);
    m_form->setLabelAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    for (const Preference &preference : preferences()) {
        QWidget *field = makeField(preference);
        m_form->addRow(preference.choices.isEmpty() ? nullptr : makeLabel(field), field);
        m_fields.append(field);
    }
    m_exportFolder = named("export_folder", new QLineEdit);
    m_exportFolder->setReadOnly(true);
    m_exportFolder->setText(m_context.settings->value(Key::ExportFolder).toString());
    m_browse = new QPushButton;
    m_browse->setAutoDefault(false);
    auto *folder = new QHBoxLayout;
    folder->setSpacing(8);
    folder->addWidget(m_exportFolder, 1);
    folder->addWidget(m_browse);
    m_exportLabel = makeLabel(m_exportFolder);
    m_form->addRow(m_exportLabel, folder);
    m_buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(16);
    column->addLayout(m_form);
    column->addStretch(1);
    column->addWidget(m_buttons);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_browse, &QPushButton::clicked, this, &PreferencesDialog::browse);
}

QWidget *PreferencesDialog::makeField(const Preference &preference)
{
    const auto keep = [this, key = preference.key](const QVariant &value) {
        if (!m_filling)
            m_context.settings->setValue(key, value);
    };
    QWidget *field = nullptr;
    if (preference.choices.isEmpty()) {
        auto *check = new QCheckBox;
        connect(check, &QCheckBox::toggled, this, keep);
        field = check;
    } else {
        auto *box = new QComboBox;
        connect(box, &QComboBox::currentIndexChanged, this, [keep, box] { keep(box->currentData()); });
        field = box;
    }
    field->setObjectName(preference.name);
    return field;
}

/** A form makes no label for an empty text, and texts come later, with the language. */
PlainLabel *PreferencesDialog::makeLabel(QWidget *field)
{
    auto *label = new PlainLabel;
    label->setBuddy(field);
    return label;
}

void PreferencesDialog::browse()
{
    auto *dialog = new QFileDialog(this, tr("Export folder"), m_exportFolder->text());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString &path) {
        m_context.settings->setValue(Key::ExportFolder, path);
        m_exportFolder->setText(path);
    });
    dialog->open();
}

void PreferencesDialog::retranslate()
{
    m_filling = true;
    setWindowTitle(tr("Preferences"));
    const auto word = [](PlainLabel *label, const QString &text) {
        label->setText(text);
        label->buddy()->setAccessibleName(text.chopped(1));
    };
    const QList<Preference> all = preferences();
    for (qsizetype i = 0; i < all.size(); ++i) {
        const Preference &preference = all.at(i);
        const QVariant value = m_context.settings->value(preference.key);
        if (auto *check = qobject_cast<QCheckBox *>(m_fields.at(i))) {
            check->setText(preference.text);
            check->setChecked(value.toBool());
        } else if (auto *box = qobject_cast<QComboBox *>(m_fields.at(i))) {
            word(qobject_cast<PlainLabel *>(m_form->labelForField(box)), preference.text);
            box->clear();
            for (const auto &[text, choice] : preference.choices)
                box->addItem(text, choice);
            box->setCurrentIndex(std::max(0, box->findData(value)));
        }
    }
    word(m_exportLabel, tr("Export folder:"));
    m_exportFolder->setPlaceholderText(tr("Documents"));
    m_browse->setText(tr("Choose…"));
    m_buttons->button(QDialogButtonBox::Close)->setText(tr("Close"));
    m_filling = false;
}

} // namespace lockkeeper::app::views
