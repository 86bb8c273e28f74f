// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/connect/trust_dialog.h"

#include "app/views/widgets/code_box.h"
#include "app/views/widgets/plain_label.h"
#include "app/views/widgets/wrapped_label.h"
#include "shared/base/text.h"
#include "shared/transport/address.h"
#include "shared/transport/fingerprint.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QPushButton>
#include <QVBoxLayout>

namespace lockkeeper::app::views {

TrustDialog::TrustDialog(const transport::Address &address, const QByteArray &fingerprint, QWidget *parent)
    : QDialog(parent), m_compared(new QCheckBox(this))
{
    setWindowTitle(tr("Unknown agent"));
    setWindowModality(Qt::WindowModal);
    auto *what = new WrappedLabel(
        tr("The certificate of the agent at %1 isn't signed by a trusted authority. Its fingerprint:")
            .arg(base::displayText(address.text())),
        this);
    auto *code = new CodeBox(2, this);
    code->setCode(transport::fingerprintText(fingerprint));
    code->setAccessibleName(tr("Fingerprint"));
    auto *how = new PlainLabel(tr("The agent's administrator sees the right one by:"), this);
    auto *command = new CodeBox(1, this);
    command->setCode(QStringLiteral("lockkeeper-agent --config FILE --fingerprint"));
    command->setAccessibleName(tr("Command"));
    m_compared->setText(tr("I have compared the two, and they are &equal"));
    auto *buttons = new QDialogButtonBox(this);
    m_trust = buttons->addButton(tr("&Trust this agent"), QDialogButtonBox::AcceptRole);
    auto *cancel = buttons->addButton(QDialogButtonBox::Cancel);
    m_trust->setEnabled(false);
    m_trust->setAutoDefault(false);
    cancel->setDefault(true);
    connect(m_compared, &QCheckBox::toggled, m_trust, &QPushButton::setEnabled);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto *column = new QVBoxLayout(this);
    column->setSpacing(8);
    for (QWidget *widget : QWidgetList{what, code, how, command, m_compared, buttons})
        column->addWidget(widget);
    setMinimumWidth(520);
}

} // namespace lockkeeper::app::views
