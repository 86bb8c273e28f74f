// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/store.h"

#include <QEventLoop>

#include <functional>
#include <memory>

namespace lockkeeper::tests {

/** Collects a Store's signals and waits for its answers, a request at a time. */
class StoreHarness : public QObject
{
    Q_OBJECT

public:
    explicit StoreHarness(std::unique_ptr<stores::Store> store, int patienceMs = 15'000);

    /** True where opened() came. */
    bool open();
    /** A whole scan; the locks by name. `m_end` holds the scan's end. */
    bool scan();
    /** The same without waiting. */
    void beginScan();
    QList<stores::Observation> readPoints(const QList<stores::Subject> &subjects);
    stores::Inspection inspect(const QByteArray &name, quint16 set = 0);
    stores::ReleaseReport release(const stores::ReleaseOrder &order);
    /** The same without waiting. */
    void sendRelease(const stores::ReleaseOrder &order);
    bool waitForFailure();
    /** A failure came, or comes now. */
    bool hasFailed() { return !m_failures.isEmpty() || waitForFailure(); }
    stores::Store &store() { return *m_store; }

    /** Until `condition` holds, looked at with every signal of the store; false when patience ends. */
    bool waitFor(const std::function<bool()> &condition);
    const stores::Observation *find(const QByteArray &name) const;

    stores::ServerInfo m_info;
    QList<base::Error> m_failures;
    QList<stores::Page> m_pages; ///< of the last scan or look
    QList<stores::ScanEnd> m_ends;
    QList<stores::ReleaseReport> m_reports;
    int m_openings = 0;

private:
    QEventLoop m_loop;
    std::unique_ptr<stores::Store> m_store;
    int m_patienceMs;
    quint64 m_request = 0; ///< of the last scan or look: pages of an earlier one don't count
    bool m_looked = false;
    QList<stores::Inspection> m_inspections;
};

/** A source "s" of one set of that scheme, whose locks have such names, or stand in that table. */
stores::SourceSpec sourceOf(const QUrl &url, const QByteArray &scheme, const QByteArray &match = "*");
stores::SourceSpec tableOf(const QUrl &url, const QByteArray &scheme, const QString &table);

/** A source of one `redis.token` set that matches `match`. */
stores::SourceSpec redisSpec(const QUrl &url, const QByteArray &match = "*", const QByteArray &password = {});

/** An order that breaks the acquisition in `inspection`. */
stores::ReleaseOrder orderFor(const stores::Inspection &inspection, bool checkFreshness = false);

} // namespace lockkeeper::tests
