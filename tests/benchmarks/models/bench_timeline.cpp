// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/presentation/theme.h"
#include "app/views/timeline/timeline_canvas.h"

#include <QApplication>
#include <QImage>
#include <QPainter>
#include <QTextStream>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <vector>

/**
 * How long a frame of the timeline takes while it is panned and zoomed over many bars: laying them out and
 * painting all of them. The floor is a painter that fills as many rectangles on a picture of that size, in
 * the same run. In the thread's own processor time, so that other programs on the machine don't count.
 */
using namespace lockkeeper;
using namespace lockkeeper::app;

namespace {

constexpr qint64 kSecond = 1'000'000;
constexpr qint64 kHour = 3600 * kSecond;
constexpr int kLanes = 50;
constexpr int kFrames = 300;
constexpr double kGoalMs = 8.0;
constexpr QSize kSize(1920, 1400); // every lane is in sight

double threadMs()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return double(now.tv_sec) * 1e3 + double(now.tv_nsec) / 1e6;
}

/** `bars` holds over 50 lanes, every fourth with a window, of every kind of end; a fifth of them waits. */
timeline::Chart chartOf(int bars, qint64 now)
{
    const QList<QByteArray> ends{"released", "expired", "taken_over", "force_released", "lost"};
    timeline::Chart chart;
    chart.range = {now - kHour, now};
    chart.sliceUs = kSecond;
    const int each = bars / kLanes;
    const qint64 step = kHour / each;
    qint64 id = 0;
    for (int lane = 0; lane < kLanes; ++lane) {
        protocol::TimelineLane one;
        one.key = domain::LockKey{QStringLiteral("orders"), "redis.token", "db0",
                                  "lock:" + QByteArray::number(lane)};
        for (int i = 0; i < each; ++i) {
            const qint64 from = now - kHour + i * step;
            if (i % 5 == 4) {
                one.waits.append({*one.key, "w9", from - step, from, ++id});
                continue;
            }
            protocol::Hold hold;
            hold.key = *one.key;
            hold.owner = "w1";
            hold.fromUs = from;
            hold.fromWindowUs = i % 4 == 0 ? step / 4 : 0;
            hold.toUs = from + step * 9 / 10;
            hold.end = ends.at(i % 23 == 0 ? (i / 23) % 5 : 0);
            hold.id = ++id;
            one.holds.append(hold);
        }
        chart.lanes.append(one);
    }
    chart.gaps = {{QStringLiteral("orders"), now - kHour / 2, now - kHour / 2 + kHour / 60, {}, {}}};
    return chart;
}

struct Figures
{
    double p50 = 0, p99 = 0, max = 0;
};

Figures figuresOf(std::vector<double> ms)
{
    std::sort(ms.begin(), ms.end());
    const auto at = [&ms](double q) { return ms[std::min(ms.size() - 1, size_t(q * double(ms.size())))]; };
    return {at(0.5), at(0.99), ms.back()};
}

Figures measureCanvas(const timeline::Chart &chart, qint64 now)
{
    const presentation::Theme theme;
    const words::TimeFormat times;
    const presentation::TimelineFormatter words(&times);
    views::TimelineCanvas canvas(&theme, &words);
    canvas.resize(kSize);
    canvas.show();
    canvas.setSeen({{}, now});
    canvas.setChart(chart, {});
    QImage image(kSize, QImage::Format_ARGB32_Premultiplied);
    std::vector<double> ms;
    for (int i = 0; i < kFrames + 10; ++i) {
        const double before = threadMs();
        // Pans back and forth and zooms: each frame differs, and shows almost all bars.
        const qint64 shift = (i % 60 - 30) * 2 * kSecond;
        canvas.setRange({now - kHour + shift, now + shift + (i % 7) * 10 * kSecond});
        canvas.viewport()->render(&image);
        if (i >= 10) // the first frames belong to fonts and caches
            ms.push_back(threadMs() - before);
    }
    return figuresOf(ms);
}

Figures measureFloor(int bars)
{
    QImage image(kSize, QImage::Format_ARGB32_Premultiplied);
    std::vector<double> ms;
    const double width = double(kSize.width()) * kLanes / bars;
    for (int i = 0; i < kFrames; ++i) {
        const double before = threadMs();
        QPainter painter(&image);
        painter.fillRect(image.rect(), Qt::white);
        const QColor colour(0x164A7A);
        for (int bar = 0; bar < bars; ++bar)
            painter.fillRect(QRectF(bar / kLanes * width, bar % kLanes * 27, width * 0.9, 14), colour);
        painter.end();
        ms.push_back(threadMs() - before);
    }
    return figuresOf(ms);
}

} // namespace

int main(int argc, char **argv)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    const int bars = argc > 1 ? std::max(kLanes, std::atoi(argv[1])) : 10'000;
    constexpr qint64 now = 1'795'000'000'000'000;
    const Figures ours = measureCanvas(chartOf(bars, now), now);
    const Figures floor = measureFloor(bars);

    QTextStream out(stdout);
    out.setRealNumberNotation(QTextStream::FixedNotation);
    out.setRealNumberPrecision(3);
    out << bars << " bars in " << kLanes << " lanes, " << kFrames << " frames; ms a frame\n";
    out << "                        p50     p99     max\n";
    for (const auto &[name, figures] : {std::pair{"timeline", ours}, std::pair{"rectangles", floor}})
        out << qSetFieldWidth(20) << Qt::left << name << Qt::right << qSetFieldWidth(8) << figures.p50
            << figures.p99 << figures.max << qSetFieldWidth(0) << '\n';
    const auto print = [&](const char *name, double value, double least, double goal) {
        out << "{\"bench\":\"" << name << "\",\"n\":" << bars << ",\"value\":" << value
            << ",\"unit\":\"ms\",\"floor\":" << least << ",\"ratio\":" << (least > 0 ? value / least : 0)
            << ",\"goal\":";
        goal > 0 ? out << goal : out << "null";
        out << "}\n";
    };
    print("timeline.frame_p50", ours.p50, floor.p50, 0);
    print("timeline.frame_p99", ours.p99, floor.p99, kGoalMs);
    return 0;
}
