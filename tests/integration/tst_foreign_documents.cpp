// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/foreign_clients.h"
#include "tests/support/mongod_server.h"
#include "tests/support/test_program.h"

namespace tst_foreign_documents {

using namespace lockkeeper;
using namespace lockkeeper::tests;

/** The clients of tests/clients that keep their locks in MongoDB. */
class TestForeignDocuments : public ForeignClientsTest
{
    Q_OBJECT

public:
    TestForeignDocuments() : ForeignClientsTest({"mongodb"}) {}

private:
    bool startStores() override
    {
        if (!MongodServer::isInstalled() || !m_server.start())
            return false;
        environment.insert(QStringLiteral("MONGODB_URL"), m_server.url().toString());
        return true;
    }
    QByteArray sources() const override
    {
        return sourceOf("mongodb", m_server.url(), "poll_ms = 50\npush = true\n");
    }

    MongodServer m_server;
};

LOCKKEEPER_TEST(TestForeignDocuments)

} // namespace tst_foreign_documents

#include "tst_foreign_documents.moc"
