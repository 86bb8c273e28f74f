// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"

#include <QByteArray>
#include <QObject>

#include <functional>
#include <memory>

namespace lockkeeper::agent::metrics {

/** One sample of the Prometheus text format (version 0.0.4). */
struct MetricSample
{
    QByteArray name; ///< "lockkeeper_locks"
    QByteArray type; ///< "gauge", "counter"
    QByteArray help;
    QList<std::pair<QByteArray, QByteArray>> labels;
    double value = 0;
};

/** Samples as text; one HELP and one TYPE line per name, label values escaped. */
QByteArray toPrometheusText(const QList<MetricSample> &samples);

/** The answer of /healthz: 200 "ok", or 503 with one line per problem. */
struct HealthReport
{
    bool ok = true;
    QByteArray text;
};

/**
 * A small HTTP/1.1 endpoint for GET /metrics and /healthz. Loopback addresses only: it has no login. At most
 * 16 connections, 8 KiB of request, 5 s each. Lives in one thread.
 */
class MetricsServer : public QObject
{
    Q_OBJECT

public:
    using Samples = std::function<QList<MetricSample>()>;
    using HealthCheck = std::function<HealthReport()>;

    MetricsServer(Samples samples, HealthCheck health, QObject *parent = nullptr);
    ~MetricsServer() override;

    /** `address` has the form that config::parseMetricsAddress() reads; port 0 picks a free port. */
    base::Result<void> listen(const QString &address);
    quint16 port() const;

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace lockkeeper::agent::metrics
