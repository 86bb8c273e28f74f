// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QWidget>

class QGridLayout;

namespace lockkeeper::app::views {

class ElidedLabel;
class PlainLabel;

/** One line of a FactGrid. An empty value hides the line. */
struct Fact
{
    QString label;
    QString value;
    bool code = false; ///< in the fixed font and one line: tokens
    QString toolTip = {};
    bool listing = false; ///< in the fixed font and as many lines as it needs: statements
};

/**
 * Facts under a heading: labels left, values right, wrapped, a listing below its label; values can be
 * selected. Texts change in place.
 */
class FactGrid : public QWidget
{
    Q_OBJECT

public:
    static constexpr int kLabelWidth = 84;

    /** Grids with the same label width align with each other. */
    explicit FactGrid(int labelWidth = kLabelWidth, QWidget *parent = nullptr);

    void setHeading(const QString &heading);
    /** Each fact keeps its line from call to call, so that nothing flickers. */
    void setFacts(const QList<Fact> &facts);
    bool hasFacts() const;
    QString text() const;

private:
    struct FactLine
    {
        PlainLabel *label;
        PlainLabel *value;
        ElidedLabel *code; ///< instead of value: a token has no place where a line could break
    };
    PlainLabel *m_heading;
    QGridLayout *m_grid;
    QList<FactLine> m_lines;
};

} // namespace lockkeeper::app::views
