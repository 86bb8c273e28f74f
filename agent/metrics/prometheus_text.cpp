// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/metrics/metrics_server.h"

#include <QHash>

#include <cmath>

namespace lockkeeper::agent::metrics {

namespace {

/** Escapes as the text format 0.0.4 requires; quotes only in label values. */
QByteArray escaped(const QByteArray &text, bool inLabel)
{
    QByteArray out;
    out.reserve(text.size());
    for (const char c : text) {
        if (c == '\\')
            out += "\\\\";
        else if (c == '\n')
            out += "\\n";
        else if (c == '"' && inLabel)
            out += "\\\"";
        else
            out += c;
    }
    return out;
}

QByteArray numberText(double value)
{
    if (std::isnan(value))
        return "NaN";
    if (std::isinf(value))
        return value > 0 ? "+Inf" : "-Inf";
    // Write whole numbers up to 2^53 as integers, so that counters keep their last digits.
    if (value == std::floor(value) && std::fabs(value) <= 9007199254740992.0)
        return QByteArray::number(qint64(value));
    return QByteArray::number(value, 'g', 15);
}

QByteArray lineOf(const MetricSample &sample)
{
    QByteArray line = sample.name;
    for (qsizetype i = 0; i < sample.labels.size(); ++i) {
        const auto &[name, value] = sample.labels.at(i);
        line += (i ? "," : "{") + name + "=\"" + escaped(value, true) + '"';
    }
    if (!sample.labels.isEmpty())
        line += '}';
    return line + ' ' + numberText(sample.value) + '\n';
}

} // namespace

QByteArray toPrometheusText(const QList<MetricSample> &samples)
{
    // The format wants all lines of one name together, in whatever order the samples come.
    QList<QByteArray> order;
    QHash<QByteArray, QByteArray> blocks;
    for (const MetricSample &sample : samples) {
        auto block = blocks.find(sample.name);
        if (block == blocks.end()) {
            order.append(sample.name);
            block = blocks.insert(sample.name, "# HELP " + sample.name + ' ' + escaped(sample.help, false) +
                                                   "\n# TYPE " + sample.name + ' ' + sample.type + '\n');
        }
        *block += lineOf(sample);
    }
    QByteArray text;
    for (const QByteArray &name : std::as_const(order))
        text += blocks.value(name);
    return text;
}

} // namespace lockkeeper::agent::metrics
