/** A server in this process, for what the real one does not do on request: failures, and a future release. */

import { once } from "node:events";
import * as http from "node:http";
import * as http2 from "node:http2";
import type { AddressInfo } from "node:net";
import { ArbiterService } from "@arbiter/client";
import type { ServiceImpl } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { grpc, type Way } from "./clients.js";

type Methods = Partial<ServiceImpl<typeof ArbiterService>>;

export class StandIn {
  private constructor(
    readonly url: string,
    private readonly server: http.Server | http2.Http2Server,
    private readonly connections: Set<{ destroy(): void }>,
    private readonly sessions: Set<http2.Http2Session>,
  ) {}

  /** Starts a server that speaks as this way of calling needs it. */
  static async start(way: Way, methods: Methods): Promise<StandIn> {
    const handler = connectNodeAdapter({ routes: (router) => router.service(ArbiterService, methods) });
    const server = way === grpc ? http2.createServer(handler) : http.createServer(handler);
    const connections = new Set<{ destroy(): void }>();
    server.on("connection", (socket: { destroy(): void }) => connections.add(socket));
    const sessions = new Set<http2.Http2Session>();
    server.on("session", (session: http2.Http2Session) => sessions.add(session));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    return new StandIn(`http://127.0.0.1:${port}`, server, connections, sessions);
  }

  /** Lets open calls end and takes no more on the connections that there are, as a server does now and then. */
  renewConnections(): void {
    for (const session of this.sessions) session.close();
    this.sessions.clear();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.server, "close");
    this.server.close();
    for (const connection of this.connections) connection.destroy();
    await closed;
  }
}
