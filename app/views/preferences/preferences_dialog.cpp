// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/preferences/preferences_dialog.h"

#include "app/settings/settings.h"
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

namespace lockkeeper::app::views {

using settings::Key;

namespace {
constexpr int kPreferencesWidth = 460;
}

PreferencesDialog::PreferencesDialog(const ConsoleContext &context,
                                     const QList<std::pair<QByteArray, QString>> &views, QWidget *parent)
    : Translated(parent), m_context(context), m_views(views)
{
    setWindowModality(Qt::WindowModal);
    setMinimumWidth(kPreferencesWidth);
    build();
    retranslate();
    connectAll();
}

void PreferencesDialog::build()
{
    m_language = new QComboBox;
    m_language->setObjectName(QStringLiteral("language"));
    m_appearance = new QComboBox;
    m_appearance->setObjectName(QStringLiteral("appearance"));
    m_density = new QComboBox;
    m_density->setObjectName(QStringLiteral("density"));
    m_zone = new QComboBox;
    m_zone->setObjectName(QStringLiteral("zone"));
    m_milliseconds = new QCheckBox;
    m_milliseconds->setObjectName(QStringLiteral("milliseconds"));
    m_tick = new QComboBox;
    m_tick->setObjectName(QStringLiteral("tick"));
    m_rowMarks = new QCheckBox;
    m_rowMarks->setObjectName(QStringLiteral("row_marks"));
    m_tints = new QCheckBox;
    m_tints->setObjectName(QStringLiteral("tints"));
    m_defaultView = new QComboBox;
    m_defaultView->setObjectName(QStringLiteral("default_view"));
    m_exportFolder = new QLineEdit;
    m_exportFolder->setObjectName(QStringLiteral("export_folder"));
    m_exportFolder->setReadOnly(true);
    m_browse = new QPushButton;
    m_browse->setAutoDefault(false);
    auto *folder = new QHBoxLayout;
    folder->addWidget(m_exportFolder, 1);
    folder->addWidget(m_browse);

    m_form = new QFormLayout;
    m_form->setVerticalSpacing(8);
    m_form->setHorizontalSpacing(12);
    m_form->setLabelAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    addRow(m_language);
    addRow(m_appearance);
    addRow(m_density);
    addRow(m_zone);
    m_form->addRow(nullptr, m_milliseconds);
    addRow(m_tick);
    m_form->addRow(nullptr, m_rowMarks);
    m_form->addRow(nullptr, m_tints);
    addRow(m_defaultView);
    m_labels.append(new PlainLabel);
    m_labels.last()->setBuddy(m_exportFolder);
    m_form->addRow(m_labels.last(), folder);
    m_buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(16);
    column->addLayout(m_form);
    column->addStretch(1);
    column->addWidget(m_buttons);
}

/** A form makes no label for an empty text, and texts come later, with the language. */
void PreferencesDialog::addRow(QWidget *field)
{
    auto *label = new PlainLabel;
    label->setBuddy(field);
    m_labels.append(label);
    m_form->addRow(label, field);
}

void PreferencesDialog::connectAll()
{
    const auto keepChoice = [this](QComboBox *box, Key key) {
        connect(box, &QComboBox::currentIndexChanged, this, [this, box, key] {
            if (!m_filling)
                m_context.settings->setValue(key, box->currentData());
        });
    };
    keepChoice(m_language, Key::Language);
    keepChoice(m_appearance, Key::Appearance);
    keepChoice(m_density, Key::Density);
    keepChoice(m_zone, Key::TimeZone);
    keepChoice(m_tick, Key::TickSeconds);
    keepChoice(m_defaultView, Key::DefaultView);
    const auto keepCheck = [this](QCheckBox *box, Key key) {
        connect(box, &QCheckBox::toggled, this, [this, key](bool on) {
            if (!m_filling)
                m_context.settings->setValue(key, on);
        });
    };
    keepCheck(m_milliseconds, Key::Milliseconds);
    keepCheck(m_rowMarks, Key::RowMarks);
    keepCheck(m_tints, Key::Tints);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_browse, &QPushButton::clicked, this, [this] {
        auto *dialog = new QFileDialog(this, tr("Export folder"), m_exportFolder->text());
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setFileMode(QFileDialog::Directory);
        connect(dialog, &QFileDialog::fileSelected, this, [this](const QString &path) {
            m_context.settings->setValue(Key::ExportFolder, path);
            m_exportFolder->setText(path);
        });
        dialog->open();
    });
}

