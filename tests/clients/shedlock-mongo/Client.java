// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
package clients.shedlockmongo;

import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import net.javacrumbs.shedlock.provider.mongo.MongoLockProvider;
import org.bson.Document;
import protocol.Protocol;
import protocol.ShedLock;

/** ShedLock on MongoDB: the document stays when it is given back. */
public class Client {
    public static void main(String[] arguments) throws Exception {
        MongoCollection<Document> locks =
            MongoClients.create(Protocol.env("MONGODB_URL")).getDatabase("app").getCollection("shedLock");
        Protocol.serve(kind -> new ShedLock(new MongoLockProvider(locks),
                                            name -> locks.find(Filters.eq("_id", name)).first().getString("lockedBy")));
    }
}
