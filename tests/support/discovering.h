// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/discover/discoverer.h"

#include <QTest>

#include <memory>
#include <optional>

namespace lockkeeper::tests {

/** Searches a server for locks, and keeps the answer for the test. */
class Discovering
{
public:
    /** Searches again; false if no answer came in time. */
    bool discover(const stores::SourceSpec &spec)
    {
        auto made = stores::discover::makeDiscoverer(spec);
        return made && discover(*std::move(made));
    }
    bool discover(std::unique_ptr<stores::discover::Discoverer> discoverer)
    {
        using stores::discover::Discoverer;
        m_found.reset();
        m_error.reset();
        m_discoverer = std::move(discoverer);
        QObject::connect(m_discoverer.get(), &Discoverer::found, m_discoverer.get(),
                         [this](const stores::discover::Discovery &all) { m_found = all; });
        QObject::connect(m_discoverer.get(), &Discoverer::failed, m_discoverer.get(),
                         [this](const base::Error &error) { m_error = error; });
        m_discoverer->start();
        return QTest::qWaitFor([this] { return m_found || m_error; }, 30'000);
    }
    bool discover(const QUrl &url)
    {
        stores::SourceSpec spec;
        spec.url = url;
        spec.connectTimeoutMs = 2'000;
        return discover(spec);
    }
    static QList<QByteArray> patterns(const QList<stores::discover::Candidate> &candidates)
    {
        QList<QByteArray> all;
        for (const stores::discover::Candidate &candidate : candidates)
            all.append(candidate.match);
        return all;
    }

    std::optional<stores::discover::Discovery> m_found;
    std::optional<base::Error> m_error;

private:
    std::unique_ptr<stores::discover::Discoverer> m_discoverer;
};

} // namespace lockkeeper::tests
