// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
package protocol;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The line protocol of tests/support/foreign_client.h for the clients in Java. Each client has a thread of its own. */
public final class Protocol {
    public interface Client {
        /** The owner, or null where somebody else has it. */
        String acquire(String name, long ttlMs) throws Exception;

        /** Whether it was still there. */
        boolean release() throws Exception;

        default boolean renew(long ttlMs) throws Exception {
            throw new UnsupportedOperationException("renew");
        }

        /** Waits for it, gives it back, and tells under which name it was held. */
        default String await(String name) throws Exception {
            throw new UnsupportedOperationException("wait");
        }

        /** Waits for it, keeps it, and tells under which name. */
        default String take(String name) throws Exception {
            throw new UnsupportedOperationException("take");
        }
    }

    public interface Maker {
        Client make(String kind) throws Exception;
    }

    private Protocol() {}

    public static String env(String name) {
        return System.getenv(name);
    }

    public static int port(String name) {
        return Integer.parseInt(env(name));
    }

    private static synchronized void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    private static String answer(Client client, String[] words) throws Exception {
        switch (words[1]) {
        case "acquire":
            String owner = client.acquire(words[2], Long.parseLong(words[3]));
            return owner == null ? "held" : "acquired " + owner;
        case "renew":
            return client.renew(Long.parseLong(words[2])) ? "renewed" : "lost";
        default:
            return client.release() ? "released" : "lost";
        }
    }

    /** Takes the lock so often, and counts how often somebody else was inside: a folder can be made once. */
    private static int fight(Client client, String name, int rounds, Path folder) throws Exception {
        int overlaps = 0;
        Path inside = folder.resolve("inside");
        for (int round = 0; round < rounds; ++round) {
            client.take(name);
            if (!inside.toFile().mkdir())
                ++overlaps;
            Files.writeString(folder.resolve("holders"), "T", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            Thread.sleep(1);
            Files.deleteIfExists(inside);
            client.release();
            Thread.sleep(20);
        }
        return overlaps;
    }

    private static String said(Callable<String> work, ExecutorService thread) throws InterruptedException {
        try {
            return thread.submit(work).get();
        } catch (ExecutionException failed) {
            return ("error " + failed.getCause()).replace('\n', ' ');
        }
    }

    private static String got(Client client, String[] words) throws Exception {
        switch (words[1]) {
        case "take":
            return client.take(words[2]);
        case "fight":
            return String.valueOf(fight(client, words[2], Integer.parseInt(words[4]), Path.of(words[5])));
        default:
            return client.await(words[2]);
        }
    }

    /** Serves until standard input ends. */
    public static void serve(Maker maker) throws Exception {
        Map<String, ExecutorService> threads = new HashMap<>();
        Map<String, Client> clients = new HashMap<>();
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        say("ready");
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] words = line.trim().split(" ");
            ExecutorService thread = threads.computeIfAbsent(words[0], who -> Executors.newSingleThreadExecutor());
            if (!clients.containsKey(words[0]))
                clients.put(words[0], maker.make(words[0].split("#")[0]));
            Client client = clients.get(words[0]);
            if (words[1].equals("take") || words[1].equals("wait") || words[1].equals("fight")) {
                say("waiting");
                thread.submit(() -> {
                    try {
                        say("got " + got(client, words));
                    } catch (Exception failed) {
                        say("error " + failed);
                    }
                });
            } else {
                say(said(() -> answer(client, words), thread));
            }
        }
        Runtime.getRuntime().halt(0);
    }
}
