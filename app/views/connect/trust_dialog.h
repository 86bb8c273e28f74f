// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QCheckBox;
class QPushButton;

namespace lockkeeper::transport {
struct Address;
}

namespace lockkeeper::app::views {

/**
 * Asks whether an unknown agent is the intended one. Return alone doesn't accept it: the user must confirm
 * that the fingerprints were compared. GUI thread.
 */
class TrustDialog : public QDialog
{
    Q_OBJECT

public:
    TrustDialog(const transport::Address &address, const QByteArray &fingerprint, QWidget *parent);

    QCheckBox *compared() const { return m_compared; }
    QPushButton *trust() const { return m_trust; }

private:
    QCheckBox *m_compared;
    QPushButton *m_trust;
};

} // namespace lockkeeper::app::views
