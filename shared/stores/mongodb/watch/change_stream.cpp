// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/mongodb/watch/change_stream.h"

#include "shared/base/text.h"
#include "shared/stores/mongodb/reading/mongo_standing.h"

#include <algorithm>

namespace lockkeeper::stores::mongodb {

using base::Error;
using base::ErrorCode;

namespace {

constexpr qint64 kAwaitMs = 100;
constexpr qint64 kCataloguesEveryMs = 1'000;
constexpr qint64 kPositionEveryMs = 10'000; ///< also while nothing happens: the server forgets old moments
constexpr int kFirstWireVersion = 13;       ///< MongoDB 5.0: reads as of a moment of the oplog

std::optional<Stamp> stampOf(const BsonField &field)
{
    if (!field || !BSON_ITER_HOLDS_TIMESTAMP(&*field))
        return std::nullopt;
    Stamp stamp;
    bson_iter_timestamp(&*field, &stamp.seconds, &stamp.increment);
    return stamp;
}

Bson arrayOf(const QList<QByteArray> &texts)
{
    Bson array = newBson();
    for (qsizetype i = 0; i < texts.size(); ++i)
        bson_append_utf8(array.get(), QByteArray::number(i).constData(), -1, texts.at(i).constData(),
                         int(texts.at(i).size()));
    return array;
}

/** Selects the lock sets' collections and the events that end the stream. The mirrors already contain every
 * change with the place's stamp: all changes of a transaction have the same stamp. */
Bson pipelineOf(const StreamPosition &place, const QList<Layout> &layouts)
{
    const Bson start = newBson();
    if (place.token)
        bson_append_document(start.get(), "resumeAfter", -1, place.token.get());
    else
        bson_append_timestamp(start.get(), "startAtOperationTime", -1, place.stamp.seconds,
                              place.stamp.increment + 1);
    const Bson stream = newBson();
    bson_append_document(stream.get(), "$changeStream", -1, start.get());

    const Bson among = newBson();
    bson_append_array(among.get(), "$in", -1, arrayOf(place.collections).get());
    const Bson ends = newBson();
    bson_append_array(ends.get(), "$in", -1, arrayOf({"dropDatabase", "invalidate"}).get());
    const Bson any = newBson();
    int terms = 0;
    for (const auto &[field, value] :
         {std::pair("ns.coll", &among), std::pair("to.coll", &among), std::pair("operationType", &ends)}) {
        const Bson term = newBson();
        bson_append_document(term.get(), field, -1, value->get());
        bson_append_document(any.get(), QByteArray::number(terms++).constData(), -1, term.get());
    }
    const Bson filter = newBson();
    bson_append_array(filter.get(), "$or", -1, any.get());
    const Bson match = newBson();
    bson_append_document(match.get(), "$match", -1, filter.get());

    // Request only the fields that are read: a document may have 16 MiB.
    const Bson fields = newBson();
    for (const char *field : {"_id", "operationType", "clusterTime", "wallTime", "ns", "documentKey",
                              "updateDescription", "fullDocument._id"})
        bson_append_int32(fields.get(), field, -1, 1);
    QList<QByteArray> read;
    for (const Layout &layout : layouts)
        read += layout.fields();
    std::sort(read.begin(), read.end());
    read.erase(std::unique(read.begin(), read.end()), read.end());
    for (const QByteArray &field : std::as_const(read))
        bson_append_int32(fields.get(), ("fullDocument." + field).constData(), -1, 1);
    const Bson project = newBson();
    bson_append_document(project.get(), "$project", -1, fields.get());

    Bson pipeline = newBson();
    bson_append_document(pipeline.get(), "0", -1, stream.get());
    bson_append_document(pipeline.get(), "1", -1, match.get());
    bson_append_document(pipeline.get(), "2", -1, project.get());
    return pipeline;
}

} // namespace

QByteArray StreamPosition::encoded() const
{
    const Bson all = newBson();
    bson_append_timestamp(all.get(), "stamp", -1, stamp.seconds, stamp.increment);
    bson_append_int64(all.get(), "us", -1, toldUs);
    bson_append_utf8(all.get(), "set", -1, set.constData(), int(set.size()));
    bson_append_array(all.get(), "of", -1, arrayOf(collections).get());
    if (token)
        bson_append_document(all.get(), "token", -1, token.get());
    return bytesOf(all.get());
}

std::optional<StreamPosition> StreamPosition::decoded(const QByteArray &bytes)
{
    const Bson all = fromBytes(bytes);
    const auto stamp = all ? stampOf(fieldOf(all.get(), "stamp")) : std::nullopt;
    const BsonField set = all ? fieldOf(all.get(), "set") : BsonField();
    if (!stamp || !set)
        return std::nullopt;
    StreamPosition place;
    place.stamp = *stamp;
    place.toldUs = numberOf(all.get(), "us");
    place.set = textOf(*set);
    const Bson names = documentOf(all.get(), "of");
    bson_iter_t each;
    for (bson_iter_init(&each, names.get()); bson_iter_next(&each);)
        place.collections.append(textOf(each));
    if (fieldOf(all.get(), "token"))
        place.token = documentOf(all.get(), "token");
    return place;
}

ChangeStream::ChangeStream(SourceSpec spec, QList<Layout> layouts)
    : m_link(std::move(spec)), m_layouts(std::move(layouts))
{
}

void ChangeStream::close()
{
    m_batch = Bson();
    m_mirrors.clear();
    if (m_session != nullptr)
        mongoc_client_session_destroy(std::exchange(m_session, nullptr));
    m_link.close();
}

base::Result<Bson> ChangeStream::ask(const bson_t *command)
{
    const Bson options = newBson();
    bson_error_t error;
    if (!mongoc_client_session_append(m_session, options.get(), &error))
        return tl::unexpected(m_link.noted(error));
    return m_link.ask(m_link.database().constData(), command, options.get());
}

base::Result<void> ChangeStream::connect()
{
    close();
    if (const auto made = m_link.open(); !made)
        return made;
    const auto hello = m_link.hello();
    if (!hello)
        return tl::unexpected(hello.error());
    const BsonField name = fieldOf(hello->get(), "setName");
    if (!name || numberOf(hello->get(), "maxWireVersion") < kFirstWireVersion)
        return base::failure(ErrorCode::Unsupported,
                             QStringLiteral("change streams need a replica set of MongoDB 5.0 or later"),
                             QStringLiteral("Remove push: the source is polled every poll_ms."));
    m_replicaSet = textOf(*name);
    m_before = std::exchange(m_standing, standingOf(hello->get()));
    mongoc_session_opt_t *options = mongoc_session_opts_new();
    mongoc_session_opts_set_causal_consistency(options, false);
    bson_error_t error;
    m_session = mongoc_client_start_session(m_link.client(), options, &error);
    mongoc_session_opts_destroy(options);
    if (m_session == nullptr)
        return tl::unexpected(m_link.noted(error));
    return {};
}

base::Result<ChangeStream::StreamClock> ChangeStream::clock()
{
    const auto hello = m_link.hello();
    if (!hello)
        return tl::unexpected(hello.error());
    const BsonField time = fieldOf(hello->get(), "localTime");
    const Bson last = documentOf(hello->get(), "lastWrite");
    const auto majority = stampOf(fieldOf(documentOf(last.get(), "majorityOpTime").get(), "ts"));
    const auto newest = stampOf(fieldOf(documentOf(last.get(), "opTime").get(), "ts"));
    if (!time || !BSON_ITER_HOLDS_DATE_TIME(&*time) || !majority || !newest)
        return base::failure(ErrorCode::Protocol, QStringLiteral("MongoDB's hello contains no time"), {});
    return StreamClock{bson_iter_date_time(&*time) * 1'000, *majority, *newest};
}

/** The majority has everything from before this time; 0: no such time since the last one. */
qint64 ChangeStream::confirmedUs(const StreamClock &now)
{
    qint64 us = 0;
    if (now.majority == now.newest)
        us = now.us;
    else if (now.majority >= m_unconfirmed.newest)
        us = m_unconfirmed.us;
    if (us > 0 || m_unconfirmed.us == 0)
        m_unconfirmed = now;
    return us;
}

base::Result<bool> ChangeStream::open(const QByteArray &position)
{
    if (const auto made = connect(); !made)
        return tl::unexpected(made.error());
    QList<QByteArray> collections;
    for (const Layout &layout : std::as_const(m_layouts))
        collections.append(layout.collection);
    auto from = StreamPosition::decoded(position);
    // A token beyond the end of older files would be taken for one that is yet to come.
    const bool older = m_before.mayHaveLost(m_standing);
    if (from && !older && from->set == m_replicaSet && from->collections == collections) {
        if (begin(*std::move(from)))
            return true;
        if (m_link.lost())
            return tl::unexpected(*m_link.lost());
    }
    const auto now = clock();
    if (!now)
        return tl::unexpected(now.error());
    StreamPosition place;
    place.stamp = now->majority;
    place.toldUs = now->us;
    place.set = m_replicaSet;
    place.collections = collections;
    if (const auto begun = begin(std::move(place)); !begun)
        return tl::unexpected(begun.error());
    return false;
}

base::Result<void> ChangeStream::begin(StreamPosition place)
{
    m_mirrors.clear();
    m_place = std::move(place);
    m_catalogues.clear();
    if (const auto read = readCatalogues(nullptr); !read)
        return read;
    m_behindUntilUs = m_cataloguesUs;
    for (qsizetype set = 0; set < m_layouts.size(); ++set) {
        if (const auto read = readMirror(set, m_place.stamp); !read)
            return read;
    }
    const Bson question = command("aggregate");
    bson_append_array(question.get(), "pipeline", -1, pipelineOf(m_place, m_layouts).get());
    // Request all available events, as later answers return them: the usual 101 may end within a transaction.
    // Resuming there would miss its other changes, which its stamp, and so the mirror, already includes.
    bson_append_document(question.get(), "cursor", -1, fromJson(R"({"batchSize": 1000000})").get());
    bson_append_document(question.get(), "readConcern", -1, fromJson(R"({"level": "majority"})").get());
    auto answer = ask(question.get());
    if (!answer) {
        Error error = answer.error();
        if (error.code == ErrorCode::PermissionDenied)
            error.remedy = QStringLiteral(
                "Grant the agent's user the role \"read\" on the database: it has changeStream.");
        return tl::unexpected(error);
    }
    m_batch = *std::move(answer);
    m_sincePosition.start();
    m_provenUs = 0;
    m_unconfirmed = {};
    return {};
}

base::Result<void> ChangeStream::readMirror(qsizetype set, const Stamp &at)
{
    const Layout &layout = m_layouts.at(set);
    DocumentMirror &mirror = m_mirrors.emplace_back(layout);
    const Bson concern = newBson();
    bson_append_utf8(concern.get(), "level", -1, "snapshot", -1);
    bson_append_timestamp(concern.get(), "atClusterTime", -1, at.seconds, at.increment);
    Bson question = newBson();
    bson_append_utf8(question.get(), "find", -1, layout.collection.constData(),
                     int(layout.collection.size()));
    bson_append_document(question.get(), "projection", -1, projectionOf(layout).get());
    bson_append_int32(question.get(), "batchSize", -1, m_link.spec().pageSize);
    bson_append_document(question.get(), "readConcern", -1, concern.get());
    const char *batch = "firstBatch";
    for (qint64 cursor = -1; cursor != 0;) {
        const auto answer = ask(question.get());
        if (!answer)
            return tl::unexpected(answer.error());
        const Bson read = documentOf(answer->get(), "cursor");
        const Bson documents = documentOf(read.get(), std::exchange(batch, "nextBatch"));
        bson_iter_t each;
        for (bson_iter_init(&each, documents.get()); bson_iter_next(&each);)
            mirror.fill(documentOf(each).get());
        cursor = numberOf(read.get(), "id");
        question = newBson();
        bson_append_int64(question.get(), "getMore", -1, cursor);
        bson_append_utf8(question.get(), "collection", -1, layout.collection.constData(),
                         int(layout.collection.size()));
        bson_append_int32(question.get(), "batchSize", -1, m_link.spec().pageSize);
    }
    return {};
}

/** A changed TTL index moves every deadline at once. */
base::Result<void> ChangeStream::readCatalogues(StreamAnswer *told)
{
    const auto now = m_link.now();
    if (!now)
        return tl::unexpected(now.error());
    QList<CollectionCatalogue> catalogues;
    for (Layout &layout : m_layouts) {
        const auto read = catalogueOf(m_link, layout);
        if (!read)
            return tl::unexpected(read.error());
        layout.also = filterFields(*read);
        catalogues.append(*read);
    }
    m_sinceCatalogues.start();
    if (told != nullptr && catalogues != m_catalogues) {
        told->push.everything = true;
        told->push.sinceUs = m_cataloguesUs;
    }
    m_catalogues = catalogues;
    m_cataloguesUs = *now;
    return {};
}

base::Result<StreamAnswer> ChangeStream::next()
{
    StreamAnswer told;
    if (m_sinceCatalogues.hasExpired(kCataloguesEveryMs)) {
        if (const auto read = readCatalogues(&told); !read)
            return tl::unexpected(read.error());
    }
    const auto asked = clock();
    if (!asked)
        return tl::unexpected(asked.error());
    QElapsedTimer took;
    took.start();
    const bool first = bool(m_batch);
    Bson answer = std::exchange(m_batch, Bson());
    if (!first) {
        const Bson question = newBson();
        bson_append_int64(question.get(), "getMore", -1, m_cursor);
        bson_append_utf8(question.get(), "collection", -1, "$cmd.aggregate", -1);
        bson_append_int64(question.get(), "maxTimeMS", -1, kAwaitMs);
        auto more = ask(question.get());
        if (!more && more.error().code == ErrorCode::TooLarge) {
            told.broken = more.error(); // no reader gets past that event
            return told;
        }
        if (!more)
            return tl::unexpected(more.error());
        answer = *std::move(more);
    }
    const Bson cursor = documentOf(answer.get(), "cursor");
    m_cursor = numberOf(cursor.get(), "id");
    const Bson events = documentOf(cursor.get(), first ? "firstBatch" : "nextBatch");
    bson_iter_t each;
    bool any = false;
    for (bson_iter_init(&each, events.get()); bson_iter_next(&each) && !told.broken; any = true)
        take(documentOf(each).get(), told);
    if (!told.broken && m_cursor == 0)
        told.broken =
            Error{ErrorCode::ConnectionLost, QStringLiteral("MongoDB has ended the change stream"), {}};
    if (const BsonField token = fieldOf(cursor.get(), "postBatchResumeToken"))
        m_place.token = documentOf(*token);
    if (!any && !first) {
        m_place.stamp = std::max(m_place.stamp, asked->majority);
        if (const qint64 us = confirmedUs(*asked); us > 0)
            told.untilUs = std::exchange(m_provenUs, us);
    }
    m_place.toldUs = std::max(m_place.toldUs, told.untilUs);
    told.nowUs = asked->us + took.nsecsElapsed() / 1'000;
    if (m_place.toldUs >= m_behindUntilUs)
        m_behindUntilUs = 0;
    if (m_behindUntilUs == 0)
        told.lateUs = told.nowUs - m_place.toldUs;
    if (!told.push.changes.isEmpty() || told.push.everything ||
        m_sincePosition.hasExpired(kPositionEveryMs)) {
        told.push.position = m_place.encoded();
        m_sincePosition.start();
    }
    return told;
}

void ChangeStream::take(const bson_t *event, StreamAnswer &told)
{
    const BsonField type = fieldOf(event, "operationType");
    const QByteArray what = type ? textOf(*type) : QByteArray();
    const auto stamp = stampOf(fieldOf(event, "clusterTime"));
    if (!stamp || !QList<QByteArray>{"insert", "replace", "update", "delete"}.contains(what)) {
        told.broken = Error{ErrorCode::ConnectionLost,
                            QStringLiteral("a collection of the source was dropped or renamed (%1)")
                                .arg(base::displayText(what)),
                            {}};
        return;
    }
    qint64 timeUs = (qint64(stamp->seconds) + 1) * 1'000'000 - 1;
    qint64 windowUs = 999'999;
    if (const BsonField wall = fieldOf(event, "wallTime"); wall && BSON_ITER_HOLDS_DATE_TIME(&*wall)) {
        timeUs = bson_iter_date_time(&*wall) * 1'000 + 999;
        windowUs = 999;
    }
    const Bson space = documentOf(event, "ns");
    const BsonField name = fieldOf(space.get(), "coll");
    for (quint16 set = 0; name && set < m_mirrors.size(); ++set) {
        if (m_layouts.at(set).collection != textOf(*name))
            continue;
        const DocumentMirror::Turn turn = m_mirrors[set].apply(event);
        if (turn.unclear)
            told.broken = Error{ErrorCode::Unsupported,
                                QStringLiteral("a part of a field was changed that is read as a whole"),
                                {}};
        else if (turn.changed)
            tell(set, turn, timeUs, windowUs, told.push);
    }
    m_place.stamp = *stamp;
    told.untilUs = std::max(told.untilUs, timeUs - windowUs);
}

void ChangeStream::tell(quint16 set, const DocumentMirror::Turn &turn, qint64 timeUs, qint64 windowUs,
                        Push &push) const
{
    const LockReader reader(m_layouts.at(set), m_catalogues.at(set));
    const QByteArray &match = m_link.spec().locks.at(set).match;
    const auto lockIn = [&](const Bson &document) {
        return document ? reader.read(document.get(), timeUs) : Observation();
    };
    const auto add = [&](Observation lock) {
        lock.set = set;
        if (lock.name.isEmpty() || !base::globMatches(match, lock.name))
            return;
        Change change;
        change.lock = std::move(lock);
        change.timeUs = timeUs;
        change.windowUs = windowUs;
        push.changes.append(change);
    };
    const QByteArray before = lockIn(turn.before).name;
    const Observation after = lockIn(turn.after);
    if (before != after.name) {
        Observation gone;
        gone.name = before;
        gone.present = false;
        add(gone);
    }
    add(after);
}

} // namespace lockkeeper::stores::mongodb
