// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/charts/slice_chart.h"
#include "tests/app/views/support/picture.h"
#include "tests/support/test_program.h"

#include <QBarSet>
#include <QChartView>
#include <QImage>
#include <QStackedBarSeries>
#include <QtTest>

namespace tst_slice_chart {

using namespace lockkeeper::app;
using charts::Slice;
using charts::SliceChart;

namespace {

Slice slice(std::optional<double> low, std::optional<double> high = {}, double observed = 1)
{
    return {QStringLiteral("10:00 – 10:01"), observed, low, high, QStringLiteral("figures")};
}

QString number(double value)
{
    return QString::number(value);
}

} // namespace

/** The bars match the given slices. Unobserved time is hatched and never bridged. */
class TestSliceChart : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void drawsWhatWasGiven();
    void hatchesWhatNobodySaw();
    void asksForLittleHeight();
    void everySliceIsHit();
    void keyboardGoesThroughTheSlices();
    void nothingIsSaid();
    void manySlices();

private:
    QList<double> heights(int set) const
    {
        QList<double> all;
        const QBarSet *bars = m_chart->bars()->barSets().at(set);
        for (int i = 0; i < bars->count(); ++i)
            all.append(bars->at(i));
        return all;
    }
    void show(const QList<Slice> &slices)
    {
        m_chart->show(QStringLiteral("title"), slices, number, QStringLiteral("10:00"),
                      QStringLiteral("11:00"));
        QVERIFY(QTest::qWaitForWindowExposed(m_chart.get()));
    }

    std::unique_ptr<presentation::Theme> m_theme;
    std::unique_ptr<SliceChart> m_chart;
};

void TestSliceChart::init()
{
    m_chart.reset();
    m_theme = std::make_unique<presentation::Theme>();
    m_chart = std::make_unique<SliceChart>(m_theme.get());
    m_chart->resize(400, 160);
    m_chart->QWidget::show();
}

void TestSliceChart::drawsWhatWasGiven()
{
    show({slice(2), slice(1, 4), slice({}), slice(0.0001)});
    QCOMPARE(m_chart->top(), 4.0);
    QCOMPARE(heights(0).first(3), (QList<double>{2, 1, 0}));
    QVERIFY(heights(0).at(3) > 0.01 && heights(0).at(3) < 0.1); // a small value stays visible
    QCOMPARE(heights(1), (QList<double>{0, 3, 0, 0}));
    QCOMPARE(m_chart->accessibleName(), QStringLiteral("title"));
    QCOMPARE(m_chart->accessibleDescription(), QStringLiteral("Most: 10:00 – 10:01, figures"));
    QVERIFY(m_chart->hatched().isEmpty());
    QCOMPARE(m_chart->scale(), (QStringList{QStringLiteral("4"), QStringLiteral("2"), QStringLiteral("0")}));
}

void TestSliceChart::hatchesWhatNobodySaw()
{
    show({slice(1), slice({}, {}, 0), slice({}, {}, 0), slice(1, {}, 0.75), slice(2), slice({}, {}, 0.5)});
    const auto hatched = m_chart->hatched();
    QCOMPARE(hatched.size(), 2);
    QCOMPARE(hatched.at(0).first, 1.0 / 6);
    QCOMPARE(hatched.at(0).second, 3.25 / 6);
    QCOMPARE(hatched.at(1).first, 5.0 / 6);
    QCOMPARE(hatched.at(1).second, 5.5 / 6);
    QCOMPARE(heights(0), (QList<double>{1, 0, 0, 1, 2, 0}));
    lockkeeper::tests::picture(m_chart.get(), "slice-chart");
    show({slice(1)});
    QVERIFY(m_chart->hatched().isEmpty());
}

/** Beside other parts of a view it takes the height that is left, and never makes the view scroll. */
void TestSliceChart::asksForLittleHeight()
{
    show({slice(1)});
    m_chart->resize(400, 600);
    QTRY_VERIFY(m_chart->plot().height() > 500);
    m_chart->findChild<QChartView *>()->updateGeometry(); // its layouts ask it again
    QCoreApplication::processEvents();
    QVERIFY2(m_chart->sizeHint().height() < 150, qPrintable(QString::number(m_chart->sizeHint().height())));
}

void TestSliceChart::everySliceIsHit()
{
    QList<Slice> slices(12, slice(1));
    show(slices);
    QSignalSpy hit(m_chart.get(), &SliceChart::activated);
    QSet<int> all;
    for (int x = 0; x < m_chart->width(); x += 4) {
        QTest::mouseClick(m_chart.get(), Qt::LeftButton, {}, QPoint(x, m_chart->height() / 2));
        if (!hit.isEmpty())
            all.insert(hit.takeLast().first().toInt());
    }
    QCOMPARE(all.size(), 12);
    QTest::mouseClick(m_chart.get(), Qt::RightButton, {}, QPoint(100, 80));
    QVERIFY(hit.isEmpty());
}

void TestSliceChart::keyboardGoesThroughTheSlices()
{
    show({slice(1), slice(2), slice(3)});
    QSignalSpy hit(m_chart.get(), &SliceChart::activated);
    m_chart->setFocus();
    QTest::keyClick(m_chart.get(), Qt::Key_Return); // nowhere yet
    QVERIFY(hit.isEmpty());
    for (const auto &[key, slice] : {std::pair{Qt::Key_Left, 2},
                                     {Qt::Key_Left, 1},
                                     {Qt::Key_Home, 0},
                                     {Qt::Key_Left, 0},
                                     {Qt::Key_Right, 1},
                                     {Qt::Key_End, 2},
                                     {Qt::Key_Right, 2}}) {
        QTest::keyClick(m_chart.get(), key);
        QTest::keyClick(m_chart.get(), Qt::Key_Space);
        QCOMPARE(hit.last().first().toInt(), slice);
    }
    QCOMPARE(m_chart->accessibleDescription(), QStringLiteral("10:00 – 10:01\nfigures"));
}

void TestSliceChart::nothingIsSaid()
{
    show({slice(1)});
    m_chart->showNothing(QStringLiteral("title"), QStringLiteral("Nobody <b>waited</b>."));
    QCOMPARE(m_chart->accessibleDescription(), QStringLiteral("Nobody <b>waited</b>."));
    QCOMPARE(m_chart->top(), 0.0);
    QVERIFY(m_chart->slices().isEmpty());
    QTest::mouseClick(m_chart.get(), Qt::LeftButton, {}, QPoint(100, 80));
    QTest::keyClick(m_chart.get(), Qt::Key_Left);
}

void TestSliceChart::manySlices()
{
    QList<Slice> slices;
    for (int i = 0; i < 400; ++i)
        slices.append(slice(i % 37, i % 37 + 5, i % 50 == 0 ? 0 : 1));
    show(slices);
    QCOMPARE(heights(0).size(), 400);
    QCOMPARE(m_chart->hatched().size(), 8);
    m_theme->setAppearance(presentation::Appearance::Dark);
    QVERIFY(!m_chart->grab().toImage().isNull());
}

LOCKKEEPER_TEST(TestSliceChart)

} // namespace tst_slice_chart

#include "tst_slice_chart.moc"