void PreferencesDialog::choose(QComboBox *box, const QVariant &value)
{
    const int index = box->findData(value);
    box->setCurrentIndex(index < 0 ? 0 : index);
}

void PreferencesDialog::fill()
{
    const auto offer = [](QComboBox *box, const QList<std::pair<QString, QVariant>> &choices) {
        box->clear();
        for (const auto &[text, value] : choices)
            box->addItem(text, value);
    };
    const settings::Settings &kept = *m_context.settings;
    // Languages are named in themselves, so that one who can't read the present one finds the way back.
    offer(m_language, {{tr("The system's"), QString()},
                       {QStringLiteral("English"), QStringLiteral("en")},
                       {QStringLiteral("简体中文"), QStringLiteral("zh_CN")}});
    offer(m_appearance, {{tr("The system's"), QStringLiteral("system")},
                         {tr("Light"), QStringLiteral("light")},
                         {tr("Dark"), QStringLiteral("dark")}});
    offer(m_density,
          {{tr("Compact"), QStringLiteral("compact")}, {tr("Comfortable"), QStringLiteral("comfortable")}});
    offer(m_zone, {{tr("Local"), QStringLiteral("local")}, {QStringLiteral("UTC"), QStringLiteral("utc")}});
    offer(m_tick, {{tr("%n second(s)", nullptr, 1), 1},
                   {tr("%n second(s)", nullptr, 2), 2},
                   {tr("%n second(s)", nullptr, 5), 5}});
    QList<std::pair<QString, QVariant>> views{{tr("The last one"), QStringLiteral("last")}};
    for (const auto &[id, title] : std::as_const(m_views))
        views.append({title, QString::fromLatin1(id)});
    offer(m_defaultView, views);
    choose(m_language, kept.language());
    choose(m_appearance, kept.value(Key::Appearance));
    choose(m_density, kept.value(Key::Density));
    choose(m_zone, kept.value(Key::TimeZone));
    choose(m_tick, kept.value(Key::TickSeconds));
    choose(m_defaultView, kept.value(Key::DefaultView));
    m_milliseconds->setChecked(kept.milliseconds());
    m_rowMarks->setChecked(kept.rowMarks());
    m_tints->setChecked(kept.tints());
    m_exportFolder->setText(kept.value(Key::ExportFolder).toString());
}

void PreferencesDialog::retranslate()
{
    m_filling = true;
    setWindowTitle(tr("Preferences"));
    const QStringList labels{tr("Language:"),      tr("Appearance:"), tr("Row height:"),   tr("Times in:"),
                             tr("Re-sort every:"), tr("Start with:"), tr("Export folder:")};
    for (int row = 0; row < m_labels.size(); ++row) {
        m_labels.at(row)->setText(labels.at(row));
        m_labels.at(row)->buddy()->setAccessibleName(labels.at(row).chopped(1));
    }
    m_milliseconds->setText(tr("Show milliseconds"));
    m_rowMarks->setText(tr("Mark rows whose state has changed"));
    m_tints->setText(tr("Tint stuck and expired rows"));
    m_exportFolder->setPlaceholderText(tr("Documents"));
    m_browse->setText(tr("Choose…"));
    m_buttons->button(QDialogButtonBox::Close)->setText(tr("Close"));
    fill();
    m_filling = false;
}

} // namespace lockkeeper::app::views
