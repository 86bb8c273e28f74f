// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/mongodb/store/mongo_session.h"

#include "shared/base/text.h"
#include "shared/stores/mongodb/reading/mongo_standing.h"
#include "shared/stores/mongodb/store/mongo_rights.h"
#include "shared/stores/release_ground.h"

namespace lockkeeper::stores::mongodb {

using base::Error;
using base::ErrorCode;
using domain::Outcome;

namespace {

constexpr qint64 kOverdueUs = 300LL * 1'000'000; ///< the TTL monitor comes about once a minute
constexpr qint64 kBehindMs = 10'000; ///< or twice the time limit for confirming a write, if that's less
constexpr qint64 kBigBatch = 12LL * 1024 * 1024; ///< bytes; the server ends a batch at 16 MiB

Error linkDown()
{
    return {ErrorCode::Unreachable, QStringLiteral("the link to MongoDB is down"), {}};
}

/** A position in the oplog from the answer to `hello`; positions grow. */
quint64 stampIn(const bson_t *lastWrite, const char *name)
{
    const Bson optime = documentOf(lastWrite, name);
    const BsonField stamp = fieldOf(optime.get(), "ts");
    quint32 seconds = 0;
    quint32 increment = 0;
    if (stamp && BSON_ITER_HOLDS_TIMESTAMP(&*stamp))
        bson_iter_timestamp(&*stamp, &seconds, &increment);
    return quint64(seconds) << 32 | increment;
}

} // namespace

MongoSession::MongoSession(SourceSpec spec, QList<Layout> layouts, WriteTerm leftOut)
    : m_spec(spec), m_link(std::move(spec)), m_layouts(std::move(layouts)), m_leftOut(leftOut)
{
}

QByteArray MongoSession::placeOf(quint16 set) const
{
    return m_link.database() + '.' + m_layouts.at(set).collection;
}

base::Result<ServerInfo> MongoSession::open()
{
    close();
    if (const auto made = m_link.open(); !made)
        return tl::unexpected(made.error());
    const auto hello = m_link.hello();
    if (!hello)
        return tl::unexpected(hello.error());
    const auto build = m_link.ask("admin", command("buildInfo").get());
    ServerInfo info;
    info.store = QByteArrayLiteral("mongodb");
    info.server = QStringLiteral("MongoDB");
    if (const auto version = build ? fieldOf(build->get(), "version") : BsonField())
        info.server += QLatin1Char(' ') + base::displayText(textOf(*version));
    // Documents outlive a restart; another deployment isn't this one.
    const auto name = fieldOf(hello->get(), "setName");
    const auto router = fieldOf(hello->get(), "msg");
    m_instance = name ? textOf(*name) : router ? textOf(*router) : QByteArrayLiteral("standalone");
    info.instance = m_instance;
    info.standing = m_standing = standingOf(hello->get());
    std::optional<Error> unread;
    bool any = m_layouts.isEmpty();
    for (int set = 0; set < m_layouts.size(); ++set) {
        info.places.append(placeOf(set));
        const auto checked = catalogue(set);
        // tellRights() reports the missing right.
        any = any || checked || checked.error().code == ErrorCode::PermissionDenied;
        if (!checked && !unread)
            unread = checked.error();
        if (m_link.lost())
            break;
    }
    if (unread && (!any || m_link.lost()))
        return tl::unexpected(*unread);
    tellRights(info);
    if (m_link.lost())
        return tl::unexpected(*m_link.lost());
    return info;
}

void MongoSession::close()
{
    m_unconfirmed = 0;
    m_unconfirmedUs = m_confirmedUs = 0;
    endScan();
    m_link.close();
}

base::Result<CollectionCatalogue> MongoSession::catalogue(quint16 set)
{
    const Layout &layout = m_layouts.at(set);
    auto catalogue = catalogueOf(m_link, layout);
    if (!catalogue || catalogue->uniqueName)
        return catalogue;
    return base::failure(
        ErrorCode::SchemaMismatch,
        QStringLiteral("%1 has no unique index on \"%2\": several documents may name one lock")
            .arg(base::displayText(placeOf(set)), base::displayText(layout.name)),
        QStringLiteral("Create it, or name the lock by another field."));
}

Bson MongoSession::privileges()
{
    const Bson question = command("connectionStatus");
    bson_append_bool(question.get(), "showPrivileges", -1, true);
    auto status = m_link.ask("admin", question.get());
    return status ? *std::move(status) : Bson();
}

void MongoSession::tellRights(ServerInfo &info)
{
    const Bson status = privileges();
    const MongoRights rights(status.get(), m_link.database());
    bool readable = true;
    QList<Layout> fixed;
    for (int set = 0; set < m_layouts.size(); ++set) {
        const auto found = findOne(set, newBson().get(), true);
        const bool seen = found || found.error().code != ErrorCode::PermissionDenied;
        readable = readable && seen;
        if (!seen || !rights.mayBreak(m_layouts.at(set)))
            fixed.append(m_layouts.at(set));
    }
    info.access.append(rights.toObserve(readable));
    info.access.append(rights.toBreak(fixed));
    if (m_spec.push)
        info.access.append(rights.toFollow());
}

Owned<mongoc_collection_t> MongoSession::collectionOf(quint16 set, bool majority)
{
    Owned<mongoc_collection_t> collection(mongoc_client_get_collection(
        m_link.client(), m_link.database().constData(), m_layouts.at(set).collection.constData()));
    if (majority) {
        mongoc_read_concern_t *concern = mongoc_read_concern_new();
        mongoc_read_concern_set_level(concern, MONGOC_READ_CONCERN_LEVEL_MAJORITY);
        mongoc_collection_set_read_concern(collection.get(), concern);
        mongoc_read_concern_destroy(concern);
    }
    return collection;
}

Owned<mongoc_cursor_t> MongoSession::find(quint16 set, const bson_t *selector, int limit, bool majority)
{
    const Bson projection = projectionOf(m_layouts.at(set));
    const Bson options = newBson();
    bson_append_document(options.get(), "projection", -1, projection.get());
    bson_append_int64(options.get(), "maxTimeMS", -1, m_spec.statementTimeoutMs);
    if (limit > 0) {
        bson_append_int64(options.get(), "limit", -1, limit);
        const Bson collation = newBson();
        bson_append_utf8(collation.get(), "locale", -1, "simple", -1);
        bson_append_document(options.get(), "collation", -1, collation.get());
    } else {
        bson_append_int32(options.get(), "batchSize", -1, m_spec.pageSize);
    }
    const auto collection = collectionOf(set, majority);
    return Owned<mongoc_cursor_t>(
        mongoc_collection_find_with_opts(collection.get(), selector, options.get(), nullptr));
}

base::Result<Bson> MongoSession::findOne(quint16 set, const bson_t *selector, bool majority)
{
    if (!m_link.isUp())
        return tl::unexpected(linkDown());
    const auto cursor = find(set, selector, 1, majority);
    const bson_t *document = nullptr;
    Bson found;
    if (mongoc_cursor_next(cursor.get(), &document))
        found = copyOf(document);
    bson_error_t error;
    if (mongoc_cursor_error(cursor.get(), &error))
        return tl::unexpected(m_link.noted(error));
    return found;
}

base::Result<MongoSession::MajorityTime> MongoSession::moment()
{
    const auto hello = m_link.hello();
    const auto us = hello.and_then(timeIn);
    if (!us)
        return tl::unexpected(us.error());
    m_standing = standingOf(hello->get());
    const Bson last = documentOf(hello->get(), "lastWrite");
    const quint64 confirmed = stampIn(last.get(), "majorityOpTime");
    if (confirmed >= m_unconfirmed) {
        m_confirmedUs = m_unconfirmedUs;
        m_unconfirmed = stampIn(last.get(), "opTime");
        m_unconfirmedUs = *us;
        m_sinceUnconfirmed.start();
    }
    // Before the second moment: writes after `confirmed` were made in its second at the earliest.
    return MajorityTime{*us, m_confirmedUs > 0 ? m_confirmedUs : qint64(confirmed >> 32) * 1'000'000};
}

PartRead MongoSession::readPart(quint16 set)
{
    PartRead part;
    part.last = true;
    const auto failed = [&part](const Error &error) {
        part.error = error;
        return std::move(part);
    };
    if (!m_link.isUp())
        return failed(linkDown());
    const bool first = m_readUs == 0;
    if (first) {
        if (const auto began = moment(); !began)
            return failed(began.error());
    }
    const bool fetched = m_cursor != nullptr;
    if (!fetched) {
        const auto catalogue = this->catalogue(set);
        if (!catalogue)
            return failed(catalogue.error());
        m_layouts[set].also = filterFields(*catalogue);
        m_reader.emplace(m_layouts.at(set), *catalogue);
        m_cursor = find(set, selectorOfAll(m_layouts.at(set)).get(), 0, true);
        m_aligned = true;
    }
    if (first) {
        const auto proven = moment();
        if (!proven)
            return failed(proven.error());
        m_readUs = proven->confirmedUs;
    }
    if (fetched)
        m_link.settle();
    else
        fetch(m_ahead);
    std::swap(m_batch, m_ahead);
    part.scanned = m_batch.count;
    part.last = m_batch.last;
    if (m_batch.failed) {
        m_cursor.reset();
        return failed(m_link.noted(m_batch.error));
    }
    const qint64 agoUs = m_batch.read.nsecsElapsed() / 1'000;
    const auto ended = moment();
    part.answerUs = m_batch.read.nsecsElapsed() / 1'000 - agoUs;
    if (!ended)
        return failed(ended.error());
    part.standing = m_standing;
    part.page.beganUs = m_readUs;
    part.page.endedUs = ended->us + 999;
    m_aligned = m_aligned && m_batch.documents.size() < kBigBatch;
    if (m_aligned || part.last)
        m_readUs = ended->confirmedUs;
    if (part.last)
        m_cursor.reset();
    else
        m_link.lend([this] { fetch(m_ahead); });
    readLocks(set, part.page.endedUs - agoUs, part);
    return part;
}

void MongoSession::fetch(DocumentBatch &batch)
{
    batch.documents.resize(0); // keeps its memory
    batch.count = 0;
    batch.last = false;
    while (batch.count < m_spec.pageSize && batch.documents.size() < kBigBatch) {
        const bson_t *document = nullptr;
        batch.last = !mongoc_cursor_next(m_cursor.get(), &document);
        if (batch.last)
            break;
        batch.documents.append(reinterpret_cast<const char *>(bson_get_data(document)), document->len);
        ++batch.count;
    }
    batch.failed = mongoc_cursor_error(m_cursor.get(), &batch.error);
    batch.read.start();
}

void MongoSession::readLocks(quint16 set, qint64 readUs, PartRead &part)
{
    const LockSet &watched = m_spec.locks.at(set);
    const bool all = watched.match == "*";
    QList<Observation> &locks = part.page.locks;
    {
        const QMutexLocker lock(&m_mutex);
        locks.swap(m_spare);
    }
    locks.reserve(m_spec.pageSize);
    qsizetype count = 0;
    const auto *bytes = reinterpret_cast<const uint8_t *>(m_batch.documents.constData());
    const Owned<bson_reader_t> documents(bson_reader_new_from_data(bytes, size_t(m_batch.documents.size())));
    while (const bson_t *document = bson_reader_read(documents.get(), nullptr)) {
        Observation &lock = count < locks.size() ? locks[count] : locks.emplaceBack();
        m_reader->read(document, readUs, lock);
        lock.set = set;
        if (lock.name.isEmpty() || !(all || base::globMatches(watched.match, lock.name)))
            continue;
        ++count;
        if (lock.expiry == domain::ExpiryKind::At)
            judge(lock, part);
    }
    locks.resize(count);
}

void MongoSession::reuse(QList<Observation> &&locks)
{
    const QMutexLocker lock(&m_mutex);
    if (locks.isDetached())
        m_spare = std::move(locks);
}

/** A deadline by itself. */
void MongoSession::judge(const Observation &lock, PartRead &part)
{
    m_overdue += lock.reclaimed && lock.expiresUs + kOverdueUs < part.page.beganUs;
    const qint64 leaseUs = lock.expiresUs > part.page.beganUs ? m_reader->leaseUs(lock) : 0;
    if (leaseUs > 0 && (part.shortestUs == 0 || leaseUs < part.shortestUs)) {
        part.shortestUs = leaseUs;
        part.shortestName = lock.name;
    }
}

QList<domain::Finding> MongoSession::findings()
{
    QList<domain::Finding> findings;
    const auto hello = m_link.hello();
    if (!hello)
        return findings;
    if (!fieldOf(hello->get(), "setName") && !fieldOf(hello->get(), "msg"))
        findings.append({"standalone", domain::Severity::Notice, {}});
    const Bson last = documentOf(hello->get(), "lastWrite");
    if (stampIn(last.get(), "majorityOpTime") < m_unconfirmed &&
        m_sinceUnconfirmed.elapsed() >= std::min(kBehindMs, 2 * m_spec.statementTimeoutMs)) {
        findings.append({"majority_behind", domain::Severity::Warning,
                         QByteArray::number(m_sinceUnconfirmed.elapsed() / 1'000)});
    }
    if (m_overdue > 0)
        findings.append({"ttl_overdue", domain::Severity::Warning, QByteArray::number(m_overdue)});
    return findings;
}

void MongoSession::endScan()
{
    m_link.settle();
    m_overdue = 0;
    m_cursor.reset();
    m_batch = {};
    m_ahead = {};
    m_readUs = 0;
    const QMutexLocker lock(&m_mutex);
    m_spare.clear();
}

base::Result<Page> MongoSession::readPoints(const QList<Subject> &subjects)
{
    Page page;
    if (const auto asked = moment(); !asked)
        return tl::unexpected(asked.error());
    const auto began = moment();
    if (!began)
        return tl::unexpected(began.error());
    page.beganUs = began->confirmedUs;
    for (const Subject &subject : subjects) {
        if (subject.set >= m_layouts.size())
            continue;
        Layout &layout = m_layouts[subject.set];
        const Bson selector = selectorOf(layout.name, subject.name);
        const auto catalogue = this->catalogue(subject.set);
        if (!selector || !catalogue)
            continue;
        layout.also = filterFields(*catalogue);
        const auto found = findOne(subject.set, selector.get(), true);
        if (!found) {
            if (m_link.lost())
                return tl::unexpected(found.error());
            continue;
        }
        const auto read = m_link.now();
        if (!read)
            return tl::unexpected(read.error());
        Observation lock;
        if (*found)
            lock = LockReader(layout, *catalogue).read(found->get(), *read);
        lock.present = !lock.name.isEmpty();
        lock.set = subject.set;
        lock.name = subject.name;
        page.locks.append(lock);
        page.endedUs = *read + 999;
    }
    page.endedUs = std::max(page.endedUs, page.beganUs);
    return page;
}

Inspection MongoSession::inspect(const Subject &subject)
{
    if (subject.set >= m_layouts.size())
        return absent(subject, noSuchSet());
    const auto page = readPoints({subject});
    if (!page)
        return absent(subject, page.error());
    if (page->locks.isEmpty())
        return absent(subject, Error{ErrorCode::Unknown, QStringLiteral("the document can't be read"), {}});
    Inspection inspection;
    inspection.lock = page->locks.constFirst();
    inspection.storeUs = page->endedUs;
    if (inspection.lock.present)
        inspection.guard = guardOf(m_spec, placeOf(subject.set), m_instance, inspection.lock);
    return inspection;
}

ReleaseReport MongoSession::release(const ReleaseOrder &order, JobStage &stage)
{
    if (!m_link.isUp())
        return reportOf(Outcome::Unreachable, linkDown());
    if (order.set >= m_layouts.size())
        return reportOf(Outcome::Refused, noSuchSet());
    ReleaseGround ground;
    ground.place = placeOf(order.set);
    ground.instance = m_instance;
    ground.otherRun = {Outcome::Refused,
                       {ErrorCode::Unsupported, QStringLiteral("the guard belongs to another deployment"),
                        QStringLiteral("Read the lock again.")}};
    if (const auto refusal = refusalOf(order, m_spec, ground))
        return refusal->report();
    const Layout &layout = m_layouts.at(order.set);
    const auto catalogue = this->catalogue(order.set);
    if (!catalogue)
        return reportOf(m_link.lost() ? Outcome::Unreachable : Outcome::Refused, catalogue.error());
    const Deadline deadline = deadlineOf(layout, *catalogue);
    if (order.mustBeExpired && deadline.field.name.isEmpty())
        return reportOf(
            Outcome::Refused,
            Error{ErrorCode::Unsupported, QStringLiteral("the lock has no deadline to compare"), {}});
    const Bson selector = guardedSelector(order, layout, deadline, m_leftOut);
    const Bson byName = selectorOf(layout.name, order.guard.key.name);
    if (!selector || !byName)
        return reportOf(Outcome::Refused,
                        Error{ErrorCode::Usage, QStringLiteral("the guard isn't for a document"), {}});
    ReleaseReport report;
    if (order.dryRun) {
        const auto found = findOne(order.set, selector.get(), false);
        if (!found)
            return reportOf(m_link.lost() ? Outcome::Unreachable : Outcome::Refused, found.error());
        report.outcome = *found ? Outcome::Released : Outcome::Pending;
    } else {
        if (!stage.beginWriting())
            return reportOf(Outcome::Unreachable, linkDown());
        report = write(order, selector.get());
    }
    if (report.outcome == Outcome::Pending)
        report.outcome = outcomeOfMiss(order, byName.get(), *catalogue);
    if (const auto us = m_link.now())
        report.storeUs = *us;
    return report;
}

/** Pending: the write was executed, but matched nothing. */
ReleaseReport MongoSession::write(const ReleaseOrder &order, const bson_t *selector)
{
    const Layout &layout = m_layouts.at(order.set);
    const Bson options = newBson();
    const Bson concern = newBson();
    bson_append_utf8(concern.get(), "w", -1, "majority", -1);
    bson_append_int64(concern.get(), "wtimeout", -1, m_spec.statementTimeoutMs);
    bson_append_document(options.get(), "writeConcern", -1, concern.get());
    const Bson collation = newBson();
    bson_append_utf8(collation.get(), "locale", -1, "simple", -1);
    bson_append_document(options.get(), "collation", -1, collation.get());
    const auto collection = collectionOf(order.set, false);
    bson_t answer;
    bson_error_t error;
    bool well = false;
    if (layout.isUpdated()) {
        const QByteArray change = layout.stays ? '"' + layout.expires.name + R"(": "$$NOW")"
                                               : '"' + layout.acquired.name + R"(": null)";
        // An array makes this a pipeline: only a pipeline may use the server's time.
        const Bson pipeline = fromJson(R"({"0": {"$set": {)" + change + "}}}");
        well = mongoc_collection_update_one(collection.get(), selector, pipeline.get(), options.get(),
                                            &answer, &error);
    } else {
        well = mongoc_collection_delete_one(collection.get(), selector, options.get(), &answer, &error);
    }
    const Bson reply = copyOf(&answer);
    bson_destroy(&answer);
    if (!well) {
        const Outcome outcome = isUntouched(error)
                                    ? (endsLink(error) ? Outcome::Unreachable : Outcome::Refused)
                                    : Outcome::Unknown;
        Error told = m_link.noted(error);
        if (told.code == ErrorCode::PermissionDenied)
            told.remedy =
                MongoRights(privileges().get(), m_link.database()).toBreak({m_layouts.at(order.set)}).remedy;
        return reportOf(outcome, told);
    }
    const qint64 count = numberOf(reply.get(), layout.isUpdated() ? "modifiedCount" : "deletedCount");
    return reportOf(count == 1 ? Outcome::Released : Outcome::Pending);
}

/** Looks the lock up by its name: where that isn't `_id`, the next acquisition is another document. */
Outcome MongoSession::outcomeOfMiss(const ReleaseOrder &order, const bson_t *byName,
                                    const CollectionCatalogue &catalogue)
{
    const auto found = findOne(order.set, byName, false);
    if (!found)
        return Outcome::HolderChanged; // the seen document no longer exists, even if others can be read
    if (!*found)
        return Outcome::AlreadyFree;
    const auto us = m_link.now();
    if (!us)
        return Outcome::HolderChanged;
    const Observation lock = LockReader(m_layouts.at(order.set), catalogue).read(found->get(), *us);
    return lock.held ? Outcome::HolderChanged : Outcome::AlreadyFree;
}

} // namespace lockkeeper::stores::mongodb
